"""Counting: from texts to counts, and from counts to scores.

A metric is two functions: ``count`` reads text and returns additive counts, ``score`` is arithmetic on their sums. All
counts come as one stream, for one sentence and for 10^9::

    source → parts → Run.stream() → (system, metric, counts) → consumers → results

Contract (``contract.py``): what a metric defines and what follows without counting: settings with roles
(``settings.py``), keys by which metrics share a counting pass, signatures. ``Metric`` (``metric.py``) adds scores from
one call, ``OnEdits`` (``edit_metric.py``) what metrics on edits share. ``metric_names.py`` holds the table of metrics,
whose modules are loaded when they are used, and names them in tables and results.

Counts (``counts.py``): ``array[sentence, reference, column]``, ragged references, and evidence on request: rows of
(sentence, reference, column, weight) that sum to the array. A ``Score`` is a number with its parts and its signature.

Policies (``policies.py``): how a reference is chosen for each sentence, as a fold over the stream: ``add``, ``merge``,
``totals``. What a policy compares is a metric's figure (``figures.py``), such as F of three weighted sums.

Stream (``stream.py``): the parts of a source, each prepared once for all metrics that can share it. A metric with a
corpus constant takes a first pass. To a pooled metric that sees references, the unchanged source is no other system.

Run (``run.py``): which metrics count which source, and how; checked when it is made. It has the one loop, which counts
each system once for all metrics with equal counts; ``stream``, ``parts`` and ``consume`` lead to it. A run keeps what
metrics hold (encoders, judges), adds the row of the unchanged source, knows the work there is for a progress bar, and
warns: of settings, of suspicious input (``checks/``), and of what metrics watched::

    run = Run(corpus, [Green()], threads=2, checks=True)
    found = run.consume(lambda system, metric: CorpusTotals(metric))
    found["careful", Green()].result()

Consumers (``consumers.py``): take in the counts of a system under a metric: ``add``, ``merge``, ``result``. They can be
pickled and never count; adding in parts equals adding the whole. ``Result`` has the scores of all levels,
``sentence_scores.py`` scores part by part in constant memory, ``groups/`` tables by kinds of edits and groups
of sentences, ``scoring/`` what scores again and again against the same references.
"""
