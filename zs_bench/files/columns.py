"""The columns of tables and the fields of rows by their usual names: which holds what, and which is in doubt."""

import re
from collections.abc import Collection, Iterable, Iterator, Mapping, Sequence
from typing import Any

from zs_bench.errors import UnknownColumns, UnusableInput
from zs_bench.problems import Place, Problem, short
from zs_metric.texts import clean_text

#: What tools call them in lowercase, the likeliest first; the first name is ours.
USUAL = {
    "id": "id _id example_id question_id qid query_id key",
    "prediction": "prediction predicted_answer pred output response completion generation answer model_output "
    "generated_text",
    "references": "output references reference answers answer target gold gold_answers gold_answer golden_answers "
    "golden_answer ground_truths ground_truth reference_answers reference_answer reference_summary gold_summary "
    "expected_answer expected_output expected correct_answers correct_answer targets labels label refs ref solution gt "
    "summary answer_string answer_list outputs",
    "task": "task task_name dataset",
    "score": "score f1 acc accuracy exact_match em rouge rougel",
}
#: What a user can name: columns by what they hold, and the filter of lm-evaluation-harness whose rows are read.
ROLES = (*USUAL, "filter")
#: The usual names of ids.
IDS = frozenset(USUAL["id"].split())
#: Further references of the same row, as MuSiQue has them.
ALIASES = ("answer_aliases", "aliases")
# Names that references have where nothing else may hold them.
_MAYBE = frozenset({"labels", "label", "solution", "summary", "answer_string", "answer_list"})
# Words in the names of answer columns, to find others beside a column named `prediction`.
_ANSWERS = frozenset(re.split("[ _]", USUAL["prediction"])) - {"model", "text"}
# Names of answers that no data has, beside which `answer` and `output` are references.
_PLAIN = frozenset({"prediction", "predicted_answer", "pred"})
# Words that names of columns without answers end in, and those that names of columns of the data begin with.
_NO_ANSWER = frozenset(
    word
    for words in (
        "id ids pid uid uuid guid key index idx number no row rank hash title name names file filename path url link",
        "question questions query queries input inputs prompt prompts instruction instructions options choices classes",
        "context contexts document documents doc docs article articles passage passages paragraph paragraphs story",
        "book source dataset corpus task split subset domain topic category kind type level difficulty language lang",
        "evidence model system engine provider version date day time timestamp created seed temperature metadata meta",
        "tags author reason stop status error tokens length len words latency seconds cost score f1 em acc accuracy",
        "rouge correct explanation rationale reasoning thinking thoughts judge judgement judgment verdict feedback",
        "comment comments messages note notes gold truth reference references target targets label labels",
    )
    for word in words.split()
)
_OF_DATA = frozenset({"question", "query", "context", "prompt", "input", "document", "doc"})
_OF_DATA |= {"gold", "golden", "ground", "ref", "reference", "expected"}
#: How many rows of a file are looked at for such columns.
FIRST_ROWS = 20
_TRUTH = frozenset({"true", "false", "nan", "none", "null"})
_HOLDS = {"id": "the IDs", "prediction": "the answers", "references": "the references", "task": "the tasks"}


def parse_columns(text: str) -> dict[str, str]:
    """What columns are called, by what they hold, as people write it; raises `UnusableInput` for anything else.

    >>> parse_columns("id=qid,prediction=response")
    {'id': 'qid', 'prediction': 'response'}
    """
    pairs = [pair.partition("=") for pair in text.split(",")]
    columns = {ours.strip(): theirs for ours, _, theirs in pairs}
    if not columns.keys() <= {*ROLES} or not all(columns.values()):
        roles = f"each ROLE is one of {', '.join(ROLES)}"
        raise UnusableInput(f"{text!r} is not ROLE=FIELD; give for example id=qid,prediction=response, where {roles}")
    return columns


def likely_columns(header: Iterable[str]) -> dict[str, list[str]]:
    """The columns that may hold each, the likeliest first.

    A row with `input` or `pid` is one of the data, whose `output` is a reference and no answer.

    >>> likely_columns(["QID", "response", "input", "output"])["prediction"]
    ['response']
    """
    by_name = {name.strip().lower(): name for name in reversed(list(header))}
    likely = {ours: [by_name[name] for name in names.split() if name in by_name] for ours, names in USUAL.items()}
    if not by_name.keys().isdisjoint({"input", "pid"}):
        likely["prediction"] = [name for name in likely["prediction"] if name.strip().lower() != "output"]
    return likely


def guess_columns(header: Iterable[str]) -> dict[str, str]:
    """The columns that probably hold `id`, `prediction` and `task`, without those for which none is likely.

    >>> guess_columns(["QID", "question", "response"])
    {'id': 'QID', 'prediction': 'response'}
    """
    likely = likely_columns(header)
    return {ours: likely[ours][0] for ours in ("id", "prediction", "task") if likely[ours]}


