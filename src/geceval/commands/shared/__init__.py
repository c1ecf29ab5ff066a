"""Shared parts of commands: options, inputs, records."""
