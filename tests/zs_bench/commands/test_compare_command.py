"""`zero-scrolls compare`: the same comparison as from Python, its names, and its exit status."""

import json
import shutil
from pathlib import Path
from typing import Any

import pytest
from run_folders import run_of
from written_files import write

from zs_bench.cli import main
from zs_bench.commands.options import system_names
from zs_bench.dataset.embedded import SAMPLE_PREDICTIONS
from zs_bench.reports import comparison
from zs_bench.reports.comparison import compare
from zs_bench.reports.html.standalone import comparison_page
from zs_bench.run_records.settings import Settings
from zs_bench.scoring.score_files import score_files
from zs_metric import ZeroScrollsError

KNOWN = {"quality": {f"{i}_x": "A" for i in range(10)}}
ONE = dict.fromkeys(KNOWN["quality"], "A")
TWO = {key: "AB"[key < "8"] for key in KNOWN["quality"]}


def files(folder: Path, **answers: Any) -> list[str]:
    """Answers and references as files; the arguments of the command."""
    paths = [str(write(folder / f"{name}.json", {"quality": content})) for name, content in answers.items()]
    return ["compare", *paths, "--references", str(write(folder / "known" / "all.json", KNOWN))]


def test_the_command_says_and_writes_what_python_finds(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    outs = {form: tmp_path / f"out.{form}" for form in ("json", "csv", "markdown", "latex", "html")}
    options = [part for form, out in outs.items() for part in (f"--{form}", str(out))]
    assert main([*files(tmp_path, one=ONE, two=TWO), *options]) == 0
    known = [tmp_path / "known"]
    found = compare({name: score_files([tmp_path / f"{name}.json"], known) for name in ("one", "two")})
    assert json.loads(outs["json"].read_text(encoding="utf-8")) == comparison.as_json(found, with_questions=True)
    assert outs["csv"].read_bytes().decode("utf-8") == comparison.as_csv(found)
    assert outs["latex"].read_text(encoding="utf-8") == comparison.as_latex(found)
    assert outs["html"].read_text(encoding="utf-8") == comparison_page(found)
    assert outs["markdown"].read_text(encoding="utf-8") == comparison.as_markdown(found)
    out, err = capsys.readouterr()
    assert out.startswith(comparison.as_text(found) + "\n")
    assert out.startswith("QuALITY: one is better by 80.0 points [")
    assert err == ""


def runs(folder: Path, **settings: str) -> list[str]:
    """A run, and one of the given settings that answers eight of ten questions less, with their references."""
    read = run_of(folder / "read", Settings("a-model"), {"quality": ONE})
    other = run_of(folder / "other", Settings(**{"model": "a-model", **settings}), {"quality": TWO})  # type: ignore[arg-type]
    return [str(read), str(other), "--references", str(write(folder / "known" / "all.json", KNOWN))]


def test_a_run_without_the_document_shows_the_points_that_need_it(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read, closed, *known = runs(tmp_path, variant="closed-book")
    outs = {form: tmp_path / f"out.{form}" for form in ("json", "html", "markdown")}
    options = [part for form, out in outs.items() for part in (f"--{form}", str(out))]
    assert main(["compare", read, closed, *known, *options]) == 0
    points = (
        "Points that need the document: quality +80.0 [37.2, 95.0] "
        "(other is the same model, asked without the document)."
    )
    assert points in capsys.readouterr().out
    assert points in outs["html"].read_text(encoding="utf-8")
    assert "Points that need the document: quality +80.0" in outs["markdown"].read_text(encoding="utf-8")
    (match,) = json.loads(outs["json"].read_text(encoding="utf-8"))["matches"]
    assert (match["without_document"], match["settings_differ"], match["signatures_differ"]) == (
        "other",
        ["variant canonical against closed-book"],
        [],
    )
    assert main(["compare", closed, read, *known]) == 0
    assert points in capsys.readouterr().out


def test_runs_of_two_models_do_not_show_the_points_that_need_the_document(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["compare", *runs(tmp_path, model="another", variant="closed-book")]) == 0
    out = capsys.readouterr().out
    assert "Points that need the document" not in out
    assert "The runs differ in: model a-model against another, variant canonical against closed-book." in out
    assert "prompts: whole against closed-book" in out


def test_a_zipped_run_is_compared_with_a_folder_and_with_a_file(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    read, closed, *known = runs(tmp_path, variant="closed-book")
    zipped = shutil.make_archive(str(tmp_path / "zipped"), "zip", closed)
    assert main(["compare", read, zipped, *known]) == 0
    assert "Points that need the document: quality +80.0" in capsys.readouterr().out
    file = str(write(tmp_path / "file.json", {"quality": TWO}))
    assert main(["compare", read, file, *known]) == 0
    out = capsys.readouterr().out
    assert "quality: read is better by 80.0 points" in out
    assert "The runs differ" not in out


def degraded(answers: dict[str, dict[str, str]], points: int) -> dict[str, dict[str, str]]:
    """The answers of a model that loses so many points on each task: one answer of a hundred each is emptied."""
    return {
        task: {key: "" if i % 100 < points else text for i, (key, text) in enumerate(by_id.items())}
        for task, by_id in answers.items()
    }


def test_a_gate_lets_a_model_pass_only_where_it_is_shown_to_lose_less_than_the_margin(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    known = {
        "quality": {f"{i}_x": "A" for i in range(400)},
        "qasper": {f"q{i}": "a short answer" for i in range(400)},
        "qmsum": {f"m{i}": "the meeting agreed to meet again on monday" for i in range(400)},
    }
    write(tmp_path / "known" / "all.json", known)
    write(tmp_path / "base.json", known)
    gates = ["--margin", "quality=3", "--margin", "qasper=3", "--margin", "qmsum=3"]
    statuses = {}
    for points in (0, 1, 3):
        new = str(write(tmp_path / f"minus{points}.json", degraded(known, points)))
        command = ["compare", str(tmp_path / "base.json"), new, "--references", str(tmp_path / "known"), *gates]
        statuses[points] = main(command)
        out, err = capsys.readouterr()
        assert out.startswith("Mean of 3 tasks: ")
        word = "FAIL" if points == 3 else "PASS"
        assert [line.split(": ")[:2] for line in err.splitlines() if line.startswith(("PASS", "FAIL"))] == [
            [word, task] for task in ("quality", "qasper", "qmsum")
        ]
    assert statuses == {0: 0, 1: 0, 3: 1}
    assert "- quality: 12 right to wrong (0_x, 1_x, 2_x, …), 0 wrong to right; 388 of 400 texts are identical" in out


def test_a_gate_fails_on_a_small_sample_a_missing_task_and_an_average_of_some_tasks(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    command = files(tmp_path, one=ONE, two=ONE)
    for margin, why in (
        ("quality=3", "FAIL: quality: undecided whether two is as good as one within 3 points: equal scores ["),
        ("qasper=90", "FAIL: qasper: no answers of either\n"),
        ("90", "FAIL: average: 1 of 10 tasks were compared; give --margin TASK=POINTS\n"),
    ):
        assert main([*command, "--margin", margin]) == 1
        assert why in capsys.readouterr().err
    assert main([*command, "--margin", "quality=90"]) == 0
    assert main([*command, "--margin", "nothing=90"]) == 2
    less = {key: text for key, text in ONE.items() if key != "0_x"}
    lacking = [*files(tmp_path / "less", one=ONE, two=less), "--partial", "--margin", "quality=90"]
    assert main(lacking) == 1


def test_systems_have_the_names_they_are_given(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    names = ["--name", "the old one", "--name", "ours"]
    command = files(tmp_path, one=ONE, two=TWO)
    assert main([*command, *names, "--format", "md"]) == 0
    assert capsys.readouterr().out.startswith("| task | the old one | ours |")
    for wrong in (names[:2], [*names[:2], *names[:2]], [*names, "--name", "third"]):
        assert main([*command, *wrong]) == 2
        assert "give as many different names" in capsys.readouterr().err


def test_what_is_refused_is_reported_with_the_name_of_the_system_and_exits_with_1(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(files(tmp_path, one=ONE, two={"0_x": "A"})) == 1
    out, err = capsys.readouterr()
    assert err.startswith("two: quality: 9 of 10 answers are missing")
    assert "not compared, refused for two: quality" in out


def test_partial_compares_what_both_have_and_warns(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    two = {key: text for key, text in TWO.items() if key != "0_x"}
    assert main([*files(tmp_path, one=ONE, two=two), "--partial"]) == 0
    assert (
        "Warnings:\n- quality: 9 of 10 examples were answered by both; 1 only by one (0_x)" in capsys.readouterr().out
    )


def test_the_references_may_come_from_a_source(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    worse = write(tmp_path / "worse.csv", SAMPLE_PREDICTIONS.read_bytes().replace(b"%", b" percent"))
    assert main(["compare", str(SAMPLE_PREDICTIONS), str(worse), "--source", "embedded"]) == 0
    assert "zero_scrolls_predictions and worse: 20 examples answered by both, in 10 tasks." in capsys.readouterr().out


@pytest.mark.parametrize("count", [1, 2])
def test_a_system_alone_or_twice_is_wrong_usage(tmp_path: Path, count: int, capsys: pytest.CaptureFixture[str]) -> None:
    command = files(tmp_path, one=ONE)
    assert main([*command[:2], *command[1:2] * (count - 1), *command[2:]]) == 2
    assert "system" in capsys.readouterr().err


def test_systems_are_named_after_the_shortest_part_of_their_path_that_tells_them_apart() -> None:
    assert system_names(["a/x.csv", "b/y.zip", "c"]) == ["x", "y", "c"]
    assert system_names(["run/a/preds.csv", "run/b/preds.csv"]) == ["a", "b"]
    assert system_names(["gpt-4_zero_scrolls_predictions.csv", "t5_zero_scrolls_predictions.csv"]) == ["gpt-4", "t5"]
    assert system_names(["preds.csv", "a_preds.csv"]) == ["preds", "a_preds"]
    assert system_names(["a_preds.csv"]) == ["a_preds"]
    assert system_names(["a/preds.csv", "a/preds.json"]) == ["preds.csv", "preds.json"]
    with pytest.raises(ZeroScrollsError, match="twice"):
        system_names(["a.csv", "b.csv", "a.csv"])
