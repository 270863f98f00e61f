"""Examples from the package, the Hub, a folder and a ZIP: the same rows, inspected, with what is wrong with them."""

import gzip
import json
import shutil

import pytest
from benchmark_zips import as_test, rows_of, without_references, zipped
from written_files import as_bytes, write

from zs_bench.benchmarks.scrolls import BENCHMARK as SCROLLS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.inspection import Counts, broken_rules, findings
from zs_bench.dataset.rows import EMBEDDED, Example, load_embedded, read_examples
from zs_bench.dataset.sources import load_examples, open_tasks
from zs_bench.errors import SourceUnavailable, UnusableInput
from zs_bench.files import limits
from zs_bench.files.input_files import InputFile
from zs_bench.validation.from_source import references_from_source
from zs_metric.errors import UnknownTask, ZeroScrollsError

REPO = "tau/zero_scrolls"


@pytest.fixture
def commit(hub):
    """Replace ZIPs of tasks on the Hub; the hash of the commit."""
    return lambda **files: hub.repo("datasets", REPO).commit({f"{task}.zip": data for task, data in files.items()})


def kinds(problems):
    return [(problem.kind, problem.is_error) for problem in problems]


@pytest.mark.parametrize(
    "source", ["embedded", "hub", "folders", "zips", "zips/squality.zip", "folders/squality", "list", "packed"]
)
def test_every_source_gives_the_same_examples(source, tmp_path, monkeypatch, hub, commit):
    data = zipped("squality", validation=rows_of("squality"))
    commit(squality=data)
    (tmp_path / "zips").mkdir()
    (tmp_path / "zips" / "squality.zip").write_bytes(data)
    shutil.copytree(EMBEDDED, tmp_path / "folders")
    write(tmp_path / "list" / "squality_validation.json", json.dumps(rows_of("squality")))
    write(tmp_path / "packed" / "squality" / "validation.jsonl.gz", gzip.compress(as_bytes(rows_of("squality"))))
    monkeypatch.chdir(tmp_path)
    loaded = load_examples(source, "squality")
    assert loaded.examples == load_embedded("squality")
    assert loaded.counts == Counts(rows=8, ids=2, labelled=8, unlabelled=0, indexed=2)
    assert (loaded.scorable, loaded.findings) == (True, [])


def test_a_revision_can_be_pinned_in_either_way(hub, commit):
    old = hub.repo("datasets", REPO).refs["main"]
    new = commit(qasper=zipped("qasper", validation=rows_of("qasper")[:1]))
    assert load_examples("hub", "qasper").source.commit == new
    assert load_examples("hub", "qasper", revision=old).source.commit == old
    assert load_examples(f"hub:{REPO}@{old}", "qasper").source.commit == old
    with pytest.raises(ZeroScrollsError, match="two revisions"):
        load_examples(f"hub:{REPO}@{old}", "qasper", revision=new)
    with pytest.raises(ZeroScrollsError, match="'embedded' has no revisions"):
        load_examples("embedded", "qasper", revision=new)


def test_a_split_that_cannot_be_scored_against_is_found_out(commit):
    rows = rows_of("qasper")
    again = [{key: row[key] for key in reversed(row)} for row in reversed(rows)]  # not the same bytes, nor the order
    bare = without_references(as_test(rows_of("quality")))
    partly = [{**row, "output": None} if place else row for place, row in enumerate(rows_of("musique"))]
    commit(qasper=zipped("qasper", validation=rows, test=again), musique=zipped("musique", validation=partly))
    commit(quality=zipped("quality", validation=rows_of("quality"), test=bare))
    repeated, unlabelled = load_examples("hub", "qasper", "test"), load_examples("hub", "quality", "test")
    assert kinds(repeated.findings) == [("test-is-validation", True), ("not-all", False)]
    assert "the test split is the validation split over again" in repeated.findings[0].message
    assert kinds(unlabelled.findings) == [("no-references", True), ("not-all", False)]
    assert "all are null" in unlabelled.findings[0].message
    small = "2 ids where the published test split has 500: part of it, or other examples"
    assert unlabelled.findings[1].message == small
    assert (unlabelled.counts.labelled, unlabelled.counts.unlabelled) == (0, 2)
    assert (repeated.scorable, unlabelled.scorable, load_examples("hub", "qasper").scorable) == (False, False, True)
    some = load_examples("hub", "musique")
    assert (kinds(some.findings), some.scorable) == ([("null-references", False)], True)
    assert [len(example.references) for example in some.examples][1:] == [0]


