"""The patterns: a made-up answer for each, found by its name and by no other; what the task would gain."""

import re

import pytest
from hypothesis import given
from hypothesis import strategies as st
from scored_answers import answers_of

from zs_bench.benchmarks import find_task
from zs_bench.patterns import FEWEST_OTHERS, NEGATIONS, NOTHING_READ, REFUSAL, RULES, patterns_of_task

SUMMARY = "The committee met in the spring. It agreed on a new budget for the schools of the town."
GOES_ON = "\n\nQuestion:\nwhich corpora\n\nAnswer:\n"
# Words of which none is repeated.
LONG = " ".join(f"word{i}" for i in range(4_000)) + " "
TAGS, NOUNS, TELLS = (
    words.split()
    for words in (
        "think thinking thought reasoning scratchpad seed:think",
        "text article document passage passages story transcript context paper report review reviews information",
        "mention specify state say tell provide contain indicate include give discuss explain reveal",
    )
)
# The name of the pattern, the task, the answer, its references.
CASES = (
    ("refusal", "narrative_qa", "The text does not say where she lives.", ["in Rome"]),
    ("refusal", "narrative_qa", "The text does not say. " + LONG[:900] + ".", ["in Rome"]),
    ("refusal", "quality", "I'm sorry, I cannot tell.", ["C"]),
    ("refusal", "qmsum", "There is no information on this in the meeting.", [SUMMARY]),
    ("false_unanswerable", "qasper", "Unanswerable", ["two corpora"]),
    ("false_unanswerable", "musique", "The question is unanswerable from these passages.", ["Paris", "Paris, France"]),
    ("false_answer", "qasper", "two corpora", ["unanswerable", "Unanswerable"]),
    ("yes_no_sentence", "qasper", "Yes, they use it in all of their experiments.", ["Yes"]),
    ("yes_no_sentence", "qasper", "Yes, they use it", ["two corpora", "Yes"]),
    ("yes_no_sentence", "qasper", "Yes they do", ["Yes"]),
    *(("unasked_yes_no", "qasper", text, ["two corpora"]) for text in ("Yes.", "No", "No, never")),
    ("reference_and_more", "musique", "It was New York, of course.", ["New York"]),
    ("reference_and_more", "qasper", "Unanswerable, I think", ["two corpora", "unanswerable"]),
    ("reference_and_more", "qasper", "Yes, two corpora", ["two corpora"]),
    ("cut_off", "gov_report", "It agreed on a new budget for schools of the", [SUMMARY]),
    ("cut_off", "gov_report", "It agreed on a new budget for all of its schools and \n", [SUMMARY]),
    ("loop", "gov_report", "They met. " + "It agreed on a new budget. " * 3, [SUMMARY]),
    ("loop", "gov_report", "They met, and " + "it agreed, " * 12 + "it agreed.", [SUMMARY]),
    ("loop", "gov_report", "They met again today in town\n" * 3, [SUMMARY]),
    ("loop", "gov_report", "They met. " + "1." * 40, [SUMMARY]),
    ("loop", "gov_report", "".join(f"{i}. It agreed on a new budget. " for i in range(10, 30)), [SUMMARY]),
    ("prompt", "gov_report", "You are given a report by a government agency. Write a one-page summary.", [SUMMARY]),
    ("prompt", "qasper", "Question:\nwhich corpora", ["two corpora"]),
    ("prompt", "qasper", "three of them" + GOES_ON, ["two corpora"]),
    ("prompt", "qasper", "Answer: six\n\nAnswer: ten", ["two corpora"]),
    ("prompt", "qasper", "six [/INST] [INST]", ["two corpora"]),
    ("other_script", "narrative_qa", "В старом доме у реки", ["in the old house"]),
    ("unfinished_thinking", "quality", "<think>Let me see. D looks right", ["B"]),
    ("unfinished_thinking", "gov_report", "[THINK]It agreed on a new budget for schools of the", [SUMMARY]),
    *(("thinking", "quality", f"<{tag}>C looks right.</{tag}> D", ["B"]) for tag in TAGS),
    ("thinking", "quality", "<|channel|>analysis<|message|>C or D<|channel|>final<|message|>D", ["B"]),
    ("thinking", "quality", "analysisC or D? D.assistantfinalD", ["B"]),
    ("thinking", "quality", "C or D? D.assistantfinalD", ["B"]),
    ("unfinished_thinking", "quality", "analysisWe need an option. C", ["B"]),
    ("escaped", "qasper", "two corpora\\nQuestion", ["two corpora"]),
    ("escaped", "gov_report", "The committee met.\\nIt agreed.", ["Committee met. It agreed."]),
    ("escaped", "qasper", "b'two corpora'", ["two corpora"]),
    ("escaped", "qasper", 'b"two corpora"', ["two corpora"]),
    ("escaped", "qasper", "R&amp;D", ["R&D"]),
    ("escaped", "narrative_qa", "the caf\\u00e9 G\\u00f6del", ["the café Gödel"]),
    ("tags", "gov_report", "The committee met.<br>It agreed.", ["Committee met. It agreed."]),
    ("tags", "qasper", "<p>two corpora</p>", ["two corpora"]),
    ("invisible", "gov_report", "The com\u200bmit\u00adtee met.", ["The committee met."]),
    ("tokens", "qasper", "two corpora</s>", ["two corpora"]),
    ("tokens", "gov_report", "<pad> The committee met.<|im_end|>", ["The committee met."]),
    *(("tokens", "musique", text, ["the old mill"]) for text in ("▁the▁old▁mill", "The Ġold Ġmill", "the old m ##ill")),
    *(
        ("encoded", "musique", text, ["the old mill"])
        for text in ("dGhlIG9sZCBtaWxs", "the%20old%20mill", "an+old+mill")
    ),
    *(("missing_value", "musique", text, ["the old mill"]) for text in ("NA", "#REF!", "nan", " None\n", "null")),
    ("encoding", "narrative_qa", "the cafÃ© GÃ¶del", ["the café Gödel"]),
    ("after_mark", "quality", "Answer: A. No, wait.\nAnswer: D", ["D"]),
    ("after_mark", "qasper", "Question:\nwhich corpora\n\nAnswer:\ntwo", ["two"]),
    ("after_mark", "quality", "C is possible, so the answer is (D)", ["D"]),
    ("after_mark", "qasper", "They use many.\n**Final Answer:** two corpora", ["two corpora"]),
    ("after_mark", "qasper", "<answer>two corpora</answer> I think", ["two corpora"]),
    ("after_mark", "space_digest", r"20 of 50 is 20% of 100, so \boxed{40%}", ["40%"]),
    ("two_options", "quality", "A or C", ["B"]),
    ("wrong_ids", "book_sum_sort", "1, 2", ["1, 2, 3"]),
    ("wrong_ids", "book_sum_sort", "1, 2, 2", ["1, 2, 3"]),
    *(("misread", "space_digest", text, ["40%"]) for text in ("0.4", "20 of the 50 reviews", "40", "40 percent")),
    ("misread", "quality", "not A but C", ["C"]),
    ("misread", "book_sum_sort", "2-1-3", ["1, 2, 3"]),
    ("label", "qasper", "(C) two corpora", ["two corpora"]),
    *(
        (NOTHING_READ, task, text, references)
        for task, text, references in (
            *(("gov_report", "会议同意了新的预算。", [SUMMARY]), ("qmsum", "…", [SUMMARY]), ("qasper", " ", ["two"])),
            *(("quality", "3", ["C"]), ("space_digest", "most", ["40%"]), ("book_sum_sort", "B, A", ["2, 1"])),
        )
    ),
)
# Answers that lost points and show no pattern.
PLAIN = (
    ("narrative_qa", "in Athens", ["in Rome"]),
    ("narrative_qa", "He lives in the mill", ["She is living with her aunt in the mill."]),
    ("narrative_qa", "The answer is: the old mill.", ["a small house"]),
    ("narrative_qa", "Answer: the old mill.", ["a small house"]),
    ("narrative_qa", "She was not given any answer, and he cannot tell", ["a small house"]),
    ("musique", "Paris", ["Paris, France"]),
    ("musique", "rock+roll 100%25", ["a new album"]),
    ("musique", "Nana", ["a new album"]),
    ("qasper", "No", ["Yes"]),
    ("qasper", "They use it in all of their experiments.", ["Yes"]),
    ("qasper", "Yes", ["Yes, they do"]),
    ("qasper", "No", ["No, they do not"]),
    ("qasper", "They say yes", ["Yes"]),
    ("qasper", "corpora", ["unanswerable", "two corpora"]),
    ("quality", "D", ["C"]),
    ("quality", "not A but C", ["D"]),
    ("space_digest", "40%", ["50%"]),
    ("book_sum_sort", "2, 1, 3", ["1, 2, 3"]),
    ("gov_report", SUMMARY, ["The committee met in the autumn."]),
    ("gov_report", "It agreed on a new budget for schools of the", ["It met on the new budget"]),
    ("gov_report", "It agreed on a new budget", [SUMMARY]),
    ("narrative_qa", "В старом доме у реки", ["in the old house", "в доме"]),
    ("narrative_qa", "дом house", ["the mill"]),
    ("gov_report", "It met in the town for its schools. " * 2 + "It agreed for its schools.", [SUMMARY]),
    ("gov_report", "It met for all of the schools of the town, again for the schools of the town.", [SUMMARY]),
    ("narrative_qa", "Yesterday", ["in Rome"]),
    ("qasper", "has no corpus", ["no"]),
    ("qmsum", "The question is unanswerable.", [SUMMARY]),
    ("qmsum", "They met.", ["unanswerable"]),
    ("qmsum", "Yes, they met again.", [SUMMARY]),
    ("qmsum", "Plan A or plan C.", [SUMMARY]),
    ("gov_report", "El Niño was seen in the Pacific, and the report is on its cost for the towns there.", [SUMMARY]),
)

