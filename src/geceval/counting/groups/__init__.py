"""Counts by groups: kinds of edits, or sentences with one label."""
