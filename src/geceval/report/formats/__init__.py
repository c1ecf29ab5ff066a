"""Tables in every format, one module each."""

#: Formats of results.
FORMATS = ("table", "json", "csv", "tsv", "markdown", "latex")
#: Formats whose rows can be written as they come, JSON Lines and Parquet for sentences alone.
ROW_FORMATS = ("tsv", "csv", "jsonl", "parquet")
