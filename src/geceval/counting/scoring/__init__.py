"""What scores again and again against the same: in loops, pair by pair, candidates among each other, tables."""
