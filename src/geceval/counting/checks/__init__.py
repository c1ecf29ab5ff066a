"""Checks for suspicious input: valid, but probably not intended. They only warn."""
