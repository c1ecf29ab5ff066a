"""Output of commands and drop-ins: exit status, messages, files, progress."""
