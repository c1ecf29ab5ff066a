"""``errant.annotator``."""

from geceval.errant.annotation import Annotator
from geceval.errant.pairs import Alignment, Edit

__all__ = ["Alignment", "Annotator", "Edit"]
