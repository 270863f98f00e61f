"""The commands, one module each. `declare(command)` adds the options to the parser, and sets the function to run.

That function takes the parsed options and returns the exit status.
"""

#: Exit statuses: success; an error in a file, a score under `--fail-under`, or no answer from the Hub; wrong usage;
#: Ctrl-C; standard output was closed.
OK, REFUSED, USAGE, INTERRUPTED, BROKEN_PIPE = 0, 1, 2, 130, 141
