"""Hostile files, changed at random: reading always gives entries and problems, and scoring a report.

Each run tries a few changes, `make fuzz` many more; what it has found is kept below as examples.
"""

import json
import random
import tempfile
from pathlib import Path

from hostile_files import CHARMS, GOOD_FILES, everything
from hypothesis import example, given
from hypothesis import strategies as st
from shipped import as_shipped

from zs_bench.reports import report
from zs_bench.scoring.score_files import score_files


def small_files():
    """Files small enough to be read often."""
    hostile = [(name, content) for _, name, content in everything(random.Random(0)) if len(content) < 5_000]
    return st.sampled_from([*GOOD_FILES.items(), *hostile])


PIECES = [
    *(charm.encode("utf-8", "surrogatepass") for charm in CHARMS),
    *(b"{", b"}", b"[", b"]", b'"', b"\\", b",", b":", b"\n", b"\r", b"\0", b"\xff", b"\xef\xbb\xbf", b"PK\x01\x02"),
    *(b"null", b"NaN", b"1e999", b"-0", b'"quality"', b'"id"', b'"prediction"', b'"output"', b'"references"'),
]
REFERENCES = {"quality": {"a": ["B"], "b": ["D"]}, "qasper": {"q": ["yes"]}, "space_digest": {"s": ["50%"]}}
CHANGE = st.tuples(st.floats(0, 1), st.integers(0, 12), st.sampled_from(PIECES) | st.binary(max_size=6))


def changed(data: bytes, changes: list[tuple[float, int, bytes]]) -> bytes:
    """The data with pieces replaced: position (as a share of the length), number of bytes, replacement."""
    for share, count, piece in changes:
        place = int(share * len(data))
        data = data[:place] + piece + data[place + count :]
    return data


@given(st.deferred(small_files), st.lists(CHANGE, max_size=8), st.booleans())
@example(("quality.json", b'{"a": "B"}'), [], False)
def test_whatever_becomes_of_a_file_there_is_a_report(base, changes, as_references):
    name, content = base
    with tempfile.TemporaryDirectory() as folder:
        path, other = Path(folder, name), Path(folder, "other", "all.json")
        path.write_bytes(changed(content, changes))
        other.parent.mkdir()
        if as_references:
            other.write_bytes(GOOD_FILES["all.json"])
            scored = score_files([other], [path])
        else:
            other.write_text(json.dumps(REFERENCES), encoding="utf-8")
            scored = score_files([path], [other], partial=True)
    data = report.as_json(scored)
    assert as_shipped(data) == data
    assert data["tasks"] or data["problems"]
    assert all(line.isprintable() for line in report.as_text(scored).splitlines())
    report.as_csv(scored).encode()
