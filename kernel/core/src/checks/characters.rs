//! Sums over the characters of a text.
//!
//! Punctuation is attached to words or separate, with typographic or plain quotes. Letters and words show whether the text
//! may be English.

use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::checks::overlap::is_lower_word;
use crate::edits::lexicon::{is_alphabetic, WordList};
use crate::text::words::{is_letter, words};
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

/// Sums over lines.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LetterSums {
    pub letters: u64,
    /// Letters outside the Latin script.
    pub foreign: u64,
    /// Tokens of letters only.
    pub tokens: u64,
    /// Tokens of at least three letters that begin in lower case, and how many of them are not in the word list.
    pub lower: u64,
    pub unknown: u64,
}

/// Counts letters and tokens. O(bytes), and a search in the word list per token.
pub fn count_letters(text: &Text, list: &WordList) -> LetterSums {
    let mut sums = LetterSums::default();
    for line in text.iter().flatten() {
        for c in line.chars().filter(|&c| is_letter(c)) {
            sums.letters += 1;
            sums.foreign += u64::from(!is_latin(c));
        }
        for token in words(line).filter(|token| is_alphabetic(token)) {
            sums.tokens += 1;
            if is_lower_word(token) {
                sums.lower += 1;
                sums.unknown += u64::from(!list.contains(token));
            }
        }
    }
    sums
}

/// Whether a letter is in a block of Latin letters.
fn is_latin(c: char) -> bool {
    matches!(c, '\0'..='\u{2AF}' | '\u{1D00}'..='\u{1DBF}' | '\u{1E00}'..='\u{1EFF}' | '\u{2C60}'..='\u{2C7F}'
        | '\u{A720}'..='\u{A7FF}' | '\u{AB30}'..='\u{AB6F}' | '\u{FB00}'..='\u{FB06}' | '\u{FF21}'..='\u{FF5A}')
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

    #[test]
    fn letters_outside_latin_are_foreign() {
        let list = WordList::new(["the", "cat"]);
        let sums = count_letters(&Text::new([Some("The cat eats žluťoučký кіт 12 a1"), None]), &list);
        assert_eq!(sums, LetterSums { letters: 23, foreign: 3, tokens: 5, lower: 4, unknown: 3 });
    }
}
