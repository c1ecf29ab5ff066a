"""geceval: evaluate grammatical error correction.

>>> import geceval
>>> green = geceval.Green(n=4, beta=2.0, unit="word")
>>> score = green.corpus_score(["He go home ."], ["He goes home ."], [["He goes home ."]])
>>> score.value
1.0
>>> score.signature
'GREEN|n:4|beta:2|unit:word|policy:best|refs:1|level:corpus|v:0.1.0'
"""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from geceval._kernel import __version__ as __version__
    from geceval.counting.counts import Counts as Counts
    from geceval.counting.counts import Score as Score
    from geceval.counting.evaluation import evaluate as evaluate
    from geceval.counting.metric import Metric as Metric
    from geceval.errors import GecevalError as GecevalError
    from geceval.metrics import make_metric as make_metric
    from geceval.metrics.cleme import Cleme as Cleme
    from geceval.metrics.cleme import Cleme2 as Cleme2
    from geceval.metrics.errant import Errant as Errant
    from geceval.metrics.gleu import Gleu as Gleu
    from geceval.metrics.green import Green as Green
    from geceval.metrics.maxmatch import MaxMatch as MaxMatch
    from geceval.metrics.ptm2 import PtErrant as PtErrant
    from geceval.metrics.ptm2 import PtM2 as PtM2
    from geceval.text.corpus import Corpus as Corpus
    from geceval.text.reading import read_corpus as read_corpus

#: Public name -> the module it lives in, imported when the name is first used.
_PUBLIC = {
    "__version__": "geceval._kernel",
    "Cleme": "geceval.metrics.cleme",
    "Cleme2": "geceval.metrics.cleme",
    "Corpus": "geceval.text.corpus",
    "Counts": "geceval.counting.counts",
    "Errant": "geceval.metrics.errant",
    "GecevalError": "geceval.errors",
    "Gleu": "geceval.metrics.gleu",
    "Green": "geceval.metrics.green",
    "MaxMatch": "geceval.metrics.maxmatch",
    "Metric": "geceval.counting.metric",
    "PtErrant": "geceval.metrics.ptm2",
    "PtM2": "geceval.metrics.ptm2",
    "Score": "geceval.counting.counts",
    "evaluate": "geceval.counting.evaluation",
    "make_metric": "geceval.metrics",
    "read_corpus": "geceval.text.reading",
}

#: Modules with a public name at the top.
_MODULES = {"m2": "geceval.text.m2", "metaeval": "geceval.metaeval"}

__all__ = [*_PUBLIC]


def __getattr__(name: str) -> Any:
    if name in _MODULES:
        return importlib.import_module(_MODULES[name])
    if name not in _PUBLIC:
        raise AttributeError(f"module 'geceval' has no attribute {name!r}")
    value = getattr(importlib.import_module(_PUBLIC[name]), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
