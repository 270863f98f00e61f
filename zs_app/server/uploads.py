"""Checks of uploads: only files, with names in UTF-8, and a limited number of bytes per hour and address."""

from __future__ import annotations

from cachetools import TTLCache
from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from zs_app.server import limits
from zs_app.server.exchange import Exchange, Message, Refused
from zs_app.server.job_queue import CALLER

# Bytes uploaded by address, until an hour after its last upload.
_uploaded: TTLCache[str, int] = TTLCache(maxsize=10_000, ttl=3_600)


def check_upload(scope: Message, exchange: Exchange) -> None:
    """Check the header of an upload, and have its body checked while it arrives.

    Gradio decodes file names with the charset of the header, which takes quadratic time for some charsets, and keeps
    parts that are not files in memory. So the charset is removed from the header, and only files are accepted.

    Raises:
        Refused: if the header is not that of an upload.
    """
    headers = dict(scope["headers"])
    kind, options = parse_options_header(headers.get(b"content-type", b""))
    charset = options.get(b"charset", b"utf-8").lower()
    if kind != b"multipart/form-data" or b"boundary" not in options or charset not in (b"utf-8", b"utf8"):
        raise Refused(400, "an upload must be multipart/form-data with a boundary, in UTF-8")
    plain = b'multipart/form-data; boundary="' + options[b"boundary"] + b'"'
    scope["headers"] = [(name, plain if name == b"content-type" else value) for name, value in scope["headers"]]
    parts = _Parts(options[b"boundary"])
    address = scope[CALLER][0]

    def check(piece: bytes) -> None:
        total = _uploaded[address] = _uploaded.get(address, 0) + len(piece)
        if total > limits.MAX_AN_HOUR:
            raise Refused(429, "too much was uploaded from this address; try again in an hour")
        parts.check(piece)

    exchange.check = check


class _Parts:
    """Checks the headers of the parts of an upload, with the parser that Gradio uses."""

    def __init__(self, boundary: bytes) -> None:
        self._name, self._value, self._is_file, self._count = b"", b"", False, 0
        callbacks = {
            "on_part_begin": self._begin,
            "on_header_field": self._field,
            "on_header_value": self._take,
            "on_header_end": self._end,
            "on_headers_finished": self._finish,
        }
        self._parser = MultipartParser(boundary, callbacks)  # type: ignore[arg-type]

    def check(self, piece: bytes) -> None:
        try:
            self._parser.write(piece)
        except MultipartParseError:
            raise Refused(400, "the upload cannot be read") from None

    def _begin(self) -> None:
        self._is_file = False
        self._count += 1
        if self._count > limits.MAX_FILES:
            raise Refused(413, f"more than {limits.MAX_FILES} files at once; put them into one ZIP")

    def _field(self, data: bytes, start: int, end: int) -> None:
        self._name += data[start:end]
        self._bound()

    def _take(self, data: bytes, start: int, end: int) -> None:
        self._value += data[start:end]
        self._bound()

    def _bound(self) -> None:
        if len(self._name) + len(self._value) > limits.MAX_HEAD:
            raise Refused(400, "the header of a file is too long")

    def _end(self) -> None:
        if self._name.lower() == b"content-disposition":
            self._is_file = b"filename" in parse_options_header(self._value)[1]
        self._name, self._value = b"", b""

    def _finish(self) -> None:
        if not self._is_file:
            raise Refused(400, "an upload may contain only files")
