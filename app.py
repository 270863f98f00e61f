"""The Space: `python app.py`.

All of it stands under the guard: a process that scores files begins by importing this file, and needs none of it.
"""

if __name__ == "__main__":
    from zs_app.quick_start import own_temporary_folder, without_type_stubs

    with own_temporary_folder():
        with without_type_stubs():
            from zs_app.page import build
            from zs_app.serving import launch_options

        build().launch(**launch_options())
