"""What pretrained networks say of texts, an extra: vectors, BERTScore, perplexities, ratings, similarities."""
