//! English tokens by spaCy's rules, the convention of ERRANT's corpora: punctuation, hyphens and clitics are separate
//! tokens; addresses, numbers, emoticons and abbreviations are not split.

use super::forms::{
    clitic, is_abbreviation, is_alphanumeric, is_apostrophe, is_digit, is_letter, is_word, leading_run,
};

/// Maximum number of characters of a word; the rules take quadratic time, and longer pieces are no words.
const MAX_WORD_LENGTH: usize = 500;

/// Fused words that are split after three letters; others are split before the last two.
const FUSED_AFTER_THREE: [&str; 3] = ["cannot", "gonna", "gotta"];
const FUSED_NT: [&str; 15] = [
    "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "cant", "wont", "couldnt", "wouldnt", "shouldnt",
    "havent", "hasnt", "hadnt",
];

/// Calls `visit` with the tokens of a piece without blanks: splits punctuation off both ends, then the rest at hyphens
/// and clitics.
pub fn split<'a>(chunk: &'a str, visit: &mut impl FnMut(&'a str)) {
    if chunk.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return split_fused(chunk, visit);
    }
    if chunk.len() > MAX_WORD_LENGTH && chunk.chars().nth(MAX_WORD_LENGTH).is_some() {
        return split_at_signs(chunk, visit);
    }
    let (mut middle, mut suffixes, mut is_last_token) = (chunk, Vec::new(), false);
    while !middle.is_empty() {
        is_last_token = is_unsplittable(middle);
        if is_last_token {
            break;
        }
        if let Some(width) = prefix_length(middle) {
            visit(&middle[..width]);
            middle = &middle[width..];
        } else if let Some(start) = suffix_start(middle).filter(|&start| start > 0).or_else(|| clitic_of_word(middle)) {
            suffixes.push(&middle[start..]);
            middle = &middle[..start];
        } else {
            break;
        }
    }
    if is_last_token {
        visit(middle);
    } else {
        split_inside(middle, visit);
    }
    suffixes.into_iter().rev().for_each(visit);
}

fn split_at_signs<'a>(chunk: &'a str, visit: &mut impl FnMut(&'a str)) {
    if is_unsplittable(chunk) {
        return visit(chunk);
    }
    let mut start = 0;
    for (position, c) in chunk.char_indices().filter(|&(_, c)| !is_alphanumeric(c)) {
        visit_nonempty(&chunk[start..position], visit);
        start = position + c.len_utf8();
        visit(&chunk[position..start]);
    }
    visit_nonempty(&chunk[start..], visit);
}

fn visit_nonempty<'a>(text: &'a str, visit: &mut impl FnMut(&'a str)) {
    if !text.is_empty() {
        visit(text);
    }
}

// --- pieces that are never split ---

/// Whether a piece is an abbreviation, initials, an emoticon, an address or a clitic.
fn is_unsplittable(text: &str) -> bool {
    is_abbreviation(text) || is_initials(text) || is_emoticon(text) || is_address(text) || clitic(text) == Some(0)
}

/// Whether a text consists of letters with a full stop each.
fn is_initials(text: &str) -> bool {
    let mut chars = text.chars();
    text.ends_with('.')
        && std::iter::from_fn(|| chars.next().map(|c| (c, chars.next())))
            .all(|(c, stop)| is_letter(c) && stop == Some('.'))
}

fn is_emoticon(text: &str) -> bool {
    let eyes = |c: u8| b":;=8xX".contains(&c);
    let mouth = |c: u8| b"()[]dDpPoO/\\|*".contains(&c);
    match text.as_bytes() {
        b"<3" => true,
        &[first, last] => eyes(first) && mouth(last),
        &[first, nose, last] if eyes(first) && b"-o*'".contains(&nose) && mouth(last) => true,
        [b'^', between @ .., b'^'] | [b'-', between @ .., b'-'] => {
            !between.is_empty() && between.iter().all(|&c| c == b'_')
        }
        _ => false,
    }
}

fn is_address(text: &str) -> bool {
    let has_prefix = |start: &str| text.strip_prefix(start).is_some_and(|rest| !rest.is_empty());
    ["http://", "https://", "ftp://", "www."].into_iter().any(has_prefix) || is_mail(text) || is_host(text)
}

fn is_mail(text: &str) -> bool {
    text.split_once('@').is_some_and(|(name, host)| {
        !name.is_empty()
            && name.chars().all(|c| is_word(c) || matches!(c, '.' | '+' | '-'))
            && host.contains('.')
            && are_labels(host)
    })
}

fn is_host(text: &str) -> bool {
    let host = text.split('/').next().unwrap_or_default();
    host.rsplit_once('.')
        .is_some_and(|(labels, top)| ["com", "org", "net", "edu", "gov", "uk"].contains(&top) && are_labels(labels))
}

fn are_labels(text: &str) -> bool {
    text.split('.').all(|label| !label.is_empty() && label.chars().all(|c| c == '-' || is_word(c)))
}

// --- punctuation at both ends ---

/// Whether a mark is a separate token at either end.
fn is_mark(c: char) -> bool {
    const PLAIN: &[u8] = b",:;!?()[]{}<>_#*&\"'`$%=~|/";
    match u8::try_from(c) {
        Ok(byte) if byte.is_ascii() => PLAIN.contains(&byte),
        _ => matches!(c, '“' | '”' | '„' | '‘' | '’' | '‚' | '«' | '»' | '´' | '£' | '€' | '¥'),
    }
}

