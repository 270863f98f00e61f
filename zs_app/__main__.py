"""`python -m zs_app`: the app, as `python app.py` and `zero-scrolls app` start it.

Nothing heavy is imported before `main` runs, since the processes that score files import this module again.
"""

import sys


def main() -> None:
    """Start the app and serve until the process is ended; `zs_app/launch.py` says which variables set what."""
    from zs_app.server.startup import prepare  # noqa: PLC0415
    from zs_app.server.temporary_files import own_temporary_folder  # noqa: PLC0415

    prepare()
    with own_temporary_folder():
        from zs_app.launch import launch_options  # noqa: PLC0415
        from zs_app.page import build  # noqa: PLC0415
        from zs_metric.errors import ZeroScrollsError  # noqa: PLC0415

        try:
            page = build()
        except ZeroScrollsError as error:  # a wrong ZS_DATA or ZS_BOARD
            sys.exit(f"zero-scrolls: {error}")
        page.launch(**launch_options())


if __name__ == "__main__":
    main()
