"""The builtin English annotator and what it is made of."""
