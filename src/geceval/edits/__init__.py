"""Edits: as columns, out of M2 or text, and cut into chunks."""
