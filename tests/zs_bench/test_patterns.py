"""The patterns: a made-up prediction for each, found by its name and by no other; the points at stake."""

import pytest

from zs_bench.benchmarks import find_task
from zs_bench.patterns import RULES, patterns_of_task
from zs_metric import score_example

SUMMARY = "The committee met in the spring. It agreed on a new budget for the schools of the town."
LIVING = "She was living with her aunt in the mill"
# Words of which no sentence is repeated.
LONG = " ".join(f"word{i}" for i in range(4_000)) + " "
TAGS, VERBS, SUBJECTS, NOUNS, TELLS = (
    words.split()
    for words in (
        "think thinking thought reasoning scratchpad",
        "is are was were has have had does do did will would can could should must lived",
        "he she it they we you I because who this that there to",
        "text article document passage passages story transcript context paper report review reviews information",
        "mention specify state say tell provide contain indicate include give discuss explain reveal",
    )
)
# The name of the pattern, the task, the prediction, its references.
CASES = (
    ("refusal", "narrative_qa", "The text does not say where she lives.", ["in Rome"]),
    ("refusal", "narrative_qa", "The text does not say. " + LONG[:900] + ".", ["in Rome"]),
    ("refusal", "quality", "I'm sorry, I cannot tell.", ["C"]),
    ("refusal", "qmsum", "There is no information on this in the meeting.", [SUMMARY]),
    ("false_unanswerable", "qasper", "Unanswerable", ["two corpora"]),
    ("false_unanswerable", "musique", "The question is unanswerable from these passages.", ["Paris", "Paris, France"]),
    ("false_answer", "qasper", "two corpora", ["unanswerable", "Unanswerable"]),
    ("yes_no_sentence", "qasper", "Yes, they use it in all of their experiments.", ["Yes"]),
    ("yes_no_sentence", "qasper", "They use it in all of their experiments.", ["Yes"]),
    ("yes_no_sentence", "qasper", "Yes, they use it", ["two corpora", "Yes"]),
    *(("unasked_yes_no", "qasper", text, ["two corpora"]) for text in ("Yes.", "No", "No, never")),
    ("reference_and_more", "musique", "It was New York, of course.", ["New York"]),
    ("reference_and_more", "qasper", "Unanswerable, I think", ["two corpora", "unanswerable"]),
    ("sentence_for_phrase", "narrative_qa", LIVING, ["in a house", "She was living in a house of the town"]),
    ("sentence_for_phrase", "narrative_qa", LIVING, ["one small old house by rivers"]),
    ("sentence_for_phrase", "narrative_qa", "They sing a song in town.", ["a house"]),
    ("sentence_for_phrase", "narrative_qa", "She was in the mill", ["a house"]),
    *(
        ("sentence_for_phrase", "narrative_qa", f"She {verb} in the big mill", ["old house by rivers"])
        for verb in VERBS
    ),
    ("cut_off", "gov_report", "It agreed on a new budget for schools of the", [SUMMARY]),
    ("cut_off", "gov_report", "It agreed on a new budget for all of its schools and", [SUMMARY]),
    ("cut_off", "gov_report", SUMMARY + " After the meeting they went home", [SUMMARY]),
    ("cut_off", "gov_report", "It lists:\n* The budget of the town in the spring.\n* The schools of", [SUMMARY]),
    ("cut_off", "gov_report", "It lists:\n100. The budget of the town in the spring.\n101) The schools", [SUMMARY]),
    ("cut_off", "gov_report", "It lists all items:\n* The town. It was new\n1000. The schools of the towns", [SUMMARY]),
    ("loop", "gov_report", "They met again today. " * 3 + "It was a long day for all of the members of it.", [SUMMARY]),
    ("loop", "gov_report", "They met. " + "It agreed on a new budget. " * 3, [SUMMARY]),
    ("loop", "gov_report", "They met, and " + "it agreed, " * 12 + "it agreed.", [SUMMARY]),
    ("loop", "gov_report", "They met again today in town\n" * 3 + "It was a long day for all of them.", [SUMMARY]),
    ("loop", "gov_report", LONG[:15_000] + ". " + "It agreed on it now. " * 3 + LONG[:9_000] + "End.", [SUMMARY]),
    ("echo", "gov_report", "You are given a report by a government agency. Write a one-page summary.", [SUMMARY]),
    ("echo", "qasper", "\nQuestion:\nwhich corpora", ["two corpora"]),
    ("echo", "qasper", "Question:\nwhich corpora\n\nAnswer:\nthree of them", ["two corpora"]),
    ("other_language", "gov_report", "Der Ausschuss hat sich auf das neue Budget der Stadt geeinigt.", [SUMMARY]),
    ("other_language", "narrative_qa", "В старом доме у реки", ["in the old house"]),
    ("other_language", "narrative_qa", "le la les mill house wine", ["rivers"]),
    ("other_language", "narrative_qa", "le la les des et the mill house", ["rivers"]),
    ("unfinished_thinking", "quality", "<think>Let me see. D looks right", ["B"]),
    ("thinking_tags", "quality", "C looks right. <|channel|> D", ["B"]),
    *(("thinking_tags", "quality", f"<{tag}>C looks right.</{tag}> D", ["B"]) for tag in TAGS),
    ("two_options", "quality", "A or C", ["B"]),
    ("wrong_ids", "book_sum_sort", "1, 2", ["1, 2, 3"]),
    ("wrong_ids", "book_sum_sort", "1, 2, 2", ["1, 2, 3"]),
    ("fraction", "space_digest", "0.4", ["40%"]),
    ("fraction", "space_digest", "20 of the 50 reviews", ["40%"]),
)
# Predictions that lost points and show no pattern.
PLAIN = (
    ("narrative_qa", "in Athens", ["in Rome"]),
    ("narrative_qa", "No one knew her", ["a stranger to all"]),
    ("narrative_qa", "He lives in the mill", ["She is living with her aunt in the mill."]),
    ("narrative_qa", "The answer is: the old mill.", ["a small house"]),
    ("musique", "Paris", ["Paris, France"]),
    ("qasper", "No", ["Yes"]),
    ("qasper", "Yes", ["Yes, they do"]),
    ("qasper", "corpora", ["unanswerable", "two corpora"]),
    ("quality", "A good answer is B", ["C"]),
    ("quality", "not A but C", ["D"]),
    ("space_digest", "40", ["50%"]),
    ("space_digest", "40%", ["50%"]),
    ("book_sum_sort", "2-1-3", ["1, 2, 3"]),
    ("book_sum_sort", "2, 1, 3", ["1, 2, 3"]),
    ("gov_report", SUMMARY, ["The committee met in the autumn."]),
    ("qasper", "Yes they do", ["Yes"]),
    ("narrative_qa", LIVING, ["one small old grey house by rivers"]),
    ("narrative_qa", LIVING, ["the"]),
    ("narrative_qa", LIVING, ["because of the snow"]),
    ("narrative_qa", LIVING, ["snow is white"]),
    ("narrative_qa", "She was in the mill", ["old house by rivers"]),
    ("narrative_qa", "В старом доме у реки", ["in the old house", "в доме"]),
    ("narrative_qa", "дом house", ["the mill"]),
    ("gov_report", "They met, and " + "it agreed on a new budget for all, " * 3, [SUMMARY]),
    ("gov_report", SUMMARY + " It agreed on a new budget." * 2, [SUMMARY]),
    ("gov_report", SUMMARY + " They met again." * 3, [SUMMARY]),
    ("gov_report", "It lists:\n* The budget of the town. All of it\n* The schools of all towns", [SUMMARY]),
    ("gov_report", LONG[:21_000] + ". " + "It agreed on it now. " * 3 + "So it met and went home.", [SUMMARY]),
    ("narrative_qa", "Yesterday", ["in Rome"]),
    ("qasper", "has no corpus", ["no"]),
    ("narrative_qa", "le la les des et", ["rivers"]),
    ("narrative_qa", "le la mill house wine snow town rain aunt book", ["rivers"]),
    ("narrative_qa", "le la les des the mill house wine snow town", ["rivers"]),
    ("narrative_qa", "дом cat", ["rivers"]),
    ("narrative_qa", "Upon this in the big mill", ["old house by rivers"]),
    ("narrative_qa", "Some hundredth in the big mill", ["old house by rivers"]),
    *(("narrative_qa", LIVING, [f"{subject} snow of years"]) for subject in SUBJECTS),
    ("qmsum", "The question is unanswerable.", [SUMMARY]),
    ("qmsum", "They met.", ["unanswerable"]),
    ("qmsum", "Yes, they met again.", [SUMMARY]),
    ("qmsum", SUMMARY + " They met.", [SUMMARY]),
    ("qmsum", "Plan A or plan C.", [SUMMARY]),
    ("gov_report", "El Niño was seen in the Pacific, and the report is on its cost for the towns there.", [SUMMARY]),
)

