"""The workflows of GitHub Actions, as data."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import yaml

FOLDER = Path(__file__).parents[2] / ".github" / "workflows"


def steps(workflow: str, job: str | None = None) -> Iterator[dict[str, Any]]:
    """Yield the steps of a job of the workflow, or of all jobs."""
    jobs = yaml.safe_load((FOLDER / f"{workflow}.yml").read_text(encoding="utf-8"))["jobs"]
    for name, definition in jobs.items():
        yield from definition["steps"] if job in (None, name) else ()


def run_lines(workflow: str, job: str | None = None) -> list[str]:
    """Return the commands of a job of the workflow, or of all jobs."""
    return [step["run"] for step in steps(workflow, job) if "run" in step]
