"""The known variants: values measured on the implementations themselves, and the search for one; recorded scores.

The cases of F1, accuracy, exponential similarity and the concordance index were measured by running lm-eval's pull
request 3797 (its scorers for ZeroSCROLLS), eval-framework's former tasks, the F1 shared by LongBench and OpenCompass,
and inspect_ai's F1; a case is listed where the one detail of the variant decides it.
"""

import json
from dataclasses import replace
from statistics import fmean

import pytest
from hypothesis import given
from hypothesis import strategies as st
from rouge_score.rouge_scorer import RougeScorer
from written_files import write

from zs_bench.benchmarks import BENCHMARKS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import EMBEDDED, SAMPLE_PREDICTIONS
from zs_bench.scoring.score_files import score_files
from zs_bench.variants import (
    AVERAGE,
    METRIC_VARIANTS,
    OFFICIAL,
    _matches,
    certify,
    matching_variants,
    rescore,
    rescored_file,
)
from zs_metric import EmptyInput, UnknownTask, UnreadableReference, ZeroScrollsError, engine
from zs_metric.rouge import ROUGE_TYPES, geometric_mean

PAPER = "Out of 50 reviews, 20 are positive and 30 are negative, so 40% of the reviews are positive 60% are negative."
MEASURED = [
    ("articles before punctuation", "qasper", "the-end", "theend", 100, 0),
    ("articles before punctuation", "qasper", "state-of-the-art model", "stateoftheart model", 100, 40),
    ("no transliteration", "qasper", "café", "cafe", 100, 0),
    ("no transliteration", "narrative_qa", "São Paulo", "Sao Paulo", 100, 50),
    ("set-F1", "musique", "ha ha ha", "ha", 50, 100),
    ("letter anywhere", "quality", "A or BC", "C", 0, 100),
    ("letter anywhere", "quality", "A", "C", 0, 0),
    ("letter anywhere", "quality", "A or BC", "(C)", 0, 100),
    ("upper-cased letters", "quality", "I think a reader would say B", "B", 100, 0),
    ("upper-cased letters", "quality", "b", "B", 0, 100),
    ("bare numbers as percentages", "space_digest", "40", "40%", 0, 100),
    ("bare numbers as percentages", "space_digest", "40 percent", "40%", 0, 100),
    ("bare numbers as percentages", "space_digest", "About 40 %", "40%", 0, 100),
    ("bare numbers as percentages", "space_digest", "0.4", "40%", 0, 6.4),
    ("first number as share or percentage", "space_digest", "40", "40%", 0, 100),
    ("first number as share or percentage", "space_digest", "40 percent", "40%", 0, 100),
    ("first number as share or percentage", "space_digest", "About 40 %", "40%", 0, 100),
    ("first number as share or percentage", "space_digest", "0.4", "40%", 0, 100),
    ("first number as share or percentage", "space_digest", PAPER, "40%", 100, 50),
    ("first number as share or percentage", "space_digest", "1%", "40%", 6.7, 1.6),
    ("partial orders accepted", "book_sum_sort", "2, 1", "2, 1, 3, 4", 0, 100),
    ("partial orders accepted", "book_sum_sort", "2, 1, 3, 3", "2, 1, 3, 4", 0, 83.3),
    ("partial orders accepted", "book_sum_sort", "2, 1, 3, 4, 5", "2, 1, 3, 4", 0, 100),
    ("partial orders accepted", "book_sum_sort", "2-1-3-4", "2, 1, 3, 4", 0, 100),
    ("partial orders accepted", "book_sum_sort", "2>1>3>4", "2, 1, 3, 4", 0, 100),
    ("partial orders accepted", "book_sum_sort", "2,1,3,4 (4 chapters)", "2, 1, 3, 4", 0, 90),
    ("equal positions", "book_sum_sort", "1, 2, 3, 4", "2, 1, 3, 4", 83.3, 50),
    ("equal positions", "book_sum_sort", "2, 1, 3, 3", "2, 1, 3, 4", 0, 75),
    ("equal positions", "book_sum_sort", "2, 1", "2, 1, 3, 4", 0, 0),
    ("equal positions", "book_sum_sort", str([*range(2, 20), 1]), str([*range(1, 20)]), 89.5, 0),
]
# Variants of SCROLLS, worked by hand: variant, task, answer, reference, official score, score of the variant.
OF_SCROLLS = [
    ("transliteration", "qasper", "café", "cafe", 0, 100),
    ("transliteration", "quality", "São Paulo", "Sao Paulo", 0, 100),
    ("texts as they are", "contract_nli", "entailment.", "Entailment", 100, 0),
    ("texts as they are", "contract_nli", " Entailment\n", "Entailment", 100, 100),
    ("reference inside the answer", "contract_nli", "Entailment, since clause 3 says so", "Entailment", 0, 100),
    ("reference inside the answer", "contract_nli", "Unmentioned", "Not mentioned", 0, 0),
    ("articles before punctuation", "narrative_qa", "the-end", "theend", 100, 0),
    ("set-F1", "narrative_qa", "ha ha ha", "ha", 50, 100),
]
SUMMARIES = ["the cats were sitting on mats", "a dog runs", "nothing of it", "hello there general kenobi"]
TRUTHS = [["the cat sat on the mat"], ["the dogs ran", "a dog running home"], ["xyz"], ["hello", "general kenobi"]]

