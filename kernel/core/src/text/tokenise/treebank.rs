//! Tokens of the Penn Treebank, the convention of CoNLL-2014 and JFLEG. Quotes are kept as written.

use super::forms::{clitic, equals_ignoring_case, is_abbreviation, is_apostrophe, is_digit, is_letter};
use crate::text::words::words;

/// Fused words, and the number of characters after which they are split.
const FUSED: [(&str, usize); 10] = [
    ("cannot", 3),
    ("d'ye", 1),
    ("gimme", 3),
    ("gonna", 3),
    ("gotta", 3),
    ("lemme", 3),
    ("more'n", 4),
    ("wanna", 3),
    ("'tis", 2),
    ("'twas", 2),
];

/// The tokens of a line. A full stop at the end of a sentence is a token.
pub fn split<'a>(line: &'a str, visit: &mut impl FnMut(&'a str)) {
    let mut chunks = words(line).peekable();
    while let Some(chunk) = chunks.next() {
        match final_stop(chunk, chunks.peek().copied()) {
            None => split_at_marks(chunk, visit),
            Some(stop) => {
                split_at_marks(&chunk[..stop], visit);
                visit(&chunk[stop..=stop]);
                split_at_marks(&chunk[stop + 1..], visit);
            }
        }
    }
}

/// The full stop of a chunk that ends a sentence: at the end of the line, or before a capital unless it may belong to
/// an abbreviation. Quotes and brackets may follow it.
fn final_stop(chunk: &str, next: Option<&str>) -> Option<usize> {
    let closing = |c: char| matches!(c, ']' | ')' | '}' | '>' | '"' | '”' | '»') || is_apostrophe(c);
    let word = chunk.trim_end_matches(closing).strip_suffix('.')?;
    let ends_sentence = match next {
        None => true,
        Some(next) => begins_a_sentence(next) && !may_be_abbreviation(word, &chunk[..=word.len()]),
    };
    (ends_sentence && !word.is_empty() && !word.ends_with('.')).then_some(word.len())
}

fn is_opening(c: char) -> bool {
    matches!(c, '(' | '[' | '{' | '<' | '"' | '“' | '„' | '«' | '‘' | '`') || is_apostrophe(c)
}

fn begins_a_sentence(chunk: &str) -> bool {
    chunk.trim_start_matches(is_opening).chars().next().is_some_and(char::is_uppercase)
}

/// Whether a word may be an abbreviation: a known one, an initial, or a word with full stops inside.
fn may_be_abbreviation(word: &str, with_stop: &str) -> bool {
    let letters = word.trim_start_matches(is_opening);
    let mut chars = letters.chars();
    let is_initial = chars.next().is_some_and(is_letter) && chars.next().is_none();
    is_initial || letters.contains('.') || is_abbreviation(with_stop.trim_start_matches(is_opening))
}

/// Splits at marks that are always tokens.
fn split_at_marks<'a>(chunk: &'a str, visit: &mut impl FnMut(&'a str)) {
    let (mut start, mut position) = (0, 0);
    while let Some(c) = chunk[position..].chars().next() {
        match mark_length(c, &chunk[position..]) {
            None => position += c.len_utf8(),
            Some(width) => {
                split_ends(&chunk[start..position], visit);
                visit(&chunk[position..position + width]);
                position += width;
                start = position;
            }
        }
    }
    split_ends(&chunk[start..], visit);
}

/// The length of the mark at the beginning of a text with this first character.
fn mark_length(c: char, text: &str) -> Option<usize> {
    match c {
        'a'..='z' | 'A'..='Z' | '0'..='9' => None,
        ';' | '@' | '#' | '$' | '%' | '&' | '?' | '!' | '(' | ')' | '[' | ']' | '{' | '}' | '<' | '>' | '"' => Some(1),
        '“' | '”' | '„' | '«' | '»' | '…' | '–' | '—' => Some(c.len_utf8()),
        ':' | ',' => (!text[1..].starts_with(is_digit)).then_some(1),
        '.' => text.starts_with("...").then_some(3),
        '-' | '`' | '\'' => text[1..].starts_with(c).then_some(2),
        _ => None,
    }
}

/// Splits off a closing quote, then a clitic; then splits fused words.
fn split_ends<'a>(piece: &'a str, visit: &mut impl FnMut(&'a str)) {
    let last = piece.char_indices().next_back().filter(|&(_, c)| is_apostrophe(c));
    let (piece, quote) = split_after_letter(piece, last.map(|(start, _)| start));
    let (word, clitic) = split_after_letter(piece, clitic(piece));
    let letters = FUSED.iter().find(|(form, _)| equals_ignoring_case(word, form)).map_or(0, |&(_, letters)| letters);
    let start = word.char_indices().nth(letters).map_or(0, |(start, _)| start);
    let (first, second) = word.split_at(start);
    [first, second, clitic, quote].into_iter().filter(|text| !text.is_empty()).for_each(visit);
}

/// Splits a piece at a position; not at all if an apostrophe precedes it.
fn split_after_letter(piece: &str, position: Option<usize>) -> (&str, &str) {
    let is_after_letter = |&position: &usize| piece[..position].chars().next_back().is_some_and(|c| !is_apostrophe(c));
    piece.split_at(position.filter(is_after_letter).unwrap_or(piece.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(line: &str) -> Vec<&str> {
        let mut tokens = Vec::new();
        split(line, &mut |token| tokens.push(token));
        tokens
    }

    #[test]
    fn full_stops_end_sentences() {
        assert_eq!(tokens("(He is ill.) Dr. No left."), ["(", "He", "is", "ill", ".", ")", "Dr.", "No", "left", "."]);
        assert_eq!(tokens("J. R. Hale met the U.S. He"), ["J.", "R.", "Hale", "met", "the", "U.S.", "He"]);
        assert_eq!(
            tokens("No. 5 etc. and ill. \"He...\""),
            ["No.", "5", "etc.", "and", "ill", ".", "\"", "He", "...", "\""]
        );
    }

    #[test]
    fn quotes_and_clitics() {
        assert_eq!(tokens("'tis the dogs' \"don't\""), ["'t", "is", "the", "dogs", "'", "\"", "do", "n't", "\""]);
        assert_eq!(tokens("``I’ve'' 'em"), ["``", "I", "’ve", "''", "'em"]);
        assert_eq!(
            tokens("well-known: 3:15, $1,000--more"),
            ["well-known", ":", "3:15", ",", "$", "1,000", "--", "more"]
        );
    }
}
