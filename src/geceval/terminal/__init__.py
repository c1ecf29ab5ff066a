"""What commands and drop-ins print and write with: exit status, messages, files, progress."""
