"""Edits out of sentence pairs: annotate the tokens, align, merge, classify."""
