"""What metrics on edits share: where edits come from, and how the signature names it."""

from __future__ import annotations

from typing import Any, ClassVar

from geceval.counting.contract import ByKind, EvidenceOf, Given, KindOfEdit, P
from geceval.counting.metric import Metric
from geceval.edits.annotation import Annotator
from geceval.edits.corpus_edits import Extraction
from geceval.edits.languages import make_annotator, signed_types
from geceval.text.m2 import Misfits


class OnEdits(Metric[P]):
    """A metric on edits: gold edits or those of M2, and those that ``annotator`` finds in text.

    ``misfits``: gold edits that do not fit their sentence are an error, or dropped (see m2.fitting).
    """

    evidence_of: ClassVar[EvidenceOf] = "edits"

    annotator: Annotator | str
    misfits: Misfits = "error"

    @property
    def extraction(self) -> Extraction:
        """How edits are found in text."""
        return Extraction(self.annotator)

    @property
    def annotates_with(self) -> Annotator | str | None:
        return self.annotator if self.evidence_of == "edits" else None

    def by_kind(self, key: KindOfEdit) -> ByKind | None:
        return ByKind()

    def signed(self, given: Given) -> dict[str, Any]:
        """What finds edits in text is named where there is text to find them in, with its version; misfits where
        they are dropped, since an error changes no number."""
        settings = super().signed(given)
        if self.misfits == "error":
            settings.pop("misfits", None)
        found_by = {name: settings.pop(name) for name in ("annotator", "merging", "lev") if name in settings}
        if self.evidence_of in ("gold", "texts") or not given.annotated:
            return settings
        annotator = make_annotator(self.annotator)
        return settings | found_by | {"annotator": annotator.name} | signed_types(annotator)
