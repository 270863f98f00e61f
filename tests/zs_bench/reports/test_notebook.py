"""Results in a notebook: one line, a table, and a frame."""

from pathlib import Path

from compared_systems import KNOWN, ONE, systems
from written_files import score

from zs_bench.dataset.embedded import sample_predictions
from zs_bench.reports.comparison import compare
from zs_bench.reports.frames import comparison_frame, tasks_frame
from zs_bench.reports.study import read_run_name, study_runs
from zs_bench.scoring.score_files import score_against


def test_results_are_a_line_a_table_and_a_frame(tmp_path: Path) -> None:
    runs = systems(tmp_path, one=ONE, two=ONE)
    one, comparison = runs["one"], compare(runs)
    (match,) = comparison.comparisons
    study = study_runs({name: read_run_name(name) for name in runs}, runs)
    assert repr(study) == "<Study: 2 runs, 3 rows>"
    assert "Mean of 2 of 10 tasks: 70.1400" in repr(one)
    assert "Mean of 2 tasks: undecided, fewer than 10 examples: equal scores" in repr(comparison)
    for result in (one, comparison, match, study):
        assert len(repr(result)) < 300
        assert "\n" not in repr(result)
        assert "quality" in result._repr_html_()
        assert (result._repr_html_().count("<tr>"), len(result.to_frame())) in ((3, 10), (4, 3), (4, 6))
    assert one.to_frame().equals(tasks_frame(one))
    assert comparison.to_frame().equals(comparison_frame(comparison))


def test_the_parts_of_a_result_are_short_too() -> None:
    scored = score_against([sample_predictions()], "embedded")
    assert len(repr(scored.tasks["gov_report"])) < 1000
    assert len(repr(scored.result)) < 300


def test_names_are_text_in_the_table(tmp_path: Path) -> None:
    first, second = (score(tmp_path, {"answers.json": ONE}, KNOWN) for _ in range(2))
    html = compare({"<b>A</b>": first, "B": second})._repr_html_()
    assert "&lt;b&gt;A&lt;/b&gt;" in html
    assert "<b>" not in html
