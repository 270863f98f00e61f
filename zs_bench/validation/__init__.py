"""Checks of prediction files: everything that is wrong with them, how it is repaired, and the official prediction file.

The door: `validate_files`, `repair` and `as_submission_csv`, with `KnownIds` to check against.
"""

from zs_bench.validation.checks import OFFERED
from zs_bench.validation.from_source import ids_of_lists, ids_of_source
from zs_bench.validation.known_ids import IdList, KnownIds
from zs_bench.validation.references import ids_of_references
from zs_bench.validation.submission import FILE_NAMES, READY, Count, SubmissionRow, as_submission_csv
from zs_bench.validation.validate import Validation, repair, validate, validate_files

__all__ = [
    "FILE_NAMES",
    "OFFERED",
    "READY",
    "Count",
    "IdList",
    "KnownIds",
    "SubmissionRow",
    "Validation",
    "as_submission_csv",
    "ids_of_lists",
    "ids_of_references",
    "ids_of_source",
    "repair",
    "validate",
    "validate_files",
]
