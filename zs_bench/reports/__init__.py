"""Reports: scores, explanations and comparisons as text, JSON, CSV, Markdown, LaTeX and HTML."""