texts = st.text(max_size=30) | st.sampled_from(["", "9" * 5000, "2, 1", "B", "40%", "1.", "\ud800", "٣ ٤%", "a b a b"])


def points(variant: str, task: str, predictions: list[str], references: list[list[str]]) -> float:
    value = rescore({task: (predictions, references)})[variant][task]
    assert value is not None
    return value


@pytest.mark.parametrize(
    ("benchmark", "case"),
    [*(("zero_scrolls", case) for case in MEASURED), *(("scrolls", case) for case in OF_SCROLLS)],
)
def test_a_variant_gives_the_value_measured_on_the_implementation_or_worked_by_hand(
    benchmark: str, case: tuple[str, str, str, str, float, float]
) -> None:
    variant, task, prediction, reference, official, theirs = case
    rescored = rescore({task: ([prediction], [[reference]])}, benchmark=benchmark)
    assert rescored[OFFICIAL][task] == pytest.approx(official, abs=0.05)
    assert rescored[variant][task] == pytest.approx(theirs, abs=0.05)
    assert ("no transliteration" in rescored) == ("equal positions" in rescored) == (benchmark == "zero_scrolls")


def test_the_best_reference_counts_but_for_the_variant_that_takes_the_first() -> None:
    references = [["yes", "no"], ["a", "b", "a boat"]]
    for variant, score in ((OFFICIAL, 100), ("set-F1", 100), ("first reference only", 0)):
        assert points(variant, "qasper", ["no", "boat"], references) == score


def test_a_file_has_the_differences_from_the_official_scores_and_the_variants_that_give_a_number() -> None:
    scored = score_files([SAMPLE_PREDICTIONS], [EMBEDDED])
    rescored = rescored_file(scored)
    assert (rescored["given_by"], rescored["reported"]) == (None, {})
    assert set(rescored["variants"][OFFICIAL]["deltas"].values()) == {0.0}
    changed = rescored["variants"]["equal positions"]
    official = rescored["variants"][OFFICIAL]["scores"]["book_sum_sort"]
    assert changed["deltas"]["book_sum_sort"] == changed["scores"]["book_sum_sort"] - official != 0
    found_by = rescored_file(scored, {"book_sum_sort": f"{changed['scores']['book_sum_sort']:.4f}"})["given_by"]
    assert found_by == ["equal positions"]
    with pytest.raises(EmptyInput):
        rescored_file(replace(scored, tasks={}))


def test_every_variant_of_single_answers_has_a_measured_case() -> None:
    apart = {OFFICIAL, "stemmer on", "mean of instance geometric means", "first reference only"}
    rows = [row for row in METRIC_VARIANTS.values() if row.applies_to(BENCHMARKS["zero_scrolls"])]
    names = {row.name for row in rows if row.metrics and not row.name.startswith("ROUGE-")}
    assert {case[0] for case in MEASURED} == names - apart


