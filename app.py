"""The Space: `python app.py`."""

from zs_app.page import build
from zs_app.theme import launch_options

demo = build()

if __name__ == "__main__":
    demo.launch(**launch_options())
