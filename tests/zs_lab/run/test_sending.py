"""Sending the prompts of a run, without a server."""

import asyncio
import hashlib
import time

import pytest
from run_folders import request

from zs_bench.errors import UnusableInput
from zs_bench.prompts import Settings
from zs_lab.run.prompts import Shard, find_shard, in_order
from zs_lab.run.replies import Reply
from zs_lab.run.sending import PromptSender, RetryPolicy, RunStopped, check_server

FAST = RetryPolicy(attempts=4, rate_limited=20, first_wait=0.001, longest_wait=0.002)
OVERFLOW = Reply(400, {"error": {"code": "context_length_exceeded", "message": "A shorter prompt is needed"}})
AWAY = Reply(None, "nothing answers", unreachable=True)
LOST, BUSY, REFUSED = Reply(None, "lost"), Reply(429, None, 0.001), Reply(400, {"error": {"message": "I cannot"}})


def answer(text="yes", **usage):
    return Reply(200, {"choices": [{"message": {"content": text}, "finish_reason": "stop"}], "usage": usage})


def unsupported(name):
    return Reply(400, {"error": {"message": f"Unsupported parameter: '{name}' is not supported.", "param": name}})


class Server:
    """Sends the given replies in turn, and repeats the last one."""

    def __init__(self, *replies):
        self.replies, self.bodies, self.said, self.timeouts, self.times = list(replies), [], [], [], []
        self.sender = PromptSender(Settings("m", seed=7), self.send, FAST, self.said.append)

    async def send(self, body, timeout):
        self.bodies.append(body)
        self.timeouts.append(timeout)
        self.times.append(time.monotonic())
        await asyncio.sleep(0)
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]

    def records(self, *requests, concurrency=1):
        async def all_of_them():
            records = []
            await self.sender.send_all(requests, concurrency, records.append)
            return records

        return asyncio.run(all_of_them())


@pytest.mark.parametrize(
    ("replies", "status", "attempts", "error"),
    [
        ([Reply(503), LOST, answer()], "ok", 3, None),
        ([*[BUSY] * 10, answer()], "ok", 11, None),
        ([*[BUSY] * 20, answer()], "failed", 20, "429 (asked 20 times)"),
        ([*[Reply(500)] * 3, *[BUSY] * 19, answer()], "ok", 23, None),
        ([*[Reply(500)] * 4, answer()], "failed", 4, "500 (asked 4 times)"),
        ([OVERFLOW, answer()], "overflow", 1, "400 A shorter prompt is needed"),
        ([unsupported("seed"), answer()], "ok", 2, None),
        # without any limit of tokens a request could go on for ever
        ([unsupported("max_tokens"), unsupported("max_completion_tokens"), answer()], "failed", 2, None),
    ],
)
def test_a_prompt_is_sent_until_it_has_ended_and_a_busy_server_is_asked_more_often(replies, status, attempts, error):
    server = Server(*replies)
    first, second = server.records(request("1"), request("2"))
    assert (first.status, first.attempts, first.answer) == (status, attempts, "yes" if status == "ok" else None)
    assert error in (None, first.error)
    assert second.status == "ok"
    again = [reply for reply in replies[:-1] if reply.status != 400]
    assert (server.sender.retries, len(server.said)) == (len(again) - (status == "failed" and bool(again)), bool(again))


def test_a_record_says_what_was_sent_and_how_long_it_took():
    (record,) = Server(answer(prompt_tokens=3)).records(request("1"))
    digest = hashlib.sha256(b'[{"role": "user", "content": "Read this."}]').hexdigest()[:16]
    assert (record.key, record.prompt, record.characters, record.kept) == (("qasper", "1"), digest, 10, 1.0)
    assert (record.usage, record.time[:2], record.time[-6:]) == ({"prompt_tokens": 3}, "20", "+00:00")
    assert record.seconds >= 0


