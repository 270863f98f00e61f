"""Statistics of scores: confidence intervals, and the paired comparison of two systems."""
