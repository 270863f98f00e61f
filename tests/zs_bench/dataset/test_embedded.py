"""The embedded examples: in the benchmarks' formats, long enough, written for this project, without repetition."""

import csv
import io
import json
import re
from collections import Counter
from itertools import pairwise
from pathlib import Path

import pytest
from real_answers import REAL, WITHOUT

from zs_bench.benchmarks.scrolls import BENCHMARK as SCROLLS
from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import SAMPLE_PREDICTIONS, Example, load_embedded
from zs_bench.inputs import compose
from zs_metric.scoring import score_text

LABELS = Path(__file__).with_name("space_digest_labels.json")
EXAMPLES = [example for task in TASKS for example in load_embedded(task)]
SCROLLS_EXAMPLES = [example for task in SCROLLS.tasks.values() for example in load_embedded(task)]
UNITS = {"musique": "Title: ", "space_digest": "Review {}:\n", "book_sum_sort": "Summary {}:\n"}
HEADINGS = {"background", "recommendations", "introduction", "related work", "model", "conclusion"}


def units(example):
    """The units of the document, cut at the starts that the row tells."""
    starts = [*example.inner_docs_start_indices, example.indices.document_end_index + 2]
    return [example.input[a : b - 2] for a, b in pairwise(starts)]


def test_every_reference_scores_100():
    for example in (*EXAMPLES, *SCROLLS_EXAMPLES):
        assert 0 < len(set(example.references)) == len(example.references), example.id
        for reference in example.references:
            assert reference.strip() == reference
            assert score_text(example.task.metric, reference, example.references).score == pytest.approx(100, abs=1e-9)


def test_every_prompt_is_made_of_its_parts_and_the_inner_starts_point_at_the_units():
    for example in EXAMPLES:
        parts = example.parts
        summaries = len(example.inner_docs_start_indices or ()) if example.task.name == "book_sum_sort" else None
        whole = compose(example.task, parts.document, parts.query, summaries=summaries)
        assert (whole, parts.notes) == ((example.input, example.indices), ()), example.id
        assert Example(example.task, example.id, example.input, [], []).parts.indices == example.indices, example.id
        if header := UNITS.get(example.task.name):
            assert "\n\n".join(units(example)) == example.document
            assert all(unit.startswith(header.format(n)) for n, unit in enumerate(units(example), start=1)), example.id
            assert len(re.findall(header.format(r"\d+"), example.document)) == len(units(example))


def test_what_both_benchmarks_have_is_the_same_document_query_and_answer():
    shared = [example for example in SCROLLS_EXAMPLES if example.task.name != "contract_nli"]
    zeros = [zero for task in SCROLLS.tasks if task != "contract_nli" for zero in load_embedded(task)]
    for zero, example in zip(zeros, shared, strict=True):
        for field in ("id", "pids", "document", "query"):
            assert getattr(example, field) == getattr(zero, field)
        if example.task.name == "quality":
            (letter,), (text,) = zero.references, example.references
            assert f" ({letter}) {text}" in example.query.split("\n")
        else:
            assert example.references == zero.references


def test_the_percentage_of_space_digest_is_that_of_its_labels():
    for example in load_embedded("space_digest"):
        labels = json.loads(LABELS.read_text(encoding="utf-8"))[example.id]
        assert set(labels) == {"positive", "negative"}
        assert len(labels) == len(units(example)) == 50
        assert example.references == [f"{100 * labels.count('positive') // 50}%"]


def test_no_sentence_occurs_twice_in_all_documents():
    """Sentences and lines of three words or more count, without punctuation; headings may repeat."""
    counts = Counter()
    for example in EXAMPLES:
        pieces = re.split(r"(?<=[.!?])[\"”’)*]*\s+|\n+", example.document.lower())
        counts.update(bare for piece in pieces if (bare := " ".join(re.findall(r"\w+", piece))).count(" ") > 1)
    assert len(counts) > 2000
    assert [sentence for sentence, count in counts.items() if count > 1 and sentence not in HEADINGS] == []


SAMPLE = [*csv.reader(io.StringIO(SAMPLE_PREDICTIONS.read_text(encoding="utf-8")))]


def test_the_sample_predictions_cover_exactly_the_embedded_examples():
    assert SAMPLE[0] == ["Task", "ID", "Prediction"]
    assert [row[:2] for row in SAMPLE[1:]] == [[example.task.name, example.id] for example in EXAMPLES]
    assert all(row[2].strip() for row in SAMPLE)


def runs(text, length=12):
    words = re.findall(r"\w+", text.lower())
    return {tuple(words[i : i + length]) for i in range(len(words) - length + 1)}


@pytest.mark.real
@pytest.mark.skipif(not REAL.is_dir(), reason=WITHOUT)
def test_nothing_shares_twelve_words_in_a_row_with_the_real_texts():
    texts = [row[2] for row in SAMPLE]
    for example in [*EXAMPLES, *load_embedded("contract_nli", benchmark="scrolls")]:
        texts += [example.document, example.query, *example.references]
    own = set().union(*map(runs, texts))
    files = [path for path in REAL.rglob("*") if path.suffix in {".jsonl", ".json", ".csv"}]
    assert files
    for path in files:
        assert not runs(path.read_text(encoding="utf-8").replace("\\n", " ")) & own, path.name
