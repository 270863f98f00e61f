"""`import zs_metric` is light: what it pulls in is seen in a fresh interpreter."""

import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
HEAVY = {"evaluate", "datasets", "pandas", "numpy", "gradio", "rouge_score", "nltk", "asyncio", "pyarrow", "requests"}
LIST_MODULES = "import json, sys; print(json.dumps(sorted(set(sys.modules) - before)))"


def modules_after(code: str) -> set[str]:
    """The modules that `code` imports, in an interpreter of its own, at the project's root."""
    script = f"import sys; before = set(sys.modules); sys.path.insert(0, '.')\n{code}\n{LIST_MODULES}"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(json.loads(run.stdout.splitlines()[-1]))


def packages(modules: set[str]) -> set[str]:
    return {module.partition(".")[0] for module in modules}


def test_importing_the_package_imports_nothing_heavy() -> None:
    assert not packages(modules_after("import zs_metric")) & HEAVY


def test_importing_the_package_needs_only_the_standard_library_and_unidecode() -> None:
    foreign = packages(modules_after("import zs_metric")) - set(sys.stdlib_module_names)
    assert foreign == {"zs_metric", "unidecode"}


def test_the_evaluate_script_is_not_imported_with_the_package() -> None:
    assert "zs_metric.zero_scrolls" not in modules_after("import zs_metric")


def test_scoring_without_rouge_imports_no_rouge_engine() -> None:
    used = modules_after("from zs_metric import score_example; score_example('qasper', 'café', ['cafe'])")
    assert not packages(used) & (HEAVY | {"rouge_score_rs"})


def test_scoring_rouge_imports_neither_evaluate_nor_datasets_nor_pandas() -> None:
    used = modules_after("from zs_metric import score_example; score_example('qmsum', 'a b', ['a b'])")
    assert not packages(used) & {"evaluate", "datasets", "pandas", "gradio"}


def test_every_public_name_exists() -> None:
    import zs_metric
    from zs_metric.version import VERSION

    assert zs_metric.__all__ == sorted(zs_metric.__all__, key=lambda name: (not name.isupper(), name))
    assert all(hasattr(zs_metric, name) for name in zs_metric.__all__)
    assert zs_metric.__version__ == VERSION
