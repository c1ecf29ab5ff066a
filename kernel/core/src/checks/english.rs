//! Counts that show whether a text may be English.

use crate::checks::overlap::is_lower_word;
use crate::edits::lexicon::{is_alphabetic, WordList};
use crate::text::words::{is_letter, words};
use crate::text::Text;

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
    fn letters_outside_latin_are_foreign() {
        let list = WordList::new(["the", "cat"]);
        let sums = count_letters(&Text::new([Some("The cat eats žluťoučký кіт 12 a1"), None]), &list);
        assert_eq!(sums, LetterSums { letters: 23, foreign: 3, tokens: 5, lower: 4, unknown: 3 });
    }
}