def test_retry_after_is_honoured_by_everyone_and_the_time_limit_grows_with_each_failure():
    server = Server(Reply(429, None, 0.2), Reply(500), answer())
    server.records(request("1"), request("2"), concurrency=2)
    assert min(server.times[2:]) - server.times[0] >= 0.2
    assert server.said == ["Trying again in 0 s: 429"]
    assert server.timeouts[:2] == [62.025, 62.025]
    assert max(server.timeouts) == 2 * 62.025


def test_a_rejected_parameter_is_learned_once_and_no_concurrent_prompt_is_lost():
    class OSeries(Server):
        """Takes neither `max_tokens` nor a temperature; replies after everything on its way has arrived."""

        async def send(self, body, _timeout):
            self.bodies.append(body)
            while len(self.bodies) < 4:
                await asyncio.sleep(0)
            return next((unsupported(name) for name in ("max_tokens", "temperature") if name in body), answer())

    server = OSeries()
    records = server.records(*(request(str(i)) for i in range(12)), concurrency=4)
    assert [record.status for record in records] == ["ok"] * 12
    assert sum("max_tokens" in body for body in server.bodies) == 4  # those on their way when the first was refused
    messages = [{"role": "user", "content": "Read this."}]
    learned = {"model": "m", "messages": messages, "max_completion_tokens": 10, "seed": 7}
    assert server.bodies[-8:] == [learned] * 8
    assert server.sender.unsupported_parameters["temperature"].startswith("400 Unsupported parameter")


def test_a_wrong_key_and_an_unreachable_server_stop_the_run_before_every_prompt_is_tried():
    many = [request(str(i)) for i in range(50)]
    for replies, why, sent in (
        ([Reply(401, {"error": {"message": "Incorrect API key"}})], "401 Incorrect API key", 1),
        ([AWAY], r"^nothing answers; start the server, or check --base-url$", 1),
        ([answer(), AWAY], "10 prompts failed one after another, the last with: nothing answers", 41),
        ([LOST], r"^10 prompts failed one after another, the last with: lost \(asked 4 times\)$", 40),
        ([*[REFUSED] * 9, answer(), REFUSED], "10 prompts failed one after another", 20),
    ):
        server = Server(*replies)
        with pytest.raises(RunStopped, match=why):
            server.records(*many)
        assert len(server.bodies) == sent


def test_the_preflight_sends_the_longest_prompt_for_one_token_and_finds_that_it_is_not_read_whole():
    requests = [request("1"), request("2", text="word " * 20)]
    for reply, sentence in (
        (answer(prompt_tokens=20), "the longest prompt (100 characters) was read as 20 tokens."),
        (answer(prompt_tokens=13), "the longest prompt (100 characters) was read as 13 tokens."),
        (answer(), "100 characters were accepted."),
    ):
        server = Server(reply)
        assert asyncio.run(check_server(server.sender, requests)) == sentence
        assert [(body["messages"], body["max_tokens"]) for body in server.bodies] == [(requests[1].messages, 1)]
    for reply, wrong in (
        (
            answer(prompt_tokens=12),
            "was cut by the server, which read only 12 tokens of it, without an error; give the server a",
        ),
        (OVERFLOW, "does not fit into the model's window (400 A shorter prompt is needed); give the server a larger"),
        (
            Reply(400, {"error": "bad"}),
            "got no answer (400 bad); check the server and its log, trim with --budget, or send everything",
        ),
    ):
        with pytest.raises(RunStopped) as raised:
            asyncio.run(check_server(Server(reply).sender, requests))
        begins = f"nothing was run: the longest prompt (qasper 2, 100 characters) {wrong}"
        assert str(raised.value).startswith(begins)


