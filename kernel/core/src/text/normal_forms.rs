//! Normalisation of lines: Unicode normal forms, plain punctuation, single blanks.

use unicode_normalization::{is_nfc, is_nfd, is_nfkc, is_nfkd, UnicodeNormalization};

use super::words::words;
use super::Text;
use crate::error::Error;

/// The form of a line.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum NormalForm {
    Nfc,
    Nfd,
    Nfkc,
    Nfkd,
    Quotes,
    Dashes,
    Ellipses,
    /// A blank between words.
    Words,
    /// A blank between words and no invisible characters.
    Blanks,
}

impl NormalForm {
    /// The lines of a text in this form; they share memory with the text if they have single blanks already. O(bytes).
    pub fn apply(self, text: &Text, threads: usize) -> Result<Text, Error> {
        if self == Self::Words && text.iter().flatten().all(|line| has_single_blanks(line) || is_in_words(line)) {
            return Ok(text.clone());
        }
        text.map_lines(threads, |line, out| self.write(line, out))
    }

    /// Appends a line in this form. O(bytes).
    pub fn write(self, line: &str, out: &mut String) {
        match self {
            Self::Blanks if !line.is_ascii() && line.contains(is_invisible) => {
                let mut visible = String::with_capacity(line.len());
                replace(line, |c| is_invisible(c).then_some(""), &mut visible);
                write_words(&visible, out);
            }
            Self::Words | Self::Blanks => write_words(line, out),
            _ if line.is_ascii() => out.push_str(line),
            Self::Nfc if !is_nfc(line) => out.extend(line.nfc()),
            Self::Nfd if !is_nfd(line) => out.extend(line.nfd()),
            Self::Nfkc if !is_nfkc(line) => out.extend(line.nfkc()),
            Self::Nfkd if !is_nfkd(line) => out.extend(line.nfkd()),
            Self::Nfc | Self::Nfd | Self::Nfkc | Self::Nfkd => out.push_str(line),
            Self::Quotes => replace(line, quote, out),
            Self::Dashes => replace(line, dash, out),
            Self::Ellipses => replace(line, |c| (c == '…').then_some("..."), out),
        }
    }
}

fn write_words(line: &str, out: &mut String) {
    if has_single_blanks(line) {
        return out.push_str(line);
    }
    for (index, word) in words(line).enumerate() {
        if index > 0 {
            out.push(' ');
        }
        out.push_str(word);
    }
}

/// Whether a line has a blank between words, and no other white space.
fn is_in_words(line: &str) -> bool {
    let mut end = 0;
    words(line).all(|word| {
        let start = word.as_ptr() as usize - line.as_ptr() as usize;
        let is_next = start == end;
        end = start + word.len() + 1;
        is_next && line.as_bytes().get(end - 1).is_none_or(|&byte| byte == b' ')
    }) && end == line.len() + usize::from(!line.is_empty())
}

/// Whether a line has single blanks between words, and no byte of other white space or of an invisible character.
pub fn has_single_blanks(line: &str) -> bool {
    let is_other = |byte: u8| byte < b' ' || matches!(byte, 0xC2 | 0xE1 | 0xE2 | 0xE3 | 0xEF);
    let bytes = line.as_bytes();
    // Both are vectorised.
    let has_other = bytes.iter().fold(false, |has_other, &byte| has_other | is_other(byte));
    let pairs = bytes.iter().zip(bytes.iter().skip(1));
    let has_two_blanks = pairs.fold(false, |has_two, (&first, &second)| has_two | (first == b' ' && second == b' '));
    !has_other && !has_two_blanks && !line.starts_with(' ') && !line.ends_with(' ')
}

/// Appends a line with some characters replaced.
fn replace(line: &str, replacement: impl Fn(char) -> Option<&'static str>, out: &mut String) {
    let mut start = 0;
    for (position, c) in line.char_indices() {
        if let Some(text) = replacement(c) {
            out.push_str(&line[start..position]);
            out.push_str(text);
            start = position + c.len_utf8();
        }
    }
    out.push_str(&line[start..]);
}

fn quote(c: char) -> Option<&'static str> {
    match c {
        '“' | '”' | '„' | '‟' => Some("\""),
        '‘' | '’' | '‚' | '‛' => Some("'"),
        _ => None,
    }
}

fn dash(c: char) -> Option<&'static str> {
    match c {
        '\u{2010}'..='\u{2013}' | '\u{2212}' => Some("-"),
        '\u{2014}' | '\u{2015}' => Some("--"),
        _ => None,
    }
}

/// Zero-width space, word joiner, byte order mark, soft hyphen and direction marks. The joiners of emoji and of Indic
/// and Arabic script stay.
fn is_invisible(c: char) -> bool {
    matches!(c, '\u{200B}' | '\u{2060}' | '\u{FEFF}' | '\u{AD}' | '\u{200E}' | '\u{200F}' | '\u{202A}'..='\u{202E}')
}
