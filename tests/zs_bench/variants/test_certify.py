"""The scores that logs and rows have recorded, beside the official ones."""

import json

import pytest
from written_files import write

from zs_bench.scoring.score_files import score_files
from zs_bench.variants import certify

REFERENCE = "the end of it"
NAME = "samples_qasper_2026-06-03T10-20-30.123456.json"


def harness(id_, answer, score, **more):
    doc = {"id": id_, "pid": f"{id_}_0", "input": "Why?", "output": REFERENCE}
    row = {"doc": doc, "resps": [[answer]], "filtered_resps": [answer], "filter": "none", "metrics": ["f1"]}
    return {**row, "f1": score, **more}


def inspect(*samples):
    rows = [
        {"id": id_, "target": "B", "output": {"completion": text}, "scores": {"choice": {"value": value}}}
        for id_, text, value in samples
    ]
    return {"eval": {"task": "zs/quality"}, "samples": rows}


def own(answer, reference, **score):
    return {"id": f"{answer} {reference}", "prediction": answer, "output": reference, **score}


LETTERS = inspect(("1", "B", "C"), ("2", "b", "C"), ("3", "A", "I"))
UNNAMED = [{"id": "1", "output": "end end", "target": "end", "score": 100}]
ROUNDED = [own("end x y", "end it", f1=0.4), own("a end it x", "end it", f1=0.67)]
#: What a file with its references holds, and of its scores: the name, how many agree and do not, the recorded and the
#: official score that differ most, and the variant that gives the recorded ones.
CASES = [
    ([harness("1", "end of it", 1.0), harness("2", "end", 0.5)], "f1", 2, 0, None, None),
    ([harness("1", "end of it", 0.0), harness("2", "no", 0.0)], "f1", 1, 1, (0, 100), None),
    ([harness(id_, "end of it", {"values": {"score": 100}}) for id_ in "12"], "f1", 2, 0, None, None),
    (LETTERS, "choice", 2, 1, (100, 0), "upper-cased letters"),
    (inspect(("1", "B", {"score": 100.0}), ("2", "A", {"score": 0.0})), "choice", 2, 0, None, None),
    (UNNAMED, "score", 0, 1, (100, 200 / 3), "set-F1"),
    ([own("the end it", REFERENCE, f1=0.8)], "f1", 1, 0, None, None),
    ([own("end x", REFERENCE, em=False)], "em", 0, 1, (0, 40), None),
    ([own("end it x", "end it", f1=66.7)], "f1", 0, 1, (66.7, 80), None),
    (ROUNDED, "f1", 1, 1, (67, 80), None),
    ([{**UNNAMED[0], "score": 0.67}], "score", 1, 0, None, None),  # two decimals of a share
    ([{**UNNAMED[0], "score": 0.66}], "score", 0, 1, (66, 200 / 3), None),
    ([{**UNNAMED[0], "score": 67}], "score", 0, 1, (67, 200 / 3), None),  # whole points are not rounded
]


@pytest.mark.parametrize("case", CASES)
def test_recorded_scores_are_compared_with_the_official_ones(tmp_path, zero_scrolls, case):
    content, field, agree, differ, largest, variant = case
    path = write(tmp_path / NAME, content)
    done = zero_scrolls("certify", path, "--format", "json")
    ((found),) = json.loads(done.out)["tasks"].values()
    assert (found["recorded"], found["agree"], len(found["differences"])) == (field, agree, differ)
    assert (found["given_by"] or {}).get("variant") == variant
    assert (done.status, json.loads(done.out)["agrees"]) == ((1, False) if differ else (0, True))
    if differ:
        first = found["differences"][0]
        assert (first["recorded"], first["official"]) == pytest.approx(largest)
    warnings = [row.message for row in score_files([path], [path]).problems if row.kind == "recorded"]
    assert [message.count(f"The recorded {field} differs") for message in warnings] == [1] * (differ > 0)


def test_certify_names_the_differences_and_the_variant_and_says_where_nothing_is_recorded(tmp_path, zero_scrolls):
    out = zero_scrolls("certify", write(tmp_path / NAME, LETTERS)).out
    assert "quality: the recorded choice (0 to 1) is the official score for 2 of 3 answers; mean 66.6667," in out
    assert "\n2     100.00      0.00  b\nThe variant 'upper-cased letters' gives 3 of 3: Accuracy reads" in out
    table = write(tmp_path / "qasper.csv", "id,prediction,mine,likelihood\n1,end of it,1.0,-3\n2,end,0,-2\n")
    rows = [{"id": id_, "output": REFERENCE} for id_ in "12"]
    command = ["certify", table, "--references", write(tmp_path / "qasper.jsonl", rows)]
    for more in ([], ["--columns", "score=likelihood"]):
        none = zero_scrolls(*command, *more)
        assert (none.status, "qasper: no recorded score. --columns score=NAME" in none.out) == (1, True)
    done = zero_scrolls(*command, "--columns", "score=mine")
    assert (done.status, "for 1 of 2 answers" in done.out, done.err) == (1, True, "")


def test_the_other_filter_of_a_log_can_be_read_and_repeats_are_said(tmp_path, zero_scrolls):
    answers = {"strict": "end of it", "loose": "x"}
    rows = [
        harness(id_, answer, 1.0, filter=name, resps=[["end", "x"]]) for id_ in "12" for name, answer in answers.items()
    ]
    path = write(tmp_path / NAME, rows)
    for name, status, read in ((None, 0, "'strict'"), ("strict", 0, "'strict'"), ("loose", 1, "'loose'")):
        done = zero_scrolls("certify", path, *(["--filter", name] if name else []))
        assert (done.status, f"those of {read} are read" in done.err) == (status, True)
        assert done.err.count("the model answered 2 times") == 1
    unread = zero_scrolls("certify", path, "--filter", "lose")
    assert "no row has the filter 'lose'; the filters are 'strict', 'loose'" in unread.err


def test_a_variant_is_sought_among_some_answers_of_a_large_file(tmp_path):
    rows = [{"id": str(i), "output": "end end", "target": "end", "score": 100} for i in range(400)]
    path = write(tmp_path / "qasper.jsonl", rows)
    given_by = certify(score_files([path], [path]))["tasks"]["qasper"]["given_by"]
    assert (given_by["variant"], given_by["agree"], given_by["tried"]) == ("set-F1", 300, 300)
