"""The prompts of a split, trimmed and with the number of tokens of their answers, as a model is to be asked."""

import hashlib
import json
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from zs_bench.benchmarks import Task
from zs_bench.dataset.rows import Example
from zs_bench.prompts.token_counts import find_tokenizer
from zs_bench.prompts.variants import Budget, make_prompt, trim
from zs_bench.run_records.settings import Settings

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
        """The messages, each with `role` and `content`."""
        return list(json.loads(self.packed))

    @property
    def digest(self) -> str:
        """The hash of the messages."""
        return hashlib.sha256(self.packed).hexdigest()[:16]

    @property
    def key(self) -> tuple[str, str]:
        """The names of task and example."""
        return self.task.name, self.id

    @property
    def text(self) -> str:
        """The contents of the messages."""
        return "".join(message["content"] for message in self.messages)


def pack(messages: Sequence[Mapping[str, str]]) -> bytes:
    """Return messages as `Request.packed` has them."""
    return json.dumps(list(messages), ensure_ascii=True).encode("ascii")


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
        yield Request(example.task, example.id, pack(prompt.messages), document, tokens, round(kept, 4))


def answer_tokens(settings: Settings, task: Task) -> int:
    """Return how many tokens the model may generate for the task: its answer's, and those for thinking."""
    return (settings.answer_budget or task.answer_budget or ANSWER_TOKENS) + settings.thinking_budget
