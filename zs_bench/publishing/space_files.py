"""What a Space of this project holds: the app, and at the root a flat copy of the metrics.

The list names what goes. So nothing else that lies in the folder is sent: no secret, cache, test or hidden file, and no
link, which could lead to one.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Mapping
from pathlib import Path

from zs_bench.install import metric_files
from zs_bench.problems import UnusableInput

ROOT = Path(__file__).parents[2]
#: The files at the root, all of them needed.
FILES = (
    "app.py",
    "requirements.txt",
    "README.md",
    "LICENSE",
    "CITATION.cff",
    "CHANGELOG.md",
    "CONTRIBUTING.md",
)
#: The folders, and the endings of the files that go.
FOLDERS: Mapping[str, frozenset[str]] = {
    "zs_metric": frozenset({".py"}),
    "zs_bench": frozenset({".py", ".css", ".json", ".jsonl", ".csv"}),
    "zs_app": frozenset({".py", ".css", ".js"}),
    "assets": frozenset({".png", ".jpg", ".webp", ".svg", ".css", ".csv", ".json", ".jsonl", ".zip", ".md"}),
}
# Neither hidden nor an editor's or a file manager's copy.
_PLAIN_NAME = re.compile(r"\w[\w.-]*", re.ASCII)


def space_files(root: Path = ROOT) -> dict[str, bytes]:
    """Path in the Space to content, in the order of the paths.

    Raises:
        UnusableInput: when the project's own files are not there, as in an installed package.
    """
    missing = [name for name in FILES if not (root / name).is_file()]
    if missing:
        raise UnusableInput(
            f"to publish takes the project's own folder, and {root} lacks {', '.join(missing)}; "
            "in a clone of the project run: python -m zs_bench publish"
        )
    named = [*(root / name for name in FILES), *_of_folders(root)]
    files = {path.relative_to(root).as_posix(): path.read_bytes() for path in named}
    return dict(sorted((files | metric_files()).items()))


def _of_folders(root: Path) -> Iterator[Path]:
    for folder, endings in FOLDERS.items():
        for path in (root / folder).rglob("*"):
            parts = path.relative_to(root).parts
            plain = all(map(_PLAIN_NAME.fullmatch, parts)) and "__pycache__" not in parts
            if plain and path.suffix in endings and path.is_file() and not _leads_away(path, root):
                yield path


def _leads_away(path: Path, root: Path) -> bool:
    """Whether the file, or a folder that it lies in, is a link."""
    return path.resolve() != root.resolve() / path.relative_to(root)


def write_space(files: Mapping[str, bytes], folder: Path) -> None:
    """Write them to a folder that is empty or not there yet.

    Raises:
        UnusableInput: when there is something in it already.
    """
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UnusableInput(f"{folder} is not empty; name a new folder")
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
