"""Why the Hub did not take what was published, each in one sentence with the next step."""

from __future__ import annotations

from collections.abc import Mapping

from zs_bench.sources.hub_errors import NO_HUB, OTHER, SILENT, HubFailure, Line, facts_of, find_line, status_of


class NotPublished(HubFailure):
    """A Space that could not be created or updated; what it held before is still there."""


_SIGN_IN = "set HF_TOKEN to a token that may write, or run: hf auth login"
NO_TOKEN = Line("denied", "there is no token to sign in to {hub} with", _SIGN_IN)
FOREIGN = Line(
    "denied", "{repo} is another Space: it has {name} and no zero_scrolls.py", "take another name, or empty it first"
)
_BY_CLASS: Mapping[str, Line] = {
    "Stalled": Line("stalled", "nothing more came from {hub}", "run the command again"),
    "OfflineModeIsEnabled": Line("unreachable", "the offline mode is on (HF_HUB_OFFLINE)", "switch it off"),
    "TimeoutException": SILENT,
    "JSONDecodeError": NO_HUB,
}
_BY_STATUS: Mapping[int, Line] = {
    400: Line("failed", "{hub} refuses the files ({status}: {text})", "correct what it names"),
    401: Line("denied", "{hub} does not accept the token ({status})", _SIGN_IN),
    402: Line("denied", "{hub} lets this account have no Gradio Space ({status})", "see its page on plans"),
    403: Line(
        "denied",
        "the token may not write to {repo} on {hub} ({status})",
        "take a token with the right to write, of an account that may write there",
    ),
    404: Line("no-repo", "{hub} shows no Space {repo} ({status})", "check the name and whose token it is"),
    412: Line("failed", "{repo} was changed by somebody else meanwhile ({status})", "run the command again"),
    429: Line("unreachable", "{hub} asks to wait ({status})", "run the command again in some minutes"),
}
_REFUSED = Line("failed", "{hub} does not take it ({status}: {text})", "correct what it names")
_CARD = Line("failed", "{hub} refuses the front matter of README.md ({name})", "correct it")


def explain(error: Exception, *, address: str, space: str) -> NotPublished:
    """The error in a sentence."""
    while status_of(error) == 0 and isinstance(error, RuntimeError) and isinstance(error.__cause__, Exception):
        error = error.__cause__  # of a large file the library says only which; why stands behind that
    line = find_line(error, _BY_CLASS, _BY_STATUS) or (_REFUSED if status_of(error) else OTHER)
    name = ""
    if isinstance(error, ValueError) and str(error).startswith("Invalid metadata"):
        line, name = _CARD, " ".join(str(error).partition("\n")[2].split())
    return refusal(line, error, address=address, space=space, name=name)


def refusal(line: Line, error: Exception | None = None, *, address: str, space: str, name: str = "") -> NotPublished:
    """What the line says of that Space."""
    facts = {**facts_of(error or Exception(), address, space), "name": name}
    return NotPublished(line.kind, line.why.format_map(facts), line.step)
