"""`python -m zs_bench …` is the command `zero-scrolls …`."""

import sys

from .cli import main

if __name__ == "__main__":
    sys.exit(main())
