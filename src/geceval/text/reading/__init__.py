"""Reading parallel text from files, in parts, so that a corpus of any size needs the memory of one part.

A file is opened by its format (``formats.py``: text, M2, tables), which yields columns portion by portion;
``file_columns.py`` takes columns of several files together, ``corpus_files.py`` makes parts of a corpus of them, and
the next part is read while the present one is used.
"""