def test_the_hard_questions_are_rescored_and_stay_out_of_every_average() -> None:
    hard = (["x"], [["y"]])
    given_answers = {task: (["x y"], [["x y"]]) for task in BENCHMARKS["scrolls"].tasks} | {"quality_hard": hard}
    alone = rescore({"quality_hard": (["a boat"], ["a boat"])}, benchmark="scrolls")
    assert alone[OFFICIAL] == {"quality_hard": 100.0, AVERAGE: None}
    assert {points_[AVERAGE] for points_ in alone.values()} == {None}
    for points_ in rescore(given_answers, benchmark="scrolls").values():
        assert points_["quality_hard"] == 0
        assert points_[AVERAGE] == pytest.approx(100)


@pytest.mark.parametrize("stemmer", [False, True], ids=["words", "stems"])
def test_the_rouge_variants_are_those_of_googles_rouge_with_and_without_its_stemmer(*, stemmer: bool) -> None:
    lines = ["\n".join(reversed(text.split())) for text in SUMMARIES]
    kinds = (*ROUGE_TYPES, "rougeLsum")
    scorer = RougeScorer(list(kinds), use_stemmer=stemmer)
    means = {
        kind: fmean(
            max(100 * scorer.score(text, prediction)[kind].fmeasure for text in references)
            for prediction, references in zip(lines, TRUTHS, strict=True)
        )
        for kind in kinds
    }
    one, two, longest, lsum = means.values()
    assert lsum > longest
    names = ("ROUGE-1 alone", "ROUGE-2 alone", "ROUGE-L alone", "ROUGE-Lsum alone", "ROUGE-Lsum for ROUGE-L")
    values = [*means.values(), geometric_mean(one, two, lsum)]
    for name, value in zip(names, values, strict=True):
        full = f"{name}, stemmer on" if stemmer else name
        assert points(full, "squality", lines, TRUTHS) == pytest.approx(value, abs=1e-9), full
    whole = points("stemmer on" if stemmer else OFFICIAL, "squality", lines, TRUTHS)
    assert whole == pytest.approx(geometric_mean(one, two, longest), abs=1e-9)


def test_lsum_of_sentences_is_that_of_texts_whose_sentences_are_on_lines_of_their_own() -> None:
    said, same = "The dog ran home. The cat slept.", "The cat slept. The dog ran home."
    assert points("ROUGE-Lsum alone", "gov_report", [said], [[same]]) == pytest.approx(57.1429, abs=1e-4)
    assert points("ROUGE-Lsum of sentences alone", "gov_report", [said], [[same]]) == pytest.approx(100)
    split = [text.replace(". ", ".\n") for text in (said, "The cats slept.\nA dog ran home.")]
    for stems in ("", ", stemmer on"):
        for name in ("ROUGE-Lsum of sentences alone", "ROUGE-Lsum of sentences for ROUGE-L"):
            value = points(name + stems, "gov_report", [said], [["The cats slept.\nA dog ran home."]])
            usual = points(name.replace(" of sentences", "") + stems, "gov_report", split[:1], [split[1:]])
            assert value == pytest.approx(usual, abs=1e-9) != 0
    does = METRIC_VARIANTS["ROUGE-Lsum of sentences alone"].does
    assert "split here after . ! or ? and not by NLTK's punkt" in does


@pytest.mark.parametrize(
    ("reference", "by_variant"),
    [  # each worked by hand: words of the reference's lines that are in order in a line of the answer, of 7 and 7
        ("The cat slept. The dog ran home.", {"": "57.1", " of sentences": "100"}),
        ("The cats slept. A dog ran home.", {" of sentences": "71.4"}),  # the, slept, dog, ran, home
        ("The cats slept. A dog ran home.", {" of sentences|, stemmer on": "85.7"}),  # and cats
    ],
)
def test_recorded_numbers_of_rouge_lsum_are_found_under_the_way_that_sentences_were_split(
    reference: str, by_variant: dict[str, str]
) -> None:
    rescored = rescore({"gov_report": (["The dog ran home. The cat slept."], [[reference]])})
    for form, number in by_variant.items():
        split, _, stemmer = form.partition("|")
        assert f"ROUGE-Lsum{split} alone{stemmer}" in matching_variants(rescored, {"gov_report": number})


