//! Words: runs of anything but white space, as Python's `str.split()` has them.

/// White space as Python's `str.isspace()`: Rust's notion and the four information separators.
pub fn is_space(c: char) -> bool {
    c.is_whitespace() || ('\x1c'..='\x1f').contains(&c)
}

/// What a byte of UTF-8 tells about white space.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Other,
    Space,
    /// The first byte of some white space beyond ASCII, and of other characters.
    Lead,
}

const KINDS: [Kind; 256] = {
    let mut kinds = [Kind::Other; 256];
    let mut byte = 0;
    while byte < 256 {
        kinds[byte] = match byte as u8 {
            b'\t'..=b'\r' | 0x1c..=0x1f | b' ' => Kind::Space,
            0xC2 | 0xE1 | 0xE2 | 0xE3 => Kind::Lead,
            _ => Kind::Other,
        };
        byte += 1;
    }
    kinds
};

/// The words of a line, in order. O(bytes).
pub fn words(text: &str) -> Words<'_> {
    Words { text, at: 0 }
}

pub struct Words<'a> {
    text: &'a str,
    at: usize,
}

/// The length of the white space at `at`, where a byte of kind Lead stands: 0 if there is none.
#[cold]
fn wide_space(text: &str, at: usize) -> usize {
    text[at..].chars().next().filter(|&c| is_space(c)).map_or(0, char::len_utf8)
}

impl<'a> Iterator for Words<'a> {
    type Item = &'a str;

    #[inline]
    fn next(&mut self) -> Option<&'a str> {
        let (bytes, mut at) = (self.text.as_bytes(), self.at);
        let start = loop {
            match KINDS[usize::from(*bytes.get(at)?)] {
                Kind::Space => at += 1,
                Kind::Other => break at,
                Kind::Lead => match wide_space(self.text, at) {
                    0 => break at,
                    width => at += width,
                },
            }
        };
        // No byte within a character is a lead byte or ASCII, so that going byte by byte cannot miss its start.
        while let Some(&byte) = bytes.get(at) {
            match KINDS[usize::from(byte)] {
                Kind::Other => at += 1,
                Kind::Lead if wide_space(self.text, at) == 0 => at += 1,
                _ => break,
            }
        }
        self.at = at;
        Some(&self.text[start..at])
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_are_what_stands_between_white_space() {
        for c in (0..=0x10_FFFF).filter_map(char::from_u32) {
            let (alone, inside) = (format!("{c}"), format!("a{c}é"));
            let expected: Vec<&str> = inside.split(is_space).filter(|word| !word.is_empty()).collect();
            assert_eq!(words(&inside).collect::<Vec<_>>(), expected, "{c:?}");
            assert_eq!(words(&alone).count(), usize::from(!is_space(c)), "{c:?}");
        }
    }
}
