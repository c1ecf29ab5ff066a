"""Count texts, and compute scores from counts.

A metric has two functions: ``count`` reads text and returns additive counts, ``score`` is arithmetic on their sums. All
counts form one stream, for one sentence and for 10^9::

    source → parts → Run.stream() → (part, system, metric, counts) → consumers → results

``Metric`` (``metric.py``): the members that an author defines, in the order in which they are used, and what follows
from them: keys by which metrics share a counting pass, signatures, scores from one call. Settings have roles
(``settings.py``). ``metric_names.py`` contains the table of metrics, whose modules are imported on first use, and
names them in tables and results.

Counts (``counts.py``): ``array[sentence, reference, column]``, ragged references, and optional evidence: rows of
(sentence, reference, column, weight) that sum to the array. A ``Score`` is a number with its parts and its signature.
``Observed`` has the facts of the parts that signatures contain, such as the numbers of references.

Policies (``policies.py``): the choice of a reference for each sentence of the next part. A policy compares references
by a metric's figure (``figures.py``), such as F of three weighted sums; ``Totals`` sums the chosen counts.

Run (``run.py``): the only counting loop. For each part of a source (``stream.py``) it prepares source and references
once for all metrics that can share them, and counts each system once for all metrics with equal counts. A metric with a
corpus constant takes a first pass. A run keeps resources of metrics (encoders, judges), returns the amount of work for
progress bars, warns about settings, suspicious input (``checks/``) and sums of columns, and scores the gold's own texts
with the systems. Its options (``run_options.py``) are a value::

    run = Run(corpus, [Green()], RunOptions(threads=2, checks=True))
    consumers = run.consume(lambda system, metric: CorpusTotals(metric))
    consumers["careful", Green()].result()

Consumers (``consumers.py``): accumulate the counts of a system under a metric: ``add``, ``merge``, ``result``. They can
be pickled and never count; adding parts equals adding the whole. A ``Result`` (``results.py``) has the scores of all
levels. ``alone.py`` and ``evaluate.py`` score in one call.
``breakdown.py`` makes tables by kinds of edits and groups of sentences. ``Scorer`` (``scorer.py``) scores repeatedly
against the same references.
"""
