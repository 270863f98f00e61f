"""What pytest collects is the same for every process, machine and day, as parallel runs need it."""

import os
import shutil
import subprocess
import sys
from pathlib import Path

import pytest
from packaged_files import LEFT_BEHIND, ROOT


def collected(root: Path, **variables: str) -> list[str]:
    """The ids of the tests of a checkout, of two sessions in one process, as the mutation run has them."""
    kept = {name: value for name, value in os.environ.items() if not name.startswith(("PYTEST", "PYTHON"))}
    command = [sys.executable, "-c", "import pytest\nfor _ in range(2): pytest.main(['--collect-only', '-q'])"]
    done = subprocess.run(command, cwd=root, env=kept | variables, capture_output=True, text=True, check=True)
    return [line for line in done.stdout.splitlines() if "::" in line]


@pytest.mark.slow
def test_the_ids_of_the_tests_are_the_same_elsewhere_and_at_another_time(tmp_path: Path) -> None:
    shutil.copytree(ROOT, tmp_path / "copy", ignore=LEFT_BEHIND)
    first = collected(ROOT, PYTHONHASHSEED="1", TZ="Asia/Tokyo")
    assert len(first) > 2000
    assert first[: len(first) // 2] == first[len(first) // 2 :]
    assert collected(tmp_path / "copy", PYTHONHASHSEED="2", TZ="America/Lima") == first
    assert [name for name in first if str(ROOT) in name or sys.prefix in name] == []
