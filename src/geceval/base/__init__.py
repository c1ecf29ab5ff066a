"""Errors, bounds of arguments, registries and output files."""