@pytest.mark.parametrize(
    ("rows_of_each", "count", "split", "message"),
    [
        (1, 272, "validation", None),
        (2, 136, "validation", None),
        (2, 272, "validation", None),
        (1, 281, "validation", "281 ids in 281 rows where the published validation split has 272"),
        (2, 1, "train", "1 ids in 2 rows where the published train split has 1257: part of it, or other examples"),
    ],
)
def test_rows_or_ids_of_scrolls_may_have_the_published_size(rows_of_each, count, split, message):
    references, pids = ["So."] * rows_of_each, ["a_0"] * rows_of_each
    examples = [Example(SCROLLS.tasks["qmsum"], "a", "Why?\n\nText.", references, pids)] * count
    faults = findings(SCROLLS.tasks["qmsum"], split, examples)
    assert [(fault.kind, str(message) in fault.message) for fault in faults] == [("not-all", True)] * bool(message)
    assert findings(SCROLLS.tasks["qmsum"], split, examples, sample=True) == []


@pytest.mark.parametrize(
    ("arguments", "error", "message"),
    [
        (("embedded", "govreport"), UnknownTask, "did you mean 'gov_report'"),
        (("embedded", "qasper", "test"), UnusableInput, "embedded examples: qasper has no split 'test'; it has valid"),
        (("no/such/folder", "qasper"), UnusableInput, "there is no file or folder 'no/such/folder'"),
        (("hub:tau/scrolls", "musique"), SourceUnavailable, "has no file musique.zip"),
        (("hub", "qasper", "train"), UnusableInput, "has no split 'train'; it has validation, test"),
    ],
)
def test_what_is_missing_from_a_source_is_named(hub, arguments, error, message):
    with pytest.raises(error, match=message):
        load_examples(*arguments)


def test_the_hard_questions_have_no_data_and_the_error_says_what_to_give_instead():
    what_to_give = "marks no question as hard; give the hard ids to the command line's --hard-ids"
    for source in ("embedded", "hub"):
        with pytest.raises(UnusableInput, match=what_to_give):
            load_examples(source, "quality_hard", benchmark="scrolls")
    references = references_from_source("embedded", ["qasper", "quality_hard"], benchmark="scrolls")
    assert list(references.by_task) == ["qasper"]
    assert [(problem.kind, problem.task) for problem in references.problems] == [("no-data", "quality_hard")]


def test_two_files_for_one_split_are_refused(tmp_path):
    shutil.copytree(EMBEDDED / "qasper", tmp_path / "qasper")
    (tmp_path / "qasper.zip").write_bytes(zipped("qasper"))
    with pytest.raises(UnusableInput, match="both qasper's validation split; keep one"):
        load_examples(tmp_path, "qasper")


def test_a_split_that_is_too_large_is_named_beside_those_that_are_read(hub, monkeypatch):
    rows = rows_of("gov_report", benchmark="scrolls")
    many = [{**row, "id": f"r{n}"} for n in range(20) for row in as_test(rows)]
    hub.repo("datasets", "tau/scrolls").commit({"gov_report.zip": zipped("gov_report", train=many, validation=rows)})
    monkeypatch.setattr(limits, "current", lambda: limits.Limits(by_lines=100_000))
    ((_, data),) = open_tasks("hub", [SCROLLS.tasks["gov_report"]])
    assert list(data.files) == ["validation"]
    (problem,) = (problem for problem in data.load("validation").findings if problem.kind == "not-read")
    place = "gov_report.zip/gov_report/train.jsonl"
    assert (problem.task, problem.is_error, str(problem.place)) == ("gov_report", False, place)
    with pytest.raises(UnusableInput, match=r"no split 'train'; it has validation; gov_report: the file was not read"):
        data.load("train")


