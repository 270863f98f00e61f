"""More than a hundred files that somebody could upload to do harm, the same on every run.

`python tests/support/hostile_files.py DIR` writes them all. They are named as predictions; some could be references.
"""

from __future__ import annotations

import io
import json
import random
import struct
import sys
import zipfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

# kind: (file name, content or what makes it)
Table = dict[str, tuple[str, "str | bytes | Callable[[], str | bytes]"]]
# What an entry of a ZIP's directory begins with.
ENTRY = b"PK\x01\x02"


def zipped(members: dict[str, Any], pack: int = zipfile.ZIP_DEFLATED) -> bytes:
    out = io.BytesIO()
    with zipfile.ZipFile(out, "w", pack) as archive:
        for name, content in members.items():
            # With the first time that a ZIP knows, so that it is the same on every run.
            archive.writestr(zipfile.ZipInfo(name), content, pack)
    return out.getvalue()


def linked() -> bytes:
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
    first, second = zipped({"quality.json": '{"a": "B"}', "quality_json": '{"a": "C"}'}), b"quality_json"
    return first.replace(second, b"quality.json")


def overlapping() -> bytes:
    """A ZIP whose directory names the same packed bytes many times, as the worst bombs do."""
    archive = zipped({"a.json": b" " * 3_000_000})
    start, end = archive.index(ENTRY), archive.index(b"PK\x05\x06")
    entry = archive[start:end]
    entries = b"".join(entry.replace(b"a.json", b"%c.json" % letter) for letter in range(97, 123))
    tail = bytearray(archive[end:])
    struct.pack_into("<HHI", tail, 8, 26, 26, len(entries))
    return archive[:start] + entries + bytes(tail)


ZIPS: Table = {
    "zip-bomb": ("answers.zip", lambda: zipped({"quality.json": b" " * 60_000_000})),
    "zip-lies": ("answers.zip", lambda: changed({"quality.json": " " * 9_000}, 24, "<I", 5)),
    "zip-huge-claim": ("answers.zip", lambda: changed({"quality.json": "{}"}, 24, "<I", 2**32 - 2)),
    "zip-overlapping": ("answers.zip", overlapping),
    "zip-upwards": ("answers.zip", lambda: zipped({"../../quality.json": '{"a": "B"}'})),
    "zip-link": ("answers.zip", linked),
    "zip-same-name": ("answers.zip", same_name_twice),
    "zip-many": ("answers.zip", lambda: zipped({f"{n}.json": "" for n in range(12_000)}, zipfile.ZIP_STORED)),
    "zip-markup-name": ("answers.zip", lambda: zipped({"<img src=x onerror=alert(1)>/quality.json": '{"a": "B"}'})),
    "zip-control-name": ("answers.zip", lambda: zipped({"\x1b[2J\u202e/quality.json": '{"a": "B"}'})),
    "zip-long-name": ("answers.zip", lambda: zipped({"d/" * 5_000 + "quality.json": '{"a": "B"}'})),
    "zip-comment": ("answers.zip", lambda: zipped({"quality.json": '{"a": "B"}'}) + b"PK\x05\x06" * 10),
}  # fmt: skip

SEED = 20_230_514
GOOD = {"quality": {"a": "B", "b": "C"}, "qasper": {"q": "yes indeed"}, "space_digest": {"s": "55%"}}
HEADER = "Task,ID,Prediction\r\n"
GOOD_CSV = HEADER + 'quality,a,B\r\nqasper,q,"yes, indeed"\r\nspace_digest,s,55%\r\n'
GOOD_JSONL = "".join(f'{{"task": "quality", "id": "{i}", "prediction": "B"}}\n' for i in range(20))
GOOD_FILES = {
    "all.json": json.dumps(GOOD).encode(),
    "answers.csv": GOOD_CSV.encode(),
    "quality.jsonl": GOOD_JSONL.encode(),
    "answers.zip": zipped({"quality.json": '{"a": "B"}'}),
}

