"""Files of predictions and references: opened within limits, recognised, and read into entries."""
