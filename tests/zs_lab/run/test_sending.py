"""Sending the prompts of a run, without a server."""

import asyncio
import time

import pytest

from zs_bench.errors import UnusableInput
from zs_bench.requests import Request, pack
from zs_bench.run_records.settings import Settings
from zs_lab.run.prompts import Shard, find_shard, in_order
from zs_lab.run.replies import Reply
from zs_lab.run.sending import PromptSender, RetryPolicy, RunStopped, check_server
from zs_metric.tasks import TASKS

FAST = RetryPolicy(attempts=4, rate_limited=20, first_wait=0.001, longest_wait=0.002)
OVERFLOW = Reply(400, {"error": {"code": "context_length_exceeded", "message": "A shorter prompt is needed"}})


def request(name, document="d", text="Read this."):
    return Request(TASKS["qasper"], name, pack([{"role": "user", "content": text}]), document, 10)


def answer(text="yes", **usage):
    return Reply(200, {"choices": [{"message": {"content": text}, "finish_reason": "stop"}], "usage": usage})


def unsupported(name):
    return Reply(400, {"error": {"message": f"Unsupported parameter: '{name}' is not supported.", "param": name}})


class Server:
    """Sends the given replies in turn, and repeats the last one."""

    def __init__(self, *replies):
        self.replies, self.bodies, self.said = list(replies), [], []
        self.sender = PromptSender(Settings("m"), self.send, FAST, self.said.append)

    async def send(self, body, _timeout):
        self.bodies.append(body)
        await asyncio.sleep(0)
        return self.replies.pop(0) if len(self.replies) > 1 else self.replies[0]

    def records(self, *requests, concurrency=1):
        async def all_of_them():
            records = []
            await self.sender.send_all(requests, concurrency, records.append)
            return records

        return asyncio.run(all_of_them())


def test_a_temporary_failure_is_retried_and_a_busy_server_gets_more_retries_than_a_failing_one():
    for replies, ends in (
        ([Reply(503), Reply(None, "lost"), answer()], [("ok", 3), ("ok", 1)]),
        ([*[Reply(429, None, 0.001)] * 10, answer()], [("ok", 11), ("ok", 1)]),
        ([*[Reply(500)] * 4, answer()], [("failed", 4), ("ok", 1)]),
        ([OVERFLOW, answer()], [("overflow", 1), ("ok", 1)]),
    ):
        server = Server(*replies)
        records = server.records(request("1"), request("2"))
        assert [(record.status, record.attempts) for record in records] == ends
        assert all((record.answer == "yes") == (record.status == "ok") for record in records)
        assert len(server.said) == (replies[0] != OVERFLOW)  # not at every attempt
    assert Server(*[Reply(500)] * 4).records(request("1"))[0].error == "500 (asked 4 times)"


def test_retry_after_is_honoured_by_everyone():
    server = Server(Reply(429, None, 0.2), answer())
    start = time.monotonic()
    server.records(request("1"))
    assert time.monotonic() - start >= 0.2
    server.records(request("2"))
    assert time.monotonic() - start < 0.4


def test_a_rejected_parameter_is_learned_once_and_no_concurrent_prompt_is_lost():
    class OSeries(Server):
        """Takes neither `max_tokens` nor a temperature; replies after everything on its way has arrived."""

        async def send(self, body, _timeout):
            self.bodies.append(body)
            await asyncio.sleep(0.01)
            return next((unsupported(name) for name in ("max_tokens", "temperature") if name in body), answer())

    server = OSeries()
    records = server.records(*(request(str(i)) for i in range(12)), concurrency=4)
    assert [record.status for record in records] == ["ok"] * 12
    assert sum("max_tokens" in body for body in server.bodies) == 4  # those on their way when the first was refused
    assert all("max_completion_tokens" in body for body in server.bodies[-8:])


def test_a_server_that_takes_no_limit_of_tokens_gets_no_prompt_without_one():
    server = Server(unsupported("max_tokens"), unsupported("max_completion_tokens"), answer())
    assert [(record.status, record.attempts) for record in server.records(request("1"))] == [("failed", 2)]
    assert [body.get("max_completion_tokens") for body in server.bodies] == [None, 10]


