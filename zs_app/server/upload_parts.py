"""The check of an upload while it arrives.

Gradio decodes file names with the charset of the header, which takes quadratic time for some charsets, and keeps parts
that are not files in memory. So only files are accepted, with names in UTF-8.
"""

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from zs_app.server import limits


class Parts:
    """The parts of an upload with this content type; `fault` says what is wrong with it so far."""

    def __init__(self, content_type: str) -> None:
        kind, options = parse_options_header(content_type)
        charset = options.get(b"charset", b"utf-8").lower()
        is_form = kind == b"multipart/form-data" and options.get(b"boundary") and charset in (b"utf-8", b"utf8")
        self.fault = "" if is_form else "an upload must be multipart/form-data with a boundary, in UTF-8"
        self._header, self._has_name, self._count = b"", False, 0
        steps = ("part_begin", "header_value", "header_end", "headers_finished")
        callbacks = {f"on_{step}": getattr(self, f"_{step}") for step in steps}
        self._parser = MultipartParser(options.get(b"boundary") or b"none", callbacks)  # type: ignore[arg-type]

    def read(self, data: bytes) -> None:
        """Read the next piece."""
        try:
            if not self.fault:
                self._parser.write(data)
        except MultipartParseError:
            self.fault = "the upload is not valid multipart/form-data"

    def _part_begin(self) -> None:
        self._header, self._has_name, self._count = b"", False, self._count + 1
        if self._count > limits.MAX_FILES:
            self.fault = f"more than {limits.MAX_FILES} files at once; put them into one ZIP"

    def _header_value(self, data: bytes, start: int, end: int) -> None:
        self._header += data[start:end]

    def _header_end(self) -> None:
        self._has_name |= b"filename" in parse_options_header(self._header)[1]
        self._header = b""

    def _headers_finished(self) -> None:
        if not self._has_name:
            self.fault = "an upload may contain only files"
