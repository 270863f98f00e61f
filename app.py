"""The Space: `python app.py`. The processes that score files import this file, so nothing happens at import."""

if __name__ == "__main__":
    from zs_start.app import main

    main()
