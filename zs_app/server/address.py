"""Where the server listens: GRADIO_SERVER_NAME and GRADIO_SERVER_PORT, which the command's options set."""

import errno
import os
import socket

from zs_bench.errors import UnusableInput


def port_to_listen_on() -> int | None:
    """Return the port of GRADIO_SERVER_PORT; `None` if it is not set, for the first free one from 7860.

    Raises `UnusableInput` for what is no port or address of this machine, and for a port that is taken: Gradio would
    take another without a word.
    """
    host, text = os.environ.get("GRADIO_SERVER_NAME") or "127.0.0.1", os.environ.get("GRADIO_SERVER_PORT", "").strip()
    if not text:
        return None
    if not text.isdecimal() or not 0 < int(text) < 2**16:
        raise UnusableInput(f"{text!r:.40} is no port; give a whole number from 1 to 65535")
    try:
        family, kind, _, _, address = socket.getaddrinfo(host.strip("[]"), int(text), type=socket.SOCK_STREAM)[0]
        with socket.socket(family, kind) as probe:
            if os.name == "posix":  # where this permits a port of a server that has just ended, and no other
                probe.setsockopt(socket.SOL_SOCKET, socket.SO_REUSEADDR, 1)
            probe.bind(address)
    except OSError as error:
        if error.errno == errno.EADDRINUSE:
            raise port_taken(text) from None
        why = error.strerror or str(error)
        raise UnusableInput(f"this machine cannot listen on {host}, port {text} ({why}); give others") from None
    return int(text)


def port_taken(port: object) -> UnusableInput:
    """Return the error of a port that another program has; of `None`, if no port that Gradio tries is free."""
    if port is None:
        return UnusableInput("no port from 7860 to 7959 is free; give another with --port")
    step = "give another with --port, or none for the first free one from 7860"
    return UnusableInput(f"port {port} is taken by another program; {step}")
