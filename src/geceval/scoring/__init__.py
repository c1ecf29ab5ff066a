"""Score systems: tables, rows of sentences, bars, error detection."""
