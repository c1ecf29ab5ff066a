//! Properties of characters and endings for several rules; classes of characters as in Python's `re`.

use unicode_properties::{GeneralCategory, GeneralCategoryGroup, UnicodeGeneralCategory};

/// Abbreviations whose full stop is part of them.
const ABBREVIATIONS: &[&str] = &[
    "a.m.", "adm.", "apr.", "aug.", "ave.", "bros.", "co.", "corp.", "dec.", "dr.", "e.g.", "etc.", "feb.", "gen.",
    "gov.", "i.e.", "inc.", "jan.", "jr.", "jul.", "jun.", "ltd.", "mar.", "messrs.", "mr.", "mrs.", "ms.", "mt.",
    "nov.", "oct.", "p.m.", "ph.d.", "prof.", "rep.", "rev.", "sen.", "sep.", "sept.", "sr.", "st.", "vs.",
];

/// `\d`: decimal digits of any script.
pub fn is_digit(c: char) -> bool {
    c.is_ascii_digit() || (!c.is_ascii() && c.general_category() == GeneralCategory::DecimalNumber)
}

/// `[^\W_]`: letters, digits and numbers.
pub fn is_alphanumeric(c: char) -> bool {
    let is_letter_or_number =
        || matches!(c.general_category_group(), GeneralCategoryGroup::Letter | GeneralCategoryGroup::Number);
    c.is_ascii_alphanumeric() || (!c.is_ascii() && is_letter_or_number())
}

/// `\w`.
pub fn is_word(c: char) -> bool {
    c == '_' || is_alphanumeric(c)
}

/// `[^\W\d_]`.
pub fn is_letter(c: char) -> bool {
    c.is_ascii_alphabetic() || (!c.is_ascii() && is_alphanumeric(c) && !is_digit(c))
}

/// Whether a character is an apostrophe, typed or typographic.
pub fn is_apostrophe(c: char) -> bool {
    c == '\'' || c == '’'
}

/// The character in lower case, with ASCII for some equivalents.
fn folded(c: char) -> char {
    match c {
        'ſ' => 's',
        '\u{212A}' => 'k',
        'İ' | 'ı' => 'i',
        '’' => '\'',
        _ => c.to_ascii_lowercase(),
    }
}

/// Whether a text equals a lower-case one, ignoring case and kinds of apostrophes.
pub fn equals_ignoring_case(text: &str, lower: &str) -> bool {
    text.chars().map(folded).eq(lower.chars())
}

/// Whether a text, with its full stop, is an abbreviation.
pub fn is_abbreviation(text: &str) -> bool {
    text.ends_with('.') && ABBREVIATIONS.iter().any(|lower| equals_ignoring_case(text, lower))
}

/// The start of the clitic at the end of a text: 's, 'm, 'd, 'll, 're, 've or n't.
pub fn clitic(text: &str) -> Option<usize> {
    let apostrophe = text.char_indices().rev().take(3).find(|&(_, c)| is_apostrophe(c))?;
    let (start, rest) = (apostrophe.0, &text[apostrophe.0 + apostrophe.1.len_utf8()..]);
    if ["s", "m", "d", "ll", "re", "ve"].iter().any(|letters| equals_ignoring_case(rest, letters)) {
        return Some(start);
    }
    let (n, _) = text[..start].char_indices().next_back().filter(|&(_, c)| folded(c) == 'n')?;
    equals_ignoring_case(rest, "t").then_some(n)
}

/// The number of repetitions of an ASCII character at the beginning of a text.
pub fn leading_run(text: &str, c: u8) -> usize {
    text.bytes().take_while(|&byte| byte == c).count()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn clitics_end_a_text() {
        let starts = ["don't", "n't", "I’LL", "Iſ'ſ", "'s", "its", "s'", "'t", "", "x'sd", "’ve"].map(clitic);
        let expected = [Some(2), Some(0), Some(1), Some(3), Some(0), None, None, None, None, None, Some(0)];
        assert_eq!(starts, expected);
    }
}
