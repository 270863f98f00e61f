"""`python -m zs_start …` is the command `zero-scrolls …`."""

import sys

from zs_start.cli import main

if __name__ == "__main__":
    sys.exit(main())
