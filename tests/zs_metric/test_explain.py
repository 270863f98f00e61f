"""Explanations: cases worked out by hand, what is refused and cut, whole tasks, and without the references.

`golden_explanations.jsonl` has every quirk of the scorers with its breakdown and its best what-if, `explanations.jsonl`
single values of explanations by their path in the JSON. A task of SCROLLS is named `scrolls/qasper` there.
"""

import json
import re
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest
from every_task import every_scorer, metric_of
from hypothesis import given
from hypothesis import strategies as st

from zs_bench.benchmarks import find_task
from zs_bench.reports.explain_text import render
from zs_bench.reports.html.explanation import why
from zs_metric import LengthMismatch, NotAText, UnreadableReference
from zs_metric.explain import Explanation, explain, losses_of_task, parts
from zs_metric.explain.explanation import QUOTED
from zs_metric.explain.parts import LIST_LIMIT, TEXT_LIMIT, to_ascii
from zs_metric.metrics import NamedMetric

REFERENCES = {
    "gov_report": "the cat sat on the mat 1 " * 80,
    "qasper": "the cat sat on a mat 1",
    "quality": "B",
    "space_digest": "40%",
    "book_sum_sort": ", ".join(map(str, range(1, 31))),
    "scrolls/contract_nli": "Not mentioned",
}


def explained(task: str, prediction: str, *references: str) -> Explanation:
    """The explanation; a task of SCROLLS is named `scrolls/qasper`."""
    benchmark, _, name = task.rpartition("/")
    return explain(find_task(name, benchmark=benchmark or "zero_scrolls"), prediction, references)


def view(task: str, prediction: str, *references: str) -> dict[str, Any]:
    data: dict[str, Any] = explained(task, prediction, *references).as_dict()
    return data["view"]


def rows(name: str) -> list[dict[str, Any]]:
    lines = (Path(__file__).parent / name).read_text(encoding="utf-8").splitlines()
    assert len(lines) > 100
    return [json.loads(line) for line in lines]


def test_every_row_has_the_losses_and_the_best_repair_that_were_worked_out_by_hand() -> None:
    for row in rows("golden_explanations.jsonl"):
        task = f"{row.get('benchmark', 'zero_scrolls')}/{row['task']}"
        example = explained(task, row["prediction"], *row["references"])
        explanation, lost = example.as_dict(), example.losses
        in_form = ("misread", "wrong ids", *(["nothing read"] if example.form else []))
        form = sum(lost.get(cause, 0) for cause in in_form)
        stop = example.stop.score - example.better.score if example.stop else 0
        found = {"form": form, "typography": lost.get("typography", 0), "stop": stop}
        assert explanation["score"] == pytest.approx(row["score"], rel=0, abs=1e-9), row
        assert found == pytest.approx(row["lost"], rel=0, abs=1e-9), row
        repairs = [[repair["answer"], pytest.approx(repair["score"])] for repair in explanation["what_if"]]
        assert row["what_if"] in repairs if row["what_if"] else not repairs, row
        assert not repairs or row["what_if"][1] == repairs[0][1], row


def at(data: Any, path: str) -> Any:
    for key in path.split("."):
        data = data[int(key)] if isinstance(data, list) else data[key]
    return json.loads(json.dumps(data), parse_float=lambda number: round(float(number), 6))


def test_the_explanation_has_the_values_that_were_worked_out_by_hand() -> None:
    for row in rows("explanations.jsonl"):
        data = explained(row["task"], row["prediction"], *row["references"]).as_dict()
        assert {path: at(data, path) for path in row["expected"]} == row["expected"], row


def marked(text: dict[str, Any], column: int) -> list[str]:
    return [text["text"][token[0] : token[1]] for token in text["tokens"] if token[column]]


