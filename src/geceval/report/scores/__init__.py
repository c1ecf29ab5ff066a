"""Scores of systems as reports."""
