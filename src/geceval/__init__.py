"""geceval: evaluate grammatical error correction.

>>> import geceval
>>> green = geceval.Green(n=4, beta=2.0, unit="word")
>>> score = green.corpus_score(["He go home ."], ["He goes home ."], [["He goes home ."]])
>>> score.value
1.0
>>> score.signature
'GREEN|n:4|beta:2|unit:word|policy:best|refs:1|level:corpus|v:0.3.0'
"""

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
