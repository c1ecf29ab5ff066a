"""Groups of options in the help, in its order."""

from cyclopts import Group

#: Groups of the help, in its order; groups of single commands have the sort key 2.
DATA = Group.create_ordered(
    "data",
    help="UTF-8 text, one sentence per line, may be compressed (.gz, .xz, .bz2, .zst); - is standard input;"
    " --encoding NAME reads files that are not UTF-8 in this encoding (cp1252, gb18030, utf-16)",
    sort_key=1,
)
METRICS = Group.create_ordered("metrics", sort_key=3)
STATISTICS = Group.create_ordered("statistics", sort_key=3)
PARTS = Group.create_ordered("scores by type or group", sort_key=3)
OUTPUT = Group.create_ordered("output", sort_key=4)
TABLE = Group.create_ordered("tables", sort_key=5)
GOLD = Group.create_ordered("gold edits and suggestions", sort_key=6)
TEXT = Group.create_ordered("language and preparation of text", sort_key=7)
OTHER = Group.create_ordered("other options", sort_key=8)
