r"""The rules that change predictions before they are scored, by name; `--post` and the reports name them.

| rule | what it keeps of a prediction |
|---|---|
| `after:<mark>` | the text after the last mark, such as `Final answer:`, capitals or not; without one all |
| `cut-at:<stop string>` | the text before the first stop string |
| `cut-at-tag` | the text before the closing tag of the paper's Claude prompts; summaries have none |
| `drop-think` | the text without thinking (`zs_metric.thinking`); after an end without a beginning only the rest |
| `drop-label` | the text without an option's letter before it: `(C) Not mentioned`; accuracy reads it and keeps it |
| `drop-tokens` | the text without the marks of a tokenizer: `</s>`, `<|im_end|>`, and `▁`, `Ġ` or `##` between tokens |
| `decode` | the text that is written in Base64, or as in an address: `the%20old+mill` |
| `unescape` | the text of a literal of Python, `b'…'`, with `\n` for its line breaks, with `\u00e9`, or with `&amp;` |
| `drop-tags` | the text without tags of HTML: `<br>`, `<p>`, `<b>`, … |
| `drop-invisible` | the text without characters that have no width: U+200B, U+FEFF, soft hyphens, … |
| `fix-encoding` | the text whose UTF-8 was read as Latin-1 or Windows-1252: `cafÃ©` |
| `strip` | the text without surrounding white space |

`after:<answer>` and `cut-at:</answer>` keep what stands in a tag, `after:\boxed{` and `cut-at:}` what stands in a box.
In a stop string or mark `\n`, `\t` and `\\` are a line break, a tab and a `\`. Rules are applied in the order given.
`drop-think` is `drop-think:3` in signatures: the first knew `<think>` only, the second no Harmony without its marks.
"""

import base64
import html
import re
from collections.abc import Callable, Mapping
from functools import cache
from urllib.parse import unquote_plus

from zs_bench.benchmarks import Task
from zs_bench.errors import UnknownName
from zs_metric.errors import did_you_mean
from zs_metric.thinking import without_thinking

#: A rule: its name with the argument, and its function of a prediction and the task.
PostRule = tuple[str, Callable[[str, Task], str]]

DROP_THINK = "drop-think:3"
_ESCAPES = {r"\n": "\n", r"\t": "\t", r"\\": "\\"}
_LABEL = re.compile(r"\W{0,4}[A-D]\s?(?:[)\]:]\W{0,4}|\.\W{1,4})(?=\w)")
# A line break written out: no beginning of a word as LaTeX has it, `\nabla`, unless a sentence or line has ended.
_WRITTEN_BREAK = re.compile(r"\\n(?![a-z])|(?<=[.!?;,\"')\]])\\n")
_WRITTEN = re.compile(r"""\\(?:x([0-9a-f]{2})|([nrt\\'"]))""")
_CONTROLS = {"n": "\n", "r": "\r", "t": "\t"}
_BYTES = re.compile(r"""\s*b(['"])([\x20-\x7e]*)\1\s*""")
_CODE_UNITS = re.compile(r"(?:\\u[0-9a-fA-F]{4})+")
_TAG = re.compile(r"</?(?:(b|i|u|em|strong|span)|br|p|div|li|ul|ol|h[1-6])\s{0,3}/?>", re.IGNORECASE)
_INVISIBLE = re.compile("[\u00ad\u200b-\u200d\u2060\ufeff]+")
_ENTITY = re.compile(r"&(?:amp|lt|gt|quot|apos|nbsp|#[0-9]{1,7}|#x[0-9a-fA-F]{1,6});")
_TOKEN = re.compile(
    r"</?s>|<(?:pad|unk|eos|bos|end_of_turn|start_of_turn)>|<\|[a-zA-Z0-9_]{1,40}\|>|\[(?:PAD|SEP|CLS)\]"
)
# What begins a word in SentencePiece and in GPT-2's bytes, and what goes on with one in WordPiece.
_WORD_BEGINS, _GOES_ON = ("▁", "Ġ"), re.compile(r"(?<=\w) ##(?=\w)")
_BASE64 = re.compile(
    r"(?=[^A-Z]*[A-Z])(?=[^a-z]*[a-z])(?:[A-Za-z0-9+/]{4}){3,}(?:[A-Za-z0-9+/]{2}(?:==|[A-Za-z0-9+/]=))?"
)
_IN_ADDRESS = re.compile(r"(?=[^%+]*(?:%[0-9A-Fa-f]{2}|\+[^+]+\+))(?:[^\s%]|%[0-9A-Fa-f]{2})+")
_NOT_ASCII = re.compile(r"[^\x00-\x7f]+")


