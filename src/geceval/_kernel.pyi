"""The compiled kernel, typed. A test compares the names here with the binary."""