def test_a_wrong_key_and_an_unreachable_server_stop_the_run_before_every_prompt_is_tried():
    for reply, why, sent in (
        (Reply(401, {"error": {"message": "Incorrect API key"}}), "401 Incorrect API key", 1),
        (Reply(None, "no connection"), "10 prompts failed one after another", 40),
    ):
        server = Server(reply)
        with pytest.raises(RunStopped, match=why):
            server.records(*(request(str(i)) for i in range(50)))
        assert len(server.bodies) == sent


def test_the_preflight_sends_the_longest_prompt_for_one_token_and_finds_that_it_is_not_read_whole():
    requests = [request("1"), request("2", text="word " * 20)]
    server = Server(answer(prompt_tokens=20))
    sentence = "the longest prompt (100 characters) was read as 20 tokens."
    assert asyncio.run(check_server(server.sender, requests)) == sentence
    assert [(body["messages"], body["max_tokens"]) for body in server.bodies] == [(requests[1].messages, 1)]
    for reply, wrong in (
        (answer(prompt_tokens=4), "was cut by the server, which read only 4 tokens of it, without an error"),
        (OVERFLOW, "does not fit into the model's window"),
        (Reply(400, {"error": "bad"}), r"got no answer \(400 bad\)"),
    ):
        with pytest.raises(RunStopped, match=wrong):
            asyncio.run(check_server(Server(reply).sender, requests))


def test_waits_double_have_jitter_and_never_undercut_what_the_server_asks_for():
    policy = RetryPolicy()
    assert all(0.5 <= policy.wait(1) <= 1 and 2 <= policy.wait(3) <= 4 for _ in range(50))
    assert max(policy.wait(99) for _ in range(50)) <= 60
    assert all(7 <= policy.wait(1, 7.0) <= 8 for _ in range(50))
    assert len({policy.wait(1) for _ in range(5)}) == 5
    short, long = request("1"), request("2", text="x" * 400_000)
    assert policy.reply_timeout(short) < 90
    assert policy.reply_timeout(long) > 1000
    assert policy.reply_timeout(short, 2) == 2 * policy.reply_timeout(short)
    assert RetryPolicy(timeout=5).reply_timeout(long, 3) == 5


def test_prompts_about_one_document_follow_each_other_and_share_a_shard():
    requests = [request(str(i), document=f"d{i % 3}") for i in range(12)]
    assert [row.document for row in in_order(requests)] == ["d0"] * 4 + ["d1"] * 4 + ["d2"] * 4
    requests.append(request("12", document="half a pair: \ud800"))
    shards = [in_order(requests, Shard(i, 4)) for i in (1, 2, 3, 4)]
    assert sorted(row.id for shard in shards for row in shard) == sorted(row.id for row in requests)
    assert sum(len({row.document for row in shard}) for shard in shards) == 4


def test_a_job_finds_its_shard_and_an_unclear_one_is_refused():
    def slurm(*values):
        names = ("ID", "MIN", "COUNT", "STEP")
        return {f"SLURM_ARRAY_TASK_{name}": str(value) for name, value in zip(names, values, strict=False)}

    nel = {"NEL_SHARD_IDX": "2", "NEL_TOTAL_SHARDS": "5"}
    index = {"JOB_COMPLETION_INDEX": "0"}
    for text, environment, shard in (
        ("2/4", {}, "2/4"),
        ("auto", slurm(4, 1, 4), "4/4"),
        ("auto", slurm(0, 0, 4), "1/4"),
        ("auto", slurm(9, 3, 3, 3), "3/3"),
        ("auto/4", slurm(2, 1, 4), "2/4"),
        ("auto", nel, "3/5"),
        ("auto/8", index, "1/8"),
    ):
        assert str(find_shard(text, environment)) == shard
    for text, environment, why in (
        ("5/4", {}, "is not a part of the run"),
        ("0/4", {}, "is not a part of the run"),
        ("2/x", {}, "is not a part of the run"),
        ("auto/x", nel, "is not a part of the run"),
        ("auto", {}, "finds neither an array nor an indexed job"),
        ("auto", index, "give --shard auto/N"),
        ("auto/2", index | {"JOB_COMPLETION_INDEX": "2"}, "finds part 3/2; name the part"),
        ("auto/4", slurm(3, 3, 1), "finds part 1/1; name the part"),  # one task of the array, submitted again
        ("auto", slurm(7, 1, 3), "finds part 7/3; name the part"),  # --array=1,3,7
    ):
        with pytest.raises(UnusableInput, match=why):
            find_shard(text, environment)
