"""The benchmarks as tasks of other evaluation harnesses: lm-evaluation-harness and Inspect.

They send our prompts with their own models and are scored by our metrics, to the numbers of `zero-scrolls score`.
"""
