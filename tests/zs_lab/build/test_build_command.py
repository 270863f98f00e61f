"""`zero-scrolls build`: what it writes is a source for the other commands."""

import json
from pathlib import Path

import pytest
from written_files import write

from zs_start.cli import main


def test_a_built_sample_is_described_and_passes_the_other_commands(tmp_path, capsys):
    fresh, naive = str(tmp_path / "fresh"), str(tmp_path / "naive.csv")
    rows = [
        {"place": f"H{k % 2}", "rating": 1 + k % 5, "text": f"review {k}", "date": f"2026-0{1 + k % 9}-01"}
        for k in range(40)
    ]
    reviews = str(write(tmp_path / "reviews.jsonl", rows))
    command = ["build", "space-digest", reviews, "--out", fresh, "--reviews", "5", "--since", "2026-03-01"]
    assert main(command) == 0
    readme = Path(fresh, "space_digest", "README.md").read_text(encoding="utf-8")
    assert "| dates of the records used | 2026-03-01 to 2026-09-01 |" in readme
    assert readme in capsys.readouterr().out
    assert main(["data", "space_digest", "--source", fresh]) == 0
    assert main(["baseline", "space_digest", "--source", fresh, "--out", naive]) == 0
    assert main(["score", naive, "--source", fresh]) == 0
    main(["verify", naive, "--source", fresh, "--tasks", "space_digest"])
    assert "unknown" not in capsys.readouterr().out
    assert main(["prompt", "space_digest", "--source", fresh]) == 0
    assert {json.loads(line)["id"] for line in capsys.readouterr().out.splitlines()} == {"H0", "H1"}


@pytest.mark.parametrize("private", [False, True])
def test_what_has_to_be_reviewed_before_anything_can_be_built_is_written(tmp_path, capsys, *, private):
    for number in (1, 2, 3):
        text = f"In Chapter {number} it rains, for the {number}th time."
        write(tmp_path / "books" / "A" / f"{number}.txt", text)
    options = ["--private", str(tmp_path / "mine" / "references.json")] if private else []
    assert main(["build", "book-sum-sort", str(tmp_path / "books"), "--out", str(tmp_path / "out"), *options]) == 2
    page = tmp_path / ("mine/book_sum_sort-private" if private else "out/book_sum_sort") / "tell_tales.html"
    assert f"Written: {page}" in capsys.readouterr().err
    assert "it rains, for the 3th time" in page.read_text(encoding="utf-8")
    assert len([*tmp_path.glob("**/tell_tales.html")]) == 1


def test_numbers_and_names_that_cannot_be_are_refused(capsys):
    for option, value, message in (
        ("--reviews", "0", "'0' is not a whole number from 1"),
        ("--size", "-3", "'-3' is not a whole number from 1"),
        ("--split", "../x", "'../x' is not a name of a split"),
        ("--since", "May", "'May' is not a date; write it as 2026-01-31"),
    ):
        with pytest.raises(SystemExit, match="2"):
            main(["build", "space-digest", "reviews.csv", "--out", "fresh", option, value])
        assert message in capsys.readouterr().err