def test_a_summary_is_marked_with_the_reference_that_won_each_type(monkeypatch: pytest.MonkeyPatch) -> None:
    shown, pair = view("squality", "İİ police killed the gunman", "police kill the gunman"), ["the", "gunman"]
    assert [marked(shown["answer"], column) for column in (2, 3, 4)] == [["police", *pair], pair, ["police", *pair]]
    assert shown["answer"]["shared"] == {"unigram": 3, "bigram": 2, "lcs": 3}
    assert [round(factor, 2) for factor in shown["geometric_mean"]["factors"].values()] == [60, 25, 60]
    shown = view("squality", "a b c d e f", "f e d c b a", "e f x c d y a b z", "a x c y e z")
    winners = [(won["reference"], won["types"], [len(marked(won, i)) for i in (2, 3, 4)]) for won in shown["winners"]]
    assert winners == [(0, ["rouge1"], [6, 0, 0]), (1, ["rouge2"], [0, 6, 0]), (2, ["rougeL"], [0, 0, 3])]
    assert marked(shown["answer"], 4) == ["a", "c", "e"]
    scores = view("squality", "a b", "a b", "b a c")["references"]
    assert scores[0] == {"words": 2, "rouge1": 100, "rouge2": 100, "rougeL": 100}
    assert (scores[1]["words"], scores[1]["rouge2"]) == (3, 0)
    monkeypatch.setattr(parts, "PAIR_LIMIT", 11)
    shown = view("squality", "a b c", "a b c d")
    assert (shown["lcs"], shown["lcs_omitted"], marked(shown["answer"], 4)) == (None, True, [])
    assert shown["omitted"] == ["the longest common subsequence is not marked: more than 4,000,000 pairs of words"]


IDS, OTHERS = ", ".join(map(str, range(LIST_LIMIT + 2))), "99999998, 99999999"
WORDS, LETTERS, LONG = "w " * (LIST_LIMIT + 2), "x" * 201, "x " * TEXT_LIMIT
NO_REPAIR = "no repair is tried on a prediction of more than 50,000 characters"
READ = ["2,000 of 2,002 ids of the answer", "2,000 of 2,002 ids of the reference"]


@pytest.mark.parametrize(
    ("task", "prediction", "reference", "cuts"),
    [
        ("book_sum_sort", IDS, IDS, [*READ, "2,000 of 2,002 places", "2,000 of 2,002 ids that were read"]),
        ("book_sum_sort", OTHERS, IDS, ["2,000 of 2,002 missing ids", READ[1]]),
        ("book_sum_sort", f"{IDS}, {IDS}", IDS, ["2,000 of 2,002 repeated ids", *["ids of the"] * 2, "ids that were"]),
        ("book_sum_sort", IDS, OTHERS, ["2,000 of 2,002 foreign ids", READ[0], "ids that were read"]),
        ("quality", "A " * 201, "B", ["200 of 201 letters"]),
        ("quality", LONG, "B", [NO_REPAIR, "50,000 of 100,000 characters of the answer"]),
        ("space_digest", LONG, "40%", [NO_REPAIR, "50,000 of 100,000 characters of the answer"]),
        ("qasper", WORDS, WORDS, ["2,000 of 2,002 words of the answer", "2,000 of 2,002 words of the reference"]),
        ("scrolls/quality", WORDS, f"{WORDS} more", ["words of the answer", "words of the reference"]),
        ("qasper", LETTERS, f"{LETTERS} y", ["200 characters of long words of the answer", "words of the reference"]),
        ("qasper", LETTERS[1:], LETTERS[1:], []),
        ("qasper", "x", LONG, ["words of the reference", "50,000 of 100,000 characters of reference 1"]),
        ("gov_report", "x y", "w " * 5_001, ["5,000 of 5,001 words of reference 1"]),
        ("gov_report", "w " * 5_001, "x y", ["5,000 of 5,001 words of the answer"]),
        ("gov_report", "x y", LONG, ["50,000 of 100,000 characters of reference 1", "5,000 of 50,000 words of"]),
        ("gov_report", LONG, "x y", [NO_REPAIR, "characters of the answer", "words of the answer", "what was read"]),
    ],
)
def test_whatever_is_cut_is_named(task: str, prediction: str, reference: str, cuts: list[str]) -> None:
    omitted = view(task, prediction, reference)["omitted"]
    assert len(omitted) == len(cuts), omitted
    assert all(cut in note for cut, note in zip(cuts, omitted, strict=True)), omitted


