"""`make same`: what two states of the repository print otherwise."""

import subprocess
import sys
from pathlib import Path

import pytest

SUPPORT = Path(__file__).parent / "support"
# In a process of its own, since each command line runs in a fork.
SCRIPT = """
import sys
from pathlib import Path
import same
from zs_start import cli
same.lines = lambda _: ["--version", "score"]
before = dict(same.results_of_commands(Path(sys.argv[1])))
assert not list(same.differences(before, before))
cli.VERSION = "changed"
print(*same.differences(before, dict(same.results_of_commands(Path(sys.argv[1])))), sep="\\n")
"""


@pytest.mark.slow
def test_a_command_that_prints_something_else_is_reported_and_no_other(tmp_path: Path) -> None:
    command = [sys.executable, "-c", SCRIPT, str(tmp_path)]
    done = subprocess.run(command, cwd=SUPPORT, capture_output=True, text=True, check=True)
    first, _, removed, added = done.stdout.splitlines()
    assert first == "=== --version"
    assert (removed[0], added) == ("-", "+zero-scrolls changed")
