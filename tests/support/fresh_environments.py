"""A new environment with a wheel of this project, to use as somebody does who has just installed it.

It imports packages that are installed here, those of an extra only if it is asked for, and not this checkout. So
nothing is downloaded.
"""

import os
import re
import subprocess
import sys
import sysconfig
import venv
from collections.abc import Iterable
from importlib.metadata import distribution
from pathlib import Path

from packaged_files import ROOT
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

_PROJECT = (ROOT / "pyproject.toml").read_text(encoding="utf-8")
#: The dependencies in pyproject.toml, without the extras.
REQUIREMENTS = re.findall(r'^    "(.+)",$', _PROJECT.split("\ndependencies = [\n")[1].split("\n]")[0], re.MULTILINE)


def requirements_of(extra: str) -> list[str]:
    """The requirements that pyproject.toml has for an extra."""
    (line,) = re.findall(rf"^{extra} = \[(.+)\]$", _PROJECT, re.MULTILINE)
    return re.findall(r'"(.+?)"', line)


def run(*command: object, folder: Path, status: int = 0) -> str:
    """Run the command from that folder, without any path to import from but the environment's own."""
    variables = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PYTEST"))}
    done = subprocess.run([*map(str, command)], cwd=folder, env=variables, capture_output=True, text=True, check=False)
    assert done.returncode == status, done.stdout[-3000:] + done.stderr[-3000:]
    return done.stderr if status else done.stdout


def required_by(requirements: Iterable[str]) -> set[str]:
    """The distributions that these requirements install, with those that they need in turn."""
    names: set[str] = set()
    wanted = [(Requirement(text), "") for text in requirements]
    while wanted:
        requirement, extra = wanted.pop()
        name = canonicalize_name(requirement.name)
        if (requirement.marker is None or requirement.marker.evaluate({"extra": extra})) and name not in names:
            names.add(name)
            needs = map(Requirement, distribution(name).requires or [])
            wanted += [(need, own) for need in needs for own in (requirement.extras or {""})]
    return names


def install(wheel: Path, folder: Path, distributions: Iterable[str]) -> Path:
    """A new environment with the wheel and those distributions; returns the folder of its commands."""
    venv.create(folder, with_pip=False, symlinks=os.name != "nt")
    scripts = folder / ("Scripts" if os.name == "nt" else "bin")
    packages = Path(sysconfig.get_path("purelib", vars={"base": str(folder), "platbase": str(folder)}))
    for name in distributions:
        installed = distribution(name)
        for top in {file.parts[0] for file in installed.files or []} - {"..", "__pycache__"}:
            if not (packages / top).exists():
                (packages / top).symlink_to(installed.locate_file(top))
    pip = [sys.executable, "-m", "pip", "--python", scripts / "python", "install", "--no-deps", "--no-index", "--quiet"]
    run(*pip, wheel, folder=folder)
    return scripts
