"""Every regular expression of the packages, found in their source, and texts on which it may take long."""

import ast
import builtins
import importlib
import re
from collections.abc import Iterator
from itertools import product
from typing import Any, NamedTuple

from packaged_files import ROOT

PACKAGES = ("zs_metric", "zs_bench", "zs_app", "zs_lab")
METHODS = ("match", "fullmatch", "search", "sub", "subn", "split", "findall", "finditer")
#: Characters of many texts.
_ATOMS = (" ", "\n", "1", "a", "A", ".", ",", '"')


class Expression(NamedTuple):
    """An expression, where it stands, and whether it is used with `match` and `fullmatch` alone."""

    module: str
    source: str
    pattern: "re.Pattern[Any]"
    from_start: bool

    @property
    def text(self) -> str:
        pattern = self.pattern.pattern
        return pattern.decode() if isinstance(pattern, bytes) else str(pattern)

    def consume(self, text: str) -> None:
        """Match the text as the package does, and to its end."""
        given = text.encode() if isinstance(self.pattern.pattern, bytes) else text
        if self.from_start:
            self.pattern.match(given)
            self.pattern.fullmatch(given)
            return
        for _ in self.pattern.finditer(given):
            pass


class _Names(dict[str, Any]):
    """A made-up text for each name that the module does not define: a parameter or a local variable."""

    def __missing__(self, name: str) -> str:
        if hasattr(builtins, name):
            raise KeyError(name)
        return "a b"


def expressions(*packages: str) -> Iterator[Expression]:
    """Yield the expressions of all calls of `re` in these packages, by default all.

    What is filled into one at a call is a text of two words.
    """
    used = _methods_of_names()
    for path in (path for package in packages or PACKAGES for path in sorted((ROOT / package).rglob("*.py"))):
        module = ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__")
        names: dict[int, str] = {}
        tree = ast.parse(path.read_text(encoding="utf-8"))
        for node in ast.walk(tree):
            if isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name):
                names[id(node.value)] = node.targets[0].id
            if not (isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_re(node.func)):
                continue
            values = _Names(vars(importlib.import_module(module)))
            flags = [word.value for word in node.keywords if word.arg == "flags"]
            if node.func.attr not in ("sub", "subn", "split"):
                flags += node.args[1 if node.func.attr == "compile" else 2 :]
            pattern, *flag = (
                eval(compile(ast.Expression(arg), str(path), "eval"), {}, values) for arg in (node.args[0], *flags)
            )
            methods = used.get(names.get(id(node), ""), METHODS) if node.func.attr == "compile" else {node.func.attr}
            from_start = {*methods} <= {"match", "fullmatch"}
            yield Expression(module, ast.unparse(node.args[0]), re.compile(pattern, *flag), from_start)


def _is_re(function: ast.Attribute) -> bool:
    of_re = isinstance(function.value, ast.Name) and function.value.id == "re"
    return of_re and function.attr in ("compile", *METHODS)


def _methods_of_names() -> dict[str, set[str]]:
    """Return the methods that are called on each name of a compiled expression, in any module."""
    used: dict[str, set[str]] = {}
    for path in (path for package in PACKAGES for path in (ROOT / package).rglob("*.py")):
        for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
            if isinstance(node, ast.Attribute) and isinstance(node.value, ast.Name) and node.attr in METHODS:
                used.setdefault(node.value.id, set()).add(node.attr)
    return used


def written() -> Iterator[str]:
    """Yield the expressions that stand as texts in the packages' calls of `re`; nothing is imported."""
    for path in (path for package in PACKAGES for path in sorted((ROOT / package).rglob("*.py"))):
        text = path.read_text(encoding="utf-8")
        for node in ast.walk(ast.parse(text)) if "import re\n" in text else ():
            if isinstance(node, ast.Call) and isinstance(node.func, ast.Attribute) and _is_re(node.func):
                yield "".join(str(part.value) for part in ast.walk(node.args[0]) if isinstance(part, ast.Constant))


def has_repeat_of_repeat(pattern: str) -> bool:
    """Whether a group without an upper bound on its repeats has a part without one in it, as in `(a+)+`."""
    text = re.sub(r"\\.", "x", pattern)  # escapes, and then sets of characters, are one character each
    text = re.sub(r"\[\^?\]?[^\]]*\]", "x", text)
    groups, ended = [False], False
    for place, character in enumerate(text):
        is_repeat = re.match(r"[*+]|\{\d*,\}", text[place:]) is not None
        if is_repeat and ended:
            return True
        if is_repeat:
            groups[-1] = True
        ended = character == ")" and groups[-1]
        if character == "(":
            groups.append(False)
        elif character == ")" and len(groups) > 1:
            inner = groups.pop()
            groups[-1] |= inner
    return False


def hostile_units(pattern: "re.Pattern[Any]") -> list[str]:
    """Return short texts to repeat: characters, pairs of them, and the expression's words with what may follow them."""
    text = pattern.pattern.decode() if isinstance(pattern.pattern, bytes) else str(pattern.pattern)
    own = dict.fromkeys(character for character in re.sub(r"\\.", "", text) if character not in "^$*+?{}()|")
    words = [word + after for word in re.findall("[A-Za-z]{3,}", text)[:3] for after in ("", " ", " 1:\n")]
    atoms = [*_ATOMS, *list(own)[:6]]
    return [*dict.fromkeys([*atoms, *map("".join, product(atoms, atoms)), *words, "½", "—"])]
