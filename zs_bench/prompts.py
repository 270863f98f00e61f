r"""Prompts as a model is asked: their form, how they are trimmed, and the tokens of an answer.

Source: ZeroSCROLLS section 4 and its released experiments.

* `canonical`: the row's `input` unchanged.
* `chat`: ends after the query (or, without one, after the document and its empty line), without the response header.
  For the six tasks that are not summaries ` Do not provide any explanation.` is added to the instruction.
* `claude`: as `chat`, between `\n\nHuman: ` and `\n\nAssistant:`. For those six tasks the instruction asks for tags
  instead, and the assistant's turn begins with the response header and the opening tag; the prediction is to be cut at
  the closing tag before it is scored (`cut_at_tag`).
* `closed-book`: as `canonical`, without the context header and the document: what a model scores that has not read it.

SCROLLS is for fine-tuning and its inputs have no instruction, so it has `canonical` only.

As messages, `claude` has no frame, since a chat interface adds it, and the begun turn is a message of the assistant.

A prompt is trimmed to what a model can take, the way the paper did it. When it has more than
`context - answer` tokens, the part before the query is cut to

    context - tokens(separator + query + response header) - answer - 1

tokens, and 9 fewer for OpenAI's chat models (the `chat` form); then come the separator, the query and the response
header, whole. The open models take `context` tokens of input alone: `answer` is 0 for them, and the 1 is the token that
T5 puts at the end. In the `claude` form the frame counts like the response header.

An input of SCROLLS begins with its query: what is cut is its end, and nothing is put there.

A task can have the middle cut instead (`Task.cut`): the first and the last half of the `context - answer` tokens of the
whole prompt are kept, as LongBench does, and nothing is put between them.

Where the paper is silent, our choice: the instruction is never cut. A budget that does not hold it is an error.
"""

import hashlib
import json
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, replace

from zs_bench.benchmarks import DEFAULT, Task
from zs_bench.dataset.rows import Example
from zs_bench.errors import BudgetTooSmall, UnknownName
from zs_bench.inputs import GAP, PromptParts, Segment
from zs_bench.problems import short
from zs_bench.token_counts import WORDS, Tokenizer, find_tokenizer
from zs_metric.errors import unknown


@dataclass(frozen=True, slots=True)
class Settings:
    """What decides which prompts are sent, to which model, and how it is to answer: equal for all sessions of a run.

    Attributes:
        revision: the commit of the source that was read; `None` for a source without commits.
        budget: tokens of prompt and answer together, to which documents are trimmed; `None` for no trimming.
        answer_budget: tokens of an answer; `None` for the paper's number for each task.
        thinking_budget: tokens that a reasoning model may spend before its answer.
        temperature, seed: as sent to the server; `None` leaves them out.
    """

    model: str
    benchmark: str = DEFAULT
    source: str = "embedded"
    split: str = "validation"
    variant: str = "canonical"
    revision: str | None = None
    budget: int | None = None
    tokenizer: str = "words"
    answer_budget: int | None = None
    thinking_budget: int = 0
    temperature: float | None = 0.0
    seed: int | None = None


FRAME = "frame"
#: The row's input, unchanged; and the form without the document.
CANONICAL = "canonical"
CLOSED_BOOK = "closed-book"
_NO_EXPLANATION = " Do not provide any explanation"


@dataclass(frozen=True, slots=True)
class PromptText:
    """What is sent to a model.

    Attributes:
        variant: a key of `VARIANTS`.
        segments: the whole prompt in order: `instruction`, `document`, `query`, `response_header`, as in
            `PromptParts`; `frame` around them in `claude`; `separator` where the document was cut.
        notes: how the prompt was split, if not by its index fields.
    """

    task: Task
    id: str
    variant: str
    segments: tuple[Segment, ...]
    separator: str
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        return "".join(segment.text for segment in self.segments)

    @property
    def messages(self) -> list[dict[str, str]]:
        """The prompt as chat messages; the last is the assistant's if its turn has begun."""
        opened = "response_header" if self.variant == "claude" else FRAME
        user = "".join(text for part, text in self.segments if part not in (opened, FRAME))
        assistant = "".join(text for part, text in self.segments if part == opened != FRAME).strip()
        messages = [{"role": "user", "content": user}]
        return [*messages, {"role": "assistant", "content": assistant}] if assistant else messages


def make_prompt(example: Example, variant: str = CANONICAL) -> PromptText:
    """The example's prompt in one of its forms.

    Raises:
        UnknownName: with the most similar name; for SCROLLS, any variant but `canonical`.
        PromptFormatError: when the prompt cannot be split into parts.
    """
    if variant not in VARIANTS:
        raise UnknownName(unknown("variant", variant, VARIANTS))
    benchmark = example.task.benchmark
    if variant != CANONICAL and example.task.prompt:
        raise UnknownName(f"the prompt of {example.task} is one text, without a variant {variant!r}; take 'canonical'")
    if variant != CANONICAL and benchmark.query_first:
        raise UnknownName(
            f"{benchmark.title} is for fine-tuning and has no instruction: there is no variant "
            f"{variant!r} of its inputs; take 'canonical', the input as it is"
        )
    parts = example.parts
    segments = VARIANTS[variant](example.task, parts)
    return PromptText(example.task, example.id, variant, segments, example.separator, parts.notes)


def answer_tag(task: Task) -> str | None:
    """The name of the tag around the answer in the paper's Claude form, such as `answer`.

    It is `None` for summaries and for tasks that the paper does not prompt for. A task of SCROLLS that is also one of
    ZeroSCROLLS has the tag that it has there.
    """
    return None if task.summaries else task.answer_type.lower().replace(" ", "_") or None


