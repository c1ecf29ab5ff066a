"""Repeated scoring: of systems, of pairs, and of candidates against each other."""
