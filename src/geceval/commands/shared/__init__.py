"""What several commands share: options, inputs, records."""
