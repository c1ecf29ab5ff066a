"""The M2 format: sentences with the edits of one or more annotators.

A block consists of an ``S`` line (the source), ``A`` lines (one edit each) and an empty line::

    S The cat sat at mat .
    A 3 4|||Prep|||on|||REQUIRED|||-NONE-|||0
    A 4 4|||ArtOrDet|||the||a|||REQUIRED|||-NONE-|||0

The fields of an ``A`` line are the token span ``start end``, the error type, the alternative corrections separated by
``||`` (``-NONE-`` or nothing: delete), two fields that no scorer reads (``|||REQUIRED|||-NONE-|||`` and
``|||-REQUIRED-|||NONE|||`` are both common) and the annotator. An annotator without changes has the line
``A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||1``.

Blocks contain exactly the lines of the file, in its order. Users of the blocks interpret noops, duplicates, unsorted
and overlapping edits, offsets beyond the sentence, and annotators without a line. This also holds for the alignments
and types of ChERRANT's dialect (``geceval.text.m2.edit``).

Source: Dahlmeier and Ng (2012); the format description of the CoNLL-2014 shared task.
"""
