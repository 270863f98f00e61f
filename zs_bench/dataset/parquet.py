"""Examples as Parquet, a row for each id, in a folder that `datasets.load_dataset(folder, task)` reads."""

from collections.abc import Sequence
from importlib import import_module
from pathlib import Path

from zs_bench.dataset.rows import Example
from zs_bench.extras import from_extra
from zs_bench.files.writing import whole_file
from zs_bench.inputs import Indices


def write_parquet(examples: Sequence[Example], path: Path) -> None:
    """Write a row for each id, with a list of `references`, possibly empty; the other columns are those of the data.

    Fields that are missing are null. It raises `MissingExtra` without pyarrow, which comes with `datasets`.
    """
    with from_extra("evaluate"):
        pyarrow, parquet = import_module("pyarrow"), import_module("pyarrow.parquet")
    texts, numbers = ("id", "input", "truncation_seperator"), Indices._fields
    columns = {
        **dict.fromkeys(texts, pyarrow.string()),
        **dict.fromkeys(numbers, pyarrow.int64()),
        "references": pyarrow.list_(pyarrow.string()),
        "inner_docs_start_indices": pyarrow.list_(pyarrow.int64()),
    }
    order = ("id", "input", "references", *numbers, "truncation_seperator", "inner_docs_start_indices")
    rows = [
        {name: getattr(example.indices if name in numbers else example, name, None) for name in order}
        for example in examples
    ]
    path.parent.mkdir(parents=True, exist_ok=True)
    with whole_file(path) as file:
        schema = pyarrow.schema([(name, columns[name]) for name in order])
        parquet.write_table(pyarrow.Table.from_pylist(rows, schema), file)


def configurations(folder: Path) -> list[str]:
    """Return the lines of a dataset card's front matter that name each task's files as a configuration."""
    lines = []
    for task in sorted({path.parent for path in folder.glob("*/*.parquet")}):
        lines += [f"- config_name: {task.name}", "  data_files:"]
        for path in sorted(task.glob("*.parquet")):
            lines += [f"  - split: {path.stem}", f"    path: {task.name}/{path.name}"]
    return lines and ["configs:", *lines]
