"""Text: the corpus, reading and writing it in every format, tokenisation."""
