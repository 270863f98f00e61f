"""From gathered answers to scores, and from scores to reports: data, text, signature."""