def find_columns(header: Iterable[str], named: Mapping[str, str], text: str = "prediction") -> dict[str, str]:
    """The columns that hold `id`, the text (`prediction` or `references`) and `task`, without those that are not there.

    They are those that the user has `named`, else those of our names, else the only likely one. Raises
    `UnknownColumns` where several are likely, or two have one name.
    """
    header = list(header)
    likely, found = likely_columns(header), dict[str, str]()
    answers = [named["prediction"]] if "prediction" in named else likely["prediction"]
    others = [name for name in likely[text] if name not in answers]
    if text == "references" and len(answers) == 1 and any(name.strip().lower() not in _MAYBE for name in others):
        likely[text] = others  # `output` and `answer` may be either
    for ours in ("id", text, "task"):
        if ours == "task" and {"id", text} <= found.keys() and named.get(ours, "") not in ("", *header):
            raise unknown_columns(header, named, text)
        names = [named[ours]] * (named[ours] in header) if ours in named else likely[ours]
        if len(names) > 1 and ours in ("id", "prediction") and not _is_plain(ours, names):
            both = " and ".join(repr(short(clean_text(name, "header"))) for name in names[:2])
            raise _with_names(
                UnknownColumns(f"{both} may both hold {_HOLDS[ours]}. Say which one does"), {ours: names[0]}
            )
        if names:
            check_twins(header, names[0], ours, is_named=ours in named)
            found[ours] = names[0]
    return found


def _is_plain(ours: str, names: Sequence[str]) -> bool:
    """Whether the first of the likely names is the one, since it is ours, or the others are those of references."""
    first, *others = (name.strip().lower() for name in names)
    return first == ours or (first in _PLAIN and {*others} <= {*USUAL["references"].split()})


def check_twins(header: Sequence[str], name: str, ours: str, *, is_named: bool) -> None:
    """Raise `UnknownColumns` if another column has the same name, unless the user named it also in other capitals."""
    bare = name.strip().lower()
    twins = [each for each in header if each == name or (not is_named and each.strip().lower() == bare)]
    if len(twins) > 1:
        both = " and ".join(repr(short(clean_text(each, "header"))) for each in twins[:2])
        raise UnknownColumns(f"two columns are called {both}. Keep the one with {_HOLDS[ours]}")


def unread_columns(rows: Sequence[Mapping[str, Any]], read: str, named: Mapping[str, str]) -> list[str]:
    """Return the other columns that may hold answers, judged by their names and the texts of the first rows.

    `read` is the column that is read. There are none where the user named it; where it is `prediction`, our own name,
    only those whose names also say that they hold answers.

    >>> unread_columns([{"id": "7", "answer": "a cat", "gpt-4": "a dog", "question": "Who?"}], "answer", {})
    ['gpt-4']
    >>> unread_columns([{"prediction": "a cat", "cleanPrediction": "a", "gpt-4": "x", "answer": "b"}], "prediction", {})
    ['cleanPrediction']
    """
    bare = read.strip().lower()
    if read in named.values():
        return []
    usual = {name for ours in ("id", "task", "score") for name in USUAL[ours].split()} | {*ALIASES}
    usual |= {*USUAL["references"].split()} if bare in _PLAIN else {*USUAL["references"].split()} - {"answer", "output"}
    found = (name for row in rows for name, value in row.items() if name != read and _may_answer(name, value, usual))
    return [name for name in dict.fromkeys(found) if bare != "prediction" or not _ANSWERS.isdisjoint(_words(name))]


def says_id(name: str) -> bool:
    """Whether a name says that it is of ids.

    >>> [says_id(name) for name in ("instance_id", "sampleId", "uid", "idea")]
    [True, True, True, False]
    """
    return _words(name)[-1:] in ([word] for word in ("id", "ids", "uid", "uuid", "guid", "key", "idx", "index"))


def _words(name: str) -> list[str]:
    return re.findall(r"[a-z]+|\d+", re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name).lower())


def _may_answer(name: str, value: Any, usual: Collection[str]) -> bool:
    words = _words(name)
    if not words or name.strip().lower() in usual or words[-1] in _NO_ANSWER or words[0] in _OF_DATA:
        return False
    value = value[0] if type(value) is list and len(value) == 1 else value
    text = value.strip() if isinstance(value, str) else ""
    return bool(text) and text.lower() not in _TRUTH and re.fullmatch(r"[-+\d.,:%eE\s]+", text[:50]) is None


