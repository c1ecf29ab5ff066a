"""Adapters of other frameworks, each of which is imported on first use."""
