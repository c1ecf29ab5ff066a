"""Errors, argument bounds, registries, optional dependencies."""
