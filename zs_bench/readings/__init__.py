"""Which scorer made this number: the known different readings of the metrics, and which of them gives a number."""