# Each says that the text does not tell, in words that no other one of them has.
REFUSALS = (
    *(f"The {noun} does not say." for noun in (*NOUNS, "summary", "summaries")),
    *(f"The text does not {verb} it." for verb in TELLS),
    *("The reviews do not say.", "The text did not say.", "The text doesn't say."),
    *("The text doesn’t say.", "The text of her letters does not really say."),
    *(
        f"{begins} {thing} of it."
        for begins, thing in (
            *(("There is no", "mention"), ("There was no", "indication"), ("It provides no", "evidence")),
            *(("They provide no", "details"), ("It contains no", "detail"), ("They contain no", "answer")),
            *(("Given no", "information"), ("It has not enough", "answer"), ("It has insufficient clear", "evidence")),
        )
    ),
    *("It does not mention any plan.", "It did not mention anything."),
    *("It has not, so not enough information.", "So not sufficient information."),
    *(f"They gave no {kind} answer." for kind in ("clear", "specific", "definitive")),
    *(f"Her age {form} not given." for form in ("is", "are", "was", "were")),
    *(f"Her age is not ever {form} it." for form in ("mentioned", "provided", "specified", "stated", "clear from")),
    *(f"It {form} be determined." for form in ("cannot", "can not", "can't", "can’t")),
    *(f"It cannot be {form}." for form in ("answered", "inferred", "calculated")),
    *("I'm sorry.", "I’m unable to.", "I am not able to.", "I cannot tell.", "I can't tell.", "I can’t tell."),
    *("I do not know.", "I don't know.", "I don’t know.", "So, as an AI, no."),
)
NO_REFUSALS = (
    *("The subtext does not say it.", "The text of all her last letters does not say.", "He worked as an aide."),
    *("She was an AI in it.", "There is no detailed plan.", "They did not mention anyone.", "The AI cannot swim."),
    "Unanswerable: the text does not say.",
    "The town is large. " * 40 + "The text does not say.",
    "The text does not say. " + "The town is large. " * 40,
)


