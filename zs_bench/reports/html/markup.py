"""HTML from templates: every value put in is escaped, unless it is `Markup` itself."""

from collections.abc import Iterable

from markupsafe import Markup


def html(template: str, /, *values: object, **named: object) -> Markup:
    """The template, written by us, with the values put in escaped.

    >>> html("<b>{}</b>", "a < b")
    Markup('<b>a &lt; b</b>')
    """
    return Markup(template).format(*values, **named)  # noqa: S704


def join(pieces: Iterable[Markup | str], between: str = "") -> Markup:
    """The pieces one after another, those that are no `Markup` escaped."""
    return Markup(between).join(pieces)  # noqa: S704


def cut(text: str, limit: int) -> str:
    """The text, cut to that length, the cut shown.

    >>> cut("abcdef", 4)
    'abc…'
    """
    return text if len(text) <= limit else text[: limit - 1] + "…"


def marked(text: str, spans: Iterable[tuple[int, int, str]], longest: int) -> Markup:
    """The text with spans `(start, end, class)` marked, no more of it than `longest`; from shortly before a late first.

    >>> marked("Answer: B", [(8, 9, "hit")], 100)
    Markup('Answer: <mark class="hit">B</mark>')
    """
    spans = list(spans)
    start = spans[0][0] - 150 if spans and spans[0][0] > 250 else 0
    stop, end, pieces = start + longest, start, ["… " if start else ""]
    for begin, finish, kind in spans:
        if end <= begin and finish <= stop:
            pieces += [text[end:begin], html('<mark class="{}">{}</mark>', kind, text[begin:finish])]
            end = finish
    return join([*pieces, text[end:stop], " …" if len(text) > stop else ""])
