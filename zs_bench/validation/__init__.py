"""Checks of prediction files: what is wrong with them, how it is repaired, and the official prediction file."""
