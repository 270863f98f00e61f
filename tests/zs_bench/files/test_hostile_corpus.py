"""A hundred and fifty hostile files against the readers, as predictions and as references: a report, and no harm."""

import tracemalloc

import pytest
from hostile_files import GOOD, hostile_files
from shipped import as_shipped
from written_files import write

from zs_bench.reports import report
from zs_bench.reports.html.standalone import html_report
from zs_bench.scoring.score_files import score_files

pytestmark = pytest.mark.slow

REFERENCES = {"quality": {"a": ["B"], "b": ["D"]}, "qasper": {"q": ["yes"]}, "space_digest": {"s": ["50%"]}}
REFERENCES |= {"book_sum_sort": {"b": ["1, 2, 3"]}}
BOMBS = (
    *("zip-bomb", "zip-overlapping", "zip-huge-claim", "zip-lies", "zip-many", "long-line", "many-values"),
    *("million-digits", "deep-lists", "deep-unclosed", "csv-many-columns"),
)


@pytest.fixture(scope="module")
def corpus(tmp_path_factory):
    return hostile_files(tmp_path_factory.mktemp("hostile"))


@pytest.fixture(scope="module")
def good(tmp_path_factory):
    """A file of predictions and one of references that nothing is wrong with."""
    folder = tmp_path_factory.mktemp("good")
    return write(folder / "predictions.json", GOOD), write(folder / "references.json", REFERENCES)


def test_each_gives_a_report_in_every_form(corpus, good):
    for path in corpus:
        scored = score_files([path], [good[1]], partial=True)
        data = report.as_json(scored)
        assert as_shipped(data) == data, path
        assert scored.problems or scored.tasks, path
        assert all(line.isprintable() for line in report.as_text(scored).splitlines()), path
        assert not [cell for cell in report.as_csv(scored).split(",") if cell.startswith(("=", "@"))], path
        drawn = html_report(scored)
        assert ("<script>alert" in drawn, "<img src=x" in drawn) == (False, False), path
        if not path.parent.name.endswith(("many-ids", "many-rows")):  # which take seconds: once is enough
            data = report.as_json(score_files([good[0]], [path], partial=True))
            assert data["problems"] or data["tasks"], path


@pytest.mark.parametrize("kind", BOMBS)
def test_none_takes_more_memory_than_there_is(corpus, good, kind):
    (path,) = (path for path in corpus if path.parent.name.endswith(f"-{kind}"))
    tracemalloc.start()
    try:
        score_files([path], [good[1]], partial=True)
        assert tracemalloc.get_traced_memory()[1] < 150e6
    finally:
        tracemalloc.stop()
