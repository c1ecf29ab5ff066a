"""Measure the agreement of metrics with people."""
