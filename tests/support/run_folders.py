"""Rows to run, a run in a process of its own, and folders as one leaves them, made without a model."""

import json
import subprocess
import sys
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from pathlib import Path
from typing import Any

from packaged_files import ROOT
from written_files import write

from zs_bench.benchmarks.zero_scrolls import TASKS
from zs_bench.dataset.rows import load_embedded
from zs_bench.prompts import Request, Settings
from zs_bench.run_records import SCHEMA, Record, read_journal


def write_rows(folder: Path, count: int) -> str:
    """Write rows of QASPER, three questions about each document, and return the folder as a source."""
    rows = []
    for i in range(count):
        document = f"Document {i // 3}. " + "word " * 60
        prompt = f"You are given an article.\n\nArticle:\n{document}\n\nQuestion:\nWhat is {i}?\n\nAnswer:\n"
        rows.append({"id": f"q{i}", "pid": f"q{i}_0", "input": prompt, "output": f"answer to {prompt[-20:]}"})
    write(folder / "qasper" / "validation.jsonl", rows)
    return str(folder)


def start_run(out: Path, *options: str) -> "subprocess.Popen[str]":
    command = [sys.executable, "-m", "zs_start", "run", "--out", str(out), *options]
    return subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True)


def request(name: str, document: str = "d", text: str = "Read this.") -> Request:
    return Request(TASKS["qasper"], name, json.dumps([{"role": "user", "content": text}]).encode(), document, 10)


def record(name: str, status: str = "ok", *, task: str = "qasper", prompt: str = "p", **more: Any) -> Record:
    return Record(status, task=task, id=name, prompt=prompt, **more)


def eventful_run(path: Path) -> Path:
    """Both examples of QASPER: one prompt cut by the server and answered rightly, one lost; and one of QuALITY."""
    first, second = load_embedded("qasper")
    counted: dict[str, Any] = {"characters": 9_000, "usage": {"prompt_tokens": 100}}
    happened = [
        record(first.id, answer=first.references[0], kept=0.5, **counted),
        record(second.id, "overflow", error="A shorter prompt is needed"),
        record("s0003_SAMPLE01_1", task="quality", answer="B", flags=("stopped-at-length",)),
    ]
    return _written(path, Settings("a-model"), {"qasper": 2, "quality": 2}, happened)


def run_of(path: Path, settings: Settings, answers: Mapping[str, Mapping[str, str]]) -> Path:
    """A run in which every prompt was read whole and answered."""
    prompts = {task: len(texts) for task, texts in answers.items()}
    answered = [record(key, task=task, answer=text) for task, texts in answers.items() for key, text in texts.items()]
    return _written(path, settings, prompts, answered)


def _written(path: Path, settings: Settings, prompts: Mapping[str, int], happened: Iterable[Record]) -> Path:
    session = {"started": "now", "prompts": dict(prompts)}
    answers: dict[str, dict[str, str | None]] = {}
    lines: list[dict[str, Any]] = [{"session": session}]
    for row in happened:
        lines.append(asdict(row))
        if row.status == "ok":
            answers.setdefault(row.task, {})[row.id] = row.answer
    write(path / "run.json", {"schema": SCHEMA, "settings": asdict(settings), "sessions": [session]})
    write(path / "journal.jsonl", "".join(json.dumps(line) + "\n" for line in lines))
    for task, by_id in answers.items():
        write(path / "answers" / f"preds_{task}.json", by_id)
    return path


def records(out: Path) -> list[Record]:
    with (out / "journal.jsonl").open("rb") as file:
        return [entry for entry in read_journal(file) if isinstance(entry, Record)]
