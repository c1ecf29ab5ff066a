//! Words: runs of anything but white space, as Python's `str.split()` has them.

/// White space as Python's `str.isspace()`: Rust's notion and the four information separators.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

/// The words of a line, in order. O(bytes).
pub fn words(text: &str) -> impl Iterator<Item = &str> {
    text.split(is_space).filter(|word| !word.is_empty())
}
