"""A board takes no ids that are made of its references."""

from pathlib import Path

import pytest
from written_files import write

from zs_bench.benchmarks import find_benchmark
from zs_bench.errors import UnusableInput
from zs_bench.scoring.score_files import read_references
from zs_lab.board.board import pack_references


def test_a_board_takes_no_ids_that_are_made_of_its_references(tmp_path: Path) -> None:
    rows = [{"pred": "a", "answers": [text], "length": 9} for text in ("red", "blue")]
    references = read_references(write(tmp_path / "qasper.jsonl", rows))
    with pytest.raises(UnusableInput, match="the references of qasper have no ids"):
        pack_references(references, find_benchmark())
