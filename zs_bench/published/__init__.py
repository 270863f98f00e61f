"""The published results, where a score stands among them, and the naive and human baselines."""