def cut_at_tag(prediction: str, task: Task) -> str:
    """The prediction up to its closing tag; the whole prediction if there is none, or the task has no tag."""
    tag = answer_tag(task)
    return prediction if tag is None else prediction.partition(f"</{tag}>")[0]


def _claude(task: Task, parts: PromptParts) -> tuple[Segment, ...]:
    tag, kind = answer_tag(task), task.answer_type
    tags = f"{_NO_EXPLANATION}, and please highlight your final {kind.lower()} with <{tag}></{tag}> tags."
    inner = _without_header(parts, "" if tag is None else tags)
    opened = () if tag is None else (Segment("response_header", f" {kind}: <{tag}>"),)
    return (Segment(FRAME, "\n\nHuman: "), *inner, Segment(FRAME, "\n\nAssistant:"), *opened)


def _closed_book(_task: Task, parts: PromptParts) -> tuple[Segment, ...]:
    rest = [segment for segment in parts.segments if segment.part not in ("instruction", "document")]
    return (Segment("instruction", f"{parts.instruction}{GAP}"), *rest)


def _without_header(parts: PromptParts, addition: str) -> tuple[Segment, ...]:
    texts = dict(parts.segments)
    texts["instruction"] = parts.instruction + addition + texts["instruction"][len(parts.instruction) :]
    del texts["response_header"]
    if "query" in texts:
        texts["query"] = texts["query"].removesuffix("\n\n")
    return tuple(Segment(part, text) for part, text in texts.items())


#: The forms, in the order of the help.
VARIANTS: Mapping[str, Callable[[Task, PromptParts], tuple[Segment, ...]]] = {
    CANONICAL: lambda _, parts: parts.segments,
    "chat": lambda task, parts: _without_header(parts, "" if task.summaries else f"{_NO_EXPLANATION}."),
    "claude": _claude,
    CLOSED_BOOK: _closed_book,
}


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
        return any(segment.part == "separator" for segment in self.prompt.segments)


def trim(prompt: PromptText, budget: Budget, tokenizer: Tokenizer = WORDS) -> Trimmed:
    """The prompt, its document cut when it does not fit; `BudgetTooSmall` if not even the rest of it fits."""
    texts = dict(prompt.segments)
    document = texts.get("document", "").removesuffix("\n\n")
    size, full = tokenizer.count(document), tokenizer.count(prompt.text)
    if full <= budget.context - budget.answer:
        return Trimmed(prompt, tokenizer.name, full, full, size, size, 1.0)
    if prompt.task.cut == "middle":
        return _without_middle(prompt, budget, tokenizer, full, size)
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


def _without_middle(prompt: PromptText, budget: Budget, tokenizer: Tokenizer, full: int, size: int) -> Trimmed:
    """The first and the last half of the tokens that are left for the prompt."""
    half, text = (budget.context - budget.answer) // 2, prompt.text
    if half < 1:
        least = budget.answer + 2
        raise BudgetTooSmall(f"{prompt.task}: {budget.context:,} tokens hold no prompt; give {least:,}", least)
    head, tail = len(tokenizer.cut(text, half)), len(tokenizer.cut(text, full - half))
    segments, at = list[Segment](), 0
    for part, piece in prompt.segments:
        cut, rest = head - at, max(0, tail - at)
        kept = [Segment(part, piece[: max(0, cut)]), Segment(part, piece[rest:])]
        segments += kept[:1] if kept[0].text else []
        segments += [Segment("separator", "")] if 0 <= cut < len(piece) else []
        segments += kept[1:] if kept[1].text else []
        at += len(piece)
    shorter = replace(prompt, segments=tuple(segments))
    document, left = ("".join(text for part, text in each.segments if part == "document") for each in (prompt, shorter))
    share = len(left) / len(document) if document else 1.0
    tokens = tokenizer.count(shorter.text)
    return Trimmed(shorter, tokenizer.name, tokens, full, size, tokenizer.count(left), share)


#: Tokens of an answer where the paper gives no number (SCROLLS, which is for fine-tuned models).
ANSWER_TOKENS = 1024


@dataclass(frozen=True, slots=True)
class Request:
    """One prompt to be sent, with how many tokens the server may generate.

    `packed` has its messages as JSON in ASCII, which takes half the memory of a text with a single curly quote. `kept`
    is the share of the document's characters that trimming left, 0 to 1.
    """

    task: Task
    id: str
    packed: bytes
    document: str
    answer_tokens: int
    kept: float = 1.0

    @property
    def messages(self) -> list[dict[str, str]]:
        return list(json.loads(self.packed))

    @property
    def digest(self) -> str:
        return hashlib.sha256(self.packed).hexdigest()[:16]

    @property
    def key(self) -> tuple[str, str]:
        return self.task.name, self.id

    @property
    def text(self) -> str:
        return "".join(message["content"] for message in self.messages)


def make_requests(
    settings: Settings, examples: Iterable[Example], documents: Mapping[str, str | None]
) -> Iterator[Request]:
    """Yield the prompts of the examples, trimmed where the settings say so; `documents` are their names by id."""
    for example in examples:
        prompt, kept, tokens = make_prompt(example, settings.variant), 1.0, answer_tokens(settings, example.task)
        if settings.budget is not None:
            trimmed = trim(prompt, Budget(settings.budget, tokens), find_tokenizer(settings.tokenizer))
            prompt, kept = trimmed.prompt, trimmed.kept
        document = documents.get(example.id) or example.id
        packed = json.dumps(prompt.messages).encode("ascii")
        yield Request(example.task, example.id, packed, document, tokens, round(kept, 4))


def answer_tokens(settings: Settings, task: Task) -> int:
    """Return how many tokens the model may generate for the task: its answer's, and those for thinking."""
    return (settings.answer_budget or task.answer_budget or ANSWER_TOKENS) + settings.thinking_budget
