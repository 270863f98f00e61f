"""Metric variants: how other implementations compute the metrics, and which of them gives a reported number."""
