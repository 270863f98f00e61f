"""The three names of the package: `score`, `compare` and `verify`, from dictionaries, rows and paths."""

import json
import subprocess
import sys
from pathlib import Path

import pytest
from written_files import write

from zs_bench import compare, score, verify
from zs_metric import ZeroScrollsError

REFERENCES = {"qasper": {str(i): ["yes", "no"] for i in range(12)}, "quality": {"1": "B"}}
ANSWERS = {str(i): "yes" if i % 3 else "<think> no" for i in range(12)}
ROWS = [{"task": "qasper", "id": id_, "prediction": text} for id_, text in ANSWERS.items()]


def test_dictionaries_rows_and_paths_score_alike_with_intervals_patterns_and_a_comparison(tmp_path):
    path = write(tmp_path / "qasper.json", ANSWERS)
    references = write(tmp_path / "references.json", REFERENCES)
    forms = [{"qasper": ANSWERS}, ROWS, path, str(path), [path]]
    scored = [score(form, against) for form in forms for against in (REFERENCES, references, str(references))]
    for each in scored:
        assert each.tasks["qasper"].score == pytest.approx(800 / 9)
        assert (each.interval, str(each.signature())) == (scored[0].interval, str(scored[0].signature()))
        assert [pattern.name for pattern in each.tasks["qasper"].patterns] == ["unfinished_thinking"]
    better = score({"qasper": dict.fromkeys(ANSWERS, "yes")}, references=REFERENCES)
    match = compare({"ours": scored[0], "theirs": better}).comparisons[0]
    assert match.tasks["qasper"].comparison.difference == pytest.approx(100 / 9)
    assert verify(ROWS, {"qasper": REFERENCES["qasper"]}).ready
    assert score(write(tmp_path / "quality.csv", "id,prediction\n1,B\n"), {"quality": {"1": "B"}}).refused == {}


def test_what_was_refused_is_named_and_where_nothing_was_scored_it_raises():
    scored = score({"qasper": ANSWERS, "quality": {"2": "B"}}, REFERENCES)
    assert list(scored.scored) == ["qasper"]
    assert scored.refused.keys() == {"quality"}
    assert "1 of 1 answers is missing" in scored.refused["quality"]


@pytest.mark.parametrize(
    ("predictions", "against", "reason"),
    [
        ({"quality": {"2": "B"}}, {"references": REFERENCES}, "no task could be scored: quality: .*missing"),
        ([], {"references": REFERENCES}, "no task could be scored: No answers found"),
        ({"quality": {"1": None}}, {"references": REFERENCES}, "null"),
        ("preds.csv", {"references": REFERENCES}, "there is no file or folder 'preds.csv'"),
        ({"quality": {"1": Path("B")}}, {"references": REFERENCES}, "holds what is not JSON"),
        ([1], {"references": REFERENCES}, "1 is no path"),
        ({"quality": {"1": "B"}}, {}, "give what the answers are scored against"),
    ],
)
def test_a_score_that_cannot_be_given_is_an_error_with_the_reason(predictions, against, reason):
    with pytest.raises(ZeroScrollsError, match=reason):
        score(predictions, **against)


def test_the_package_is_imported_without_what_its_names_need():
    code = "import json, sys, zs_bench; before = {*sys.modules}; zs_bench.score; print(json.dumps([*before]))"
    loaded = json.loads(subprocess.run([sys.executable, "-c", code], capture_output=True, check=True).stdout)
    assert not {"numpy", "zs_metric", "zs_bench.scoring"} & {*loaded}


def test_scoring_imports_nothing_that_few_files_need():
    code = "import sys; from zs_start.cli import main; main(['demo']); sys.stderr.write(' '.join(sys.modules))"
    found = subprocess.run([sys.executable, "-c", code], capture_output=True, check=True, encoding="utf-8").stderr
    rare = {"statistics", "difflib", "decimal", "zs_bench.benchmarks.longbench.copies", "zs_bench.scoring.runs"}
    rare |= {"zs_bench.benchmarks.longbench.rouge_l", "zs_bench.reports.explain_text"}
    assert not (rare | {"zs_bench.validation.repeated_questions"}) & {*found.split()}
