"""Checks of what is given: input that is legal and cannot mean what the user thinks. Warnings, never errors."""
