"""Splits as Parquet files, a row per id, in a folder for `datasets.load_dataset(folder, "qasper")`.

| column | content |
|---|---|
| `id`, `input` | as in the data |
| `references` | a list of texts, possibly empty |
| the index fields, `truncation_seperator`, `inner_docs_start_indices` | as in the data, null if missing |

The folder's `README.md` lists the configurations, one per task, and their splits.
"""

from collections.abc import Mapping, Sequence
from importlib import import_module
from pathlib import Path
from typing import Any

import pandas as pd

from zs_bench.dataset.rows import Example
from zs_bench.extras import from_extra
from zs_bench.files.writing import whole_file
from zs_bench.prompts.composition import Indices


def prepare_folder(folder: Path) -> None:
    """Make the folder, before anything is downloaded for it.

    Raises:
        MissingExtra: if `pyarrow` is not installed.
    """
    with from_extra("evaluate"):
        import_module("pyarrow")  # used by pandas; a dependency of datasets
    folder.mkdir(parents=True, exist_ok=True)


def write_parquet(examples: Sequence[Example], path: Path) -> None:
    """Write the examples to a file in a folder that is prepared."""
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        pd.DataFrame([_row(example) for example in examples]).to_parquet(file, index=False)


def _row(example: Example) -> dict[str, Any]:
    indices = example.indices
    return {
        "id": example.id,
        "input": example.input,
        "references": list(example.references),
        **{name: None if indices is None else getattr(indices, name) for name in Indices._fields},
        "truncation_seperator": example.truncation_seperator,
        "inner_docs_start_indices": example.inner_docs_start_indices,
    }


def dataset_card(splits: Mapping[str, Sequence[str]]) -> str:
    """The `README.md` of a folder with `<task>/<split>.parquet`, from the splits of each task.

    >>> print(dataset_card({"qasper": ["validation"]}).split("---")[1].strip())
    configs:
    - config_name: qasper
      data_files:
      - split: validation
        path: qasper/validation.parquet
    """
    lines = ["---", "configs:"]
    for task, names in splits.items():
        lines += [f"- config_name: {task}", "  data_files:"]
        for name in names:
            lines += [f"  - split: {name}", f"    path: {task}/{name}.parquet"]
    return "\n".join([*lines, "---", "", "Written by zero-scrolls: a row for each id, its references in a list.", ""])
