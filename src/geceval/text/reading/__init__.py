"""Read parallel text in parts, so that memory holds only a part of a corpus.

A format is a function from a file to its columns (``file_kinds.tsv`` names them). ``column_roles.py`` gives columns of
tables their roles, ``aligned_files.py`` aligns the rows of several files and checks them, and ``corpus_files.py`` makes
parts of a corpus from them. The next part is read while the current one is used.
"""
