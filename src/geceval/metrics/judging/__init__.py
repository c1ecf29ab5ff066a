"""Asking language models for judgments: requests, their templates, servers, answers kept, costs."""