def drop_label(answer: str) -> str:
    """Return the text without the letter of an option before it.

    >>> drop_label("(C) Not mentioned"), drop_label("**D.** Entailment"), drop_label("D. H. Lawrence")[:2]
    ('Not mentioned', 'Entailment', 'H.')
    """
    label = _LABEL.match(answer)
    return answer[label.end() :] if label else answer


def drop_tokens(answer: str) -> str:
    """Return the text without the marks that a tokenizer has for the beginning, the end, what is filled, and for words.

    >>> drop_tokens("<s> Paris</s><pad><pad>"), drop_tokens("Paris<|im_end|>"), drop_tokens("a < s > b")
    ('Paris', 'Paris', 'a < s > b')
    >>> drop_tokens("▁the▁old▁mill"), drop_tokens("the Ġold Ġm ill"), drop_tokens("cafÃ©Ġhere"), drop_tokens("m ##ill")
    ('the old mill', 'the old mill', 'café here', 'mill')
    """
    *before_marks, rest = _TOKEN.split(answer)
    kept = _GOES_ON.sub("", "".join([*(text.rstrip() for text in before_marks), rest]))
    for mark in _WORD_BEGINS:
        words = kept.split(" ") if mark in kept else []
        if len(words) == 1 or 2 * sum(word.startswith(mark) for word in words) >= len(words) > 0:
            text = "".join(words)
            kept = _text_of_bytes(text) if mark == "Ġ" else text.replace(mark, " ")
    return answer if kept == answer else kept.strip()


def _text_of_bytes(text: str) -> str:
    """Return the text whose bytes are written as GPT-2's tokenizer does, each as a character."""
    by_character = _bytes_by_character()
    read = (by_character.get(character, character.encode(errors="replace")) for character in text)
    return b"".join(read).decode(errors="replace")


@cache
def _bytes_by_character() -> Mapping[str, bytes]:
    """Return GPT-2's table: visible characters of Latin-1 are their own byte, the other bytes follow from U+0100 on."""
    visible = [*range(0x21, 0x7F), *range(0xA1, 0xAD), *range(0xAE, 0x100)]
    others = sorted({*range(256)}.difference(visible))
    codes = [*zip(visible, visible, strict=True), *((256 + place, byte) for place, byte in enumerate(others))]
    return {chr(code): bytes([byte]) for code, byte in codes}


def decode(answer: str) -> str:
    """Return the text that is written in Base64, or with the signs of an address for others; else the text itself.

    >>> decode("dGhlIG9sZCBtaWxs"), decode("the%20old%20mill"), decode("the+old+mill"), decode("C++, 50% of it")
    ('the old mill', 'the old mill', 'the old mill', 'C++, 50% of it')
    """
    text = answer.strip()
    if len(text.split(maxsplit=1)) > 1:  # both are one word
        return answer
    if _BASE64.fullmatch(text):
        try:
            read = base64.b64decode(text).decode("utf-8")
        except ValueError:
            return answer
        return read if all(character.isprintable() or character.isspace() for character in read) else answer
    return unquote_plus(text, errors="replace") if _IN_ADDRESS.fullmatch(text) else answer


def unescape(answer: str) -> str:
    r"""Return the text that a literal of bytes holds, or whose line breaks are written out; else the text itself.

    >>> unescape("b'caf\\xc3\\xa9'"), unescape("One.\\nTwo."), unescape("the \\nabla of\nit")
    ('café', 'One.\nTwo.', 'the \\nabla of\nit')
    >>> unescape("R&amp;D, &#39;so&#39;"), unescape("R&D; so"), unescape("na\\u00efve")
    ("R&D, 'so'", 'R&D; so', 'naïve')
    """
    if literal := _BYTES.fullmatch(answer):
        written = _WRITTEN.sub(lambda at: chr(int(at[1], 16)) if at[1] else _CONTROLS.get(at[2], at[2]), literal[2])
        return written.encode("latin-1").decode("utf-8", "replace")
    answer = _ENTITY.sub(lambda entity: html.unescape(entity[0]), answer)
    answer = _CODE_UNITS.sub(_of_code_units, answer) if r"\u" in answer else answer
    if "\n" in answer or r"\n" not in answer or not _WRITTEN_BREAK.search(answer):
        return answer
    return re.sub(r"\\([nrt\"'])", lambda at: _CONTROLS.get(at[1], at[1]), answer)