# Each says that the text does not tell, in words that no other one of them has.
REFUSALS = (
    *(f"The {noun} does not say." for noun in (*NOUNS, "summary", "meeting")),
    *(f"The text does not {verb} it." for verb in TELLS),
    *("The reviews do not say.", "The text did not say.", "The text doesn't say."),
    *("The text doesn’t say.", "The text of her letters does not really say."),
    *(
        f"In the text {begins} {thing} of it."
        for begins, thing in (
            *(("there is no", "mention"), ("there was no", "indication"), ("it provides no", "evidence")),
            *(("they provide no", "details"), ("it contains no", "detail"), ("they contain no", "information")),
            *(("given no", "information"), ("it has not enough", "detail"), ("it has insufficient clear", "evidence")),
        )
    ),
    *("In the meeting he does not mention any plan.", "In the meeting he did not mention anything."),
    *("It has not, so not enough information.", "So not sufficient information."),
    *(f"In the text it {form} not {done}." for form in ("is", "was") for done in ("mentioned", "even stated")),
    *(f"From the text it {form} be determined." for form in ("cannot", "can not", "can't", "can’t")),
    *(f"From the text it cannot be {form}." for form in ("answered", "inferred", "calculated")),
    *("I'm sorry.", "I’m unable to.", "I am not able to.", "I cannot tell.", "I can't tell.", "I can’t tell."),
    *("I do not know.", "I don't know.", "I don’t know.", "As an AI, no."),
)
NO_REFUSALS = (
    *("The subtext does not say it.", "The text of all her last letters does not say.", "He worked as an aide."),
    *("She was an AI in it.", "In the text there is no detailed plan.", "He did not mention anyone in the meeting."),
    *("He said: I cannot tell.", "It cannot be inferred.", "The text does not say why. However, they met."),
    "Unanswerable: the text does not say.",
    "The town is large. " * 40 + "The text does not say.",
    "The text does not say. " + LONG[:900],
)


