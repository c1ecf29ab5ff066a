//! The punctuation of a text: attached to words or separate, with typographic or plain quotes.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::text::words::words;
use crate::text::Text;

/// Sums over lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct MarkSums {
    /// Tokens that end in a mark, `, ; : ! ?`, after a letter or digit, and last tokens that end in a full stop.
    pub glued: u64,
    /// Tokens that consist of one mark: `, ; : ! ? .`.
    pub separate: u64,
    /// Typographic quotes and apostrophes, U+2018 to U+201F, and plain ones, `'` and `"`.
    pub curly: u64,
    pub straight: u64,
}

/// The marks of all lines except missing ones. O(bytes).
pub fn marks(text: &Text) -> MarkSums {
    let mut sums = MarkSums::default();
    text.iter().flatten().for_each(|line| sums.add(line));
    sums
}

/// The indices of lines with characters outside ASCII. O(bytes).
pub fn beyond_ascii(text: &Text) -> Vec<usize> {
    (0..text.len()).filter(|&number| !text.line(number).is_ascii()).collect()
}

impl MarkSums {
    fn add(&mut self, line: &str) {
        let mut last = None;
        for token in words(line) {
            last = Some(token);
            let (before, mark) = token.as_bytes().split_at(token.len() - 1);
            match mark[0] {
                b',' | b';' | b':' | b'!' | b'?' if before.is_empty() => self.separate += 1,
                b'.' if before.is_empty() => self.separate += 1,
                b',' | b';' | b':' | b'!' | b'?' if ends_a_word(token) => self.glued += 1,
                _ => {}
            }
        }
        let ends_glued = |token: &str| token.len() > 1 && token.ends_with('.') && ends_a_word(token);
        self.glued += u64::from(last.is_some_and(ends_glued));
        let bytes = line.as_bytes();
        self.straight += bytes.iter().filter(|&&byte| byte == b'\'' || byte == b'"').count() as u64;
        if !line.is_ascii() {
            self.curly += line.chars().filter(|c| ('\u{2018}'..='\u{201F}').contains(c)).count() as u64;
        }
    }
}

/// Whether a letter or a digit precedes the last character, a mark of one byte.
pub fn ends_a_word(token: &str) -> bool {
    let before = token[..token.len() - 1].chars().next_back();
    before.is_some_and(|c| {
        c.is_ascii_alphanumeric()
            || (!c.is_ascii()
                && matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn marks_stand_apart_or_not() {
        let of_line = |line: &str| marks(&Text::new([Some(line)]));
        let of = |line: &str| (of_line(line).glued, of_line(line).separate);
        assert_eq!(of("Well, I go home."), (2, 0));
        assert_eq!(of("Well , I go home ."), (0, 2));
        assert_eq!(of("Mr. X says: é! 1?"), (3, 0));
        assert_eq!(of("... !! a) ."), (0, 1));
        assert_eq!(of(" \u{3000}"), (0, 0));
        assert_eq!((of_line("“a’s” 'b\"").curly, of_line("“a’s” 'b\"").straight), (3, 2));
    }
}
