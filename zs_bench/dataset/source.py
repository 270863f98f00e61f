"""Where examples come from: this package, the Hub, or the user's files."""

from dataclasses import dataclass
from typing import Literal

#: What stands for the split of the examples of this package in reports and signatures: they are of none.
EXAMPLES = "examples"

Kind = Literal["embedded", "hub", "files"]


@dataclass(frozen=True, slots=True)
class Source:
    """Where examples, references or ids come from.

    Attributes:
        kind: `embedded` in this package, `hub`, or `files`, a folder, ZIP, file or list.
        repo, commit: of the Hub: `owner/name`, and the full hash.
        split: the split that was read, `EXAMPLES` for those of this package; `None` if unknown.
        label: it in words: `embedded examples`, `Hub, tau/zero_scrolls at 1a2b3c4`; empty if nothing could be loaded.
    """

    kind: Kind
    repo: str | None = None
    commit: str | None = None
    split: str | None = None
    label: str = ""

    def is_of(self, repo: str | None) -> bool:
        """Whether it is this dataset on the Hub."""
        return self.kind == "hub" and self.repo == repo

    def as_dict(self) -> dict[str, str | None]:
        """Return its words, split and commit, as reports have them."""
        return {"source": self.label or None, "split": self.split, "revision": self.commit}
