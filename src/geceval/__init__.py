"""geceval: evaluate grammatical error correction."""

__version__ = "0.1.0"
