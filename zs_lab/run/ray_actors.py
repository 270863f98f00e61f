"""Actors of a Ray cluster that carry the requests of a run, each with its own connection to the model.

The process that starts the run decides what is sent, again or not, and alone writes the journal, as without Ray. So the
statuses, resuming and the score are those of any run, and no disk is shared. An actor that is lost, with its machine or
alone, is one lost connection: its prompts are sent again, by the others. Ray starts it again once there is a place for
it, and a machine or a GPU that joins the cluster gets an actor.
"""

import asyncio
import os
import time
from collections.abc import Callable, Mapping
from contextlib import suppress
from functools import cached_property, partial
from typing import Any

from zs_bench.errors import UnusableInput, from_extra
from zs_bench.problems import short
from zs_lab.run.local import LocalModel
from zs_lab.run.replies import Reply
from zs_lab.run.transport import Transport

Model = LocalModel | Transport
#: Seconds between two looks for places that have joined the cluster, and for which a lost actor gets no request.
LOOK, AVOID = 5.0, 30.0


class _Actor:
    """What runs in the process of an actor; one that was started again connects with its first request."""

    def __init__(self, connect: Callable[[], Model]) -> None:
        self._connect = connect

    @cached_property
    def _model(self) -> Model:
        return self._connect()

    async def connect(self) -> tuple[str | None, str]:
        return self._model.host, self._model.client

    async def send(self, body: Mapping[str, Any], timeout: float) -> Reply:
        return await self._model.send(body, timeout)

    async def model_entry(self, model: str) -> Mapping[str, Any] | None:
        return await self._model.model_entry(model)


class RayActors:
    """The actors, on the cluster at that address; without an address on a cluster that is started on this machine.

    `connect` makes the connection of an actor, in its process. A `count` of `None` is an actor for each of the
    cluster's GPUs, else for each of its machines; `gpus` of `None` is one for each actor where the cluster has any.

    Raises `MissingExtra` without Ray, and `UnusableInput` when there is no cluster at the address, or it has not the
    GPUs, or an actor cannot connect.
    """

    def __init__(
        self, connect: Callable[[], Model], *, address: str | None, count: int | None, gpus: int | None = 0
    ) -> None:
        os.environ.setdefault("RAY_BACKEND_LOG_LEVEL", "fatal")  # else Ray prints its state when a machine is lost
        with from_extra("ray"):
            import ray  # noqa: PLC0415  (takes a second, and is of an extra)
        self._ray = ray
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, ValueError) as error:
            why = short(str(error), 200)
            raise UnusableInput(f"there is no Ray cluster at --ray-address {address} ({why})") from error
        self._gpus = min(1, int(ray.cluster_resources().get("GPU", 0))) if gpus is None else gpus
        most = self._most()
        if self._gpus and not 0 < (count or most) <= most:
            enough = f"the Ray cluster has GPUs for {most} actors with {self._gpus} each"
            raise UnusableInput(f"{enough}; give another --actors or --gpus-per-actor")
        # Without a number of CPUs, Ray would start no more actors than there are. Without retries, a request to a lost
        # actor fails at once; else it would wait for a place for the actor.
        options = {"num_cpus": 0, "num_gpus": self._gpus, "scheduling_strategy": "SPREAD"}
        actor = ray.remote(**options, max_restarts=-1, max_task_retries=0)(_Actor)
        self._new: Callable[[], Any] = partial(actor.remote, connect)
        actors = [self._new() for _ in range(count or most)]
        try:
            self.host, client = ray.get([actor.connect.remote() for actor in actors])[0]
        except ray.exceptions.RayTaskError as error:
            raise error.cause from None
        self.client = f"{client}, ray {ray.__version__}"
        self.workers = 2 * len(actors)  # so that actors that join find requests
        self._grows, self._looked, self._joining = count is None, 0.0, set[Any]()
        self._pending = dict.fromkeys(actors, 0)
        self._lost: dict[Any, float] = {}  # by actor, when a request to it failed

    def _most(self) -> int:
        """Return how many actors the cluster has room for: one for each GPU, or for each machine."""
        if self._gpus:
            return int(self._ray.cluster_resources().get("GPU", 0) // self._gpus)
        return sum(node["Alive"] for node in self._ray.nodes())

    def _grow(self) -> None:
        """Start an actor for each place that has joined the cluster; it gets requests once it is connected."""
        if not self._grows or time.monotonic() - self._looked < LOOK:
            return
        self._looked = time.monotonic()
        for _ in range(self._most() - len(self._pending) - len(self._joining)):
            joining = asyncio.ensure_future(self._join())
            self._joining.add(joining)
            joining.add_done_callback(self._joining.discard)

    async def _join(self) -> None:
        actor = self._new()
        with suppress(self._ray.exceptions.RayError):
            await actor.connect.remote()
            self._pending[actor] = 0

    async def send(self, body: Mapping[str, Any], timeout: float) -> Reply:
        """Return the reply to a request for a chat completion, from the actor with the fewest pending."""
        self._grow()
        now = time.monotonic()
        able = [actor for actor in self._pending if now - self._lost.get(actor, -AVOID) >= AVOID]
        actor = min(able or self._pending, key=self._pending.__getitem__)
        self._pending[actor] += 1
        try:
            reply: Reply = await actor.send.remote(body, timeout)
        except self._ray.exceptions.RayError as error:
            self._lost[actor] = time.monotonic()
            return Reply(None, f"actor lost ({short(str(error).strip().partition(chr(10))[0], 200)})")
        finally:
            self._pending[actor] -= 1
        return reply

    async def model_entry(self, model: str) -> Mapping[str, Any] | None:
        entry: Mapping[str, Any] | None = await next(iter(self._pending)).model_entry.remote(model)
        return entry

    async def aclose(self) -> None:
        """End the actors, and the cluster if it was started here."""
        for joining in self._joining:
            joining.cancel()
        for actor in self._pending:
            self._ray.kill(actor)
        self._ray.shutdown()
