"""`import zs_metric` is light: what it pulls in is seen in a fresh interpreter."""

import subprocess
import sys
from pathlib import Path

import zs_metric

ROOT = Path(__file__).parents[2]
HEAVY = {"evaluate", "datasets", "pandas", "numpy", "gradio", "nltk", "asyncio", "pyarrow", "requests"}


def modules_after(code: str) -> set[str]:
    """The modules that `code` imports, in an interpreter of its own, at the project's root."""
    script = f"import sys; before = set(sys.modules); {code}; print(*set(sys.modules) - before)"
    run = subprocess.run([sys.executable, "-c", script], cwd=ROOT, capture_output=True, text=True, check=True)
    return set(run.stdout.split())


def packages(code: str) -> set[str]:
    return {module.partition(".")[0] for module in modules_after(code)}


def test_importing_the_package_needs_only_the_standard_library_and_unidecode() -> None:
    modules = modules_after("import zs_metric")
    imported = {module.partition(".")[0] for module in modules}
    assert imported - set(sys.stdlib_module_names) == {"zs_metric", "unidecode"}
    assert not imported & HEAVY
    assert not {"zs_metric.zero_scrolls", "zs_metric.explain"} & modules


def test_scoring_and_explaining_import_nothing_heavy_and_rouge_only_for_rouge() -> None:
    score = "from zs_metric import score_example; score_example"
    engines = {"rouge_score", "rouge_score_rs"}
    assert not packages(f"{score}('qasper', 'café', ['cafe'])") & (HEAVY | engines)
    assert not packages(f"{score}('qmsum', 'a b', ['a b'])") & {"evaluate", "datasets", "pandas", "gradio"}
    assert not packages("import zs_metric.explain") & (HEAVY | engines | {"zs_bench"})


def test_every_public_name_exists() -> None:
    assert zs_metric.__all__ == sorted(zs_metric.__all__, key=lambda name: (not name.isupper(), name))
    assert all(hasattr(zs_metric, name) for name in zs_metric.__all__)
    assert zs_metric.__version__ == zs_metric.version.VERSION
