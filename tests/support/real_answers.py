"""Real answers of several models with independently computed scores. They are no part of the project."""

import os
from pathlib import Path

#: Their folder, the one with `expected.json`: `ZS_REAL`, or `shared/real` beside the checkout.
REAL = Path(os.environ.get("ZS_REAL") or Path(__file__).parents[2].parent / "shared" / "real")
#: LongBench's own runs, beside it.
LONGBENCH = REAL.parent / "longbench"
WITHOUT = "no real answers: not part of the project; set ZS_REAL to their folder (the one with expected.json)"