/// The length of the punctuation token at the beginning of a text.
fn prefix_length(text: &str) -> Option<usize> {
    let mut chars = text.chars();
    let (first, second) = (chars.next()?, chars.next());
    let width = first.len_utf8();
    match first {
        '.' => Some(leading_run(text, b'.')).filter(|&dots| dots > 1),
        '…' | '¿' | '¡' | '+' | '§' => Some(width),
        '-' if second == Some('-') => Some(leading_run(text, b'-')),
        '-' | '–' | '—' => second.filter(|&c| !is_digit(c)).map(|_| width),
        '\'' | '`' if second == Some(first) => Some(2),
        _ => is_mark(first).then_some(width),
    }
}

/// The start of the punctuation token at the end of a text.
fn suffix_start(text: &str) -> Option<usize> {
    let mut chars = text.chars().rev();
    let (last, previous) = (chars.next()?, chars.next());
    let start = text.len() - last.len_utf8();
    let run_start = || text.trim_end_matches(last).len();
    match last {
        '.' if previous == Some('.') => Some(run_start()),
        '.' => previous.filter(|&c| ends_a_sentence(c)).map(|_| start),
        '-' => Some(run_start()),
        '…' | '–' | '—' => Some(start),
        '+' => previous.filter(|&c| is_digit(c)).map(|_| start),
        '\'' | '`' if previous == Some(last) => Some(start - 1),
        _ => is_mark(last).then_some(start),
    }
}

/// Whether a full stop after this character does not belong to an abbreviation.
fn ends_a_sentence(c: char) -> bool {
    is_letter(c) || is_digit(c) || matches!(c, '%' | '²' | '-' | '+' | ')' | ']' | '"' | '”') || is_apostrophe(c)
}

fn clitic_of_word(text: &str) -> Option<usize> {
    clitic(text).filter(|&start| text[..start].chars().next_back().is_some_and(is_word))
}

// --- punctuation inside ---

fn split_inside<'a>(word: &'a str, visit: &mut impl FnMut(&'a str)) {
    let (mut start, mut position, mut previous) = (0, 0, None);
    while let Some(c) = word[position..].chars().next() {
        let width = infix_length(previous, &word[position..]);
        if let Some(width) = width {
            split_fused(&word[start..position], visit);
            visit(&word[position..position + width]);
            start = position + width;
        }
        previous = Some(c); // the characters of a longer token are equal
        position += width.unwrap_or(c.len_utf8());
    }
    split_fused(&word[start..], visit);
}

/// The length of the punctuation token at the beginning of the rest of a word, after the character `before`.
fn infix_length(previous: Option<char>, rest: &str) -> Option<usize> {
    let mut chars = rest.chars();
    let (c, next) = (chars.next()?, chars.next());
    let width = c.len_utf8();
    if matches!(c, '…' | '"' | '“' | '”') {
        return Some(width);
    }
    if c == '.' && next == Some('.') {
        return Some(leading_run(rest, b'.'));
    }
    let (previous, next) = (previous?, next?);
    let is_token = match c {
        '.' => {
            (previous.is_ascii_lowercase() || matches!(previous, '"' | '\'' | '”' | '’'))
                && (next.is_ascii_uppercase() || matches!(next, '"' | '\'' | '“' | '‘'))
        }
        ',' => is_letter(previous) && is_letter(next),
        '+' | '*' | '^' | '-' if is_digit(previous) && (is_digit(next) || next == '-') => true,
        '-' => {
            let hyphens = leading_run(rest, b'-');
            let joins = is_alphanumeric(previous) && rest[hyphens..].chars().next().is_some_and(is_letter);
            return joins.then_some(hyphens);
        }
        '–' | '—' | '~' | ':' | '<' | '>' | '=' | '/' => is_alphanumeric(previous) && is_letter(next),
        _ => false,
    };
    is_token.then_some(width)
}

fn split_fused<'a>(word: &'a str, visit: &mut impl FnMut(&'a str)) {
    let is_any_of = |forms: &[&str]| forms.iter().any(|form| word.eq_ignore_ascii_case(form));
    let position = match word.as_bytes() {
        [.., b't' | b'T'] if word.len() < 9 && is_any_of(&FUSED_NT) => word.len() - 2,
        [.., b't' | b'T' | b'a' | b'A'] if word.len() < 7 && is_any_of(&FUSED_AFTER_THREE) => 3,
        _ => return visit_nonempty(word, visit),
    };
    visit(&word[..position]);
    visit(&word[position..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(chunk: &str) -> Vec<&str> {
        let mut tokens = Vec::new();
        split(chunk, &mut |token| tokens.push(token));
        tokens
    }

    #[test]
    fn words_are_split_at_ends_and_inside() {
        assert_eq!(tokens("(\"it's\")..."), ["(", "\"", "it", "'s", "\"", ")", "..."]);
        assert_eq!(tokens("mother-in-law's"), ["mother", "-", "in", "-", "law", "'s"]);
        assert_eq!(tokens("end.Next,word"), ["end", ".", "Next", ",", "word"]);
        assert_eq!(tokens("a.b@c.org,"), ["a.b@c.org", ","]);
        assert_eq!(tokens("CANNOT"), ["CAN", "NOT"]);
    }

    #[test]
    fn long_pieces_are_split_at_every_sign() {
        assert_eq!(tokens(&"a-".repeat(300)).len(), 600);
        let link = format!("https://example.org/{}", "a".repeat(1000));
        assert_eq!(tokens(&link), [&link]);
    }
}
