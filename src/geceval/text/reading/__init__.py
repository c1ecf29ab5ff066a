"""Reading parallel text from files, in parts, so that a corpus of any size needs the memory of one part.

A file is opened by its format (``formats.py``: text, M2, tables), which yields columns portion by portion;
``file_columns.py`` takes columns of several files together, ``corpus_files.py`` makes parts of a corpus of them, and
the next part is read while the present one is used.
"""

from geceval.text.reading.corpus_files import CorpusFiles as CorpusFiles
from geceval.text.reading.corpus_files import corpus_files as corpus_files
from geceval.text.reading.corpus_files import numbered_files as numbered_files
from geceval.text.reading.corpus_files import read_corpus as read_corpus
from geceval.text.reading.corpus_files import read_table as read_table
from geceval.text.reading.corpus_files import table_files as table_files
from geceval.text.reading.file_columns import first_sentences as first_sentences
from geceval.text.reading.file_columns import read_lines_together as read_lines_together
from geceval.text.reading.formats import FORMATS as FORMATS
from geceval.text.reading.formats import Format as Format
from geceval.text.reading.formats import InputFile as InputFile
from geceval.text.reading.lines import line_parts as line_parts
from geceval.text.reading.lines import read_lines as read_lines
from geceval.text.reading.lines import read_text as read_text
from geceval.text.reading.table_columns import InputTable as InputTable
from geceval.text.reading.table_columns import TableColumns as TableColumns
