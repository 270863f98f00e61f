"""Prompts: the canonical ones, taken apart and put together, trimmed to a budget, and their variants."""
