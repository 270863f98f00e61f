"""The data of SCROLLS: embedded, on a stand-in for the Hub, in a folder; inspected, stored, made into prompts."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest
from benchmark_zips import as_test, rows_of, scrolls_zip, zipped
from hub_client import only_a_stand_in
from hub_stand_in import HubStandIn

from zs_bench.cli import main
from zs_bench.dataset.embedded import load_embedded
from zs_bench.dataset.inspection import findings
from zs_bench.dataset.rows import Example
from zs_bench.dataset.sources import load_examples, open_tasks
from zs_bench.errors import UnusableInput
from zs_bench.files import limits
from zs_bench.validation.from_source import references_from_source
from zs_metric.scoring import score_example
from zs_metric.tasks import BENCHMARKS, SCROLLS

REPO = "tau/scrolls"
TASKS = BENCHMARKS["scrolls"].tasks
EXAMPLES = [example for task in TASKS for example in load_embedded(task, benchmark="scrolls")]


@pytest.fixture
def hub(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[HubStandIn]:
    """A stand-in with data of both benchmarks, and no other address within reach."""
    with only_a_stand_in(tmp_path / "cache", monkeypatch) as server:
        server.repo("datasets", REPO).commit({f"{task}.zip": scrolls_zip(task) for task in TASKS})
        server.repo("datasets", "tau/zero_scrolls").commit({"qasper.zip": zipped("qasper")})
        yield server


def kinds(task: str, split: str, examples: list[Example], **about: Any) -> list[str]:
    return [found.kind for found in findings(TASKS[task], split, examples, **about)]


def test_every_embedded_example_scores_full_points_by_its_own_reference() -> None:
    for example in EXAMPLES:
        assert example.references
        for reference in example.references:
            found = score_example(example.task, reference, example.references, benchmark="scrolls")
            assert found.score == pytest.approx(100, abs=1e-9), example.id


def test_what_both_benchmarks_have_is_the_same_document_query_and_answer() -> None:
    shared = [example for example in EXAMPLES if example.task.name != "contract_nli"]
    zeros = [zero for task in TASKS if task != "contract_nli" for zero in load_embedded(task)]
    for zero, example in zip(zeros, shared, strict=True):
        assert (example.id, example.pids, example.task.benchmark.name) == (zero.id, zero.pids, "scrolls")
        assert (example.document, example.query) == (zero.document, zero.query)
        if example.task.name == "quality":
            (letter,), (text,) = zero.references, example.references
            assert f" ({letter}) {text}" in example.query.split("\n")
        else:
            assert example.references == zero.references


def test_the_hard_questions_have_no_data_and_the_error_says_what_to_give_instead() -> None:
    for load in (
        lambda: load_embedded("quality_hard", benchmark="scrolls"),
        lambda: load_examples("hub", "quality_hard", benchmark="scrolls"),
    ):
        with pytest.raises(
            UnusableInput,
            match="marks no question as hard; give predictions and references of the hard ids as files, or a list of "
            "hard ids to the command line's --hard-ids",
        ):
            load()
    found = references_from_source("embedded", ["qasper", "quality_hard"], benchmark="scrolls")
    assert list(found.tasks) == ["qasper"]
    assert [(problem.kind, problem.task) for problem in found.problems] == [("no-data", "quality_hard")]


def test_the_size_of_every_split_is_known_and_either_rows_or_ids_may_have_it() -> None:
    one = Example(TASKS["qmsum"], "a", "Why?\n\nText.", ["So."], ["a_0"])
    two = Example(TASKS["qmsum"], "b", "Why?\n\nText.", ["So.", "Thus."], ["b_0", "b_1"])
    assert kinds("qmsum", "validation", [one] * 272) == []
    assert kinds("qmsum", "validation", [two] * 136) == []
    assert kinds("qmsum", "validation", [two] * 272) == []
    assert kinds("qmsum", "validation", [one] * 281) == ["not-all"]
    assert kinds("qmsum", "validation", [one], sample=True) == []
    (problem,) = findings(TASKS["qmsum"], "train", [two])
    assert problem.message == "1 ids in 2 rows where the published train split has 1257: part of it, or other examples"


def test_a_split_that_is_too_large_is_named_beside_those_that_are_read(
    hub: HubStandIn, monkeypatch: pytest.MonkeyPatch
) -> None:
    rows = rows_of("gov_report", benchmark="scrolls")
    many = [{**row, "id": f"r{n}"} for n in range(20) for row in as_test(rows)]
    hub.repo("datasets", REPO).commit({"gov_report.zip": zipped("gov_report", train=many, validation=rows)})
    monkeypatch.setattr(limits, "current", lambda: limits.Limits(by_lines=100_000))
    ((_, data),) = open_tasks("hub", [SCROLLS.tasks["gov_report"]])
    assert list(data.files) == ["validation"]
    (found,) = (found for found in data.load("validation").findings if found.kind == "not-read")
    assert (found.task, found.is_error) == ("gov_report", False)
    assert str(found.place) == "gov_report.zip/gov_report/train.jsonl"
    with pytest.raises(UnusableInput, match=r"no split 'train'; it has validation; gov_report: the file was not read"):
        data.load("train")


def test_a_preset_of_the_other_benchmark_is_refused(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["prompt", "qasper", "--benchmark", "scrolls", "--preset", "gpt-4"]) == 2
    assert (
        "a preset is a setting of the ZeroSCROLLS paper, SCROLLS has none; give a --budget" in capsys.readouterr().err
    )
