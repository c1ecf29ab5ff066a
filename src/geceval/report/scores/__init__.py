"""Reports of scores of systems."""
