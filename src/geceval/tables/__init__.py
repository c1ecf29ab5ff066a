"""Reports: results as text tables, CSV, Markdown, LaTeX, JSON and HTML."""
