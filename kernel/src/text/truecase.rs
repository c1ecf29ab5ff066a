//! Truecasing: the first word of a sentence gets the case it has elsewhere.
//!
//! The case of a word is learned from tokenised texts, without the first words of sentences. The most frequent of the
//! spellings that differ only in case counts; ties are resolved by the order of code points. Unknown words stay.

use memchr::memchr_iter;

use super::strings::Strings;
use super::words::{is_letter, words};
use super::Text;

/// The usual case of words within sentences. Memory: the distinct words.
#[derive(Clone, Debug, Default)]
pub struct Truecaser {
    words: Strings,
    /// Number of occurrences of each word, and the number of the word without case.
    counts: Vec<u64>,
    folds: Vec<u32>,
    folded: Strings,
    /// The usual spelling of each word without case.
    usual: Vec<u32>,
}

impl Truecaser {
    /// Learns from lines of tokens separated by blanks, in any order. O(bytes).
    pub fn learn(&mut self, lines: &Text) {
        for line in lines.iter().flatten() {
            let mut start = Start::default();
            for token in words(line) {
                if !start.begins(token) {
                    self.count(token);
                }
            }
        }
    }

    fn count(&mut self, token: &str) {
        let word = self.words.intern(token) as usize;
        if word == self.counts.len() {
            let fold = self.folded.intern(&folded(token));
            self.counts.push(0);
            self.folds.push(fold);
            if fold as usize == self.usual.len() {
                self.usual.push(word as u32);
            }
        }
        self.counts[word] += 1;
        let usual = &mut self.usual[self.folds[word] as usize];
        let [own, other] = [word as u32, *usual].map(|word| (self.counts[word as usize], word));
        if own.0 > other.0 || (own.0 == other.0 && self.words.get(own.1) < self.words.get(other.1)) {
            *usual = own.1;
        }
    }

    /// Appends a line with the first word of each sentence in its usual case. O(bytes).
    pub fn write(&self, line: &str, out: &mut String) {
        let (mut start, mut at, mut copied) = (Start::default(), 0, 0);
        for end in memchr_iter(b' ', line.as_bytes()).chain([line.len()]) {
            let token = &line[at..end];
            if start.begins(token) {
                if let Some(fold) = self.folded.place(&folded(token)) {
                    out.push_str(&line[copied..at]);
                    out.push_str(self.words.get(self.usual[fold as usize]));
                    copied = end;
                }
            }
            at = end + 1;
        }
        out.push_str(&line[copied..]);
    }
}

/// Whether the next word with a letter begins a sentence.
struct Start(bool);

impl Default for Start {
    fn default() -> Self {
        Self(true)
    }
}

impl Start {
    /// Whether the next token is the first word with a letter of a line, or after an end mark.
    fn begins(&mut self, token: &str) -> bool {
        if token.len() <= "...".len() && matches!(token, "." | "!" | "?" | "..." | "…" | "。" | "！" | "？") {
            self.0 = true;
            return false;
        }
        self.0 && token.chars().any(is_letter) && {
            self.0 = false;
            true
        }
    }
}

/// A word without case: the same for words with the same full case folding.
fn folded(word: &str) -> String {
    if word.is_ascii() {
        return word.to_ascii_lowercase();
    }
    let fold = |c: char| {
        // The capital of a dotless i has another fold.
        let cased = (c != 'ı').then(|| c.to_lowercase().flat_map(char::to_uppercase).flat_map(char::to_lowercase));
        cased.into_iter().flatten().chain((c == 'ı').then_some(c))
    };
    word.chars().flat_map(fold).collect()
}
