"""SCROLLS Table 2 (arXiv 2201.03533, test set), typed by hand, for the metric's average and the published rows."""

from typing import Any, NamedTuple

from zs_bench.benchmarks import BENCHMARKS


class Printed(NamedTuple):
    """A row as printed: of a ROUGE task the three types, of the others one number, and the average."""

    model: str
    tokens: int | None
    scores: dict[str, Any]
    average: float


#: GovReport, SummScreenFD and QMSum; Qasper and NarrativeQA; QuALITY, ContractNLI and the hard questions of QuALITY.
TABLE_2 = [
    Printed(model, tokens, dict(zip(BENCHMARKS["scrolls"].all_tasks, scores, strict=True)), average)
    for model, tokens, *scores, average in [
        ("Naive", None, (45.3, 17.9, 20.8), (19.6, 1.8, 11.0), (14.2, 2.0, 9.3), 3.4, 1.5, 25.2, 66.0, 26.1, 19.35),
        ("BART", 256, (41.9, 14.2, 20.3), (24.5, 3.8, 15.3), (29.9, 8.3, 20.4), 23.3, 14.0, 26.0, 69.8, 25.8, 26.35),
        ("BART", 512, (45.6, 16.9, 21.8), (26.3, 5.1, 16.2), (29.5, 8.2, 20.1), 24.7, 14.5, 26.8, 71.6, 27.4, 27.58),
        ("BART", 1024, (47.9, 18.6, 22.7), (27.2, 4.9, 16.7), (30.2, 8.7, 20.7), 26.3, 15.4, 26.0, 77.4, 25.9, 29.01),
        ("LED", 1024, (40.9, 16.1, 23.1), (22.7, 3.6, 15.1), (24.6, 6.5, 19.0), 24.4, 15.2, 26.6, 73.4, 27.2, 27.06),
        ("LED", 4096, (52.5, 23.3, 26.8), (23.0, 4.1, 15.1), (26.6, 6.9, 19.9), 25.0, 16.3, 26.6, 71.5, 27.3, 28.30),
        ("LED", 16384, (56.2, 26.6, 28.8), (24.2, 4.5, 15.4), (25.1, 6.7, 18.8), 26.6, 18.5, 25.8, 71.5, 25.4, 29.16),
    ]
]
