"""`.eval` logs of Inspect: read as its JSON logs are, and bounded as other archives are."""

import io
import json
import sys
import zipfile
from collections.abc import Mapping
from typing import Any

import pytest
from written_files import entries, problems

from zs_bench.files import limits, read_inspect

if sys.version_info < (3, 14):
    import zipfile_zstd  # noqa: F401  (it teaches zipfile to write Zstandard)

ZSTANDARD = 93
HEADER = {"version": 2, "status": "success", "eval": {"task": "zs_bench/zero_scrolls_qasper", "model": "m"}}


def sample(key: str, completion: str, stop_reason: str = "stop", epoch: int = 1) -> dict[str, Any]:
    choice = {"message": {"role": "assistant", "content": completion}, "stop_reason": stop_reason}
    return {"id": key, "epoch": epoch, "input": "Why?", "output": {"choices": [choice], "completion": completion}}


def log(*samples: dict[str, Any], header: Any = HEADER, name: str = "header.json") -> bytes:
    """The log with these samples, packed as Inspect packs it."""
    members = {f"samples/{one['id']}_epoch_{one['epoch']}.json": one for one in samples}
    return packed({**members, name: header, "summaries.json": []})


def packed(members: Mapping[str, Any]) -> bytes:
    stream = io.BytesIO()
    with zipfile.ZipFile(stream, "w", ZSTANDARD) as archive:
        for name, content in members.items():
            archive.writestr(name, content if isinstance(content, bytes) else json.dumps(content))
    return stream.getvalue()


def test_a_log_that_was_broken_off_is_read_as_far_as_it_goes() -> None:
    assert entries("a.eval", log(sample("7", "yes"), name="_journal/start.json")) == [("qasper", "7", "yes")]


def only_problem(content: Any) -> str:
    (problem,) = problems("a.eval", content)
    assert problem.is_error
    return f"{problem.message} {problem.detail or ''}"


@pytest.mark.skipif(sys.version_info >= (3, 14), reason="Python reads Zstandard itself")
def test_without_inspect_the_extra_is_named_and_another_way(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "zipfile_zstd", None)
    said = only_problem(log(sample("7", "yes")))
    assert "the extra 'inspect'" in said
    assert "inspect log convert --to json" in said


@pytest.mark.parametrize(
    ("content", "said"),
    [
        (b"", "the file cannot be read"),
        (b"PK\x03\x04 no zip", "the file cannot be read"),
        (log(sample("7", "yes"))[:-30], "the file cannot be read"),
        (packed({"answers.json": {"7": "yes"}}), "not an Inspect log"),
        (log(), "not an Inspect log"),
        (packed({"header.json": HEADER, "samples/7_epoch_1.json": b"[]"}), "samples/7_epoch_1.json holds no JSON"),
        (packed({"header.json": HEADER, "samples/7_epoch_1.json": b"{"}), "the JSON ends too early"),
    ],
)
def test_a_file_that_is_not_a_log_is_reported(content: bytes, said: str) -> None:
    assert said in only_problem(content)


def test_a_sample_whose_packed_bytes_are_damaged_is_named() -> None:
    content = bytearray(packed({"header.json": HEADER, "samples/7_epoch_1.json": sample("7", "yes " * 1000)}))
    start = content.index(b"samples/7_epoch_1.json") + len("samples/7_epoch_1.json")
    content[start : start + 20] = bytes(20)
    assert "samples/7_epoch_1.json cannot be read" in only_problem(bytes(content))


def test_a_sample_that_unpacks_to_more_than_a_file_may_have_is_not_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "MAX_WHOLE", 10_000)
    assert "samples/7_epoch_1.json unpacks to 200.2 kB, more than 10 kB" in only_problem(
        log(sample("7", "a" * 100_000))
    )


def test_a_log_with_too_long_a_list_of_members_is_not_listed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(read_inspect, "_MAX_DIRECTORY", 100)
    assert "too many samples" in only_problem(log(sample("7", "yes")))
