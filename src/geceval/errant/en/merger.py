"""``errant.en.merger``."""

from geceval.errant.pairs import get_rule_edits

__all__ = ["get_rule_edits"]
