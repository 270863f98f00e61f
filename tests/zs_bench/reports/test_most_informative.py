"""Which answers a report shows."""

from zs_bench.reports.file_view import AnswerRow, choose_informative
from zs_metric import TASKS
from zs_metric.explain import PARTS, Losses
from zs_metric.results import ExampleResult


def row(key: str, task: str = "qasper", answer: str | None = None, **lost: float) -> AnswerRow:
    most = max(PARTS, key=lambda part: lost.get(part, 0))
    score = 100 - sum(lost.values())
    text = f"answer {key}" if answer is None else answer
    return AnswerRow(TASKS[task], key, text, [], ExampleResult(score, text, None), Losses(**lost), most if lost else "")


def chosen(rows: list[AnswerRow], most: int = 100) -> dict[str, list[str]]:
    return {task: [one.id for one in rows_] for task, rows_ in choose_informative(rows, most).items()}


def test_the_kinds_of_loss_alternate_and_the_largest_loss_comes_first() -> None:
    rows = [
        row("c1", content=60),
        row("c2", content=90),
        row("f", format=100),
        row("l1", length=5),
        row("l2", length=9),
    ]
    assert chosen(rows) == {"qasper": ["f", "l2", "c2", "l1", "c1"]}


def test_an_answer_that_lost_to_two_kinds_is_shown_once() -> None:
    assert chosen([row("both", length=30, content=40), row("c", content=10)]) == {"qasper": ["both", "c"]}


def test_the_tasks_alternate_until_there_are_enough() -> None:
    rows = [row(f"q{i}", "qasper", content=50) for i in range(9)] + [row("n", "narrative_qa", content=1)]
    assert chosen(rows, most=4) == {"qasper": ["q0", "q1", "q2"], "narrative_qa": ["n"]}


def test_the_same_answer_twice_in_a_task_is_shown_once() -> None:
    rows = [row("1", answer="I do not know", content=100), row("2", answer=" I do not know\n", content=100)]
    assert chosen([*rows, row("3", "quality", answer="I do not know", format=100)]) == {
        "qasper": ["1"],
        "quality": ["3"],
    }


def test_an_answer_without_a_loss_tells_nothing() -> None:
    assert chosen([row("perfect")]) == {}
