"""What an upload may hold, and from where it may come.

An upload has only files: Gradio keeps other parts in memory. Other sites cannot upload from a visitor's browser.
"""

from collections.abc import Callable, Mapping
from urllib.parse import urlsplit

from python_multipart.exceptions import MultipartParseError
from python_multipart.multipart import MultipartParser, parse_options_header

from zs_app.server.bodies import Rejected

#: Where uploads go.
UPLOAD = "/gradio_api/upload"
#: Bytes of one uploaded file, and of all files of one upload, and their number.
MAX_UPLOAD, MAX_UPLOADS, MAX_FILES = 50_000_000, 200_000_000, 100


def is_foreign(headers: Mapping[str, str]) -> bool:
    """Return whether a browser sent the request for a page of another site, or of another host of this one."""
    site = headers.get("sec-fetch-site")
    if site not in (None, "none"):
        return site != "same-origin"
    origin = headers.get("origin", "")
    return bool(origin) and urlsplit(origin).netloc != headers.get("host")


def upload_check(content_type: str) -> Callable[[bytes], object]:
    """Return a function that takes an upload of this type piece by piece, and rejects parts that are not files.

    Names must be in UTF-8: Gradio decodes them with the charset of the header, in quadratic time for some charsets.
    """
    kind, options = parse_options_header(content_type)
    charset = options.get(b"charset", b"utf-8").lower()
    if kind != b"multipart/form-data" or not options.get(b"boundary") or charset not in (b"utf-8", b"utf8"):
        raise Rejected(400, "an upload must be multipart/form-data with a boundary, in UTF-8")
    name, value, headers, files = bytearray(), bytearray(), dict[bytes, bytes](), 0

    def header_end() -> None:
        headers[bytes(name).lower()] = bytes(value)
        name.clear()
        value.clear()

    def headers_finished() -> None:
        nonlocal files
        files += 1
        if files > MAX_FILES:
            raise Rejected(400, f"more than {MAX_FILES} files at once; put them into one ZIP")
        if b"filename" not in parse_options_header(headers.get(b"content-disposition"))[1]:
            raise Rejected(400, "an upload may contain only files")
        headers.clear()

    parser = MultipartParser(
        options[b"boundary"],
        {
            "on_header_field": lambda data, start, end: name.extend(data[start:end]),
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
