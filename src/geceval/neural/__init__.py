"""Vectors of texts from pretrained models, an extra: an encoder and BERTScore."""
