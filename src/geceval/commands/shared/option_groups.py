"""Groups of options in the help, in its order.

A group of a single command has the sort key 2 and stands in its file.
"""

from cyclopts import Group

DATA = Group.create_ordered(
    "data",
    help="UTF-8 text, one sentence per line, also .gz, .xz, .bz2, .zst; - is standard input; --encoding NAME reads"
    " other encodings (cp1252, gb18030, utf-16)",
    sort_key=1,
)
METRICS = Group.create_ordered("metrics", sort_key=3)
OUTPUT = Group.create_ordered("output", sort_key=4)
SCORES = Group.create_ordered("scores", sort_key=5)
PARTS = Group.create_ordered("scores by type or group", sort_key=5)
STATISTICS = Group.create_ordered("statistics", sort_key=5)
TABLE = Group.create_ordered("tables", sort_key=6)
GOLD = Group.create_ordered("gold and suggestions", sort_key=7)
TEXT = Group.create_ordered("text", sort_key=8)
OTHER = Group.create_ordered("other options", sort_key=9)
#: Names of the groups whose options ``--help`` names without their texts; ``--help-all`` prints these.
FURTHER = frozenset(group.name for group in (SCORES, PARTS, STATISTICS, TABLE, GOLD, TEXT, OTHER))
