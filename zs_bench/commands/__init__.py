"""The commands, one module each: `declare(command)` gives the parser its options and the function that runs them.

A command's function takes the parsed options and returns the exit status.
"""

from __future__ import annotations

#: Exit statuses: success; something in a file was refused or is wrong, a score is under `--fail-under`, or the Hub did
#: not answer; wrong usage; Ctrl-C; the reader of the output has closed it.
OK, REFUSED, USAGE, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
