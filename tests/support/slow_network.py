"""A network between the browser and the server, by Chromium's own emulation."""

import re
from contextlib import contextmanager


@contextmanager
def at_distance(page, milliseconds):
    """Have every request of the page take that much longer until the block ends."""
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send(
        "Network.emulateNetworkConditions",
        {"offline": False, "latency": milliseconds, "downloadThroughput": -1, "uploadThroughput": -1},
    )
    try:
        yield
    finally:
        session.detach()


@contextmanager
def held(page, addresses=r"/gradio_api/(queue/join|run/|component_server)|/zs/(call/|[0-9a-f]+/\w+[.]json)"):
    """Keep what the page asks of the server, or requests of these addresses, from reaching it until the block ends."""
    events = re.compile(addresses)
    waiting, ended = [], []

    def keep(request):
        if ended:
            request.continue_()
        else:
            waiting.append(request)

    page.route(events, keep)
    try:
        yield
    finally:
        ended.append(True)
        for request in waiting:
            request.continue_()
        page.unroute(events)
