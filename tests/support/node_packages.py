"""Packages from npm, installed once into `.cache`."""

import json
import os
import shutil
import subprocess
from collections.abc import Mapping
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]


def installed(packages: Mapping[str, str], name: str) -> Path:
    """Return the folder in `.cache` with these packages, by version.

    Without Node the test is skipped, or fails where ZS_REQUIRE_NODE is set.
    """
    if not (shutil.which("node") and shutil.which("npm")):
        message = "there is no node or no npm; install them with: apt-get install nodejs npm"
        (pytest.fail if os.environ.get("ZS_REQUIRE_NODE") else pytest.skip)(message)
    folder = ROOT / ".cache" / name
    folder.mkdir(parents=True, exist_ok=True)
    wanted = json.dumps({"private": True, "type": "module", "dependencies": dict(packages)})
    stamp = folder / "installed.json"
    if not stamp.exists() or stamp.read_text(encoding="utf-8") != wanted:
        (folder / "package.json").write_text(wanted, encoding="utf-8")
        npm = ["npm", "install", "--no-package-lock", "--ignore-scripts", "--no-audit", "--no-fund", "--silent"]
        subprocess.run(npm, cwd=folder, check=True, timeout=300)
        stamp.write_text(wanted, encoding="utf-8")
    return folder
