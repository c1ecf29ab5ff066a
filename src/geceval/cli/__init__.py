"""Options, opened inputs, output, progress and records, which commands share."""
