"""Imports Gradio as `python app.py` does, before the modules that need it."""

from zs_app.server.startup import without_editor_help

with without_editor_help():
    import gradio  # noqa: F401

import pytest


@pytest.fixture(scope="module")
def client(url):
    from gradio_client import Client

    client = Client(url, verbose=False)
    yield client
    client.close()
