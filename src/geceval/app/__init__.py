"""The command line: the names of its commands, and commands about geceval itself."""