TWO_SIX = ["two six"]


def patterns(task, *rows):
    """The patterns of answers with their references."""
    task = find_task(task) if isinstance(task, str) else task
    return patterns_of_task(answers_of(task, {f"id{i}": row for i, row in enumerate(rows)}))


def test_each_pattern_is_reported_under_its_name_and_nothing_else_is():
    nli = [("label_after_mark", "contract_nli", "So the answer is (C) Not mentioned", ["Not mentioned"])]
    assert {name for name, *_ in (*CASES, *nli)} == {rule.name for rule in RULES}
    assert [row.name for row in patterns(find_task("contract_nli", benchmark="scrolls"), nli[0][2:])] == [nli[0][0]]
    for name, task, *row in CASES:
        assert [pattern.name for pattern in patterns(task, row)] == [name], row[0][:99]
    for task, *row in PLAIN:
        assert patterns(task, row) == [], row[0][:99]
    for text in REFUSALS:
        assert [pattern.name for pattern in patterns("qmsum", (text, [SUMMARY]))] == ["refusal"], text
    for text in NO_REFUSALS:
        assert "refusal" not in {pattern.name for pattern in patterns("qmsum", (text, [SUMMARY]))}, text


def test_the_gain_is_the_score_without_the_fault_or_that_of_the_others_or_is_not_told():
    for task, rows, gain in (
        ("space_digest", [("0.4", ["50%"])], ": 50.0 points for what is meant."),
        ("quality", [("<think>A?</think> B", ["B"]), ("A", ["B"])], ": 50.0 points with --post drop-think."),
        ("qasper", [("two" + GOES_ON + "six", ["two"])], f": {100 - 200 / 7:.1f} points for the first part alone."),
        ("qasper", [("Question:\ntwo", ["two six"])], ": 16.7 points for the first part alone."),
        ("qasper", [("Yes, in all of them", ["Yes"])], f": {100 - 200 / 6:.1f} points for yes or no alone."),
        ("qasper", [("No, in all of them", ["Yes"])], ": 0.0 points for yes or no alone."),
        ("musique", [("in New York", ["New York"])], ": 20.0 points for the reference alone."),
        ("qasper", [("So. " + "It is a loop of town. " * 4, ["loop town"])], f": {50 - 400 / 23:.1f} points without"),
        ("quality", [("A or C", ["B"]), *[("B", ["B"]), ("A", ["B"])] * 5], ": about 4.5 points if it scored like"),
        ("qasper", [("No, two", TWO_SIX), *[("two six", TWO_SIX)] * 10], ": about 4.5 points if it scored like"),
        ("quality", [("A or C", ["B"]), *[("B", ["B"])] * (FEWEST_OTHERS - 1)], " names two options or more."),
        ("quality", [("A or C", ["B"]), *[("A", ["B"])] * 20], " names two options or more."),
        ("quality", [("A or C", ["B"])] * 12 + [("B", ["B"])] * 12, ": about 50.0 points if they scored like"),
        ("quality", [("A or C", ["B"])] * 12 + [("B", ["B"])] * 11, " name two options or more."),  # most do
        ("gov_report", [("…", [SUMMARY]), ("", [SUMMARY])], "2 of 2 GovReport answers have no word that ROUGE reads."),
    ):
        assert gain in patterns(task, *rows)[0].sentence


