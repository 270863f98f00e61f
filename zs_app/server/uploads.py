"""The check of an upload while it arrives.

Gradio decodes file names with the charset of the header, which takes quadratic time for some charsets, and keeps parts
that are not files in memory. So only files are accepted, with names in UTF-8.
"""

from collections.abc import Callable

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from zs_app.server.limits import MAX_FILES


class Rejected(Exception):
    """A request is rejected with this HTTP status, for this reason. FastAPI would answer an `HTTPException` itself."""


def upload_check(content_type: str) -> Callable[[bytes], object]:
    """Return a function that takes an upload of this type piece by piece; both raise `Rejected`."""
    kind, options = parse_options_header(content_type)
    charset = options.get(b"charset", b"utf-8").lower()
    if kind != b"multipart/form-data" or not options.get(b"boundary") or charset not in (b"utf-8", b"utf8"):
        raise Rejected(400, "an upload must be multipart/form-data with a boundary, in UTF-8")
    field, value, disposition, files = bytearray(), bytearray(), b"", 0

    def header_end() -> None:
        nonlocal disposition
        if field.lower() == b"content-disposition":
            disposition = bytes(value)
        field.clear()
        value.clear()

    def headers_finished() -> None:
        nonlocal disposition, files
        files += 1
        if files > MAX_FILES:
            raise Rejected(400, f"more than {MAX_FILES} files at once; put them into one ZIP")
        if b"filename" not in parse_options_header(disposition)[1]:
            raise Rejected(400, "an upload may contain only files")
        disposition = b""

    parser = MultipartParser(
        options[b"boundary"],
        {
            "on_header_field": lambda data, start, end: field.extend(data[start:end]),
            "on_header_value": lambda data, start, end: value.extend(data[start:end]),
            "on_header_end": header_end,
            "on_headers_finished": headers_finished,
        },
    )

    def read(data: bytes) -> None:
        try:
            parser.write(data)
        except MultipartParseError:
            raise Rejected(400, "the upload is not valid multipart/form-data") from None

    return read
