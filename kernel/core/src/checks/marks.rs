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
pub fn count_marks(text: &Text) -> MarkSums {
    let mut sums = MarkSums::default();
    text.iter().flatten().for_each(|line| sums.add(line));
    sums
}

impl MarkSums {
    fn add(&mut self, line: &str) {
        let mut last_token = None;
        for token in words(line) {
            last_token = Some(token);
            let (word, mark) = token.as_bytes().split_at(token.len() - 1);
            match mark[0] {
                b',' | b';' | b':' | b'!' | b'?' if word.is_empty() => self.separate += 1,
                b'.' if word.is_empty() => self.separate += 1,
                b',' | b';' | b':' | b'!' | b'?' if ends_a_word(token) => self.glued += 1,
                _ => {}
            }
        }
        let ends_in_stop = |token: &str| token.len() > 1 && token.ends_with('.') && ends_a_word(token);
        self.glued += u64::from(last_token.is_some_and(ends_in_stop));
        let bytes = line.as_bytes();
        self.straight += bytes.iter().filter(|&&byte| byte == b'\'' || byte == b'"').count() as u64;
        if !line.is_ascii() {
            self.curly += line.chars().filter(|c| ('\u{2018}'..='\u{201F}').contains(c)).count() as u64;
        }
    }
}

/// Whether a letter or a digit precedes the last character, a mark of one byte.
pub fn ends_a_word(token: &str) -> bool {
    let previous = token[..token.len() - 1].chars().next_back();
    previous.is_some_and(|c| {
        c.is_ascii_alphanumeric()
            || (!c.is_ascii()
                && matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn attached_and_separate_marks_are_counted() {
        let sums = |line: &str| count_marks(&Text::new([Some(line)]));
        let glued_and_separate = |line: &str| (sums(line).glued, sums(line).separate);
        assert_eq!(glued_and_separate("Well, I go home."), (2, 0));
        assert_eq!(glued_and_separate("Well , I go home ."), (0, 2));
        assert_eq!(glued_and_separate("Mr. X says: é! 1?"), (3, 0));
        assert_eq!(glued_and_separate("... !! a) ."), (0, 1));
        assert_eq!(glued_and_separate(" \u{3000}"), (0, 0));
        assert_eq!((sums("“a’s” 'b\"").curly, sums("“a’s” 'b\"").straight), (3, 2));
    }
}