def patterns(task, *rows):
    """The patterns of predictions with their references."""
    task = find_task(task)
    predictions, references = map(list, zip(*rows, strict=True))
    results = task.metric.score_all(predictions, references)
    return patterns_of_task(task, [f"id{i}" for i in range(len(rows))], predictions, references, results)


def test_each_pattern_is_reported_under_its_name_and_nothing_else_is():
    assert {name for name, *_ in CASES} == {rule.name for rule in RULES}
    for name, task, *row in CASES:
        assert [pattern.name for pattern in patterns(task, row)] == [name], row[0][:99]
    for task, *row in PLAIN:
        assert patterns(task, row) == [], row[0][:99]
    for text in REFUSALS:
        assert [pattern.name for pattern in patterns("qmsum", (text, [SUMMARY]))] == ["refusal"], text
    for text in NO_REFUSALS:
        assert "refusal" not in {pattern.name for pattern in patterns("qmsum", (text, [SUMMARY]))}, text


MILL = "She was living in the old mill."
LOOP = "They met in town. " + "It agreed on a budget for it. " * 4
NO_INFORMATION = ("There is no information on this.", ["a b"])


@pytest.mark.parametrize(
    ("task", "rows", "points"),
    [
        ("space_digest", [("0.4", ["50%"])], 50),
        ("narrative_qa", [(MILL, ["a small old house"])], 200 * 1 / 4 - 200 * 1 / 9),
        ("narrative_qa", [(MILL, ["a small old grey mill"])], 200 * 2 / 6 - 200 * 2 / 10),
        ("narrative_qa", [(LIVING, ["a small house", "the big mill"])], 200 * 1 / 3 - 200 * 1 / 10),
        ("quality", [("<think>A?</think> B", ["B"])], 100),
        ("qasper", [("Question:\ntwo", ["two six"])], 50),
        ("qasper", [("Question:\nwhich\nAnswer:\ntwo", ["two six"])], 200 / 3 - 200 / 6),
        ("qasper", [("Question:\nwhich\nAnswer:\nsix\nAnswer:\ntwo", ["two six ten"])], 200 / 4 - 200 * 2 / 9),
        ("qasper", [("They use it in all of them", ["Yes"])], 100),
        ("musique", [("The text does not say.", ["x"]), ("y", ["x"])], 50),
        ("qmsum", [NO_INFORMATION, ("a b", ["a b"]), ("a c", ["a b"])], (100 + 0) / 2 / 3),
        ("qmsum", [NO_INFORMATION], 0),
        (
            "gov_report",
            [(LOOP, [LOOP[:48]]), ("a b", ["c d"])],
            (100 - score_example("gov_report", LOOP, LOOP[:48]).score) / 2,
        ),
    ],
)
def test_the_points_at_stake_are_what_the_task_would_gain_with_the_what_if(task, rows, points):
    (pattern,) = patterns(task, *rows)
    assert pattern.points == pytest.approx(points)


