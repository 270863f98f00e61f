"""The benchmark around the metric: prompts, data, prediction files, reports, and the command line.

Builds on `zs_metric`; imports nothing of the app (`zs_app`).
"""
