"""Write the Space to `build/space`: the app, the packages, README.md with its card, and the metric scripts at the root.

`hf upload OWNER/zero_scrolls build/space . --repo-type space --delete "*"` uploads it to the Hub. `evaluate.load`
fetches a metric script and its siblings from the root of a Space, hence the flat copy there.

Only files on an allow-list are copied. Secrets, caches, tests, hidden files and symbolic links are not.
"""

import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from zs_bench.install import metric_files  # noqa: E402

#: Files in the project's root.
FILES = ("app.py", "requirements.txt", "README.md", "LICENSE", "CITATION.cff", "CHANGELOG.md", "CONTRIBUTING.md")
#: Folders, with the suffixes of the files that belong to the Space.
FOLDERS: Mapping[str, frozenset[str]] = {
    "zs_metric": frozenset({".py", ".typed"}),
    "zs_bench": frozenset({".py", ".typed", ".css", ".html", ".j2", ".js", ".json", ".jsonl", ".csv"}),
    "zs_app": frozenset({".py", ".typed", ".css", ".html", ".j2", ".js", ".png", ".svg"}),
    "zs_lab": frozenset({".py", ".typed", ".css", ".html", ".js"}),
    "assets": frozenset({".png", ".jpg", ".webp", ".svg"}),
    "docs": frozenset({".md", ".png", ".svg"}),
}
# Excludes hidden files, and copies made by editors and file managers.
_PLAIN_NAME = re.compile(r"\w[\w.-]*", re.ASCII)


def space_files(root: Path = ROOT) -> dict[str, bytes]:
    """Return the files of the Space, sorted: path to content."""
    files = {name: (root / name).read_bytes() for name in FILES} | metric_files()
    for folder, suffixes in FOLDERS.items():
        for path in (root / folder).rglob("*"):
            relative = path.relative_to(root)
            plain = all(map(_PLAIN_NAME.fullmatch, relative.parts)) and "__pycache__" not in relative.parts
            linked = path.resolve() != root.resolve() / relative
            if plain and path.suffix in suffixes and path.is_file() and not linked:
                files[relative.as_posix()] = path.read_bytes()
    return dict(sorted(files.items()))


def write_space(folder: Path, root: Path = ROOT) -> int:
    """Write the Space to the folder, which is replaced; return the number of files."""
    if folder.exists():
        shutil.rmtree(folder)
    files = space_files(root)
    for name, content in files.items():
        path = folder / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return len(files)


if __name__ == "__main__":
    print(f"build/space: {write_space(ROOT / 'build' / 'space')} files")
    print('Upload it with: hf upload OWNER/zero_scrolls build/space . --repo-type space --delete "*"')
