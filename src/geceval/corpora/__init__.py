"""Make corpora: annotate, convert, prepare, filter, select."""
