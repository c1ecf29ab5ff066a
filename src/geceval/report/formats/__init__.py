"""Tables in every format, one module each."""
