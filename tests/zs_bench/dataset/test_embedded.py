"""The embedded examples: in the benchmark's format, long enough, written for this project, without repetition."""

import csv
import json
import re
from collections import Counter
from collections.abc import Iterator
from itertools import pairwise
from pathlib import Path

import pytest
from real_answers import REAL, WITHOUT

from zs_bench.dataset.embedded import SAMPLE_PREDICTIONS, load_embedded
from zs_bench.dataset.rows import Example
from zs_bench.prompts.composition import compose
from zs_bench.prompts.dissection import dissect
from zs_metric.scoring import score_example
from zs_metric.tasks import TASKS

LABELS = Path(__file__).with_name("space_digest_labels.json")
EXAMPLES = [example for task in TASKS for example in load_embedded(task)]
UNITS = {"musique": "Title: ", "space_digest": "Review {}:\n", "book_sum_sort": "Summary {}:\n"}
HEADINGS = {"background", "recommendations", "introduction", "related work", "model", "conclusion"}


def units(example: Example) -> list[str]:
    """The units of the document, cut at the starts that the row tells."""
    assert example.inner_docs_start_indices is not None
    assert example.indices is not None
    starts = [*example.inner_docs_start_indices, example.indices.document_end_index + 2]
    return [example.input[a : b - 2] for a, b in pairwise(starts)]


def test_every_example_is_sound() -> None:
    """The prompt is made of its parts, each reference scores 100, and the inner starts point at the units."""
    for example in EXAMPLES:
        parts = dissect(example)
        summaries = len(example.inner_docs_start_indices or ()) if example.task.name == "book_sum_sort" else None
        whole = compose(example.task, parts.document, parts.query, summaries=summaries)
        assert (whole, parts.notes) == ((example.input, example.indices), ()), example.id
        bare = Example(example.task, example.id, example.input, [], [])
        assert dissect(bare).indices == example.indices, example.id
        assert 0 < len(set(example.references)) == len(example.references), example.id
        for reference in example.references:
            assert reference.strip() == reference
            assert score_example(example.task, reference, example.references).score == pytest.approx(100)
        if header := UNITS.get(example.task.name):
            assert "\n\n".join(units(example)) == example.document
            assert all(unit.startswith(header.format(n)) for n, unit in enumerate(units(example), start=1)), example.id
            assert len(re.findall(header.format(r"\d+"), example.document)) == len(units(example))


def test_the_percentage_of_space_digest_is_that_of_its_labels() -> None:
    for example in load_embedded("space_digest"):
        labels = json.loads(LABELS.read_text(encoding="utf-8"))[example.id]
        assert set(labels) == {"positive", "negative"}
        assert len(labels) == len(units(example)) == 50
        assert example.references == [f"{100 * labels.count('positive') // 50}%"]


def sentences(text: str) -> Iterator[str]:
    """The sentences and lines of three words or more, in lower case without punctuation; not headings."""
    for sentence in re.split(r"(?<=[.!?])[\"”’)*]*\s+|\n+", text):
        bare = " ".join(re.findall(r"\w+", sentence.lower()))
        if len(bare.split()) >= 3 and bare not in HEADINGS:
            yield bare


def test_no_sentence_occurs_twice_in_all_documents() -> None:
    counts = Counter(sentence for example in EXAMPLES for sentence in sentences(example.document))
    assert len(counts) > 2000
    assert [sentence for sentence, count in counts.items() if count > 1] == []


def test_the_sample_predictions_cover_exactly_the_embedded_examples() -> None:
    with SAMPLE_PREDICTIONS.open(encoding="utf-8", newline="") as file:
        header, *rows = csv.reader(file)
    assert header == ["Task", "ID", "Prediction"]
    assert [tuple(row[:2]) for row in rows] == [(task, example.id) for task in TASKS for example in load_embedded(task)]
    assert all(row[2].strip() for row in rows)


def runs(text: str, length: int = 12) -> set[tuple[str, ...]]:
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


@pytest.mark.real
@pytest.mark.skipif(not REAL.is_dir(), reason=WITHOUT)
def test_nothing_shares_twelve_words_in_a_row_with_the_real_texts() -> None:
    own = {}
    for example in [*EXAMPLES, *load_embedded("contract_nli", benchmark="scrolls")]:
        parts = example.as_dict()
        for text in (parts["document"], parts["query"] or "", *parts["references"]):
            own.update(dict.fromkeys(runs(text), parts["id"]))
    with SAMPLE_PREDICTIONS.open(encoding="utf-8", newline="") as file:
        own.update({run: row["ID"] for row in csv.DictReader(file) for run in runs(row["Prediction"])})
    files = [path for path in REAL.rglob("*") if path.suffix in {".jsonl", ".json", ".csv"}]
    assert files
    shared = {
        (path.name, own[run], " ".join(run))
        for path in files
        for run in runs(path.read_text(encoding="utf-8").replace("\\n", " ")) & own.keys()
    }
    assert shared == set()
