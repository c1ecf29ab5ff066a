"""Formats of tables, one module each."""

#: Formats of reports.
FORMATS = ("table", "json", "csv", "tsv", "markdown", "latex")
#: Formats that are written row by row; JSON Lines and Parquet are for sentences only.
ROW_FORMATS = ("tsv", "csv", "jsonl", "parquet")
