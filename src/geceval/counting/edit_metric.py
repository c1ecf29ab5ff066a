"""Base class of metrics on edits: extraction of edits, and their signature."""

from __future__ import annotations

from typing import Any, ClassVar

from geceval.counting.metric import ByKind, Metric, P
from geceval.counting.observed import EvidenceOf, Given
from geceval.edits.annotation import Annotator
from geceval.edits.corpus_edits import Extraction
from geceval.edits.languages import make_annotator, signed_types
from geceval.text.corpus import TextSource
from geceval.text.m2.edit import NOOP, UNKNOWN, Misfits


def warn_of_unknown(name: str, corpus: TextSource, hint: str = "") -> list[str]:
    """Return a warning if all gold edits have the type UNK, which does not count."""
    types = corpus.edit_types if corpus.gold is not None else frozenset()
    if UNKNOWN not in types or types - {UNKNOWN, NOOP}:
        return []
    return [f"{name}: no gold edit counts: all have the type UNK, of errors without a correction{hint}"]


class OnEdits(Metric[P]):
    """A metric on edits: gold edits, edits of M2, and edits extracted from text.

    Attributes:
        annotator: Annotator that extracts edits from text, or its name.
        misfits: Whether gold edits outside their sentence are an error or dropped (see m2.fitting).
    """

    evidence_of: ClassVar[EvidenceOf] = "edits"
    by_kind: ClassVar[ByKind] = ByKind()

    annotator: Annotator | str
    misfits: Misfits = "error"

    @property
    def extraction(self) -> Extraction:
        """Extraction of edits from text."""
        return Extraction(self.annotator)

    def signed(self, given: Given) -> dict[str, Any]:
        """Return the settings in the signature.

        The annotator is included, with its version, if edits are extracted from text; misfits if gold edits are
        dropped, since an error affects no number.
        """
        settings = super().signed(given)
        if self.misfits == "error" or given.made not in ("gold", "reannotated"):
            settings.pop("misfits", None)
        found_by = {name: settings.pop(name) for name in ("annotator", "merging", "lev") if name in settings}
        if self.evidence_of in ("gold", "texts") or not given.annotated:
            return settings
        annotator = make_annotator(self.annotator)
        return settings | found_by | {"annotator": annotator.name} | signed_types(annotator)
