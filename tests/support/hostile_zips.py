"""Harmful ZIP files: bombs, false sizes, and names that lead elsewhere. Part of `hostile_files.py`."""

from __future__ import annotations

import io
import struct
import zipfile
from collections.abc import Callable
from functools import partial
from typing import Any

# kind: (file name, content or what makes it)
Table = dict[str, tuple[str, "str | bytes | Callable[[], str | bytes]"]]
# What an entry of a ZIP's directory begins with.
ENTRY = b"PK\x01\x02"


def zipped(members: dict[str, Any], pack: int = zipfile.ZIP_DEFLATED) -> bytes:
    """A ZIP of these members."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", pack) as archive:
        for name, content in members.items():
            # With the first time that a ZIP knows, so that it is the same on every run.
            archive.writestr(zipfile.ZipInfo(name), content, pack)
    return out.getvalue()


def linked() -> bytes:
    """A ZIP with a symbolic link."""
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w") as archive:
        link = zipfile.ZipInfo("quality.json")
        link.external_attr = 0o120777 << 16
        archive.writestr(link, "/etc/passwd")
    return out.getvalue()


def changed(members: dict[str, str], offset: int, form: str, value: int) -> bytes:
    """A ZIP whose directory has that number at that place of every entry."""
    data = bytearray(zipped(members))
    place = data.find(ENTRY)
    while place >= 0:
        struct.pack_into(form, data, place + offset, value)
        place = data.find(ENTRY, place + 4)
    return bytes(data)


def same_name_twice() -> bytes:
    """A ZIP with two members of the same name."""
    first, second = zipped({"quality.json": '{"a": "B"}', "quality_json": '{"a": "C"}'}), b"quality_json"
    return first.replace(second, b"quality.json")


def overlapping() -> bytes:
    """A ZIP whose directory names the same packed bytes many times, as the worst bombs do."""
    one = zipped({"a.json": b" " * 3_000_000})
    start, end = one.index(ENTRY), one.index(b"PK\x05\x06")
    entry = one[start:end]
    entries = b"".join(entry.replace(b"a.json", b"%c.json" % letter) for letter in range(97, 123))
    tail = bytearray(one[end:])
    struct.pack_into("<HHI", tail, 8, 26, 26, len(entries))
    return one[:start] + entries + bytes(tail)


def many_members(count: int) -> bytes:
    """A ZIP with that many empty members."""
    return zipped({f"{number}.json": "" for number in range(count)}, zipfile.ZIP_STORED)


ZIPS: Table = {
    "zip-empty": ("answers.zip", lambda: zipped({})),
    "zip-bomb": ("answers.zip", lambda: zipped({"quality.json": b" " * 60_000_000})),
    "zip-lies": ("answers.zip", lambda: changed({"quality.json": " " * 9_000}, 24, "<I", 5)),
    "zip-huge-claim": ("answers.zip", lambda: changed({"quality.json": "{}"}, 24, "<I", 2**32 - 2)),
    "zip-overlapping": ("answers.zip", overlapping),
    "zip-nested": ("answers.zip", lambda: zipped({"quality.zip": zipped({"quality.json": '{"a": "B"}'})})),
    "zip-absolute": ("answers.zip", lambda: zipped({"/etc/quality.json": '{"a": "B"}'})),
    "zip-upwards": ("answers.zip", lambda: zipped({"../../quality.json": '{"a": "B"}'})),
    "zip-backslashes": ("answers.zip", lambda: zipped({"..\\..\\quality.json": '{"a": "B"}'})),
    "zip-drive": ("answers.zip", lambda: zipped({"C:/quality.json": '{"a": "B"}'})),
    "zip-link": ("answers.zip", linked),
    "zip-same-name": ("answers.zip", same_name_twice),
    "zip-many": ("answers.zip", partial(many_members, 12_000)),
    "zip-not-so-many": ("answers.zip", partial(many_members, 1_500)),
    "zip-encrypted": ("answers.zip", lambda: changed({"quality.json": "{}"}, 8, "<H", 1)),
    "zip-bz2": ("answers.zip", lambda: zipped({"quality.json": "{}"}, zipfile.ZIP_BZIP2)),
    "zip-lzma": ("answers.zip", lambda: zipped({"quality.json": "{}"}, zipfile.ZIP_LZMA)),
    "zip-strange-method": ("answers.zip", lambda: changed({"quality.json": "{}"}, 10, "<H", 99)),
    "zip-wrong-sum": ("answers.zip", lambda: changed({"quality.json": '{"a": "B"}'}, 16, "<I", 7)),
    "zip-wrong-offset": ("answers.zip", lambda: changed({"quality.json": "{}"}, 42, "<I", 10**9)),
    "zip-markup-name": ("answers.zip", lambda: zipped({"<img src=x onerror=alert(1)>/quality.json": '{"a": "B"}'})),
    "zip-control-name": ("answers.zip", lambda: zipped({"\x1b[2J\u202e/quality.json": '{"a": "B"}'})),
    "zip-long-name": ("answers.zip", lambda: zipped({"d/" * 5_000 + "quality.json": '{"a": "B"}'})),
    "zip-others": ("answers.zip", lambda: zipped({"readme.txt": "x", ".hidden": "x", "a.exe": "MZ", "b/": ""})),
    "zip-comment": ("answers.zip", lambda: zipped({"quality.json": '{"a": "B"}'}) + b"PK\x05\x06" * 10),
}  # fmt: skip
