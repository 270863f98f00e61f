"""A prompt cut to what a model can take, the way the paper did it.

Source: ZeroSCROLLS section 4 and its released experiments. When the prompt has more than `context - answer` tokens, the
part before the query is cut to

    context - tokens(separator + query + response header) - answer - 1

tokens, and 9 fewer for OpenAI's chat models (the `chat` form); then come the separator, the query and the response
header, whole. The open models take `context` tokens of input alone: `answer` is 0 for them, and the 1 is the token that
T5 puts at the end. In the `claude` form the frame counts like the response header.

An input of SCROLLS begins with its query: what is cut is its end, and nothing is put there.

Where the paper is silent, our choice: the instruction is never cut. A budget that does not hold it is an error.
"""

from collections.abc import Mapping
from dataclasses import dataclass, replace

from zs_bench.benchmarks import Task
from zs_bench.errors import BudgetTooSmall
from zs_bench.inputs import Segment
from zs_bench.problems import short
from zs_bench.prompts.token_counts import WORDS, Tokenizer
from zs_bench.prompts.variants import PromptText


@dataclass(frozen=True, slots=True)
class Budget:
    """How many tokens there are for prompt and answer together, and how many of these are left free for the answer."""

    context: int
    answer: int


@dataclass(frozen=True, slots=True)
class Preset:
    """A setting of the paper, with `context` in tokens.

    Attributes:
        tokenizer: the model's own; `None` if no library has it any more.
        answers: whether tokens are left free for the answer.
    """

    title: str
    context: int
    variant: str
    tokenizer: str | None
    answers: bool = True

    def budget(self, task: Task) -> Budget:
        """The tokens of that setting for a task; none are left free for the answer where the paper did not run it."""
        return Budget(self.context, task.answer_budget or 0 if self.answers else 0)


PRESETS: Mapping[str, Preset] = {
    "davinci003": Preset("DaVinci003", 4096, "canonical", "tiktoken:text-davinci-003"),
    "chatgpt": Preset("ChatGPT", 4096, "chat", "tiktoken:gpt-3.5-turbo"),
    "gpt-4": Preset("GPT-4", 8192, "chat", "tiktoken:gpt-4"),
    "claude": Preset("Claude", 8000, "claude", None),
    "open-models": Preset("T0pp, Flan-T5 and Flan-UL2", 8192, "canonical", "hf:google/flan-t5-xxl", answers=False),
}
#: The 1 of the formula, and for chat models the 9 more.
_RESERVED: Mapping[str, int] = {"canonical": 1, "chat": 10, "claude": 1}


@dataclass(frozen=True, slots=True)
class Trimmed:
    """A prompt that fits its budget.

    Attributes:
        prompt: with a segment `separator` where the document was cut.
        tokenizer: the name of the tokenizer.
        tokens, full_tokens: of the prompt after and before trimming.
        document_tokens, kept_tokens: of the document alone, before and after.
        kept: the share of the document's characters that is left, 0 to 1.
    """

    prompt: PromptText
    tokenizer: str
    tokens: int
    full_tokens: int
    document_tokens: int
    kept_tokens: int
    kept: float

    @property
    def cut(self) -> bool:
        """Whether anything was cut."""
        return any(segment.part == "separator" for segment in self.prompt.segments)


def trim(prompt: PromptText, budget: Budget, tokenizer: Tokenizer = WORDS) -> Trimmed:
    """The prompt, its document cut when it does not fit; `BudgetTooSmall` if not even the rest of it fits."""
    texts = dict(prompt.segments)
    document = texts.get("document", "").removesuffix("\n\n")
    size, full = tokenizer.count(document), tokenizer.count(prompt.text)
    if full <= budget.context - budget.answer:
        return Trimmed(prompt, tokenizer.name, full, full, size, size, 1.0)
    if "document" not in texts:
        least = full + budget.answer
        raise BudgetTooSmall(f"{prompt.task}: {budget.context:,} tokens do not hold the prompt; give {least:,}", least)
    at = [segment.part for segment in prompt.segments].index("document")
    before, after = prompt.segments[:at], (Segment("separator", prompt.separator), *prompt.segments[at + 1 :])
    # The document follows the instruction, in SCROLLS the query; they are counted and cut together.
    lead = before[-1].text if before else ""
    around = "".join(segment.text for segment in (*before[:-1], *after))
    spent = tokenizer.count(around) + budget.answer + _RESERVED[prompt.variant]
    needed = spent + tokenizer.count(lead)
    if budget.context < needed:
        least = min(needed, full + budget.answer)  # a short document can need less than the separator in its place
        raise BudgetTooSmall(
            f"{prompt.task}: {budget.context:,} tokens do not hold the prompt of {short(prompt.id)!r} without its "
            f"document; the least budget that works is {least:,}, {budget.answer:,} of it for the answer",
            least,
        )
    left = tokenizer.cut(lead + texts["document"], budget.context - spent)[len(lead) :]
    shorter = replace(prompt, segments=(*before, Segment("document", left), *after))
    share = min(1.0, len(left) / len(document)) if document else 1.0
    tokens = tokenizer.count(shorter.text)
    return Trimmed(shorter, tokenizer.name, tokens, full, size, tokenizer.count(left), share)
