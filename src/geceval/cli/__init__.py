"""What commands share: options, opened inputs, output, progress and records."""
