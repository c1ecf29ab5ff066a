"""The commands of ``geceval``: one file each, with its options, its call of the library and its table."""
