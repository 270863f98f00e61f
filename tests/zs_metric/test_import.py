"""`import zs_metric` is light: what it pulls in is seen in a fresh interpreter."""

import subprocess
import sys
from pathlib import Path

import pytest

import zs_metric

LIGHT = {"zs_metric", "unidecode", *sys.stdlib_module_names} - {"asyncio"}


@pytest.mark.parametrize(
    ("code", "others"),
    [
        ("import zs_metric", set()),
        ("from zs_metric import score_example; score_example('qasper', 'café', ['cafe'])", set()),
        ("import zs_metric.explain", {"rapidfuzz"}),
    ],
)
def test_the_package_and_scoring_need_only_the_standard_library_and_unidecode(code: str, others: set[str]) -> None:
    script = f"import sys; before = set(sys.modules); {code}; print(*set(sys.modules) - before)"
    root = Path(__file__).parents[2]
    run = subprocess.run([sys.executable, "-c", script], cwd=root, capture_output=True, text=True, check=True)
    modules = set(run.stdout.split())
    packages = {module.partition(".")[0] for module in modules if "cython" not in module}
    assert packages <= LIGHT | others
    assert "zs_metric.zero_scrolls" not in modules
    assert ("zs_metric.explain" in modules) == ("explain" in code)


def test_every_public_name_exists() -> None:
    assert zs_metric.__all__ == sorted(zs_metric.__all__, key=lambda name: (not name.isupper(), name))
    assert all(hasattr(zs_metric, name) for name in zs_metric.__all__)
    assert zs_metric.__version__ == zs_metric.version.VERSION
