"""Show and explain sentences: selections, evidence, values of edits."""