def _of_code_units(written: re.Match[str]) -> str:
    """Return the text whose UTF-16 is written out, as JSON does."""
    units = bytes.fromhex(written[0].replace(r"\u", ""))
    return units.decode("utf-16-be", "replace")


def drop_tags(answer: str) -> str:
    r"""Return the text without tags of HTML, those of lines and paragraphs as line breaks.

    >>> drop_tags("<p>The <b>old</b> mill<br/>stood.</p>"), drop_tags("a < b > c, <a|b>")
    ('The old mill\nstood.', 'a < b > c, <a|b>')
    """
    kept = _TAG.sub(lambda tag: "" if tag[1] else "\n", answer)
    return answer if kept == answer else kept.strip()


def drop_invisible(answer: str) -> str:
    r"""Return the text without characters that have no width.

    >>> drop_invisible("\ufeffthe com\u200bmit\u00adtee")
    'the committee'
    """
    return answer if answer.isascii() else _INVISIBLE.sub("", answer)


def fix_encoding(answer: str) -> str:
    r"""Return the text with what was read as Latin-1 or Windows-1252, and is UTF-8, read again.

    >>> fix_encoding("cafÃ© â€œhereâ€\x9d"), fix_encoding("café Ünal")
    ('café “here”', 'café Ünal')
    """
    return answer if answer.isascii() else _NOT_ASCII.sub(lambda run: _read_again(run[0]), answer)


def _read_again(text: str) -> str:
    try:
        return b"".join(map(_byte, text)).decode("utf-8")
    except UnicodeError:
        return text


def _byte(character: str) -> bytes:
    """Return the byte that was read as this character; Windows-1252 lacks five, which are read as Latin-1."""
    return character.encode("latin-1" if character < "\u0100" else "cp1252")


def _cut_at_tag(answer: str, task: Task) -> str:
    from zs_bench.prompts import cut_at_tag  # noqa: PLC0415  (the prompts, for this rule alone)

    return cut_at_tag(answer, task)


_WITH_TEXT: Mapping[str, Callable[[str, str], str]] = {
    "after": lambda answer, text: re.split(re.escape(text), answer, flags=re.IGNORECASE)[-1],
    "cut-at": lambda answer, text: answer.partition(text)[0],
}
_RULES: Mapping[str, Callable[[str, Task], str]] = {
    "cut-at-tag": _cut_at_tag,
    DROP_THINK: lambda answer, _: without_thinking(answer),
    "drop-label": lambda answer, task: answer if task.metric.name == "accuracy" else drop_label(answer),
    "drop-tokens": lambda answer, _: drop_tokens(answer),
    "decode": lambda answer, _: decode(answer),
    "unescape": lambda answer, _: unescape(answer),
    "drop-tags": lambda answer, _: drop_tags(answer),
    "drop-invisible": lambda answer, _: drop_invisible(answer),
    "fix-encoding": lambda answer, _: fix_encoding(answer),
    "strip": lambda answer, _: answer.strip(),
}
#: The rules, for help.
ALL_RULES = ", ".join(["after:<mark>", "cut-at:<stop string>", *(name.partition(":")[0] for name in _RULES)])


def find_rule(name: str) -> PostRule:
    """Return the rule of that name; raises `UnknownName` with the most similar one."""
    name = DROP_THINK if name == "drop-think" else name
    kind, _, argument = name.partition(":")
    if kind in _WITH_TEXT:
        text, change = re.sub(r"\\[nt\\]", lambda escape: _ESCAPES[escape[0]], argument), _WITH_TEXT[kind]
        if not text:
            raise UnknownName(f"{kind} needs a text; the rules are {ALL_RULES}")
        return name, lambda answer, _: change(answer, text)
    if name not in _RULES:
        likely = did_you_mean(kind, (*_WITH_TEXT, *_RULES)) or f"the rules are {ALL_RULES}"
        raise UnknownName(f"no rule {name!r} for answers; {likely}")
    return name, _RULES[name]
