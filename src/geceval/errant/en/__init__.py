"""``errant.en``: merging and types of English edits."""
