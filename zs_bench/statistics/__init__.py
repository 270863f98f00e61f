"""Statistics of scores: bootstrap intervals, and the paired comparison of two systems."""
