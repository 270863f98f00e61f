"""`python -m zs_bench …` is the command `zero-scrolls …`."""

import sys

from zs_bench.cli import main

if __name__ == "__main__":
    sys.exit(main())