def test_a_pattern_says_what_its_predictions_do_and_the_largest_comes_first():
    yes = "Yes, in all of them"  # one word of five is right: 2 * 1 / (5 + 1)
    (pattern,) = patterns("qasper", (yes, ["Yes"]), (yes, ["No"]), ("two", ["two"]), ("six", ["two"]))
    assert (pattern.name, pattern.task, pattern.count, pattern.ids) == ("yes_no_sentence", "qasper", 2, ("id0", "id1"))
    assert pattern.points == pytest.approx((100 - 100 / 3) / 4)
    does = "2 of 4 Qasper predictions answer a yes/no question with a sentence: 16.7 points of the task."
    assert pattern.sentence == does
    for task, row, does in (
        ("space_digest", ("0.4", ["50%"]), "gives a fraction or counts"),
        ("quality", ("<think>A", ["B"]), "is thinking that never ends"),
        ("book_sum_sort", ("1, 2", ["1, 2, 3"]), "has missing or repeated ids"),
    ):
        assert f" predictions {does}" in patterns(task, row)[0].sentence
    ordered = patterns("qasper", ("Unanswerable", ["two"]), ("Yes", ["two"]), ("Yes", ["six"]))
    assert [(pattern.name, pattern.count) for pattern in ordered] == [("unasked_yes_no", 2), ("false_unanswerable", 1)]


def test_a_full_score_and_a_task_without_a_prompt_show_no_pattern():
    assert patterns("quality", ("<think>A or B?</think> B", ["A"])) == []
    assert patterns("space_digest", ("There is no information. 40%", ["40%"])) == []
    task = find_task("contract_nli", benchmark="scrolls")
    results = task.metric.score_all(["Question: none"], [["Entailment"]])
    assert patterns_of_task(task, ["1"], ["Question: none"], [["Entailment"]], results) == []
