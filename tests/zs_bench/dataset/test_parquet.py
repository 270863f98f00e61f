"""Splits as Parquet, read with `datasets` and without a network."""

from pathlib import Path

import datasets
import pytest

from zs_bench.cli import main
from zs_bench.dataset.embedded import load_embedded
from zs_metric.tasks import find_task


@pytest.mark.filterwarnings("ignore")
def test_load_dataset_reads_every_example_with_its_references(tmp_path: Path) -> None:
    folder = tmp_path / "parquet"
    for task in ("squality", "musique"):
        assert main(["data", task, "--source", "embedded", "--parquet", str(folder)]) == 0
    for task in ("squality", "musique"):
        read = datasets.load_dataset(str(folder), task, cache_dir=str(tmp_path / "cache"))["validation"]
        examples = load_embedded(find_task(task))
        assert [(row["id"], row["input"], row["references"]) for row in read] == [
            (one.id, one.input, one.references) for one in examples
        ]
        assert [row["query_end_index"] for row in read] == [
            one.indices and one.indices.query_end_index for one in examples
        ]
        assert [row["inner_docs_start_indices"] for row in read] == [one.inner_docs_start_indices for one in examples]
