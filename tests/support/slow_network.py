"""A network between the browser and the server, by Chromium's own emulation."""


def at_distance(page, milliseconds):
    """Have every request of the page take that much longer.

    Returns:
        How long a small request takes now, in milliseconds, measured in the page.
    """
    _emulate(page, offline=False, latency=milliseconds)
    return page.evaluate(
        """async () => {
            const begin = performance.now();
            await fetch(`theme.css?${begin}`);
            return performance.now() - begin;
        }"""
    )


def offline(page, is_offline):
    """Cut the connection, requests in progress included, or mend it."""
    _emulate(page, offline=is_offline, latency=0)


def _emulate(page, **conditions):
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.emulateNetworkConditions", {**conditions, "downloadThroughput": -1, "uploadThroughput": -1})
