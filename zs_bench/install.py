"""Install the metrics into the Hugging Face modules cache, so that `evaluate.load("zero_scrolls")` works anywhere.

`evaluate` looks for a bare name in the current directory, then in the Hub's organisation `evaluate-metric`, then among
the copies in `<HF modules cache>/evaluate_modules/metrics/evaluate-metric--zero_scrolls/<64 hex digits>/`, where the
newest modification time wins. `install_metric` writes a copy of each metric there and removes earlier ones.
"""

import hashlib
import os
import shutil
from pathlib import Path

from zs_bench import installed_copy
from zs_bench.benchmarks import BENCHMARKS
from zs_bench.metric_scripts import metric_files, script_of
from zs_metric.version import VERSION

#: The names of the metric scripts, one for each benchmark that has one: in `zs_metric`, or in the benchmark's own
#: folder, from where it imports this project.
SCRIPTS = tuple(name for name in BENCHMARKS if script_of(name))


def install_metric() -> str:
    """Write the copies and remove earlier ones; returns a message."""
    for script in SCRIPTS:
        files = metric_files(script)
        files["__init__.py"] = Path(installed_copy.__file__).read_bytes() if len(files) > 1 else b""
        folder = _folder(script)
        # Written under a name that evaluate ignores, then renamed, so that evaluate never finds an incomplete copy.
        new = folder / f"new-{os.getpid()}"
        new.mkdir(parents=True, exist_ok=True)
        for parent in (folder, *folder.parents[:2]):
            (parent / "__init__.py").touch()
        for name, content in files.items():
            (new / name).write_bytes(content)
        for earlier in folder.glob(f"{'?' * 64}/{script}.py"):
            shutil.rmtree(earlier.parent)
        whole = b"".join(name.encode() + files[name] for name in sorted(files))
        new.rename(folder / hashlib.sha256(whole).hexdigest())
    calls = " and ".join(f'evaluate.load("{script}", "qasper")' for script in SCRIPTS)
    where = _folder(SCRIPTS[0]).parent
    whose = "All environments of this user that have evaluate see them"
    return f"Installed version {VERSION} in {where}: {calls} now work from any directory. {whose}."


def uninstall_metric() -> str:
    """Remove the copies; returns a message."""
    installed = [script for script in SCRIPTS if _folder(script).exists()]
    for script in installed:
        shutil.rmtree(_folder(script))
    if not installed:
        return "There is no installed copy."
    return f"Removed the installed copies: the bare names {' and '.join(installed)} are no longer found."


def _folder(script: str) -> Path:
    """The folder in which `evaluate` looks: its own rule, since importing it takes seconds."""
    cache = os.environ.get("XDG_CACHE_HOME", "~/.cache")
    home = os.path.expanduser(os.environ.get("HF_HOME", os.path.join(cache, "huggingface")))
    modules = Path(os.environ.get("HF_MODULES_CACHE", os.path.join(home, "modules")))
    return modules / "evaluate_modules" / "metrics" / f"evaluate-metric--{script}"
