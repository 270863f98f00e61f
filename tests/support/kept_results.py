"""What a test asks of a result of "Score a file"."""

from zs_app.jobs import export
from zs_app.result_tables import opened


def page_of(result):
    with opened(result) as kept:
        return kept.page


def report_of(result):
    with opened(result) as kept:
        return kept.report


def answers_of(result, wanted):
    with opened(result) as kept:
        return kept.answers(wanted)


def exported(result, name):
    """A report to download."""
    return export(result, name, lambda *_: None)