# What could be taken for markup, code, a formula or an instruction, wherever it stands.
CHARMS = [
    "<script>alert(1)</script>", "<img src=x onerror=alert(1)>", "\"><svg/onload=alert(1)>", "javascript:alert(1)",
    "${7*7}", "{{7*7}}", "{% include 'x' %}", "#{7*7}", "%s%s%s%n", "{0.__class__}", "=1+1", "=cmd|'/c calc'!A1",
    "@SUM(1)", "+1", "-1", "\t=1", "'; DROP TABLE x; --", "../../etc/passwd", "C:\\windows", "\x1b[2J\x1b]0;x\x07",
    "\u202egnp.exe", "\u2066\u2069", "\ufeff", "\u200b" * 50, "a" + "\u0301" * 10_000, "\u0000", "\uffff", "😀" * 500,
    "\r\nSet-Cookie: a=b", "x\u2028y\u2029z", "\N{ARABIC LIGATURE SALLALLAHOU ALAYHE WASALLAM}" * 200, "İ" * 1_000,
]  # fmt: skip
# What regular expressions and number readers have stumbled over.
SLOW = [
    "1" * 300_000, "1." * 150_000, "1," * 150_000, " " * 300_000, "9" * 300_000 + "%", "0.0" * 100_000 + "%",
    "A" * 300_000, "a a " * 70_000, "," * 300_000, "“" * 100_000, "é" * 100_000, "1-" * 150_000, "%" * 300_000,
]  # fmt: skip


def hostile_files(folder: Path) -> list[Path]:
    """Write them into the folder, one file of each kind, and return their paths."""
    folder.mkdir(parents=True, exist_ok=True)
    paths = []
    for number, (kind, name, content) in enumerate(everything(random.Random(SEED))):
        # Each in a folder of its own, since the name tells what the file is taken for.
        path = folder / f"{number:03}-{kind}" / name
        path.parent.mkdir(exist_ok=True)
        path.write_bytes(content)
        paths.append(path)
    return paths


def everything(rng: random.Random) -> Iterator[tuple[str, str, bytes]]:
    """(kind, file name, content) of every file."""
    for table in (WRONG_JSON, WRONG_CSV, WRONG_JSONL, WRONG_ENCODINGS, WRONG_KINDS, TOO_MUCH, ZIPS):
        for kind, (name, content) in table.items():
            made = content() if callable(content) else content
            yield kind, name, made.encode("utf-8", "surrogatepass") if isinstance(made, str) else made
    for number, charm in enumerate(CHARMS):
        yield f"charm-{number}", "all.json", json.dumps({"quality": {charm: charm}, charm: {"x": charm}}).encode()
    for number, text in enumerate(SLOW):
        texts = {"quality": {"a": text}, "qasper": {"q": text}, "space_digest": {"s": text}}
        texts["book_sum_sort"] = {"b": text}
        yield f"slow-{number}", "all.json", json.dumps(texts).encode()
    for name, good in GOOD_FILES.items():
        for number in range(4):
            yield f"cut-{number}", name, good[: rng.randrange(1, len(good))]
            yield f"flipped-{number}", name, flipped(good, rng)
            yield f"noise-{number}", name, rng.randbytes(rng.randrange(1, 400))


def flipped(data: bytes, rng: random.Random) -> bytes:
    changed = bytearray(data)
    for _ in range(5):
        changed[rng.randrange(len(changed))] = rng.randrange(256)
    return bytes(changed)


def deep(open_: str, close: str, levels: int) -> str:
    return open_ * levels + close * levels


def by_id(value: str) -> str:
    """A file whose one answer is this piece of JSON."""
    return f'{{"a": {value}}}'