def test_what_is_said_of_answers_in_which_nothing_is_read_is_true_of_answers_with_text():
    for task, answer, reference, does in (
        ("lsht", "社会、人权", "社会、劳动", "names no class of the list in the first line"),
        ("trec", "Type: Currency", "Currency name", "names no class of the list in the first line"),
        ("passage_retrieval_en", "the third paragraph", "Paragraph 3", "contains no number in digits"),
        ("passage_count", "three", "3", "contains no number in digits"),
        ("lcc", "# TODO", "return value", "has no line of code that is read"),
        ("qmsum", " ", SUMMARY, "has nothing that the metric reads"),
    ):
        (pattern,) = patterns(find_task(task, benchmark="longbench"), (answer, [reference]))
        assert (pattern.name, pattern.does) == (NOTHING_READ, does)


def test_a_pattern_has_the_rules_that_undo_it():
    for answer, rules in (
        ("<think>A?</think> B", ["drop-think"]),
        ("A, or <answer>B</answer>", ["after:<answer>", "cut-at:</answer>"]),
        ("A, but the answer is B", ["after:answer is"]),
        ("A or B", []),
    ):
        (pattern, *_) = patterns("quality", (answer, ["B"]))
        assert pattern.post == tuple(rules)
        assert [name for name in rules if f"--post {name}" not in pattern.sentence.replace("'", "")] == []


