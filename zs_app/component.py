"""A part of the page as one `gr.HTML`: HTML from the server, a script module, and functions that the module calls.

    component("answer", render("score_answer.html", ...), score)

shows the HTML and calls `mount(element, server, address, upload)` of `static/answer.js`: `element` holds the HTML,
`await server.score({task, answer, references})` is the reply of the function, `address` is the one of `page.js`, and
`await upload(file)` has the `path` of a file after its upload. Gradio answers such calls without its queue. It resolves
a call that failed, as without a connection, with `undefined`.

The HTML is rendered here and passed as the value: Gradio runs what stands in its own templates.
"""

from collections.abc import Awaitable, Callable, Iterable, Sequence
from hashlib import sha256
from inspect import signature
from pathlib import Path
from typing import Annotated, Any

import gradio as gr
from markupsafe import Markup
from pydantic import BeforeValidator, validate_call

from zs_app import words
from zs_app.server.jobs import VisitorError, answer, plain, sentence
from zs_bench.reports.html import Value, environment

#: A text that a visitor typed; lone surrogates, which no response can hold, become U+FFFD.
Text = Annotated[str, BeforeValidator(plain)]
#: The folder of the page's script modules.
STATIC = Path(__file__).with_name("static")
_of_annexes: list[Path] = []
_LOAD = """\
const load = (name) => import(new URL(name, document.baseURI));
const loaded = Promise.all([load("{module}"), load("{page}")]);
element.inert = true; // what is clicked or typed before its script is there would have no effect
loaded.then(([module, page]) => {{
  element.inert = false;
  module.mount(element, server, page.address, upload);
  element.dataset.ready = "";
}});
"""


def component(name: str, html: str, *functions: Callable[..., Any], elem_id: str = "") -> gr.HTML:
    """Return the component inside the current Blocks.

    Args:
        name: of the module in `zs_app/static`, which exports `mount`.
        html: the initial content, with user text escaped.
        functions: see `server_function`.
    """
    return fragment(
        html,
        js_on_load=_LOAD.format(module=static_url(f"{name}.js"), page=static_url("page.js")),
        server_functions=[server_function(function) for function in functions],
        elem_id=elem_id or f"zs-{name}",
    )


def fragment(html: str | None = None, classes: Sequence[str] = (), **options: Any) -> gr.HTML:
    """Return HTML inside the current Blocks that only the page's own styles apply to."""
    return gr.HTML(html, elem_classes=["flush", *classes], apply_default_css=False, **options)


def server_function(function: Callable[..., Any]) -> Callable[[Any, gr.Request], Awaitable[Any]]:
    """Return the function as one that the browser calls with an object, whose fields are the function's arguments.

    Their types are checked, strictly. A message for the visitor, as about a wrong type, is the reply `{"error": text}`,
    in plain text; it has `gone`, the paths of uploads, if these or a report are no longer kept. What is no coroutine
    function runs in a thread. One with a parameter `request` also gets Starlette's request, and one with a parameter
    `profile` a `gr.OAuthProfile`, `None` if nobody has signed in.
    """
    checked = validate_call(config={"strict": True, "arbitrary_types_allowed": True})(function)
    parameters = signature(function).parameters

    async def reply(data: Any, request: gr.Request, profile: gr.OAuthProfile | None = None) -> Any:
        if not isinstance(data, dict):
            return {"error": "This call takes one object."}
        own = {"request": request, "profile": profile}
        try:
            return await answer(checked, **data | {name: own[name] for name in own if name in parameters})
        except VisitorError as error:
            return {"error": sentence(str(error)), **error.more}

    reply.__name__ = function.__name__
    return reply


def use_scripts(folders: Iterable[Path]) -> None:
    """Add script modules to those of the page: the folders of its annexes, in place of those of an earlier page."""
    _of_annexes[:] = folders


def modules() -> dict[str, Path]:
    """Return the script modules of the page and its annexes by their names."""
    return {path.name: path for folder in [STATIC, *_of_annexes] for path in sorted(folder.glob("*.js"))}


def static_url(name: str) -> str:
    """Return the address of a script module, relative to the page; it changes with the content of all modules.

    A module imports another one by a relative path (`import { a } from "./other.js"`) and so gets the same version.
    """
    return f"zs/{version_of(*(path.read_bytes() for path in modules().values()))}/{name}"


def version_of(*contents: bytes) -> str:
    """Return what changes in the address of files with their contents."""
    return sha256(b"\0".join(contents)).hexdigest()[:12]


_TEMPLATES = environment("zs_app")
_TEMPLATES.globals["words"] = words


def render(template: str, **values: Value) -> Markup:
    """Render a template with escaped values; `words` has the texts of the page.

    >>> "<b>" in render("links.html", links=[("<b>", "https://example.org", "")], first="")
    False
    """
    return Markup(_TEMPLATES.get_template(template).render(values))  # noqa: S704  (escaped)


def part(name: str, *values: Value) -> Markup:
    """Render a macro of `parts.html` with escaped values.

    >>> part("facts", "a < b")
    Markup('<p class="zs-facts">a &lt; b</p>')
    """
    return Markup(getattr(_TEMPLATES.get_template("parts.html").module, name)(*values))  # noqa: S704  (escaped)
