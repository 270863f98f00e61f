"""What a model writes before its answer is removed with the marks around it."""

import pytest

from zs_metric.metrics import METRICS, with_steps
from zs_metric.scoring import score_texts
from zs_metric.thinking import MARKS, is_unfinished_thinking, without_thinking

#: The marks as models write them.
WRITTEN = (
    *(("<thinking>", "</thinking>"), ("<thought>", "</thought>"), ("<reasoning>", "</reasoning>")),
    *(("<seed:think>", "</seed:think>"), ("[THINK]", "[/THINK]"), ("◁think▷", "◁/think▷")),
    ("<|begin_of_thought|>", "<|end_of_thought|>"),
    ("<|channel|>analysis<|message|>", "<|end|><|start|>assistant<|channel|>final<|message|>"),
)


@pytest.mark.parametrize("begin", MARKS)
def test_thinking_between_a_pair_of_marks_is_removed(begin):
    assert without_thinking(f"{begin}A? No.{MARKS[begin]}B") == "B"
    assert without_thinking(f"{begin}A? No.") == f"{begin}A? No."


@pytest.mark.parametrize(
    ("text", "left"),
    [
        ("no marks", "no marks"),
        ("so <think>a <think>b</think> c</think>B", "so B"),
        ("<think><think><think>a</think>b</think>c</think>D", "D"),
        ("A? No.</think> B", " B"),
        ("A<think>b</think>c</think> D", " D"),
        ("<THINK>A</Think>B<think>C</think>D", "BD"),
        ("A <think>never closed", "A <think>never closed"),
        ("<think>a</think>B <think>c", "B <think>c"),
        *((f"{begin}A? No.{end}B", "B") for begin, end in WRITTEN),
        ("analysisWe need A or B. So A.assistantfinalA", "A"),
        ("analysis\n\nWe need A.\n\nassistantcommentary…assistantfinalA", "A"),
        ("So A.assistantfinalA", "A"),
        ("analysisWe need A or B. So", "analysisWe need A or B. So"),
    ],
)
def test_nested_unopened_and_repeated_thinking_leaves_the_answer(text, left):
    assert without_thinking(text) == left


def test_harmony_without_its_marks_is_unfinished_where_no_answer_follows_and_prose_is_none():
    for text in ("analysisWe need A", " assistantanalysisThe user asks", "analysis用户想"):
        assert is_unfinished_thinking(text), text
        assert not is_unfinished_thinking(f"{text}assistantfinalA"), text
    for text in ("analysis", "analysis of the text", "Analysis: B", "The analysisWe", "analyses", "analysis, then B"):
        assert not is_unfinished_thinking(text), text
        assert without_thinking(text) == text


@pytest.mark.parametrize(("steps", "points"), [([], 0), (["lowercase"], 100)])
def test_a_metric_with_other_steps_matches_what_they_make_equal(steps, points):
    assert score_texts(with_steps(METRICS["exact_match"], steps), ["Yes"], ["yes"]).score == points
