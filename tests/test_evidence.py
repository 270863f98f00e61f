"""`make evidence` against a stand-in for the Hub and GitHub on loopback, with evaluators and logs of our own."""

import json
import threading
from dataclasses import replace
from functools import partial
from http.server import SimpleHTTPRequestHandler, ThreadingHTTPServer

import evidence
import pytest

# Evaluators with the same calls as the released ones; their numbers are our second scorer's.
_MAIN = """
import datasets
from .plain import points


@datasets.utils.file_utils.add_start_docstrings("about")
class Metric(datasets.Metric):
    def _info(self):
        return datasets.MetricInfo(features=datasets.Features({{"predictions": datasets.Value("string")}}))

    def _compute(self, predictions, references):
        return {{"{benchmark}_score": points(self.config_name, predictions, references)}}
"""
_PLAIN = """
from plain_scorer import plain_task_score


def points(task, predictions, references):
    return round(plain_task_score(task, predictions, references, benchmark="{benchmark}"), 4)
"""
_LOG = """Validation ID: {0}
Question: who?
Answer: {1}
True answer: {2}

Validation ID: {0}
Question: who?
Answer: {1}
True answer: another,
on two lines

"""


@pytest.fixture
def published(tmp_path, monkeypatch):
    """What others have published, as files of a server; all recorded numbers are 50."""
    folder = tmp_path / "served"
    for benchmark, (repo, path) in evidence.RELEASED.items():
        main = folder / "datasets" / repo / "resolve" / "main" / path
        main.parent.mkdir(parents=True)
        main.write_text(_MAIN.format(benchmark=benchmark))
        (main.parent / "plain.py").write_text(_PLAIN.format(benchmark=benchmark))
    repo, commit, _ = evidence.RECORDED
    for run in evidence.RUNS:
        predictions, log, metrics = (folder / repo / commit / path for path in run.paths)
        predictions.parent.mkdir(parents=True, exist_ok=True)
        predictions.write_text(json.dumps({"a": "cat", "b": "dog"}))
        log.write_text(_LOG.format("a", "cat", "cat") + _LOG.format("b", "dog", "mouse"))
        metrics.write_text(json.dumps({"scrolls_score": 50.0}))
    runs = tuple(replace(run, answers=2, score=50.0) for run in evidence.RUNS)  # of this server, not of the repository
    monkeypatch.setattr(evidence, "RUNS", runs)
    return folder


@pytest.fixture
def run(published, tmp_path, capsys):
    """Run the tool against the server, or with `offline` against none; returns its status and what it printed."""
    handler = type("Quiet", (SimpleHTTPRequestHandler,), {"log_message": lambda *_: None})
    with ThreadingHTTPServer(("127.0.0.1", 0), partial(handler, directory=published)) as server:
        threading.Thread(target=server.serve_forever, kwargs={"poll_interval": 0.02}, daemon=True).start()
        url = f"http://127.0.0.1:{server.server_port}"

        def run(*arguments, offline=False):
            address = "http://127.0.0.1:9" if offline else url
            where = ["--folder", str(tmp_path / "cache"), "--hub", address, "--github", address]
            status = evidence.main([*where, "--cases", "40", *arguments])
            return status, capsys.readouterr().out

        yield run
        server.shutdown()


def row_of(out, scorer):
    return next(line for line in out.splitlines() if line.split()[:1] == [scorer])


def test_released_code_recorded_numbers_and_stored_scores_stand_in_one_table(run):
    status, out = run()
    assert status == 0, out
    for scorer in evidence.SCORERS:
        assert "40 of 40" in row_of(out, scorer), scorer
    assert "8 of 8" in row_of(out, "scrolls_f1")
    assert "6 of 6" in row_of(out, "scrolls_exact_match")
    assert " - " in row_of(out, "rouge")
    assert "120 of 120" in row_of(out, "rouge")
    assert "Recorded numbers are known of SCROLLS' F1 and exact match only" in out
    assert "qasper/regular_prompt_v1.1: 2 answers, recorded 50.0000, here 50.0000" in out
    assert "No commit or file of the Hub was\nseen here" in out


def test_a_file_that_is_not_the_pinned_one_is_not_run_and_a_score_that_is_not_the_recorded_one_is_said(
    run, published, tmp_path
):
    pins = tmp_path / "pins"
    pins.write_text("\n".join(line for line in run()[1].splitlines() if "  tau/" in line))
    assert run("--pinned", str(pins))[0] == 0
    name, main = "tau/scrolls/main/metrics/scrolls.py", tmp_path / "cache/tau/scrolls/main/metrics/scrolls.py"
    main.write_text(main.read_text() + "# other\n")
    assert run()[0] == 0
    status, out = run("--pinned", str(pins))
    assert status == 1
    assert f"  {name}" in out.partition("Not read, since their SHA-256 is another than pinned:\n")[2]
    assert "The released evaluator of scrolls was not run: files are missing, or other than pinned." in out
    for path in (tmp_path / "cache").glob("Leonard907/**/narrative_qa_metrics.json"):
        path.write_text(json.dumps({"scrolls_score": 51.0}))
    assert "recorded 51.0000, here 50.0000, not the 2 of 50.0 at the commit" in run()[1]


def test_the_recorded_numbers_are_of_as_many_answers_as_is_said():
    assert sum(run.answers for run in evidence.RUNS) == 9_488


def test_what_differs_is_shown_with_its_texts_and_fails(run, published):
    for path in published.glob("datasets/tau/zero_scrolls/**/plain.py"):
        path.write_text("def points(task, predictions, references):\n    return 12.0\n")
    for path in published.glob("Leonard907/**/regular_prompt_v1.1/qasper_metrics.json"):
        path.write_text(json.dumps({"scrolls_score": 50.1}))
    status, out = run()
    assert status == 1
    assert "0 of 40" in row_of(out, "accuracy")
    assert "\naccuracy: 0 of 40, not '" in out
    assert ": 12.0 there, " in out
    assert "40 of 40" in row_of(out, "scrolls_f1")
    assert "6 of 8" in row_of(out, "scrolls_f1")


def test_without_a_network_it_names_the_files_and_runs_on_those_that_are_there(run, tmp_path):
    status, out = run(offline=True)
    assert status == 1
    assert f"{tmp_path / 'cache'}/tau/scrolls/main/metrics/scrolls.py\n    from http" in out
    assert "The released evaluator of scrolls was not run: files are missing, or other than pinned." in out
    assert "620" not in out
    assert run()[0] == 0
    for path in (tmp_path / "cache").glob("tau/zero_scrolls/main/metrics/*"):
        path.unlink()
    status, out = run(offline=True)
    assert status == 1, "not all released code was run"
    assert "8 of 8" in row_of(out, "scrolls_f1")
    assert "zero_scrolls.py\n    from http" in out


def test_a_revision_that_is_asked_for_is_the_one_that_is_read(run, published):
    repo, path = evidence.RELEASED["scrolls"]
    out = run("--revision", f"{repo}=abc123")[1]
    assert f"{repo}/abc123/{path}\n    from http" in out


def test_code_that_fails_is_said_and_the_others_run(run, published):
    for path in published.glob("datasets/tau/zero_scrolls/**/plain.py"):
        path.write_text("def points(*_):\n    raise LookupError('punkt')\n")
    status, out = run()
    assert status == 1
    assert "The released accuracy failed: LookupError: punkt" in out
    assert "40 of 40" in row_of(out, "scrolls_exact_match")