def test_references_of_several_tasks_are_all_of_one_commit(hub, commit):
    """Somebody may push while the first file is fetched."""
    first, pushed = hub.repo("datasets", REPO).refs["main"], []

    def push(_, what):
        if what.startswith("squality") and not pushed:
            pushed.append(commit(qasper=zipped("qasper", validation=rows_of("qasper")[:1])))

    references = references_from_source("hub", ["squality", "qasper"], progress=push)
    assert (len(pushed), references.source.commit) == (1, first)
    assert len(references.of("qasper", "validation")) == len(load_embedded("qasper"))


def test_a_hub_out_of_reach_is_asked_once(hub):
    hub.close()
    ((task, error),) = open_tasks("hub", [TASKS["squality"], TASKS["qasper"]])
    assert (task.name, isinstance(error, SourceUnavailable)) == ("squality", True)
    assert "cannot be reached" in str(error)


# The cleaning rules of SCROLLS

SHORT, LONG, COPIED = ("fewer words than twice its summary", "more than 1,000 times the words", "word for word")
CUT = "cut: the text has a marker of Project Gutenberg"
MARKERS = [
    "*** START OF THIS PROJECT GUTENBERG EBOOK EMMA ***",
    "***END OF THE PROJECT GUTENBERG EBOOK EMMA***",
    "*** START OF THE COPYRIGHTED PROJECT GUTENBERG EBOOK EMMA ***",
    "*END*THE SMALL PRINT! FOR PUBLIC DOMAIN ETEXTS*Ver.04.29.93*END*",
    "***START**THE SMALL PRINT!**FOR PUBLIC DOMAIN ETEXTS**START***",
    "*** SMALL PRINT!",
    "End of Project Gutenberg's Emma, by Jane Austen",
    "End of the Project Gutenberg EBook of Emma",
    "**The Project Gutenberg Etext of Emma, by Jane Austen**",
    "Project Gutenberg’s Emma",
    "<html><head>",
    "<!DOCTYPE html>",
]


@pytest.mark.parametrize(
    ("task", "document", "output", "broken"),
    [
        ("gov_report", "a " * 19, "b " * 10, [SHORT]),
        ("gov_report", "a " * 20, "b " * 10, []),
        ("gov_report", "a " * 10_000, "b " * 10, []),
        ("gov_report", "a " * 10_001, "b " * 10, [LONG]),
        ("gov_report", "a " * 50, "a  \n a", [COPIED]),
        ("qasper", "x" * 8_191, "yes", ["fewer than 8,192 characters"]),
        ("qasper", "x" * 8_192, "yes", []),
        *(("narrative_qa", f"Licence.\n{marker}\nOnce.", "So", [CUT]) for marker in MARKERS),
        ("narrative_qa", "He praised Project Gutenberg's books; the small print <b>ended</b> <here>.", "So", []),
    ],
)
def test_the_cleaning_rules_name_the_examples_that_they_would_drop_or_cut(task, document, output, broken):
    text = document if task == "gov_report" else f"Who?\n\n{document}"
    row = {"id": "a", "pid": "a", "input": text, "output": output}
    examples, _ = read_examples(InputFile.in_memory("a.jsonl", json.dumps(row).encode()), SCROLLS.tasks[task])
    ids_by_rule = broken_rules(SCROLLS.tasks[task], examples)
    rules = [rule for rule, ids in ids_by_rule.items() if ids == ["a"]]
    assert [part for part, rule in zip(broken, rules, strict=True) if part not in rule] == []
