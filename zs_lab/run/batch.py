"""A run through files: OpenAI batch requests, and the replies to them.

The same files are taken by OpenAI's Batch service, by `vllm run-batch` and by SGLang. A line of a request file is
`{"custom_id": "<task>/<id>", "method": "POST", "url": "/v1/chat/completions", "body": {…}}`; a line of replies is
`{"custom_id": …, "response": {"status_code", "body"}, "error"}`.
"""

import json
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from pathlib import Path, PurePosixPath
from typing import Any

from zs_bench.errors import UnusableInput
from zs_bench.files.formats import read_plain
from zs_bench.files.paths import open_inputs
from zs_bench.problems import lines, short
from zs_bench.prompts import Request, Settings
from zs_bench.run_records import FAILED, Completion, Record
from zs_lab.run.folder import RunFolder
from zs_lab.run.replies import Reply, decide, error_text
from zs_lab.run.sending import record_of, request_body
from zs_lab.run.session import RunProgress, about_session

MAX_REQUESTS, MAX_BYTES = 50_000, 200_000_000  # what the Batch service takes in one file


def write_batches(
    requests: Iterable[Request],
    settings: Settings,
    folder: str | Path,
    *,
    most: int = MAX_REQUESTS,
    largest: int = MAX_BYTES,
) -> list[Path]:
    """Write the requests to `batch-001.jsonl`, `batch-002.jsonl`, … in the folder; returns these files.

    A file has at most `most` requests and `largest` bytes. After an error, none of the files is left. Raises
    `UnusableInput` when the folder holds such files, or a request alone is too large.
    """
    out, paths, count, size = Path(folder), list[Path](), 0, 0
    out.mkdir(parents=True, exist_ok=True)
    if any(out.glob("batch-*.jsonl")):
        raise UnusableInput(f"{str(folder)!r} holds batch files already; give --write-batch a new folder")
    try:
        for line in (_line(request, settings, largest) for request in requests):
            if not paths or count == most or size + len(line) > largest:
                paths.append(out / f"batch-{len(paths) + 1:03}.jsonl")
                count = size = 0
            with paths[-1].open("ab") as file:
                file.write(line)
            count, size = count + 1, size + len(line)
    except BaseException:
        for path in paths:
            path.unlink(missing_ok=True)
        raise
    return paths


def _line(request: Request, settings: Settings, largest: int) -> bytes:
    body = request_body(request, settings)
    row = {"custom_id": "/".join(request.key), "method": "POST", "url": "/v1/chat/completions", "body": body}
    line = json.dumps(row).encode("ascii") + b"\n"
    if len(line) > largest:
        raise UnusableInput(f"a request has {len(line):,} bytes, more than a batch file takes; trim with --budget")
    return line


def record_batches(folder: RunFolder, requests: Sequence[Request], paths: Sequence[str], progress: RunProgress) -> None:
    """Put the replies in batch files into the run's journal; afterwards the folder has the answers so far.

    Raises `UnusableInput` when another process writes to the journal, or no reply is of this run.
    """
    wanted = {"/".join(request.key): request for request in requests}
    records, unknown, faults = list[Record](), list[str](), list[str]()
    sources, problems = open_inputs(paths)
    if problems:
        raise UnusableInput("; ".join(lines(problems)), problems=problems)
    for source in sources:
        # There is a reply a line, whatever the name.
        for place, row in read_plain(replace(source, path=PurePosixPath("replies.jsonl")), faults):
            name = row.get("custom_id")
            if not isinstance(name, str) or row.keys().isdisjoint(("response", "error")):
                faults.append(f"{place}: it has no custom_id, or neither a response nor an error")
            elif name not in wanted:
                unknown.append(name)
            else:
                completion = _completion(row, request_body(wanted[name], folder.settings))
                records.append(record_of(wanted[name], completion, 1, 0.0))
    progress.say(f"Replies of this run: {len(records):,}.")
    if faults:
        progress.say(f"Lines that are not replies and were left out: {len(faults):,}, first {faults[0]}.")
    if unknown:
        progress.say(f"Replies to prompts that are not of this run: {len(unknown):,}, first {short(unknown[0])}.")
    if not records:
        raise UnusableInput(
            "no reply is to a prompt of this run; check the files, and give the --tasks and --source of the run"
        )
    with folder.journal() as append:
        append({**about_session(requests), "batch": [Path(path).name for path in paths]})
        for record in records:
            append(record)
    folder.write_answers()
    folder.write_run()


def _completion(row: Mapping[str, Any], sent: Mapping[str, Any]) -> Completion:
    """Return the final outcome of a batch reply; retryable errors are failures."""
    response = row.get("response")
    if not isinstance(response, dict):
        return Completion(FAILED, error=error_text(None, {"error": row.get("error")}) or "no response")
    # vLLM leaves the body of an error empty and puts the error beside the response
    reply = Reply(response.get("status_code") or 200, response.get("body") or {"error": row.get("error")})
    outcome = decide(reply, sent)
    return outcome if isinstance(outcome, Completion) else Completion(FAILED, error=outcome.why)
