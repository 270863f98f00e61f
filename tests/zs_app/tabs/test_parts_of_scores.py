"""The parts that a metric adds to a score: by their titles in cards, and by their names in data."""

import csv
import io
from collections.abc import Sequence
from pathlib import Path

from written_files import score

from zs_app.tabs.score_answer import scored_card
from zs_bench.benchmarks import Benchmark, Task
from zs_bench.reports.explain_text import render
from zs_bench.reports.html.standalone import html_report
from zs_bench.reports.report import as_csv
from zs_metric.explain import explain
from zs_metric.metrics import mean_of_examples
from zs_metric.results import ExampleResult
from zs_metric.scoring import score_text


def two_shares(prediction: str, references: Sequence[str]) -> ExampleResult:
    """A made-up metric whose score has two parts of its own."""
    shares = {"names_found": 100.0 * (prediction in references), "years_found": 12.5}
    return ExampleResult(sum(shares.values()) / 2, prediction or None, None, 0, shares)


METRIC = mean_of_examples(
    "two_shares", "Two shares", two_shares, parts={"names_found": "Names found", "years_found": "Years found"}
)
BENCHMARK = Benchmark("madeup", "Made up", "madeup_score", rows=(Task("who", METRIC),))


def test_the_card_of_the_page_the_html_report_and_the_json_of_an_answer_have_their_titles(tmp_path: Path) -> None:
    task, titled = BENCHMARK.tasks["who"], "<dt>Names found</dt><dd>100.0</dd><dt>Years found</dt><dd>12.5</dd>"
    references = {"who": {"1": "Ada", "2": "Ann"}}
    scored = score(tmp_path, {"a.json": {"who": {"1": "Ada", "2": "Bob"}}}, references, benchmark=BENCHMARK)
    assert titled in scored_card(task, "Ada", ["Ada"])
    for quoted in (True, False):
        assert titled in html_report(scored, references=quoted)
    explanation = explain(task, "Ada", ["Ada"])
    assert explanation.as_dict()["view"]["parts"] == {"Names found": 100.0, "Years found": 12.5}
    assert "Names found: 100.00\nYears found: 12.50\n" in render(explanation)


def test_csv_and_results_have_them_by_name(tmp_path: Path) -> None:
    data = score_text(METRIC, "Ada", ["Ada"]).as_dict()
    assert (data["names_found"], data["years_found"]) == (100.0, 12.5)
    references = {"who": {"1": "Ada", "2": "Ann"}}
    scored = score(tmp_path, {"a.json": {"who": {"1": "Ada", "2": "Bob"}}}, references, benchmark=BENCHMARK)
    rows = [row for row in csv.DictReader(io.StringIO(as_csv(scored))) if row["level"] == "answer"]
    found = {row["id"]: (float(row["names_found"]), float(row["years_found"])) for row in rows}
    assert found == {"1": (100.0, 12.5), "2": (0.0, 12.5)}
