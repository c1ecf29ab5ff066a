"""Penn tags, which the rules of ERRANT look at."""

from __future__ import annotations

import numpy as np

from geceval._kernel import penn_category
from geceval.base.errors import InputError
from geceval.edits.annotation import Annotated


def check_tags(annotated: Annotated, name: str) -> None:
    """Raise InputError for a tag that is not one, with the name of its annotator."""
    tags = (annotated.strings[v] for v in np.unique(annotated.tag))
    unknown = [tag for tag in tags if penn_category(tag) is None]
    if unknown:
        raise InputError(
            f"annotator {name}: {unknown[0]!r} is not a Penn Treebank tag",
            hint="the ERRANT types need English with Penn tags, such as spacy:en_core_web_sm gives",
        )
