"""Corpora, files of every format, M2, preparation and tokenisation of text."""
