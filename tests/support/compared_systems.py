"""Two small systems on the same made-up references, for the tests of comparisons."""

from pathlib import Path
from typing import Any

from written_files import score

from zs_bench.scoring.scored import ScoredFile

KNOWN = {
    "qmsum": {"m1": ["a cat sat on the mat", "the cat"], "m2": "dogs bark at night", "m3": "it rains all day"},
    "quality": {"1_a": "A", "2_a": "B", "3_a": "C", "4_a": "D"},
}
ONE = {
    "qmsum": {"m1": "a cat sat on a mat", "m2": "dogs bark", "m3": "it rains"},
    "quality": {"1_a": "A", "2_a": "B", "3_a": "C", "4_a": "A"},
}
TWO = {
    "qmsum": {"m1": "the cat sat", "m2": "dogs bark at night", "m3": "snow all day"},
    "quality": {"1_a": "A", "2_a": "C", "3_a": "A", "4_a": "D"},
}


def systems(folder: Path, references: Any = KNOWN, *, partial: bool = False, **answers: Any) -> dict[str, ScoredFile]:
    return {
        name: score(folder / name, {"answers.json": content}, references, partial=partial)
        for name, content in answers.items()
    }
