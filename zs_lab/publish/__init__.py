"""The labelled data as a dataset repository for the Hub: Parquet, card, `eval.yaml`, and what to type."""
