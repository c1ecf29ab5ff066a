"""Rendering only, no scoring: tables as text, CSV, Markdown or LaTeX, and JSON."""
