"""The id doctor: what is wrong with answer files, how it is put right, and the official prediction file.

The door: `examine`, `repair` and `as_submission_csv`, with `KnownIds` to check against.
"""

from zs_bench.doctor.diagnosis import Count, Diagnosis, Finding, Repair, Repaired, SubmittedAnswer
from zs_bench.doctor.examination import examine, examine_sources, repair
from zs_bench.doctor.id_sources import ids_of_lists, ids_of_references, ids_of_source
from zs_bench.doctor.known_ids import IdList, KnownIds
from zs_bench.doctor.submission import FILE_NAMES, READY, as_submission_csv
from zs_bench.doctor.table import OFFERED

__all__ = [
    "FILE_NAMES",
    "OFFERED",
    "READY",
    "Count",
    "Diagnosis",
    "Finding",
    "IdList",
    "KnownIds",
    "Repair",
    "Repaired",
    "SubmittedAnswer",
    "as_submission_csv",
    "examine",
    "examine_sources",
    "ids_of_lists",
    "ids_of_references",
    "ids_of_source",
    "repair",
]
