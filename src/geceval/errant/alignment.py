"""``errant.alignment``."""

from geceval.errant.pairs import Alignment

__all__ = ["Alignment"]
