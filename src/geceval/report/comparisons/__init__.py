"""Comparisons of systems and of metrics as reports."""
