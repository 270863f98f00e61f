"""Imports point only downwards, in functions too, also of modules that are only named (`import_module("zs_…")`).

The order of the packages, and of the modules inside a package, is in pyproject.toml (import-linter), which does not see
the modules that are named.
"""

import ast
import re
from collections.abc import Iterator

import pytest
from packaged_files import PACKAGES, ROOT

#: From the bottom to the top.
ORDER = ("zs_metric", "zs_bench", "zs_app", "zs_lab", "zs_start")
MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
}


def _nodes(tree: ast.AST) -> Iterator[ast.AST]:
    """The nodes of a module, without what only a type checker reads."""
    for node in ast.iter_child_nodes(tree):
        if not (isinstance(node, ast.If) and ast.unparse(node.test) == "TYPE_CHECKING"):
            yield node
            yield from _nodes(node)


def imported(name: str) -> set[str]:
    """The modules of the project that a module imports, in a function too, or names as one to import."""
    path, found = MODULES[name], set()
    package = name.split(".") if path.name == "__init__.py" else name.split(".")[:-1]
    for node in _nodes(ast.parse(path.read_bytes())):
        if isinstance(node, ast.Import):
            found |= {alias.name for alias in node.names}
        elif isinstance(node, ast.ImportFrom):
            above = package[: len(package) - node.level + 1] if node.level else []
            module = ".".join([*above, *([node.module] if node.module else [])])
            inside = {f"{module}.{alias.name}" for alias in node.names}
            found |= inside & MODULES.keys()
            if len(inside & MODULES.keys()) < len(inside):
                found.add(module)
        elif isinstance(node, ast.Constant) and re.fullmatch(r"zs_\w+(\.\w+)+", str(node.value)):
            named = str(node.value)
            found.add(named if named in MODULES else named.rpartition(".")[0])  # of a function, its module
    return (found & MODULES.keys()) - {name}


IMPORTS = {name: imported(name) for name in MODULES}


def test_every_package_of_the_checkout_has_its_place_in_the_order() -> None:
    assert sorted(ORDER) == sorted(PACKAGES) == sorted(path.parent.name for path in ROOT.glob("zs_*/__init__.py"))


@pytest.mark.parametrize("package", ORDER)
def test_no_package_imports_or_names_one_above_it(package: str) -> None:
    above = ORDER[ORDER.index(package) + 1 :]
    upwards = {
        (name, other)
        for name, others in IMPORTS.items()
        for other in others
        if name.partition(".")[0] == package and other.partition(".")[0] in above
    }
    assert not upwards


def reached(name: str) -> set[str]:
    """The modules that an import of this one leads to; itself only round a circle."""
    found: set[str] = set()
    left = [*IMPORTS[name]]
    while left:
        if (other := left.pop()) not in found:
            found.add(other)
            left += IMPORTS[other]
    return found


def test_no_modules_import_each_other_in_a_circle() -> None:
    assert [name for name in MODULES if name in reached(name)] == []
