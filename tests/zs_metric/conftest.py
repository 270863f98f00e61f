"""The metrics as their users load them: through `evaluate`, from the project's root."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest


@pytest.fixture
def load_metric(monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """`evaluate.load` of a benchmark's script, by the path the README gives; takes the task, or none."""
    import evaluate

    monkeypatch.chdir(Path(__file__).parents[2])

    def load(*task: str, benchmark: str = "zero_scrolls", **options: Any) -> Any:
        return evaluate.load(f"zs_metric/{benchmark}.py", *task, **options)

    return load
