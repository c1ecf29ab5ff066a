"""``errant.edit``."""

from geceval.errant.pairs import Edit

__all__ = ["Edit"]
