"""The headers of every response, which say what the page may load and who may show it in a frame."""

import os
import re

from zs_metric.errors import ZeroScrollsError

_FRAME = re.compile(r"(https?://)?(\*\.)?[\w-]+(\.[\w-]+)*(:\d{1,5})?", re.ASCII)
# Gradio's page has scripts in its HTML, and makes functions of the templates of its components. A Space is shown in a
# frame of the Hub; nothing else of the Hub is asked for, nor the fonts of the header that Gradio adds to a Space.
_HUB = " https://huggingface.co https://*.hf.space"


def security_headers() -> dict[str, str]:
    """Return the headers of every response; raises `ZeroScrollsError` for a wrong ZS_FRAME_ANCESTORS."""
    hub = _HUB if os.environ.get("SPACE_ID") else ""
    hosts = os.environ.get("ZS_FRAME_ANCESTORS", "").split()
    if wrong := [host for host in hosts if not _FRAME.fullmatch(host)]:
        raise ZeroScrollsError(
            f"ZS_FRAME_ANCESTORS: {wrong[0]!r:.99} is no host; give hosts as in https://*.example.org"
        )
    frames = " ".join(["'self'" + hub, *hosts])
    policy = (
        "default-src 'self' data: blob:; script-src 'self' 'unsafe-inline' 'unsafe-eval' blob:; "
        f"style-src 'self' 'unsafe-inline'; frame-ancestors {frames}; object-src 'none'; base-uri 'self'; "
        f"form-action 'self'{hub}"
    )
    return {
        "content-security-policy": policy,
        "referrer-policy": "strict-origin-when-cross-origin",
        "x-content-type-options": "nosniff",
    }
