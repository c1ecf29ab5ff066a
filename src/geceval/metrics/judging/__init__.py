"""Judgments of language models: requests, templates, servers, cache, costs."""
