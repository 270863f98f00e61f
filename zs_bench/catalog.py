"""What the tasks are, as facts for people (ZeroSCROLLS Table 1)."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

METRIC_TITLES: Mapping[str, str] = {
    "rouge": "ROUGE",
    "f1": "F1",
    "accuracy": "Accuracy",
    "exp_similarity": "Exponential similarity",
    "concordance_index": "Concordance index",
}


@dataclass(frozen=True, slots=True)
class TaskFacts:
    """A task for people: its title, kind and domain, average words of an input, and examples in the test split."""

    title: str
    kind: str
    domain: str
    words: int
    test_examples: int


FACTS: Mapping[str, TaskFacts] = {
    "gov_report": TaskFacts("GovReport", "Summarization", "government", 7273, 500),
    "summ_screen_fd": TaskFacts("SummScreenFD", "Summarization", "TV", 5663, 337),
    "qmsum": TaskFacts("QMSum", "Query-based summarization", "meetings", 10839, 281),
    "squality": TaskFacts("SQuALITY", "Query-based summarization", "literature", 4971, 260),
    "qasper": TaskFacts("Qasper", "Question answering", "science", 3531, 500),
    "narrative_qa": TaskFacts("NarrativeQA", "Question answering", "literature, film", 49384, 500),
    "quality": TaskFacts("QuALITY", "Multiple choice", "literature, misc", 4248, 500),
    "musique": TaskFacts("MuSiQue", "Multi-hop question answering", "Wikipedia", 1749, 500),
    "space_digest": TaskFacts("SpaceDigest", "Aggregation", "hotel reviews", 5481, 500),
    "book_sum_sort": TaskFacts("BookSumSort", "Aggregation", "literature", 6840, 500),
}
