"""Reports of comparisons of systems and of metrics."""
