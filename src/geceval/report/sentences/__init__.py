"""Reports of sentences with their edits."""
