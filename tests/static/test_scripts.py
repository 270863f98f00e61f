"""The page's script modules, tested by Node."""

import os
import re
import shutil
import subprocess
from pathlib import Path

import pytest

HERE = Path(__file__).parent
MODULES = sorted(HERE.parents[1].glob("zs_*/**/static/*.js"))


def test_the_script_modules_do_what_their_tests_say():
    node = shutil.which("node")
    if node is None:
        message = "NO NODE: the tests of the page's scripts did not run; install it with: apt-get install nodejs"
        if os.environ.get("ZS_REQUIRE_NODE"):
            pytest.fail(message)
        pytest.skip(message)
    for module in MODULES:  # a syntax error in one that only a browser can run
        source = module.read_text(encoding="utf-8")
        subprocess.run([node, "--input-type=module", "--check"], input=source, text=True, check=True)
    command = [node, "--test", *HERE.glob("*.test.mjs")]
    done = subprocess.run(command, capture_output=True, text=True, check=False, timeout=100)
    assert done.returncode == 0, done.stdout + done.stderr


def test_what_a_module_imports_is_exported_there():
    texts = {module.name: module.read_text(encoding="utf-8") for module in MODULES}
    exported = {
        name: set(re.findall(r"^export (?:async )?(?:const|function|class) (\w+)", text, re.MULTILINE))
        for name, text in texts.items()
    }
    imports = [
        (module, name.strip(), place)
        for module, text in texts.items()
        for names, place in re.findall(r"""^import \{ ([^}]+) \} from "\./(\S+)";""", text, re.MULTILINE)
        for name in names.split(",")
    ]
    assert ("board.js", "sideOf", "uploads.js") in imports
    assert [each for each in imports if each[1] not in exported.get(each[2], ())] == []
