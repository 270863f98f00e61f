"""How the page looks: the theme and the style sheets."""

from __future__ import annotations

from pathlib import Path

import gradio as gr

from zs_bench.reports.html import STYLES as DRAWING_STYLES

#: The style sheets, of what is drawn and of the page around it.
_SHEETS = [Path(__file__).with_name(f"{name}.css") for name in ("style", "file", "results")]
STYLES = [*DRAWING_STYLES, *_SHEETS]
_SANS = [gr.themes.LocalFont("IBM Plex Sans", weights=(400, 700)), "ui-sans-serif", "system-ui", "sans-serif"]
_MONO = [gr.themes.LocalFont("IBM Plex Mono", weights=(400, 700)), "ui-monospace", "Consolas", "monospace"]


def theme() -> gr.themes.Base:
    """Indigo and slate; colours that keep their contrast in both modes; only fonts that are complete and local."""
    base = gr.themes.Default(
        primary_hue="indigo", secondary_hue="teal", neutral_hue="slate", radius_size="lg", font=_SANS, font_mono=_MONO
    )
    return base.set(
        body_text_color_subdued="*neutral_600",
        body_text_color_subdued_dark="*neutral_400",
        block_info_text_color="*neutral_600",
        block_info_text_color_dark="*neutral_400",
        color_accent="*primary_600",
        input_border_color_focus="*primary_500",
        input_border_color_focus_dark="*primary_400",
        input_placeholder_color="*neutral_500",
        input_placeholder_color_dark="*neutral_400",
        link_text_color="*secondary_700",
        link_text_color_hover="*secondary_800",
        link_text_color_visited="*secondary_700",
        link_text_color_active="*secondary_800",
        button_primary_background_fill="*primary_600",
        button_primary_background_fill_hover="*primary_700",
    )
