"""A visitor's address, for the limits: the real one, also behind the proxies of a Space, never one that is claimed."""

import asyncio

import pytest
from uvicorn import Config

from zs_app.launch import launch_options

OWN, PROXY = "93.184.216.34", "10.16.3.80"


def seen(peer, *forwarded):
    """The address that the app sees of a request from that peer with these `X-Forwarded-For`."""
    found = []

    async def app(scope, receive, send):
        found.append(scope["client"][0])

    config = Config(app)
    config.load()
    headers = [(b"x-forwarded-for", ", ".join(forwarded).encode())] if forwarded else []
    asyncio.run(config.loaded_app({"type": "http", "client": (peer, 1), "headers": headers}, None, None))
    return found[0]


@pytest.fixture(params=["a space", "elsewhere"])
def place(request, monkeypatch):
    for name in ("FORWARDED_ALLOW_IPS", "SPACE_ID"):
        monkeypatch.setenv(name, "")  # so that it is as it was afterwards
        monkeypatch.delenv(name)
    if request.param == "a space":
        monkeypatch.setenv("SPACE_ID", "owner/name")
    launch_options()
    return request.param


def test_in_a_space_the_proxies_give_the_visitors_address(place):
    assert seen(PROXY, OWN, "10.20.1.1") == (OWN if place == "a space" else PROXY)


def test_an_address_that_a_visitor_prepends_is_ignored(place):
    assert seen(PROXY, "1.2.3.4", OWN, "10.20.1.1") == (OWN if place == "a space" else PROXY)


def test_a_visitor_without_a_proxy_cannot_claim_another_address(place):
    assert seen(OWN, "1.2.3.4") == OWN
