"""The metric as its users load it: through `evaluate`, from the project's root."""

from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import pytest

ROOT = Path(__file__).parents[2]


@pytest.fixture
def load_metric(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """`evaluate.load` of the script, by the path the README gives; takes the task."""
    import evaluate

    monkeypatch.chdir(ROOT)
    return partial(evaluate.load, "zs_metric/zero_scrolls.py")


@pytest.fixture
def qasper(load_metric: Callable[..., Any]) -> Any:
    return load_metric("qasper")


@pytest.fixture
def bare(load_metric: Callable[..., Any]) -> Any:
    """Loaded without a task."""
    return load_metric()
