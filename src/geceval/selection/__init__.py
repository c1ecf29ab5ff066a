"""Selection of pairs and of candidates: conditions, features, filter, select."""
