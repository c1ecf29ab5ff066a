"""Metrics of pretrained networks (extra ``geceval[neural]``)."""
