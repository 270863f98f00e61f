"""The benchmark around the metric: prompts, data, prediction files, reports, and the command line.

Stands on `zs_metric`; knows nothing of the browser (`zs_app`).
"""