def test_a_pattern_says_what_its_answers_do_and_those_furthest_below_the_best_come_first():
    yes = "Yes, in all of them"  # one word of five is right: 2 * 1 / (5 + 1)
    (pattern,) = patterns("qasper", (yes, ["Yes"]), (yes, ["No"]), ("two", ["two"]), ("six", ["two"]))
    assert (pattern.name, pattern.task, pattern.count, pattern.ids) == ("yes_no_sentence", "qasper", 2, ("id0", "id1"))
    assert (pattern.does, pattern.estimated) == ("say more than yes or no", False)
    assert pattern.points == pytest.approx((100 - 100 / 3) / 4)
    assert pattern.below == pytest.approx((100 - 100 / 3 + 100) / 4)
    assert (
        pattern.sentence
        == "2 of the 3 Qasper answers that lost points say more than yes or no: 16.7 points for yes or no alone."
    )
    for task, row, does in (
        ("space_digest", ("0.4", ["50%"]), "is not read as meant"),
        ("qasper", ("Question:", ["two"]), "goes on with the prompt"),
        ("quality", ("<think>A", ["B"]), "does not end their thinking"),
        ("book_sum_sort", ("1, 2", ["1, 2, 3"]), "has missing or repeated ids"),
    ):
        assert f"1 of 1 {find_task(task).title} answers {does}" in patterns(task, row)[0].sentence
    ordered = patterns("qasper", ("Unanswerable", ["two"]), ("Yes", ["two"]), ("Yes", ["six"]))
    assert [(pattern.name, pattern.count) for pattern in ordered] == [("unasked_yes_no", 2), ("false_unanswerable", 1)]


@given(st.data())
def test_no_answer_is_counted_twice_and_the_points_add_up_to_no_more_than_was_lost(data):
    task = data.draw(st.sampled_from(["qasper", "gov_report", "quality", "space_digest", "book_sum_sort"]))
    texts = st.sampled_from([row[2] for row in CASES] + [row[1] for row in PLAIN])
    references = {row[1]: row[3] for row in CASES}[task]
    rows = data.draw(st.lists(st.tuples(texts, st.just(references)), min_size=1, max_size=30))
    found = patterns(task, *rows)
    ids = [id_ for pattern in found for id_ in pattern.ids]
    assert len(ids) == len(set(ids)) == sum(pattern.count for pattern in found)
    answers = answers_of(find_task(task), {f"id{i}": row for i, row in enumerate(rows)})
    lost = sum(100 - answer.result.score for answer in answers) / len(rows)
    by_place = [pattern.points or 0.0 for pattern in found if not pattern.post and task != "gov_report"]
    assert sum(by_place) <= lost + 1e-9  # the rules of --post change all answers, ROUGE is no mean over them
    assert all((pattern.points or 0.0) >= 0 for pattern in found)
    if max(answer.result.score for answer in answers) in (0, 100):  # `below` is how far from the best answer
        assert all((pattern.points or 0.0) <= pattern.below + 1e-9 for pattern in found if pattern.points in by_place)
    unread = {answer.id for answer in answers if answer.result.parsed is None}
    assert unread <= set(ids)


@given(st.lists(st.sampled_from([*REFUSALS, *NO_REFUSALS, *SUMMARY.split(), *NOUNS, *TELLS]), max_size=8).map(" ".join))
def test_the_cheap_test_before_the_regular_expression_loses_no_refusal(text):
    text = text.casefold().replace("’", "'")
    assert not re.search(REFUSAL, text) or any(word in text for word in NEGATIONS)


def test_a_full_score_and_a_task_without_a_prompt_show_no_pattern():
    assert patterns("quality", ("<think>A or B?</think> B", ["A"])) == []
    assert patterns("space_digest", ("There is no information. 40%", ["40%"])) == []
    task = find_task("contract_nli", benchmark="scrolls")
    assert patterns_of_task(answers_of(task, {"1": ("Question: none", ["Entailment"])})) == []
