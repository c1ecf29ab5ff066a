//! English split by spaCy's rules, the convention of ERRANT's corpora: punctuation, hyphens and clitics become separate
//! tokens; addresses, numbers, faces and abbreviations stay whole.

use super::forms::{clitic, is_abbreviation, is_alphanumeric, is_apostrophe, is_digit, is_letter, is_word, run};

/// Longer pieces (in characters) without a blank are not words; the rules below take quadratic time.
const LONGEST: usize = 500;

/// Fused words that are split after three letters; others are split before the last two.
const FUSED_AFTER_THREE: [&str; 3] = ["cannot", "gonna", "gotta"];
const FUSED_NT: [&str; 15] = [
    "dont", "doesnt", "didnt", "isnt", "arent", "wasnt", "werent", "cant", "wont", "couldnt", "wouldnt", "shouldnt",
    "havent", "hasnt", "hadnt",
];

/// The tokens of a piece without blanks: punctuation is split off both ends, then the rest at hyphens and clitics.
pub fn cut<'a>(chunk: &'a str, visit: &mut impl FnMut(&'a str)) {
    if chunk.bytes().all(|byte| byte.is_ascii_alphabetic()) {
        return fused(chunk, visit);
    }
    if chunk.len() > LONGEST && chunk.chars().nth(LONGEST).is_some() {
        return at_every_sign(chunk, visit);
    }
    let (mut rest, mut ends, mut rest_is_whole) = (chunk, Vec::new(), false);
    while !rest.is_empty() {
        rest_is_whole = is_whole(rest);
        if rest_is_whole {
            break;
        }
        if let Some(width) = prefix(rest) {
            visit(&rest[..width]);
            rest = &rest[width..];
        } else if let Some(start) = suffix(rest).filter(|&start| start > 0).or_else(|| clitic_of_word(rest)) {
            ends.push(&rest[start..]);
            rest = &rest[..start];
        } else {
            break;
        }
    }
    if rest_is_whole {
        visit(rest);
    } else {
        inside(rest, visit);
    }
    ends.into_iter().rev().for_each(visit);
}

fn at_every_sign<'a>(chunk: &'a str, visit: &mut impl FnMut(&'a str)) {
    if is_whole(chunk) {
        return visit(chunk);
    }
    let mut start = 0;
    for (at, c) in chunk.char_indices().filter(|&(_, c)| !is_alphanumeric(c)) {
        piece(&chunk[start..at], visit);
        start = at + c.len_utf8();
        visit(&chunk[at..start]);
    }
    piece(&chunk[start..], visit);
}

fn piece<'a>(text: &'a str, visit: &mut impl FnMut(&'a str)) {
    if !text.is_empty() {
        visit(text);
    }
}

// --- pieces that are never split ---

/// Whether a piece is an abbreviation, initials, a face, an address or a clitic.
fn is_whole(text: &str) -> bool {
    is_abbreviation(text) || is_initials(text) || is_face(text) || is_address(text) || clitic(text) == Some(0)
}

/// Whether a text consists of letters with a full stop each.
fn is_initials(text: &str) -> bool {
    let mut chars = text.chars();
    text.ends_with('.')
        && std::iter::from_fn(|| chars.next().map(|c| (c, chars.next())))
            .all(|(c, stop)| is_letter(c) && stop == Some('.'))
}

