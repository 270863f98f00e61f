r"""The forms in which a prompt is given to a model: canonical, and the paper's two for chat models.

Source: ZeroSCROLLS section 4 and its released experiments.

* `canonical`: the row's `input` as it stands.
* `chat`: it ends after the query (or, without one, after the document and its empty line): no response header. For the
  six tasks that are not summaries the instruction is told ` Do not provide any explanation.`
* `claude`: as `chat`, between `\n\nHuman: ` and `\n\nAssistant:`. For those six tasks the instruction asks for tags
  instead, and the assistant's turn is opened with the response header and the opening tag; the answer is to be cut at
  the closing tag before it is scored (`cut_at_tag`).

SCROLLS is for fine-tuning: its inputs have no instruction that could be put otherwise, so it has `canonical` only.

As messages the frame of `claude` is left away, since a chat interface adds it, and the opened turn is a message of the
assistant.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from zs_bench.prompting.dissect import Dissected, Segment, dissect
from zs_bench.prompting.prompts import template
from zs_bench.prompting.scrolls_input import QUERY_FIRST
from zs_bench.sources.rows import Example
from zs_metric.errors import ZeroScrollsError, did_you_mean
from zs_metric.tasks import find_benchmark, find_task

#: The four tasks whose answers are summaries: nothing is told about explanations, and there are no tags.
SUMMARIES = ("gov_report", "summ_screen_fd", "qmsum", "squality")

FRAME = "frame"
_NO_EXPLANATION = " Do not provide any explanation"
_IN_ORDER = ("instruction", "document", "query", "response_header")


class UnknownVariant(ZeroScrollsError):
    """A variant that does not exist."""


@dataclass(frozen=True, slots=True)
class PromptText:
    """What a model gets.

    Attributes:
        task, id: of the example.
        variant: `canonical`, `chat` or `claude`.
        segments: the whole prompt in order: `instruction`, `document`, `query`, `response_header`, as of
            `zs_bench.prompting.dissect`; `frame` around them in `claude`; `separator` where the document was cut.
        separator: what is to be put where the document is cut.
        notes: how the prompt was taken apart, when not by its index fields.
    """

    task: str
    id: str
    variant: str
    segments: tuple[Segment, ...]
    separator: str
    notes: tuple[str, ...] = ()

    @property
    def text(self) -> str:
        """The prompt as one text."""
        return "".join(segment.text for segment in self.segments)

    @property
    def messages(self) -> list[dict[str, str]]:
        """The prompt as chat messages; the last is the assistant's where its turn is opened."""
        opened = "response_header" if self.variant == "claude" else FRAME
        user = "".join(text for part, text in self.segments if part not in (opened, FRAME))
        assistant = "".join(text for part, text in self.segments if part == opened != FRAME).strip()
        messages = [{"role": "user", "content": user}]
        return [*messages, {"role": "assistant", "content": assistant}] if assistant else messages


def make_prompt(example: Example, variant: str = "canonical") -> PromptText:
    """The example's prompt in one of its forms.

    Raises:
        UnknownVariant: with the likely name; for SCROLLS, of any but `canonical`.
        CannotDissect: when the prompt cannot be taken apart.

    >>> from zs_bench.sources.embedded import load_embedded
    >>> make_prompt(load_embedded("quality")[0], "claude").messages[-1]
    {'role': 'assistant', 'content': 'Answer: <answer>'}
    """
    if variant not in VARIANTS:
        hint = did_you_mean(variant, VARIANTS) or f"the variants are {', '.join(VARIANTS)}"
        raise UnknownVariant(f"no variant {variant!r}; {hint}")
    if variant != "canonical" and example.benchmark in QUERY_FIRST:
        raise UnknownVariant(
            f"{find_benchmark(example.benchmark).title} is for fine-tuning and has no instruction: there is no variant "
            f"{variant!r} of its inputs; take 'canonical', the input as it is"
        )
    parts = dissect(example.task, example)
    segments = VARIANTS[variant](example.task, parts)
    return PromptText(example.task, example.id, variant, segments, example.separator, parts.notes)


def answer_tag(task: str) -> str | None:
    """The name of the tag around the answer in the paper's Claude form; `None` for summaries, which have none.

    >>> answer_tag("space_digest")
    'percentage_of_positive_reviews'
    """
    return None if find_task(task).name in SUMMARIES else _answer_type(task).lower().replace(" ", "_")


def cut_at_tag(answer: str, task: str) -> str:
    """The answer up to its closing tag; the whole answer when there is none, and for summaries.

    >>> cut_at_tag(" 60%</percentage_of_positive_reviews> I counted", "space_digest")
    ' 60%'
    """
    tag = answer_tag(task)
    return answer if tag is None else answer.partition(f"</{tag}>")[0]


def _canonical(_task: str, parts: Dissected) -> tuple[Segment, ...]:
    return parts.segments


def _chat(task: str, parts: Dissected) -> tuple[Segment, ...]:
    told = "" if task in SUMMARIES else f"{_NO_EXPLANATION}."
    return _without_header(parts, told)


def _claude(task: str, parts: Dissected) -> tuple[Segment, ...]:
    tag, kind = answer_tag(task), _answer_type(task)
    tags = f"{_NO_EXPLANATION}, and please highlight your final {kind.lower()} with <{tag}></{tag}> tags."
    inner = _without_header(parts, "" if tag is None else tags)
    opened = () if tag is None else (Segment("response_header", f" {kind}: <{tag}>"),)
    return (Segment(FRAME, "\n\nHuman: "), *inner, Segment(FRAME, "\n\nAssistant:"), *opened)


def _without_header(parts: Dissected, told: str) -> tuple[Segment, ...]:
    """The segments up to the end of the query, the instruction followed by what it is told besides."""
    texts = dict(parts.segments)
    texts["instruction"] = parts.instruction + told + texts["instruction"][len(parts.instruction) :]
    texts["response_header"] = ""
    if "query" in texts:
        texts["query"] = texts["query"].removesuffix("\n\n")
    return tuple(Segment(part, texts[part]) for part in _IN_ORDER if texts.get(part))


def _answer_type(task: str) -> str:
    return template(task).response_header.removesuffix(":")


#: The forms, in the order of the help.
VARIANTS: Mapping[str, Callable[[str, Dissected], tuple[Segment, ...]]] = {
    "canonical": _canonical,
    "chat": _chat,
    "claude": _claude,
}