@pytest.mark.parametrize(
    ("number", "found", "shares"),
    [("38.5", ["first"], False), ("0.385", ["first"], True), ("0.2", ["small"], False), ("0.5", [], False)],
)
def test_numbers_up_to_1_are_shares_where_no_variant_gives_them_as_points(number, found, shares) -> None:
    rescored = {OFFICIAL: {"qmsum": 20.0}, "first": {"qmsum": 38.5}, "small": {"qmsum": 0.2}}
    rescored[OFFICIAL]["qmsum"] = 30.0
    assert _matches(rescored, {"qmsum": number}) == (found, shares)
    assert matching_variants(rescored, {"qmsum": number}) == found


@given(st.text(alphabet="abeginrs -'", max_size=40), st.text(alphabet="abeginrs -'", max_size=40))
def test_both_engines_stem_alike(reference: str, prediction: str) -> None:
    pytest.importorskip("rouge_score_rs", reason="no wheel of the fast engine for this machine")
    by_engine = [
        tuple(tuple(getattr(pair[kind], part) for part in ("precision", "recall", "fmeasure")) for kind in ROUGE_TYPES)
        for name in ("rouge-score", "rouge-score-rs")
        for pair in engine(name, stemmer=True).score_pairs([reference], [prediction])
    ]
    assert by_engine[0] == by_engine[1]


def test_the_average_of_fewer_than_ten_tasks_has_two_readings_and_no_official_value() -> None:
    rescored = rescore({"quality": (["B"], ["B"]), "qasper": (["no"], ["yes"])})
    assert rescored[OFFICIAL][AVERAGE] is None
    assert rescored["stemmer on"][AVERAGE] is None
    assert rescored["missing tasks as zero"][AVERAGE] == 10
    assert rescored["mean of the tasks present"][AVERAGE] == 50
    assert matching_variants(rescored, {"average": 10}) == ["missing tasks as zero"]


@given(texts, st.sampled_from(sorted(TASKS)))
def test_no_answer_makes_a_variant_raise_or_leave_the_scale(text: str, task: str) -> None:
    reference = "3, 1, 2 so 40% for B"
    for values in rescore({task: ([text], [[reference, reference]])}).values():
        value = values[task]
        assert value is not None
        assert 0 <= value <= 100


def test_wrong_input_is_refused_as_by_the_score_itself() -> None:
    with pytest.raises(UnknownTask, match="did you mean 'qasper'"):
        rescore({"Qasper": (["x"], ["x"])})
    with pytest.raises(UnreadableReference):
        rescore({"quality": (["B"], ["none"])})


def test_a_number_is_matched_to_the_decimals_given_and_the_nearest_comes_first() -> None:
    for reported, variants in (
        (12.3, ["stemmer on"]),
        ("12.30", []),
        (12.34, ["stemmer on"]),
        ("12.0", []),
        (12, ["stemmer on", OFFICIAL]),
        ("1.2E+1", ["stemmer on", OFFICIAL]),
        ("1E+1", []),
        (12.53, ["first reference only"]),
        (11.5, [OFFICIAL]),
    ):
        values = {OFFICIAL: 11.5, "first reference only": 12.53, "stemmer on": 12.34}
        rescored = {name: {"qmsum": value} for name, value in values.items()}
        assert matching_variants(rescored, {"qmsum": reported}) == variants


def test_a_report_on_something_not_scored_is_refused_with_what_there_is() -> None:
    rescored = rescore({"quality": (["B"], ["B"])})
    with pytest.raises(ZeroScrollsError, match="did you mean 'quality'"):
        matching_variants(rescored, {"qualty": 50})
    with pytest.raises(ZeroScrollsError, match="there is quality, average"):
        matching_variants(rescored, {"xyz": 50})
    with pytest.raises(ZeroScrollsError, match="no number was given"):
        matching_variants(rescored, {})


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
    for more, where in (
        ([], ""),
        (["--columns", "score=likelihood"], ""),
        (["--columns", "score=none"], " in 'none'; the fields are 'id,prediction,mine,likelihood'"),
    ):
        none = zero_scrolls(*command, *more)
        assert (none.status, f"qasper: no recorded score{where}. --columns score=NAME" in none.out) == (1, True)
    done = zero_scrolls(*command, "--columns", "score=mine")
    assert (done.status, "for 1 of 2 answers" in done.out, done.err) == (1, True, "")
    write(table, f"id,prediction,mine\n1,end of it,1.{'0' * 60}\n2,end,0.{'0' * 60}\n")
    assert "qasper: no recorded score" in zero_scrolls(*command, "--columns", "score=mine").out


