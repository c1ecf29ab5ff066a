"""One file per metric; counting/metric_names.py lists them."""
