//! Tokenisers: rules that split lines into tokens. A token is a piece of its line without white space.

mod english;
pub mod forms;
mod treebank;

use unicode_segmentation::UnicodeSegmentation;

use crate::error::Error;
use crate::text::words::words;
use crate::text::Text;

/// Rules that split text.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum TokenRules {
    /// Like spaCy's English tokeniser.
    English,
    /// Like the Penn Treebank.
    Treebank,
    /// Every code point except white space.
    Char,
    /// Extended grapheme clusters (UAX #29) of the text between white space.
    Grapheme,
}

/// Calls `visit` with every token of a line, in order. O(bytes).
pub fn for_each_token<'a>(line: &'a str, rules: TokenRules, mut visit: impl FnMut(&'a str)) {
    match rules {
        TokenRules::English => words(line).for_each(|chunk| english::split(chunk, &mut visit)),
        TokenRules::Treebank => treebank::split(line, &mut visit),
        TokenRules::Char => words(line)
            .for_each(|chunk| chunk.char_indices().for_each(|(start, c)| visit(&chunk[start..start + c.len_utf8()]))),
        TokenRules::Grapheme => words(line).for_each(|chunk| chunk.graphemes(true).for_each(&mut visit)),
    }
}

/// The lines with a blank between tokens; missing ones stay missing. O(bytes), divided among threads.
pub fn tokenised(text: &Text, rules: TokenRules, threads: usize) -> Result<Text, Error> {
    text.map_lines(threads, |line, out| {
        let start = out.len();
        for_each_token(line, rules, |token| {
            if out.len() > start {
                out.push(' ');
            }
            out.push_str(token);
        });
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn cut(line: &str, rules: TokenRules) -> Vec<&str> {
        let mut tokens = Vec::new();
        for_each_token(line, rules, |token| tokens.push(token));
        tokens
    }

    #[test]
    fn tokens_of_all_rules() {
        let line = "He can't. \"E\u{301}-mail\"";
        assert_eq!(cut(line, TokenRules::English), ["He", "ca", "n't", ".", "\"", "E\u{301}-mail", "\""]);
        assert_eq!(cut(line, TokenRules::Treebank), ["He", "ca", "n't", ".", "\"", "E\u{301}-mail", "\""]);
        assert_eq!(cut(line, TokenRules::Char).len(), 17);
        assert_eq!(cut(line, TokenRules::Grapheme)[8..11], ["\"", "E\u{301}", "-"]);
    }

    #[test]
    fn tokens_do_not_depend_on_threads_and_missing_lines_stay_missing() {
        let lines: Vec<_> =
            (0..2000).map(|number| (number % 7 != 3).then(|| format!("It's {number}, isn't it?"))).collect();
        let text = Text::new(lines);
        let [single, parallel] = [1, 3].map(|threads| tokenised(&text, TokenRules::English, threads).unwrap());
        assert_eq!(single, parallel);
        assert_eq!((single.get(3), single.line(4)), (None, "It 's 4 , is n't it ?"));
    }

    #[test]
    fn version_of_unicode_is_the_recorded_one() {
        // Another version may split differently; the tokeniser `grapheme` then needs a new version, too.
        assert_eq!(unicode_segmentation::UNICODE_VERSION, (17, 0, 0));
    }
}