@pytest.mark.parametrize("name", ["", "Unnamed: 0"])
def test_the_index_that_pandas_writes_is_no_recorded_score(name, tmp_path, zero_scrolls):
    rows = [{"id": id_, "output": REFERENCE} for id_ in "12"]
    references = write(tmp_path / "r" / "qasper.jsonl", rows)
    table = write(tmp_path / "qasper.csv", f"{name},id,prediction\n0,1,end of it\n1,2,end\n")
    done = zero_scrolls("certify", table, "--references", references)
    assert (done.status, done.out.split(".")[0]) == (1, "qasper: no recorded score")
    write(table, f"{name},id,prediction,f1\n0,1,{REFERENCE},1.0\n1,2,{REFERENCE},1.0\n")
    done = zero_scrolls("certify", table, "--references", references)
    assert (done.status, "the recorded f1 (0 to 1) is the official score for 2 of 2 answers" in done.out) == (0, True)


def test_certify_without_any_references_says_how_to_give_them(tmp_path, zero_scrolls):
    done = zero_scrolls("certify", write(tmp_path / "qasper.csv", "id,prediction,f1\n1,end,1.0\n"))
    assert (done.status, done.out) == (2, "")
    assert "the answers have no references beside them; give --references PATH or --source SOURCE\n" in done.err


def test_the_other_filter_of_a_log_can_be_read_and_repeats_are_said(tmp_path, zero_scrolls):
    answers = {"strict": "end of it", "loose": "x"}
    rows = [
        harness(id_, answer, 1.0, filter=name, resps=[["end", "x"]]) for id_ in "12" for name, answer in answers.items()
    ]
    path = write(tmp_path / NAME, rows)
    for name, status, read in ((None, 0, "'strict'"), ("strict", 0, "'strict'"), ("loose", 1, "'loose'")):
        done = zero_scrolls("certify", path, *(["--filter", name] if name else []))
        assert (done.status, f"Those of {read} are read" in done.err) == (status, True)
        assert done.err.count("the model answered 2 times") == 1
    unread = zero_scrolls("certify", path, "--filter", "lose")
    assert "no row has the filter 'lose'; the filters are 'strict', 'loose'" in unread.err


@pytest.mark.parametrize("is_named", [True, False])
def test_a_log_with_two_filters_names_them_and_says_what_each_gives(tmp_path, zero_scrolls, is_named):
    """As in lm-evaluation-harness issue 2025, where the first filter finds no answer."""
    names = ("strict", "loose") if is_named else ("1", "2")
    rows = [
        harness(id_, answer, 0.0, filter=name, resps=[["end"]])
        for id_ in "12"
        for name, answer in zip(names, ("[invalid]", "end of it"), strict=True)
    ]
    rows = rows if is_named else [{key: value for key, value in row.items() if key != "filter"} for row in rows]
    path = write(tmp_path / NAME, rows)
    command = ["score", path, "--references", path, "--quiet", "--only", "qasper"]
    done = zero_scrolls(*command)
    gives = f"{names[0]!r} gives '[invalid]' for 2 of 2 answers; {names[1]!r} gives 'end of it' for the first"
    assert gives in done.err
    assert (done.out, done.status) == (("0.0000\n", 0) if is_named else ("", 1))
    say = f"say --filter {names[1]}" if is_named else "say --filter 1 or --filter 2"
    assert f"{say}, which finds most answers: samples_" in done.err
    assert "keep the later" not in done.err
    for name, score in zip(names, ("0.0000\n", "100.0000\n"), strict=True):
        assert zero_scrolls(*command, "--filter", name).out == score


def test_a_variant_is_sought_among_some_answers_of_a_large_file(tmp_path):
    rows = [{"id": str(i), "output": "end end", "target": "end", "score": 100} for i in range(400)]
    path = write(tmp_path / "qasper.jsonl", rows)
    given_by = certify(score_files([path], [path]))["tasks"]["qasper"]["given_by"]
    assert (given_by["variant"], given_by["agree"], given_by["tried"]) == ("set-F1", 300, 300)
