"""The Space: `python app.py`.

All of it stands under the guard: a process that scores files begins by importing this file, and needs none of it.
"""

if __name__ == "__main__":
    import sys

    from zs_app.server.startup import own_temporary_folder, set_output, without_collection, without_editor_help

    set_output()
    with own_temporary_folder():
        with without_collection():
            with without_editor_help():
                from zs_app.launch import launch_options
                from zs_app.page import build
            from zs_metric.errors import ZeroScrollsError

            try:
                page = build()
            except ZeroScrollsError as error:  # of what the owner set
                sys.exit(f"app.py: {error}")
        page.launch(**launch_options())
