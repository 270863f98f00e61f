"""Numbers about numbers: intervals by bootstrap, two systems compared in pairs; and texts measured: lengths, spread."""