WRONG_JSON: Table = {
    "nan": ("quality.json", by_id("NaN")),
    "huge-exponent": ("quality.json", by_id("1e999999999")),
    "million-digits": ("quality.json", lambda: by_id("9" * 1_000_000)),
    "digits-fraction": ("quality.json", by_id("0." + "3" * 10_000)),
    "list-answer": ("quality.json", by_id('["B"]')),
    "task-twice": ("all.json", '{"quality": {"a": "B"}, "quality": {"a": "C"}}'),
    "task-as-list": ("all.json", '{"quality": ["B"]}'),
    "deep-lists": ("quality.json", deep("[", "]", 100_000)),
    "deep-objects": ("quality.json", deep('{"a":', "", 100_000) + "1" + "}" * 100_000),
    "deep-unclosed": ("quality.json", "[" * 1_000_000),
    "surrogate": ("quality.json", '{"\\ud800": "\\udfff"}'),
    "surrogate-pair-split": ("quality.json", '{"a": "\\ud83d", "b": "\\ude00"}'),
    "long-id": ("quality.json", json.dumps({"x" * 100_000: "B"})),
}
WRONG_JSONL: Table = {
    "jsonl-lists": ("quality.jsonl", "[]\n[1]\n7\nnull\n"),
    "jsonl-all-bad": ("quality.jsonl", "{bad\n" * 5_000),
    "jsonl-separators": ("quality.jsonl", '{"id": "a\u2028b", "prediction": "B\x85C"}\n'),
}
WRONG_CSV: Table = {
    "csv-doubled-header": ("answers.csv", "Task,ID,Prediction,Prediction\nquality,a,B,C\n"),
    "csv-many-columns": ("answers.csv", lambda: HEADER + "quality,a" + "," * 1_000_000),
    "csv-open-quote": ("answers.csv", HEADER + 'quality,a,"B\n' + "quality,b,C\n" * 10_000),
    "csv-quotes": ("answers.csv", HEADER + "quality,a," + '"' * 99_999 + "\n"),
    "csv-line-breaks": ("answers.csv", HEADER + 'quality,a,"' + "\n" * 100_000 + '"\n'),
    "csv-formulas": ("answers.csv", HEADER + "".join(f'quality,"{id_}",B\n' for id_ in ("=1+1", "@x", "+1", "-1"))),
    "csv-many-bad-rows": ("answers.csv", HEADER + "quality\n" * 20_000),
}  # fmt: skip
WRONG_ENCODINGS: Table = {
    encoding: ("all.json", json.dumps(GOOD, ensure_ascii=False).encode(encoding))
    for encoding in ("utf-16", "utf-16-le", "utf-16-be", "utf-32", "utf-8-sig", "cp037", "utf-7")
} | {"overlong": ("quality.json", b'{"a": "\xc0\xae"}'), "nul-first": ("quality.json", b'\0{"a": "B"}')}
WRONG_KINDS: Table = {
    "gzip": ("quality.json", b"\x1f\x8b\x08\x00" + bytes(50)),
    "png": ("quality.json", b"\x89PNG\r\n\x1a\n" + bytes(50)),
    "zip-as-json": ("quality.json", lambda: zipped({"quality.json": "{}"})),
    "pickle": ("quality.json", b"\x80\x04\x95cos\nsystem\n(S'true'\ntR."),
}
TOO_MUCH: Table = {
    "long-line": ("quality.jsonl", lambda: '{"id": "a", "prediction": "' + "B" * 21_000_000 + '"}\n'),
    "long-answer": ("quality.json", lambda: by_id('"' + "B" * 2_100_000 + '"')),
    "many-ids": ("quality.json", lambda: json.dumps({str(i): "B" for i in range(250_000)})),
    "many-rows": ("quality.jsonl", lambda: '{"id":"a","prediction":"B"}\n' * 250_000),
    "many-tasks": ("all.json", lambda: json.dumps({f"task_{i}": {"a": "B"} for i in range(20_000)})),
    "many-values": ("quality.json", lambda: "[" + "0," * 2_100_000 + "0]"),
}
if __name__ == "__main__":
    print(f"{len(hostile_files(Path(sys.argv[1]))):,} files in {sys.argv[1]}")
