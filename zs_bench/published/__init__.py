"""The published results, the rank of a score among them, and the naive and human baselines."""
