"""Rules that change answers before they are scored: each by its name, and named in the report."""

import pytest
from written_files import score

from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.errors import UnknownName
from zs_bench.problems import lines
from zs_bench.scoring.score_files import find_rule


@pytest.mark.parametrize(
    ("rule", "answer", "left"),
    [
        ("cut-at:\\n", "yes\nQuestion: no", "yes"),
        ("cut-at:\n", "yes\nQuestion: no", "yes"),
        ("cut-at:\\n\\nQuestion:", "yes\n\nQuestion: no", "yes"),
        ("cut-at:\\t", "a\tb", "a"),
        ("cut-at:\\\\n", "a\\n\nb", "a"),
        ("cut-at:\\x", "a\\xb", "a"),
        ("cut-at::", "Answer: yes", "Answer"),
        ("cut-at:stop", "never", "never"),
        ("cut-at-tag", " yes</answer> because", " yes"),
        ("drop-think", "<think>A? No.</think>\nB", "\nB"),
        ("after:Final answer:", "A or B? final answer: A. No. Final answer: B", " B"),
        ("after:the answer is", "So the answer is (C)", " (C)"),
        ("after:<answer>", "A? <answer>B", "B"),
        ("after:\\boxed{", "so $\\boxed{B", "B"),
        ("after:\\n", "A\n\nB", "B"),
        ("after:Answer:", "never", "never"),
        ("strip", " \n yes \t", "yes"),
    ],
)
def test_a_rule_leaves_what_it_says(rule, answer, left):
    name, change = find_rule(rule)
    assert (name, change(answer, TASKS["qasper"])) == ("drop-think:2" if rule == "drop-think" else rule, left)
    assert find_rule(name)[0] == name


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("cut_at:x", r"no rule 'cut_at:x' for answers; did you mean 'cut-at'\?"),
        ("upper", "the rules are after:<mark>, cut-at:<stop string>, cut-at-tag, drop-think, strip"),
        ("strip:x", r"did you mean 'strip'\?"),
        *((name, "needs a text; the rules are after:<mark>") for name in ("cut-at", "cut-at:", "after", "after:")),
    ],
)
def test_a_rule_that_does_not_exist_is_reported_with_the_likely_name(name, says):
    with pytest.raises(UnknownName, match=says):
        find_rule(name)


def test_rules_are_applied_in_order_and_what_they_empty_is_a_warning(tmp_path):
    answers = {"a.json": {"quality": {"1": "\n A"}, "qasper": {"7": "yes"}}}
    references = {"quality": {"1": "A"}, "qasper": {"7": "yes"}}
    good = score(tmp_path, answers, references, post=["strip", "cut-at:\\n"])
    assert (good.tasks["quality"].score, good.problems, good.processed.changed) == (100, [], 1)
    emptied = score(tmp_path, answers, references, post=["cut-at:\\n", "strip"])
    assert (emptied.post, emptied.tasks["quality"].score) == (("cut-at:\\n", "strip"), 0)
    assert (emptied.processed.before, emptied.processed.changed) == ({"qasper": 100, "quality": 100}, 1)
    (problem,) = emptied.problems
    assert (problem.kind, problem.task, problem.id, problem.is_error) == ("emptied", "quality", "1", False)
    assert (problem.message, problem.place.row) == ("Post-processing leaves nothing of the answer (scores 0)", None)


def test_answers_that_never_leave_think_are_counted_and_drop_think_says_that_it_left_them(tmp_path):
    thoughts = {str(n): "<think>\nOkay, let me see" for n in range(5)} | {"5": "<think>B?</think> A"}
    for post, ending in (([], "so it is cut off; "), (["drop-think"], "so drop-think leaves it as it is; ")):
        scored = score(tmp_path, {"quality.json": thoughts}, {"quality": dict.fromkeys(thoughts, "A")}, post=post)
        (line,) = lines(scored.problems)
        assert line.startswith(f"quality, 5 answers: The answer never ends its thinking, {ending}")
