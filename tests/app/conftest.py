"""Imports Gradio as `python app.py` does, before the modules that need it."""

from zs_app.server.startup import without_type_stubs

with without_type_stubs():
    import gradio  # noqa: F401
