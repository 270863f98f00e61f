"""Where examples come from: inside the package, the Hub, or a folder or ZIP of one's own; inspected, not trusted."""
