"""ERRANT's Python API: ``import geceval.errant as errant``.

Names, arguments and results are as in errant 3.0.2; docs/other-tools.md lists the differences.

>>> import geceval.errant as errant
>>> annotator = errant.load("en")
>>> edits = annotator.annotate(annotator.parse("He go home ."), annotator.parse("He goes home ."))
>>> [(e.o_start, e.o_end, e.o_str, e.c_str, e.type) for e in edits]
[(1, 2, 'go', 'goes', 'R:VERB:SVA')]
"""

from geceval.errant import alignment, annotator, edit
from geceval.errant.annotation import Annotator, load
from geceval.errant.documents import Doc, Parsed, Pipeline, Span, Token
from geceval.errant.pairs import Alignment, AnnotatedPair, Edit

#: The release of errant whose names and results the package has.
__version__ = "3.0.2"

__all__ = [
    "Alignment", "AnnotatedPair", "Annotator", "Doc", "Edit", "Parsed", "Pipeline", "Span", "Token", "__version__",
    "alignment", "annotator", "edit", "load",
]  # fmt: skip
