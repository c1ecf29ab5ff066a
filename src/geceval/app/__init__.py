"""The command line: commands by name, and commands about geceval itself."""
