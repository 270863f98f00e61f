"""`zero-scrolls run --engine ray` on a cluster on this machine; `make local` installs Ray and runs this file."""

import json
import os
import signal
import threading
import time
from importlib.util import find_spec
from pathlib import Path

import pytest
from local_models import make_model, needs
from model_stand_in import StandIn, serving
from run_folders import records, start_run, write_rows

RAY = ("--engine", "ray", "--actors", "3", "--concurrency", "16")


def finish(out, *options):
    """What the command prints."""
    process = start_run(out, *options)
    try:
        printed, messages = process.communicate(timeout=240)
    finally:
        process.kill()
    assert process.returncode == 0, messages
    return printed


def wait_for(process, out, count):
    """Wait until the journal has so many records."""
    until = time.monotonic() + 120
    while not (out / "journal.jsonl").exists() or len(records(out)) < count:
        assert process.poll() is None, process.communicate()
        assert time.monotonic() < until
        time.sleep(0.05)


def actors(driver):
    """The processes of the actors that descend from the driver."""
    parents, names = {}, {}
    for folder in Path("/proc").glob("[0-9]*"):
        try:
            parents[int(folder.name)] = int((folder / "stat").read_text().rpartition(")")[2].split()[1])
            names[int(folder.name)] = (folder / "cmdline").read_bytes()
        except OSError:  # it has ended
            continue

    def descends(process):
        parent = parents.get(process, 0)
        return parent == driver or (parent > 1 and descends(parent))

    return [process for process, name in names.items() if name.startswith(b"ray::_Actor") and descends(process)]


@needs("ray")
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it looks for processes in /proc")
def test_after_an_actor_and_the_driver_are_killed_answers_and_score_are_those_of_a_run_without_ray(tmp_path):
    faults = {"429": 0.05, "503": 0.05, "dropped": 0.04, "nonsense": 0.02, "stall": 0.01}
    rows, serial, out = write_rows(tmp_path / "data", 600), tmp_path / "serial", tmp_path / "ray"
    with serving(StandIn(faults, seed=7, refuses=("max_tokens",))) as stand_in:
        options = ("--base-url", stand_in.url, "--model", "m", "--source", rows)
        expected = finish(serial, *options, "--concurrency", "16")
        stand_in.replies = threading.Semaphore(500)
        process = start_run(out, *options, *RAY)
        wait_for(process, out, 100)
        running = actors(process.pid)
        assert len(running) == 3
        os.kill(running[0], signal.SIGKILL)
        wait_for(process, out, 300)
        assert set(actors(process.pid)) - set(running)  # the lost actor was started again
        process.kill()
        process.communicate()
        assert 300 <= len(records(out)) < 600
        stand_in.replies.release(10_000)
        assert finish(out, *options, *RAY) == expected
    assert sorted(record.key for record in records(out)) == sorted(record.key for record in records(serial))
    assert {record.status for record in records(out)} == {"ok"}
    assert (out / "answers/preds_qasper.json").read_bytes() == (serial / "answers/preds_qasper.json").read_bytes()
    sessions = json.loads((out / "run.json").read_text())["sessions"]
    assert ["ray" in session["client"] for session in sessions] == [True, True]
    assert [list(session["learned"]) for session in sessions[1:]] == [["max_tokens"]]


@needs("ray")
@pytest.mark.skipif(not Path("/proc/self/stat").exists(), reason="it looks for processes in /proc")
def test_a_run_goes_on_without_a_machine_that_is_lost_and_with_one_that_joins(tmp_path):
    """Each machine has one GPU, so the lost actor has no other place."""
    from ray.cluster_utils import Cluster

    rows, out, process = write_rows(tmp_path / "data", 300), tmp_path / "ray", None
    cluster = Cluster(initialize_head=True, head_node_args={"num_gpus": 1, "num_cpus": 1})
    try:
        lost = cluster.add_node(num_gpus=1, num_cpus=1)
        with serving(StandIn()) as stand_in:
            stand_in.replies = threading.Semaphore(60)
            options = ("--base-url", stand_in.url, "--model", "m", "--source", rows, "--concurrency", "8")
            ray = ("--engine", "ray", "--ray-address", cluster.address, "--gpus-per-actor", "1")
            process = start_run(out, *options, *ray)
            wait_for(process, out, 50)
            assert len(actors(os.getpid())) == 2
            cluster.remove_node(lost, allow_graceful=False)
            stand_in.replies.release(60)
            wait_for(process, out, 100)
            assert len(actors(os.getpid())) == 1
            for _ in range(2):
                cluster.add_node(num_gpus=1, num_cpus=1)
            stand_in.replies.release(100)
            while len(actors(os.getpid())) < 3:  # the lost one, and a new one
                assert process.poll() is None, process.communicate()
                time.sleep(0.1)
                stand_in.replies.release()
            stand_in.replies.release(1_000)
            printed, messages = process.communicate(timeout=240)
        assert (process.returncode, "state-dump" in messages) == (0, False), messages
        assert {record.status for record in records(out)} == {"ok"}
        assert len(records(out)) == 300
        assert "qasper" in printed
    finally:
        if process:
            process.kill()
        cluster.shutdown()


@needs("ray", "torch", "transformers")
def test_actors_with_a_local_model_each_answer_as_one_model_does(tmp_path):
    model, rows = make_model(tmp_path / "model", window=4096), write_rows(tmp_path / "data", 6)
    options = ("--local", model, "--source", rows, "--answer-budget", "5")
    expected = finish(tmp_path / "serial", *options)
    assert finish(tmp_path / "ray", *options, *RAY[:-3], "2", "--gpus-per-actor", "0") == expected
    answers = [(tmp_path / name / "answers/preds_qasper.json").read_bytes() for name in ("serial", "ray")]
    assert answers[0] == answers[1]


@needs("ray")
def test_what_keeps_actors_from_connecting_is_named(tmp_path):
    for more, message in (
        (("--gpus-per-actor", "64"), "the Ray cluster has GPUs for 0 actors with 64 each"),
        *(
            (gpus, "--local 'x' is no folder here" if find_spec("torch") else "needs torch")
            for gpus in (("--gpus-per-actor", "0"), ())
        ),
    ):
        process = start_run(tmp_path / "run", "--local", "x", *more, "--engine", "ray", "--tasks", "qasper")
        assert message in process.communicate(timeout=120)[1]
        assert process.returncode == 2
