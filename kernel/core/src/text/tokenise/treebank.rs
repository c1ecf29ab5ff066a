//! Tokens of the Penn Treebank, the convention of CoNLL-2014 and JFLEG. Quotes are kept as written.

use super::forms::{alike, clitic, is_abbreviation, is_apostrophe, is_digit, is_letter};
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
pub fn cut<'a>(line: &'a str, visit: &mut impl FnMut(&'a str)) {
    let mut chunks = words(line).peekable();
    while let Some(chunk) = chunks.next() {
        match final_stop(chunk, chunks.peek().copied()) {
            None => marks(chunk, visit),
            Some(at) => {
                marks(&chunk[..at], visit);
                visit(&chunk[at..=at]);
                marks(&chunk[at + 1..], visit);
            }
        }
    }
}

/// The full stop of a chunk that ends a sentence: at the end of the line, or before a capital unless it may belong to
/// an abbreviation. Quotes and brackets may follow it.
fn final_stop(chunk: &str, next: Option<&str>) -> Option<usize> {
    let closing = |c: char| matches!(c, ']' | ')' | '}' | '>' | '"' | '”' | '»') || is_apostrophe(c);
    let before = chunk.trim_end_matches(closing).strip_suffix('.')?;
    let ends = match next {
        None => true,
        Some(next) => begins_a_sentence(next) && !may_be_short(before, &chunk[..=before.len()]),
    };
    (ends && !before.is_empty() && !before.ends_with('.')).then_some(before.len())
}

fn is_opening(c: char) -> bool {
    matches!(c, '(' | '[' | '{' | '<' | '"' | '“' | '„' | '«' | '‘' | '`') || is_apostrophe(c)
}

fn begins_a_sentence(chunk: &str) -> bool {
    chunk.trim_start_matches(is_opening).chars().next().is_some_and(char::is_uppercase)
}

/// Whether a word may be an abbreviation: a known one, an initial, or one with full stops inside.
fn may_be_short(word: &str, with_stop: &str) -> bool {
    let bare = word.trim_start_matches(is_opening);
    let mut chars = bare.chars();
    let initial = chars.next().is_some_and(is_letter) && chars.next().is_none();
    initial || bare.contains('.') || is_abbreviation(with_stop.trim_start_matches(is_opening))
}

/// Splits at marks that are always tokens.
fn marks<'a>(chunk: &'a str, visit: &mut impl FnMut(&'a str)) {
    let (mut start, mut at) = (0, 0);
    while let Some(c) = chunk[at..].chars().next() {
        match mark(c, &chunk[at..]) {
            None => at += c.len_utf8(),
            Some(width) => {
                ends(&chunk[start..at], visit);
                visit(&chunk[at..at + width]);
                at += width;
                start = at;
            }
        }
    }
    ends(&chunk[start..], visit);
}

/// The length of the mark at the beginning of a text with this first character.
fn mark(c: char, text: &str) -> Option<usize> {
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
fn ends<'a>(piece: &'a str, visit: &mut impl FnMut(&'a str)) {
    let last = piece.char_indices().next_back().filter(|&(_, c)| is_apostrophe(c));
    let (piece, quote) = cut_after_other(piece, last.map(|(at, _)| at));
    let (word, clitic) = cut_after_other(piece, clitic(piece));
    let letters = FUSED.iter().find(|(form, _)| alike(word, form)).map_or(0, |&(_, letters)| letters);
    let at = word.char_indices().nth(letters).map_or(0, |(at, _)| at);
    let (first, second) = word.split_at(at);
    [first, second, clitic, quote].into_iter().filter(|text| !text.is_empty()).for_each(visit);
}

/// A piece split at a position, if there is one and another character than an apostrophe precedes it.
fn cut_after_other(piece: &str, at: Option<usize>) -> (&str, &str) {
    let stands = |&at: &usize| piece[..at].chars().next_back().is_some_and(|c| !is_apostrophe(c));
    piece.split_at(at.filter(stands).unwrap_or(piece.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(line: &str) -> Vec<&str> {
        let mut tokens = Vec::new();
        cut(line, &mut |token| tokens.push(token));
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
