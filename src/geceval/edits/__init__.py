"""Edits in columns, from M2 or extracted from text, and chunks."""