fn is_face(text: &str) -> bool {
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
    let after = |start: &str| text.strip_prefix(start).is_some_and(|rest| !rest.is_empty());
    ["http://", "https://", "ftp://", "www."].into_iter().any(after) || is_mail(text) || is_host(text)
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
fn prefix(text: &str) -> Option<usize> {
    let mut chars = text.chars();
    let (first, second) = (chars.next()?, chars.next());
    let width = first.len_utf8();
    match first {
        '.' => Some(run(text, b'.')).filter(|&dots| dots > 1),
        '…' | '¿' | '¡' | '+' | '§' => Some(width),
        '-' if second == Some('-') => Some(run(text, b'-')),
        '-' | '–' | '—' => second.filter(|&c| !is_digit(c)).map(|_| width),
        '\'' | '`' if second == Some(first) => Some(2),
        _ => is_mark(first).then_some(width),
    }
}

/// The start of the punctuation token at the end of a text.
fn suffix(text: &str) -> Option<usize> {
    let mut chars = text.chars().rev();
    let (last, before) = (chars.next()?, chars.next());
    let start = text.len() - last.len_utf8();
    let run_start = || text.trim_end_matches(last).len();
    match last {
        '.' if before == Some('.') => Some(run_start()),
        '.' => before.filter(|&c| ends_a_sentence(c)).map(|_| start),
        '-' => Some(run_start()),
        '…' | '–' | '—' => Some(start),
        '+' => before.filter(|&c| is_digit(c)).map(|_| start),
        '\'' | '`' if before == Some(last) => Some(start - 1),
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

fn inside<'a>(word: &'a str, visit: &mut impl FnMut(&'a str)) {
    let (mut start, mut at, mut before) = (0, 0, None);
    while let Some(c) = word[at..].chars().next() {
        let width = infix(before, &word[at..]);
        if let Some(width) = width {
            fused(&word[start..at], visit);
            visit(&word[at..at + width]);
            start = at + width;
        }
        before = Some(c); // a token of several characters repeats one
        at += width.unwrap_or(c.len_utf8());
    }
    fused(&word[start..], visit);
}

/// The length of the punctuation token at the beginning of the rest of a word, after the character `before`.
fn infix(before: Option<char>, rest: &str) -> Option<usize> {
    let mut chars = rest.chars();
    let (c, next) = (chars.next()?, chars.next());
    let width = c.len_utf8();
    if matches!(c, '…' | '"' | '“' | '”') {
        return Some(width);
    }
    if c == '.' && next == Some('.') {
        return Some(run(rest, b'.'));
    }
    let (before, next) = (before?, next?);
    let is_token = match c {
        '.' => {
            (before.is_ascii_lowercase() || matches!(before, '"' | '\'' | '”' | '’'))
                && (next.is_ascii_uppercase() || matches!(next, '"' | '\'' | '“' | '‘'))
        }
        ',' => is_letter(before) && is_letter(next),
        '+' | '*' | '^' | '-' if is_digit(before) && (is_digit(next) || next == '-') => true,
        '-' => {
            let hyphens = run(rest, b'-');
            let joins = is_alphanumeric(before) && rest[hyphens..].chars().next().is_some_and(is_letter);
            return joins.then_some(hyphens);
        }
        '–' | '—' | '~' | ':' | '<' | '>' | '=' | '/' => is_alphanumeric(before) && is_letter(next),
        _ => false,
    };
    is_token.then_some(width)
}

fn fused<'a>(word: &'a str, visit: &mut impl FnMut(&'a str)) {
    let is = |forms: &[&str]| forms.iter().any(|form| word.eq_ignore_ascii_case(form));
    let at = match word.as_bytes() {
        [.., b't' | b'T'] if word.len() < 9 && is(&FUSED_NT) => word.len() - 2,
        [.., b't' | b'T' | b'a' | b'A'] if word.len() < 7 && is(&FUSED_AFTER_THREE) => 3,
        _ => return piece(word, visit),
    };
    visit(&word[..at]);
    visit(&word[at..]);
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tokens(chunk: &str) -> Vec<&str> {
        let mut tokens = Vec::new();
        cut(chunk, &mut |token| tokens.push(token));
        tokens
    }

    #[test]
    fn ends_and_insides() {
        assert_eq!(tokens("(\"it's\")..."), ["(", "\"", "it", "'s", "\"", ")", "..."]);
        assert_eq!(tokens("mother-in-law's"), ["mother", "-", "in", "-", "law", "'s"]);
        assert_eq!(tokens("end.Next,word"), ["end", ".", "Next", ",", "word"]);
        assert_eq!(tokens("a.b@c.org,"), ["a.b@c.org", ","]);
        assert_eq!(tokens("CANNOT"), ["CAN", "NOT"]);
    }

    #[test]
    fn what_is_no_word_is_cut_at_every_sign() {
        assert_eq!(tokens(&"a-".repeat(300)).len(), 600);
        let link = format!("https://example.org/{}", "a".repeat(1000));
        assert_eq!(tokens(&link), [&link]);
    }
}
