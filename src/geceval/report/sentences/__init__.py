"""Sentences with their edits as reports."""