def test_waits_double_have_jitter_and_never_undercut_what_the_server_asks_for():
    policy = RetryPolicy()
    assert all(0.5 <= policy.wait(1) <= 1 and 2 <= policy.wait(3) <= 4 for _ in range(50))
    assert all(30 <= policy.wait(99) <= 60 for _ in range(50))
    assert all(7 <= policy.wait(1, 7.0) <= 8 for _ in range(50))
    assert all(7 <= RetryPolicy(first_wait=0.1).wait(1, 7.0) <= 7.1 for _ in range(50))
    assert len({policy.wait(1) for _ in range(5)}) == len({policy.wait(1, 7.0) for _ in range(5)}) == 5
    long = request("2", text="x" * 400_000)
    assert [policy.reply_timeout(long, attempt) for attempt in (1, 3, 9)] == [1062, 3186, 4248]
    assert RetryPolicy(timeout=5).reply_timeout(long, 3) == 5


def test_prompts_about_one_document_follow_each_other_and_share_a_shard():
    requests = [request(str(i), document=f"d{i % 3}") for i in range(12)]
    assert [row.document for row in in_order(requests)] == ["d0"] * 4 + ["d1"] * 4 + ["d2"] * 4
    requests.append(request("12", document="half a pair: \ud800"))
    shards = [[row.document for row in in_order(requests, Shard(i, 4))] for i in (1, 2, 3, 4)]
    assert shards == [["d2"] * 4, ["d1"] * 4, ["half a pair: \ud800"], ["d0"] * 4]


def slurm(*values):
    names = ("ID", "MIN", "COUNT", "STEP", "MAX")
    return {f"SLURM_ARRAY_TASK_{name}": str(value) for name, value in zip(names, values, strict=False)}


NEL = {"NEL_SHARD_IDX": "2", "NEL_TOTAL_SHARDS": "5"}
INDEX = {"JOB_COMPLETION_INDEX": "0", "HOME": "/root"}


@pytest.mark.parametrize(
    ("text", "environment", "outcome"),
    [
        ("2/4", {}, "2/4"),
        ("1/1", {}, "1/1"),
        ("auto", slurm(4, 1, 4), "4/4"),
        ("auto", slurm(0, 0, 4), "1/4"),
        ("auto/3", slurm(9, 3, 3, 3), "3/3"),
        ("auto/4", slurm(2, 1, 4), "2/4"),
        ("auto", NEL, "3/5"),
        ("auto/8", INDEX, "1/8"),
        *((text, NEL, "is not a part of the run; write") for text in ("5/4", "0/4", "2/x", "auto/x")),
        ("auto", {}, "finds neither an array nor an indexed job here; name"),
        ("auto", INDEX, "give --shard auto/N"),
        ("auto/2", {**INDEX, "JOB_COMPLETION_INDEX": "2"}, "finds part 3/2; name the part"),
        ("auto/3", slurm(9, 3, 3, 3, 9), "3/3"),
        *(
            ("auto", slurm(task, 3, 2, 1, 4), "numbered from 3, .* part of another; give --shard auto/2")
            for task in (3, 4)
        ),
        ("auto/8", slurm(3, 3, 2, 1, 4), "numbered from 3"),
        *((text, slurm(3, 3, 1, 1, 3), "this task alone, so .*; name the part") for text in ("auto", "auto/4")),
        *(("auto", slurm(task, 1, 3, 1, 7), "has gaps, so .*; name the part") for task in (1, 2, 7)),
    ],
)
def test_a_job_finds_its_shard_and_an_unclear_one_is_refused(text, environment, outcome):
    if outcome[0].isdecimal():
        assert str(find_shard(text, environment)) == outcome
    else:
        with pytest.raises(UnusableInput, match=outcome):
            find_shard(text, environment)


@pytest.mark.parametrize("first", [0, 1, 2])
def test_tasks_of_an_array_that_are_sent_again_are_asked_for_their_part(first):
    """Tasks 2 and 3 of four, numbered from `first`, had no server."""
    for task in (first + 1, first + 2):
        with pytest.raises(UnusableInput, match="--shard"):
            find_shard("auto", slurm(task, first + 1, 2, 1, first + 2), {4})
