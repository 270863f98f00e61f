"""Write the Space to `build/space`: the app, the packages, README.md with its card, and the metric scripts at the root.

`make space SPACE=OWNER/zero_scrolls` names it, for the picture that the Hub shows with a link to it, and
`hf upload OWNER/zero_scrolls build/space . --repo-type space --delete "*"` uploads it. `evaluate.load` fetches a metric
script and its siblings from the root of a Space, hence the flat copy there.

Only files on an allow-list are copied. Secrets, caches, tests, hidden files and symbolic links are not.
"""

import posixpath
import re
import shutil
import sys
from collections.abc import Mapping
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path.insert(0, str(ROOT))

from zs_bench.metric_scripts import metric_files  # noqa: E402

#: Files by their paths, beside those of the folders.
FILES = ("app.py", "requirements.txt", "README.md", "LICENSE", "CITATION.cff", "zs_lab/board/confusables.txt")
#: Folders, with the suffixes of the files that belong to the Space.
FOLDERS: Mapping[str, frozenset[str]] = {
    "zs_metric": frozenset({".py", ".typed"}),
    "zs_bench": frozenset({".py", ".typed", ".css", ".html", ".j2", ".js", ".json", ".jsonl", ".csv"}),
    "zs_app": frozenset({".py", ".typed", ".css", ".html", ".j2", ".js", ".png", ".svg"}),
    "zs_lab": frozenset({".py", ".typed", ".css", ".html", ".js"}),
    "zs_start": frozenset({".py", ".typed"}),
    "assets": frozenset({".png", ".jpg", ".webp", ".svg"}),
    "docs": frozenset({".md", ".png", ".svg"}),
}
#: The annexes that the page does not show.
LEFT_OUT = ("zs_lab/build/", "zs_lab/harnesses/", "zs_lab/publish/")
# Excludes hidden files, and copies made by editors and file managers.
_PLAIN_NAME = re.compile(r"\w[\w.-]*", re.ASCII)
_LINK = re.compile(r"(?<!!)\[([^\]]*)\]\(([^)#]+)[^)]*\)")
_THUMBNAIL = re.compile(r"^(thumbnail: .*/spaces/)OWNER/zero_scrolls(/.*)\n", re.MULTILINE)


def space_files(root: Path = ROOT, name: str = "") -> dict[str, bytes]:
    """Return the files of the Space of that name, sorted: path to content. Links to what is left out become text."""
    files = {name: (root / name).read_bytes() for name in FILES} | metric_files()
    for folder, suffixes in FOLDERS.items():
        for path in (root / folder).rglob("*"):
            relative = path.relative_to(root)
            plain = all(map(_PLAIN_NAME.fullmatch, relative.parts)) and "__pycache__" not in relative.parts
            linked = path.resolve() != root.resolve() / relative
            left_out = relative.as_posix().startswith(LEFT_OUT)
            if plain and path.suffix in suffixes and path.is_file() and not linked and not left_out:
                files[relative.as_posix()] = path.read_bytes()
    readme = files["README.md"].decode()
    files["README.md"] = _THUMBNAIL.sub(rf"\g<1>{name}\2\n" if name else "", readme).encode()
    for page in [path for path in files if path.endswith(".md")]:
        text = files[page].decode()
        for link in _LINK.finditer(text):
            target = posixpath.normpath(posixpath.join(posixpath.dirname(page), link[2]))
            if (root / target).is_file() and target not in files:
                text = text.replace(link[0], link[1])
        files[page] = text.encode()
    return dict(sorted(files.items()))


def write_space(folder: Path, root: Path = ROOT, name: str = "") -> int:
    """Write the Space to the folder, which is replaced; return the number of files."""
    if folder.exists():
        shutil.rmtree(folder)
    files = space_files(root, name)
    for file, content in files.items():
        path = folder / file
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
    return len(files)


if __name__ == "__main__":
    name = "".join(sys.argv[1:])
    print(f"build/space: {write_space(ROOT / 'build' / 'space', name=name)} files")
    print(f'Upload it with: hf upload {name or "OWNER/zero_scrolls"} build/space . --repo-type space --delete "*"')
