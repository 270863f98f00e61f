"""The page: a row with the benchmark, the tabs and the links, and below it the open tab.

The browser keeps benchmark, tab, task and example in the page's address: `?tab=try&task=musique&example=1`,
`?tab=answer&task=quality`, `?benchmark=scrolls&tab=results`. Each part of the page is a component with a script module
(`component.py`); all of them share the address (`static/address.js`), so that a click takes effect at once even if the
server is slow.
"""

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import gradio as gr
from markupsafe import Markup

from zs_app import api, words
from zs_app.annexes import NONE, Annexes
from zs_app.api import HUB, space
from zs_app.component import component, fragment, render, use_scripts
from zs_app.routes import written_url
from zs_app.tabs import results, score_answer, score_file, try_task
from zs_app.tabs.examples import FIRST, benchmark_choices, embedded_count, sources, task_of, tasks
from zs_bench.benchmarks import available


class Tab(NamedTuple):
    """A tab: its name in an address, its title, what builds it, and the annexes that then add to it."""

    name: str
    title: str
    layout: Callable[[], object]
    annexes: Sequence[Any] = ()


def tabs(annexes: Annexes = NONE) -> list[Tab]:
    """Return the tabs in the order of the page."""
    return [
        Tab(
            "try",
            words.TRY_TAB,
            lambda: try_task.layout(written_url(""), [annex.html() for annex in annexes.models]),
            annexes.models,
        ),
        Tab("answer", words.ANSWER_TAB, score_answer.layout),
        Tab("file", words.FILE_TAB, score_file.layout, annexes.parts),
        Tab("results", words.RESULTS_TAB, results.layout),
        *(Tab(annex.TAB, annex.TITLE, annex.layout) for annex in annexes.tabs),
        Tab("api", words.API_TAB, api.layout),
    ]


def build(annexes: Annexes = NONE) -> gr.Blocks:
    """Build the app with these annexes, without launching it."""
    use_scripts(Path(str(annex.__file__)).parent / "static" for annex in annexes)
    # Uploads of 3,000 seconds are removed every 300 seconds.
    with gr.Blocks(title=words.TITLE, analytics_enabled=False, delete_cache=(300, 3_000)) as page:
        component("frame", render("frame.html", benchmarks=benchmark_choices()))
        with gr.Tabs(overflow_behavior="wrap", elem_id="tabs"):
            for tab in tabs(annexes):
                with gr.Tab(tab.title, id=tab.name):
                    fragment(f"<h2>{tab.title}</h2>", ["zs-unseen"])  # for screen readers
                    tab.layout()
                    for annex in tab.annexes:
                        annex.layout()
        fragment(_links(), elem_id="links")  # beside the tabs, after them in the order of keys
        clause = words.DATA.format(annexes.data)
        fragment(f'<footer class="zs-foot"><p>{clause}</p></footer>', elem_id="data")
    return page.queue(max_size=200, default_concurrency_limit=8)


def _links() -> Markup:
    """The links of the page, some for one benchmark only; in a Space also to its source and documents."""
    links = [("Paper", row.paper, name) for name, row in available().items() if row.paper]
    links += [("Data", f"{HUB}/datasets/{row.repo}", name) for name, row in available().items() if row.repo]
    links += [("Source", f"{space()}/tree/main", ""), ("Docs", f"{space()}/tree/main/docs", "")] if space() else []
    return render("links.html", links=links, first=FIRST)


def catalog(annexes: Annexes = NONE) -> dict[str, Any]:
    """Return what the page offers, as described in `static/address.js`."""
    benchmarks: dict[str, list[dict[str, Any]]] = {name: [] for name in available()}
    for name, rows in benchmarks.items():
        for title, value in tasks(name):
            task = task_of(value)
            rows.append(
                {
                    "value": value,
                    "scored": f"{title} · {task.metric.title}",
                    "examples": embedded_count(value),
                    "sample": words.ANSWER_SAMPLES.get(task.metric.name, ["", ""]),
                }
            )
    return {
        "tabs": [tab.name for tab in tabs(annexes)],
        "annexes": [annex.TAB for annex in annexes.tabs],
        "sources": list(sources()),
        "space": space(),
        "benchmarks": benchmarks,
    }
