"""Results that several questions show: sentences with marked edits, their evidence, named figures."""
