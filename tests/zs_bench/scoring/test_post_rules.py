"""Rules that change answers before they are scored: each by its name, and named in the report."""

import json
from pathlib import Path

import pytest
from written_files import score, write

from zs_bench.cli import main
from zs_bench.errors import UnknownRule
from zs_bench.problems import lines
from zs_bench.scoring.post_rules import find_rules
from zs_metric.tasks import TASKS


def changed(rule: str, answer: str, task: str = "qasper") -> str:
    ((_, change),) = find_rules([rule])
    return change(answer, TASKS[task])


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
        ("cut-at:stop", "stop", ""),
        ("cut-at-tag", " yes</answer> because", " yes"),
        ("cut-at-tag", "yes", "yes"),
        ("drop-think", "<think>A? No.</think>\nB", "\nB"),
        ("drop-think", "so <think>A?</think>is<think>B?</think> it", "so is it"),
        ("drop-think", "A? No.</think> B", " B"),
        ("drop-think", "A<think>b</think>c</think> D", " D"),
        ("drop-think", "<think>a<think>b</think>c</think>D", "D"),
        ("drop-think", "<think><think><think>a</think>b</think>c</think>D", "D"),
        ("drop-think", "A <think>never closed", "A <think>never closed"),
        ("drop-think", "<think>a</think>B <think>c", "B <think>c"),
        ("drop-think", "<Think>a</Think>B", "<Think>a</Think>B"),
        ("strip", " \n yes \t", "yes"),
    ],
)
def test_a_rule_leaves_what_it_says(rule: str, answer: str, left: str) -> None:
    assert changed(rule, answer) == left


@pytest.mark.parametrize(
    ("name", "says"),
    [
        ("cut_at:x", "did you mean 'cut-at'?"),
        ("dropthink", "did you mean 'drop-think'?"),
        ("upper", "the rules are cut-at:<stop string>, cut-at-tag, drop-think, strip"),
        ("strip:x", "did you mean 'strip'?"),
        ("cut-at", "cut-at needs the string to cut at"),
        ("cut-at:", "cut-at needs the string to cut at"),
    ],
)
def test_a_rule_that_does_not_exist_is_reported_with_the_likely_name(name: str, says: str) -> None:
    with pytest.raises(UnknownRule, match=says.replace("?", r"\?")):
        find_rules([name])


def test_the_command_takes_rules_in_order_and_refuses_unknown_ones(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    answers = str(write(tmp_path / "answers.json", {"quality": {"1": "\n A"}, "qasper": {"7": "yes"}}))
    references = str(write(tmp_path / "r.json", {"quality": {"1": "A"}, "qasper": {"7": "yes"}}))
    out = tmp_path / "out.json"
    command = ["score", answers, "--references", references, "--json", str(out)]
    assert main([*command, "--post", "strip", "--post", "cut-at:\\n"]) == 0
    assert json.loads(out.read_text(encoding="utf-8"))["post"]["rules"] == ["strip", "cut-at:\\n"]
    assert main([*command, "--post", "cut-at:\\n", "--post", "strip"]) == 0
    report = json.loads(out.read_text(encoding="utf-8"))
    assert report["tasks"]["quality"]["score"] == 0
    assert report["post"] == {
        "rules": ["cut-at:\\n", "strip"],
        "before": {"qasper": 100.0, "quality": 100.0},
        "changed": 1,
    }
    (emptied,) = report["problems"]
    assert (emptied["kind"], emptied["task"], emptied["id"], emptied["file"]) == (
        "emptied",
        "quality",
        "1",
        "answers.json",
    )
    assert (emptied["message"], emptied["refuses"]) == (
        "Post-processing leaves nothing of the answer (scores 0)",
        False,
    )
    capsys.readouterr()
    with pytest.raises(SystemExit) as exit_:
        main([*command, "--post", "stripe"])
    assert exit_.value.code == 2
    assert "no rule 'stripe' for answers; did you mean 'strip'?" in capsys.readouterr().err


def test_answers_that_never_leave_think_are_counted_and_drop_think_says_that_it_left_them(tmp_path: Path) -> None:
    thoughts = {str(n): "<think>\nOkay, let me see" for n in range(5)} | {"5": "<think>B?</think> A"}
    references = {"quality": dict.fromkeys(thoughts, "A")}
    plain = score(tmp_path / "plain", {"quality.json": thoughts}, references)
    (line,) = lines(plain.problems)
    assert line.startswith("quality, 5 answers: The answer never leaves <think>, so it is cut off; ")
    (left,) = lines(score(tmp_path / "left", {"quality.json": thoughts}, references, post=["drop-think"]).problems)
    assert left.startswith("quality, 5 answers: The answer never leaves <think>, so drop-think leaves it as it is")
