"""HTML parsed and checked: it is balanced and has only our tags; its text is collected."""

from collections import Counter
from html.parser import HTMLParser

TAGS = {
    *("html", "head", "meta", "link", "title", "style", "body", "main", "nav", "section", "div", "figure"),
    *("header", "footer"),
    *("h1", "h2", "h3", "h4", "p", "a", "ul", "ol", "li", "dl", "dt", "dd", "details", "summary", "bdi"),
    *("table", "thead", "tbody", "tfoot", "tr", "th", "td", "form", "fieldset", "legend", "label", "input"),
    *("b", "i", "em", "strong", "small", "span", "del", "ins", "code", "mark", "q"),
    *("svg", "polyline", "line", "circle", "text"),
}
VOID = {"input", "meta", "link"}


class Reader(HTMLParser):
    """Collects tags, attributes and text; anything unbalanced or not ours fails."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.tags: Counter[str] = Counter()
        self.classes: Counter[str] = Counter()
        self.attributes: list[tuple[str, str | None]] = []
        self.pieces: list[str] = []

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in TAGS, tag
        for name, value in attrs:
            assert not name.startswith("on"), name
            assert name not in {"src", "action", "formaction", "srcdoc"}, name
            self.classes.update((value or "").split() if name == "class" else [])
        self.tags[tag] += 1
        self.attributes += attrs
        if tag not in VOID:
            self.open.append(tag)

    def handle_startendtag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        self.handle_starttag(tag, attrs)
        if tag not in VOID:
            self.open.pop()

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag

    def handle_data(self, data: str) -> None:
        if self.open[-1:] != ["style"]:
            self.pieces.append(data)

    @property
    def text(self) -> str:
        return " ".join(" ".join(self.pieces).split())

    @property
    def labels(self) -> list[str]:
        return [value or "" for name, value in self.attributes if name == "aria-label"]


def read_html(markup: str) -> Reader:
    """The HTML, read to its end."""
    reader = Reader()
    reader.feed(markup)
    reader.close()
    assert not reader.open, reader.open
    return reader
