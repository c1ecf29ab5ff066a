"""geceval: evaluate grammatical error correction.

>>> import geceval
>>> green = geceval.Green(n=4, beta=2.0, unit="word")
>>> score = green.corpus_score(["He go home ."], ["He goes home ."], [["He goes home ."]])
>>> score.value
1.0
>>> score.signature
'GREEN|n:4|beta:2|unit:word|policy:best|refs:1|level:corpus|v:0.3.0.dev0'
"""

from geceval.base.public_names import listed, load

__getattr__, __dir__ = load, listed
