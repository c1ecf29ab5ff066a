"""Pretrained networks, an extra: vectors, BERTScore, perplexities, ratings."""
