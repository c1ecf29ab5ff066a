"""Errors, bounds of arguments, requests, registries and output files."""
