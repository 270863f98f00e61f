"""The annexes of the page: what they import does not lead back to what imports them by name."""

import ast
import re

from packaged_files import PACKAGES, ROOT

MODULES = {
    ".".join(path.relative_to(ROOT).with_suffix("").parts).removesuffix(".__init__"): path
    for package in PACKAGES
    for path in (ROOT / package).rglob("*.py")
}


def imported(name: str) -> set[str]:
    """The modules of the project that a module imports, in a function too, or names as one to import."""
    found = set()
    for node in ast.walk(ast.parse(MODULES[name].read_bytes())):
        if isinstance(node, ast.ImportFrom) and node.module and not node.level:
            found |= {node.module, *(f"{node.module}.{alias.name}" for alias in node.names)}
        elif isinstance(node, ast.Constant) and re.fullmatch(r"zs_\w+(\.\w+)+", str(node.value)):
            found.add(str(node.value))
    return found & MODULES.keys()


def test_no_annex_leads_back_to_the_module_that_names_the_annexes() -> None:
    named = {name for name in imported("zs_app.annexes") if name.startswith("zs_lab.")}
    assert len(named) == 3
    reached, left = set(), [*named]
    while left:
        if (name := left.pop()) not in reached:
            reached.add(name)
            left += imported(name)
    assert "zs_app.component" in reached
    assert "zs_app.annexes" not in reached
