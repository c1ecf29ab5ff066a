"""Read parallel text in parts, so that memory holds only a part of a corpus.

A format (``formats.py``: text, M2, tables) yields the columns of a file in portions. ``file_columns.py`` aligns the
columns of several files, and ``corpus_files.py`` makes parts of a corpus from them. The next part is read while the
current one is used.
"""