def on_unread(
    rows: Sequence[Mapping[str, Any]], read: str, named: Mapping[str, str], place: Place
) -> Iterator[Problem]:
    """The warning about columns that may hold answers too, if there are any."""
    if unread := unread_columns(rows, read, named):
        names = [repr(short(clean_text(name, "header"))) for name in (read, *unread[:3])]
        message = (
            f"The answers are read from {names[0]}; not read: {', '.join(names[1:])}. Say so if another holds them"
        )
        yield Problem(
            "unread-columns", message, place=place, is_error=False, columns=name_columns(prediction=unread[0])
        )


def on_other_references(
    rows: Sequence[Mapping[str, Any]], read: str, named: Mapping[str, str], place: Place
) -> Iterator[Problem]:
    """Warn about columns of references whose texts differ from those read in most rows."""
    likely = likely_columns(rows[0])["references"] if rows else []
    if read in named.values() or read not in likely:
        return
    others = [name for name in likely if name != read and name.strip().lower() not in _MAYBE]
    differ = [name for name in others if 2 * sum(_are_others(row.get(name), row.get(read)) for row in rows) > len(rows)]
    if differ:
        names = [repr(short(clean_text(name, "header"))) for name in (read, *differ[:3])]
        message = (
            f"The references are read from {names[0]}; not read: {', '.join(names[1:])}. Say so if another holds them"
        )
        columns = name_columns(references=differ[0])
        yield Problem("unread-references", message, place=place, is_error=False, columns=columns)


def _are_others(value: Any, read: Any) -> bool:
    texts = _texts(value)
    return bool(texts) and texts.isdisjoint(_texts(read))


def _texts(value: Any) -> set[str]:
    texts = value if type(value) is list else [value]
    return {" ".join(text.casefold().split()) for text in texts if isinstance(text, str) and text.strip()}


def name_columns(**columns: str) -> str | None:
    r"""What `parse_columns` reads as these; `None` for a name that it cannot read, or that nobody can type.

    >>> name_columns(id="uid", prediction="a text"), name_columns(id="a,b"), name_columns(id="not \udcbe UTF-8")
    ('id=uid,prediction=a text', None, None)
    """
    names = {ours: name for ours, name in columns.items() if name and "," not in name}
    written = [f"{ours}={name}" for ours, name in names.items() if clean_text(name, "header") == name]
    return ",".join(written) if len(written) == len(columns) else None


def holds(columns: str) -> str:
    """What the columns hold that are written for `parse_columns`, in words.

    >>> holds("id=uid,prediction=text")
    "'uid' holds the IDs and 'text' holds the answers"
    """
    pairs = parse_columns(columns).items()
    return " and ".join(f"{short(clean_text(name, 'header'))!r} holds {_HOLDS[ours]}" for ours, name in pairs)


def unknown_columns(header: Iterable[str], named: Mapping[str, str], text: str = "prediction") -> UnknownColumns:
    """The error of columns or fields of which none is known to hold the text, or none the ids."""
    header = list(header)
    shown = repr(short(clean_text(",".join(header[:10]), "header")))
    if lacking := [repr(short(name)) for name in named.values() if name not in header]:
        return UnknownColumns(f"there is no column {' and no '.join(lacking)}; the columns are {shown}")
    if text == "prediction" and {"input", "output"} <= {name.lower() for name in header}:
        return UnknownColumns(f"these are rows of the data, with input and output, and no answers: {shown}")
    held = find_columns(header, named, text)
    lacking = [ours for ours in ("id", text) if ours not in held]
    what = " and none ".join(_HOLDS[ours] for ours in lacking)
    others = [name for name in header if name not in held.values() and name.strip()]
    guess = {ours: name for ours in lacking if (name := _guess(ours, others))}
    return _with_names(UnknownColumns(f"no column is known to hold {what}; the columns are {shown}"), guess)


def _guess(ours: str, names: list[str]) -> str:
    """The name, which is taken out, that may be the column's: of ids one that says so, else the first."""
    says_so = (name for name in names if (words := _words(name)) and (words[-1] in _NO_ANSWER) == (ours == "id"))
    name = next(says_so, next(iter(names), ""))
    if name:
        names.remove(name)
    return name


def _with_names(error: UnknownColumns, columns: Mapping[str, str]) -> UnknownColumns:
    error.columns = name_columns(**columns) or None
    return error


def score_columns(header: Iterable[str], named: Mapping[str, str], others: Iterable[str] = ()) -> list[str]:
    """The columns that may hold a recorded score, the likeliest first."""
    by_name = {name.strip().lower(): name for name in header if name.strip()}  # the index of pandas has no name
    names = (named.get("score", ""), *USUAL["score"].split(), *others)
    return [by_name[name.lower()] for name in names if name.lower() in by_name]
