"""Actors of a Ray cluster that carry the requests of a run, each with its own connection to the model.

The process that starts the run decides what is sent, again or not, and alone writes the journal, as without Ray. So the
statuses, resuming and the score are those of any run, and no disk is shared. An actor that is lost, with its machine or
alone, is one lost connection: Ray starts it again, and its prompts are sent again.
"""

from collections.abc import Callable, Mapping
from functools import cached_property
from typing import Any

from zs_bench.errors import UnusableInput
from zs_bench.extras import from_extra
from zs_bench.problems import short
from zs_lab.run.local import LocalModel
from zs_lab.run.replies import Reply
from zs_lab.run.transport import Transport

Model = LocalModel | Transport


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

    Args:
        connect: makes the connection of an actor, in its process.
        count: of actors; `None` for one for each of the cluster's GPUs, else for each of its machines.
        gpus: of an actor.

    Raises:
        MissingExtra: when Ray is not installed.
        UnusableInput: when there is no cluster at the address, or it has not the GPUs, or an actor cannot connect.
    """

    def __init__(self, connect: Callable[[], Model], *, address: str | None, count: int | None, gpus: int = 0) -> None:
        with from_extra("ray"):
            import ray  # noqa: PLC0415  (takes a second, and is of an extra)
        self._ray = ray
        try:
            ray.init(address=address, log_to_driver=False, logging_level="ERROR")
        except (ConnectionError, ValueError) as error:
            why = short(str(error), 200)
            raise UnusableInput(f"there is no Ray cluster at --ray-address {address} ({why})") from error
        most = ray.cluster_resources().get("GPU", 0) // gpus if gpus else sum(node["Alive"] for node in ray.nodes())
        self.workers = int(count or most)
        if gpus and not 0 < self.workers <= most:
            enough = f"the Ray cluster has GPUs for {most:.0f} actors with {gpus} each"
            raise UnusableInput(f"{enough}; give another --actors or --gpus-per-actor")
        # Without a number of CPUs, Ray would start no more actors than there are.
        options = {"num_cpus": 0, "num_gpus": gpus, "scheduling_strategy": "SPREAD"}
        actor = ray.remote(**options, max_restarts=-1, max_task_retries=1)(_Actor)
        self._actors = [actor.remote(connect) for _ in range(self.workers)]
        self._pending = [0] * self.workers
        try:
            self.host, client = ray.get([actor.connect.remote() for actor in self._actors])[0]
        except ray.exceptions.RayTaskError as error:
            raise error.cause from None
        self.client = f"{client}, ray {ray.__version__}"

    async def send(self, body: Mapping[str, Any], timeout: float) -> Reply:
        """Return the reply to a request for a chat completion, from the actor with the fewest pending."""
        index = self._pending.index(min(self._pending))
        self._pending[index] += 1
        try:
            reply: Reply = await self._actors[index].send.remote(body, timeout)
        except self._ray.exceptions.RayError as error:
            return Reply(None, f"actor lost ({short(str(error).strip().partition(chr(10))[0], 200)})")
        finally:
            self._pending[index] -= 1
        return reply

    async def model_entry(self, model: str) -> Mapping[str, Any] | None:
        """Return facts about the model, from the first actor."""
        entry: Mapping[str, Any] | None = await self._actors[0].model_entry.remote(model)
        return entry

    async def aclose(self) -> None:
        """End the actors, and the cluster if it was started here."""
        for actor in self._actors:
            self._ray.kill(actor)
        self._ray.shutdown()
