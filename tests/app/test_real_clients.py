"""A client from npm: Gradio's for JavaScript."""

import json
import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest
from node_packages import installed

ROOT, HERE = Path(__file__).parents[2], Path(__file__).with_name("clients")


@pytest.mark.slow
def test_the_javascript_of_the_docs_runs_as_is(url, tmp_path):
    """With connections to this machine only. Without Node it is skipped, or fails where ZS_REQUIRE_NODE is set."""
    folder = installed(json.loads((HERE / "package.json").read_text(encoding="utf-8"))["dependencies"], "clients")
    for file in HERE.glob("*js"):
        shutil.copy(file, folder)
    text = (ROOT / "docs" / "api.md").read_text(encoding="utf-8")
    (code,) = re.findall(r"^```js\n(.*?)^```", text, re.MULTILINE | re.DOTALL)
    (tmp_path / "preds.csv").write_text("Task,ID,Prediction\nqasper,1,yes\n", encoding="utf-8")
    (tmp_path / "qasper.jsonl").write_text('{"id": "1", "output": "yes"}\n', encoding="utf-8")
    script = folder / "of_the_docs.mjs"
    script.write_text(code.replace("http://127.0.0.1:7860", url), encoding="utf-8")
    env = {**os.environ, "NODE_OPTIONS": f"--require={folder / 'loopback_only.cjs'}", "NO_PROXY": "*"}
    options = {"cwd": tmp_path, "env": env, "capture_output": True, "text": True, "timeout": 300}
    done = subprocess.run(["node", script], check=False, **options)
    assert done.stdout.splitlines() == ["66.66666666666666", "100"], done.stderr