def test_long_lists_are_cut_and_their_entries_counted() -> None:
    many = view("book_sum_sort", ", ".join(map(str, range(99, -1, -1))), ", ".join(map(str, range(100))))
    assert (len(many["discordant"]), many["discordant_count"], many["in_order"]) == (500, 4950, 0)
    assert many["omitted"] == ["only the first 500 of 4,950 pairs out of order are listed"]
    ids = IDS.split(", ")
    cut = view("book_sum_sort", ", ".join([ids[1], ids[0], *ids[2:-2], ids[-1], ids[-2]]), IDS)
    assert (cut["discordant"], cut["discordant_count"]) == ([[0, 1]], 2)
    assert len(cut["order"]) == len(cut["places"]) == LIST_LIMIT
    assert len(view("qasper", " ".join(map(chr, range(0xC0, 0x180))) + " x “y”", "y")["typography"]) == 40
    endless = explained("space_digest", "9" * 400 + "%", "40%").as_dict()
    assert endless["parsed"] == endless["view"]["value"] == pytest.approx(1.7976931348623157e308)


UNITS = ["1", "A ", "1-", "1%", " ", "“", "é ", "cat sat ", "of 5 ", "\n(", "9" * 4000 + ","]


@pytest.mark.parametrize("unit", [UNITS[0], *(pytest.param(unit, marks=pytest.mark.slow) for unit in UNITS[1:])])
def test_a_huge_prediction_is_explained_in_little_space_and_its_losses_not_at_all(unit: str) -> None:
    for task, reference in REFERENCES.items():
        explanation = explained(task, unit * (300_000 // len(unit)), reference).as_dict()
        assert len(json.dumps(explanation, allow_nan=False, ensure_ascii=False)) < 700_000
        assert explanation["view"]["omitted"]
        lost, cause = 100 - explanation["score"], "nothing read" if explanation["parsed"] is None else "not explained"
        assert explanation["losses"] == ({cause: pytest.approx(lost)} if lost else {})


def test_a_wrong_input_is_refused_as_by_the_scorer() -> None:
    with pytest.raises(NotAText, match="prediction is None"):
        explain(find_task("qasper"), None, "x")  # type: ignore[arg-type]
    with pytest.raises(UnreadableReference, match=r"references\[1\] cannot be read") as error:
        explain(find_task("quality"), "B", ["B", "none"])
    assert (error.value.example, error.value.reference) == (None, 1)
    with pytest.raises(UnreadableReference, match=r"references\[1\]\[0\] cannot be read"):
        losses_of_task(find_task("quality"), ["B", "B"], ["B", ["none"]])
    with pytest.raises(LengthMismatch):
        losses_of_task(find_task("quality"), ["B", "B"], ["B"])


def test_the_losses_of_a_task_name_the_aggregation_and_the_lengths() -> None:
    references = [["exact match example"], ["hello", "hi there"], ["commander kenobi"]]
    losses = losses_of_task(
        find_task("gov_report"), ["exact match example", "hello there", "general kenobi"], references
    )
    assert (round(losses.score, 4), round(losses.aggregation, 4)) == (33.3333, 22.4803)
    assert (losses.answer_words, losses.reference_words) == ((3, 2, 2), (3, 1, 2, 2))
    losses = losses_of_task(find_task("qasper"), ["yes it does", "yes", "no"], ["yes", "yes it does", "no"])
    assert losses.mean == pytest.approx({"words missing": 50 / 3, "words too many": 50 / 3})
    assert (losses.score, losses.aggregation, losses.in_format) == (pytest.approx(200 / 3), 0, None)
    without_a_letter_in_ascii = "B\u0301é"
    losses = losses_of_task(find_task("quality"), ["C", "\uff23? D"], [without_a_letter_in_ascii, "C"])
    assert losses.mean == {"typography": 50, "wrong option": 50}
    unfinished = losses_of_task(find_task("qasper"), ["yes <think> it does"], ["yes"])
    assert (list(unfinished.mean), unfinished.examples[0].stop) == (["unfinished thinking"], None)


def test_results_that_the_caller_has_are_taken_as_they_are() -> None:
    task = find_task("qasper")
    results = task.metric.score_all(["yes", "“no”"], [["yes"], ["no"]])
    unused = NamedMetric("qasper", replace(task.metric, score_all=lambda *_: results[1:] * 2))
    losses = losses_of_task(unused, ["yes", "no way"], ["yes", "no"], results=results)
    assert [example.score for example in losses.examples] == [100, 0]
    assert explain(unused, "yes", "yes", result=results[0]).score == 100


def test_a_prediction_is_in_format_when_it_is_what_was_asked_for_and_nothing_else() -> None:
    for task, fitting, other in (
        ("quality", ["B", "(B)", " B.", "**C**"], ["Answer: B", "b", "A B", "", "_B_"]),
        ("space_digest", ["40%", "~40%.", '"40%"'], ["40", "about 40%", "40 %", "1,040%", "40% 60%", ""]),
        ("book_sum_sort", ["1, 2", "[1 2]", "7\n8."], ["Order: 1, 2", "1-2", "", "1, 2, and 3", "9" * 4301]),
    ):
        for predictions, share in ((fitting, 1), (other, 0)):
            losses = losses_of_task(find_task(task), predictions, [REFERENCES[task]] * len(predictions))
            assert losses.in_format == share
    losses = losses_of_task(find_task("contract_nli", benchmark="scrolls"), ["x y"], [["x"]])
    assert (losses.in_format, losses.form, losses.examples[0].in_format) == (None, None, None)


def test_a_metric_without_a_module_of_its_own_is_explained_by_its_texts() -> None:
    plain = NamedMetric("qasper", replace(find_task("qasper").metric, name="made_up"))
    explanation = explain(plain, "cat", ["the cat sat"])
    parts = {"Precision": 100.0, "Recall": 50.0}
    expected = {"answer": "cat", "references": ["the cat sat"], "parts": parts, "omitted": []}
    assert explanation.as_dict()["view"] == expected
    assert explanation.losses == {"not explained": pytest.approx(100 - explanation.score)}
    assert (explanation.sentence, explanation.stop) == (None, None)
    assert explain(plain, "x " * 25_001, ["y", "z " * 25_001]).omitted[1:3] == [
        "only the first 50,000 of 50,002 characters of the answer are shown",
        "only the first 50,000 of 50,002 characters of reference 2 are shown",
    ]
    assert "Answer: “cat”" in render(explanation)
    assert "the cat sat" in why(explanation)
    assert "the cat sat" not in why(explanation.without_references())


def test_typography_is_written_in_ascii_and_other_scripts_stay() -> None:
    for text, ascii_text in (
        ("“a” ‘b’ «c»", "\"a\" 'b' <<c>>"),
        ("a–b—c−d…", "a-b--c-d..."),
        ("naïve Straße Ærø ŉ", "naive Strasse AEro 'n"),
        ("e\u0301 in\u00adfor", "e infor"),
        ("ＡＢ１％ ﬁ m²", "AB1% fi m2"),
        ("北京 Москва ½ ° 😀 \u3000", "北京 Москва ½ ° 😀 \u3000"),
    ):
        assert to_ascii(text) == ascii_text


#: Words that only references have, and words that both sides may have.
OWN, COMMON = (
    ["quokka", "zyzzyva", "quux’s", "crwth", "ñandú"],
    ["red", "clock", "of", "the", "answer", "is:", "café", "“end”", ".", "red. ", "Summary:\n"],
)
only_theirs = st.integers(70_001, 70_999)
#: By metric the references, of which no reader of the explanation without them may learn a word or a number.
SECRETS = {
    "exp_similarity": only_theirs.map("{}%".format),
    "concordance_index": st.lists(only_theirs, min_size=1, max_size=5).map(lambda ids: ", ".join(map(str, ids))),
    "accuracy": st.lists(st.sampled_from([*OWN, *COMMON, "C"]), max_size=9).map(lambda words: " ".join([*words, "C"])),
}
numbers = st.sampled_from(["1", "2, 3", "17 of 50", "55%", "0.4", "2-1-3", "A", "b)", "The answer is B", "(D)"])


def published(explanation: Explanation) -> str:
    """All that a report shows of it."""
    data = json.dumps(explanation.as_dict(), ensure_ascii=False)
    return f"{data} {why(explanation)} {explanation}".casefold()


@every_scorer()
@given(answer=st.lists(st.sampled_from(COMMON) | numbers, max_size=12).map(" ".join), data=st.data())
def test_any_explanation_without_references_has_no_token_that_only_they_have(
    benchmark: str, task: str, answer: str, data: st.DataObject
) -> None:
    pieces = st.lists(st.sampled_from([*OWN, *COMMON]), min_size=1, max_size=9).map(" ".join)
    references = data.draw(st.lists(SECRETS.get(metric_of(benchmark, task), pieces), min_size=1, max_size=3))
    text = published(explained(f"{benchmark}/{task}", answer, *references).without_references())
    secrets = {
        word for word in ("quokka", "zyzzyva", "quux", "crwth", "ñandú", "nandu") if word in " ".join(references)
    }
    assert not [word for word in secrets if word in text]
    ids = re.findall("70[0-9]{3}", " ".join(references))
    assert not [number for number in ids if re.search(rf"(?<![\d.]){number}(?!\d)", text)]


def test_without_references_a_character_that_only_they_have_is_left_out() -> None:
    whole = explained("gov_report", "nandu ‘x’", "ñandu x")
    assert ("ñ" in published(whole), "ñ" in published(whole.without_references())) == (True, False)
    left = explained("musique", "John's ‘house’", "John’s house “x”").without_references().as_dict()["view"]
    assert [character["character"] for character in left["typography"]] == ["‘", "’"]


def test_without_references_only_what_ifs_that_are_pieces_of_the_answer_stay() -> None:
    for prediction, kept in (
        ("Paris. That is a city in the north", ("the answer up to “Paris.”", "Paris.")),
        ("“Paris”", ("typographic characters written in ASCII", '"Paris"')),
    ):
        left = explained("musique", prediction, "Paris").without_references()
        assert [(what_if.change, what_if.answer) for what_if in left.what_if] == [kept]
    whole = explained("musique", "It is paris, I think", "Paris.")
    best = whole.what_if[0]
    assert (best.change, best.answer, best.score) == (QUOTED, "paris", 100.0)
    assert QUOTED not in [what_if.change for what_if in whole.without_references().what_if]


def test_without_references_the_reason_keeps_what_tells_nothing_of_them() -> None:
    for task, prediction, reference, reason in (
        ("book_sum_sort", "3, 1", "3, 1, 777", "not a permutation"),
        ("quality", "A good answer is not B", "C", "the first letter found is A (here the word “A”)"),
        ("space_digest", "I say 55%", "61.375%", "55% was read"),
        ("space_digest", "87.0.0%", "61.375%", "only 0% was read, the part of the number after a point"),
        ("space_digest", "none", "61.375%", "no percentage in the answer (digits directly followed by %)"),
        ("space_digest", "61.375%", "61.375%", None),
    ):
        left = explained(task, prediction, reference).without_references()
        assert left.reason == reason
        assert not {"svg", "Reference"} & set(re.findall(r"\w+", why(left)))
    for prediction in ("4, 3, 2, 1", "4-3-2-1", "1, 1", "none"):
        left = explained("book_sum_sort", prediction, "3, 1, 4, 2").without_references()
        assert "3, 1, 4, 2" not in published(left)
    assert explained("space_digest", "39%", "40%").without_references().losses.keys() == {"wrong percentage"}


def test_without_references_the_scores_and_the_sentence_stay_as_they_are() -> None:
    whole = explained("narrative_qa", "the old clock", "an old clock", "a clock")
    left = whole.without_references()
    for name in ("score", "losses", "parsed", "sentence", "stop"):
        assert getattr(left, name) == getattr(whole, name)
    assert (whole.with_references, left.with_references) == (True, False)
    references = left.as_dict()["view"]["references"]
    assert references == [{**reference, "text": None} for reference in whole.as_dict()["view"]["references"]]
