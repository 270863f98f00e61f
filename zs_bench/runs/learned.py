"""What a run has learned about the parameters that its server takes, and the request bodies made by it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from zs_bench.runs.requests import Request
from zs_bench.runs.settings import Settings

_LENGTHS = ("max_tokens", "max_completion_tokens")


class Learned:
    """The parameters that a server does not take.

    Several requests are on their way when the first refusal arrives, so the others are refused for what is known by
    then: such a request is simply made anew.
    """

    def __init__(self, refused: Mapping[str, str] | None = None) -> None:
        self._refused = dict(refused or {})

    @property
    def refused(self) -> dict[str, str]:
        """The parameters, each with what the server said, for provenance."""
        return dict(self._refused)

    def learn(self, parameter: str, why: str) -> bool:
        """Remember a refusal; returns whether a request that is made anew differs from the refused one.

        >>> learned = Learned()
        >>> learned.learn("max_tokens", "use max_completion_tokens"), learned.learn("max_tokens", "again")
        (True, True)
        >>> learned.learn("max_completion_tokens", "use max_tokens")
        False
        """
        if parameter in _LENGTHS and any(name in self._refused for name in _LENGTHS if name != parameter):
            return False  # a request without any length could go on for ever
        self._refused.setdefault(parameter, why)
        return True

    def body(self, request: Request, settings: Settings, *, tokens: int | None = None) -> dict[str, Any]:
        """The body of the request; `tokens` replaces the number that the model may generate."""
        length = "max_completion_tokens" if "max_tokens" in self._refused else "max_tokens"
        wanted = {
            "model": settings.model,
            "messages": list(request.messages),
            length: tokens or request.answer_tokens,
            "temperature": settings.temperature,
            "seed": settings.seed,
        }
        return {name: value for name, value in wanted.items() if value is not None and name not in self._refused}
