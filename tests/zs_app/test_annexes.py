"""What imports what, with the modules that are only named: `import_module("zs_…")` is an import."""

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
            named = str(node.value)
            found.add(named if named in MODULES else named.rpartition(".")[0])  # of a function, its module
    return found & MODULES.keys()


def test_only_the_command_line_and_the_list_of_annexes_import_from_a_floor_above() -> None:
    floors = ("zs_metric", "zs_bench", "zs_app", "zs_lab")

    def floor(name: str) -> int:
        return floors.index(name.partition(".")[0])

    upwards = {name for name in MODULES for other in imported(name) if floor(other) > floor(name)}
    assert upwards == {"zs_bench.cli", "zs_app.annexes"}


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
