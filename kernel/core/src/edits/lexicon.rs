//! Facts about strings that the rules need, computed once per string.

use std::borrow::Cow;
use std::cmp;
use std::ops::Range;
use std::sync::atomic::{AtomicU8, Ordering};
use std::sync::Arc;

use memchr::{memchr, memchr_iter, memrchr};

use crate::edits::labels::{penn_category, pos_class, Dep};
use crate::text::strings::Strings;
use crate::text::words::is_letter;

/// The word list of the spelling rule: words sorted by bytes, each followed by a line end, searched in place.
#[derive(Default)]
pub struct WordList {
    lines: Cow<'static, [u8]>,
    /// Whether it has only some of the words of its language, so that a missing word may be correct.
    is_partial: bool,
}

impl WordList {
    /// Cost: O(words · log words).
    pub fn new<T: AsRef<str>>(words: impl IntoIterator<Item = T>) -> Self {
        let mut words: Vec<T> = words.into_iter().collect();
        words.sort_unstable_by(|a, b| a.as_ref().cmp(b.as_ref()));
        words.dedup_by(|a, b| a.as_ref() == b.as_ref());
        let lines: String = words.iter().flat_map(|word| [word.as_ref(), "\n"]).collect();
        Self { lines: lines.into_bytes().into(), is_partial: false }
    }

    /// Some of the words of a language. Cost: O(words · log words).
    pub fn partial<T: AsRef<str>>(words: impl IntoIterator<Item = T>) -> Self {
        Self { is_partial: true, ..Self::new(words) }
    }

    /// The English words of the kernel; only proper names have capitals. O(1).
    pub fn english() -> Self {
        Self { lines: include_bytes!("english/words-en.txt").into(), is_partial: false }
    }

    /// Whether a word is in the list. O(log bytes) steps of a line each.
    pub fn contains(&self, word: &str) -> bool {
        let (lines, word) = (&self.lines[..], word.as_bytes());
        // If the word is in the list, it is in lines[low..high]; both are starts of lines.
        let (mut low, mut high) = (0, lines.len());
        while low < high {
            let middle = low + (high - low) / 2;
            let start = memrchr(b'\n', &lines[low..middle]).map_or(low, |line_end| low + line_end + 1);
            let end = memchr(b'\n', &lines[middle..high]).map_or(high, |line_end| middle + line_end);
            match lines[start..end].cmp(word) {
                cmp::Ordering::Equal => return true,
                cmp::Ordering::Less => low = end + 1,
                cmp::Ordering::Greater => high = start,
            }
        }
        false
    }

    /// The number of words. O(bytes).
    pub fn len(&self) -> usize {
        memchr_iter(b'\n', &self.lines).count()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }
}

/// Facts about a string.
struct StringFacts {
    text: Range<usize>,
    chars: Range<usize>,
    /// The number of the lower-cased string.
    lower: u32,
    is_alphabetic: bool,
    is_capital: bool,
    /// 0: not computed yet, 1: not in the word list, 2: in the word list.
    is_known: AtomicU8,
}

/// Facts about a tag, a universal POS or a dependency label.
pub struct LabelFacts {
    text: Box<str>,
    /// The classes of a universal POS.
    pub pos_class: u8,
    pub dep: Dep,
    /// The category of a Penn tag, X for other strings.
    pub category: &'static str,
}

impl LabelFacts {
    pub fn text(&self) -> &str {
        &self.text
    }
}

/// Facts about a lower-case string.
struct LowerFacts {
    chars: Range<usize>,
    bases: Option<[u32; 3]>,
}

/// Facts about strings with ids 0, 1, … of another table, which are added in this order. Lower-case strings have
/// separate numbers.
pub struct Lexicon {
    words: Arc<WordList>,
    facts: Vec<StringFacts>,
    labels: Vec<LabelFacts>,
    lowers: Strings,
    lower_facts: Vec<LowerFacts>,
    /// All strings, and the code points of all strings and all lower-case ones.
    text: String,
    chars: Vec<u32>,
}

impl Lexicon {
    pub fn new(words: Arc<WordList>) -> Self {
        let (facts, labels, lowers, lower_facts) = (Vec::new(), Vec::new(), Strings::default(), Vec::new());
        Self { words, facts, labels, lowers, lower_facts, text: String::new(), chars: Vec::new() }
    }

    /// Computes the facts about the string with the next id. O(bytes).
    pub fn add(&mut self, text: &str) {
        let lowered = lower(text);
        let lower = self.add_lower(&lowered);
        let chars = if lowered == text { self.lower_facts[lower as usize].chars.clone() } else { self.add_chars(text) };
        let from = self.text.len();
        self.text.push_str(text);
        self.facts.push(StringFacts {
            text: from..self.text.len(),
            chars,
            lower,
            is_alphabetic: is_alphabetic(text),
            is_capital: is_capital(text),
            is_known: AtomicU8::new(0),
        });
    }

    /// Adds the label with the next number.
    pub fn add_label(&mut self, text: &str) {
        let category = penn_category(text).unwrap_or("X");
        self.labels.push(LabelFacts {
            text: text.into(),
            pos_class: pos_class(text),
            dep: Dep::from_label(text),
            category,
        });
    }

    /// The number of a lower-case string.
    fn add_lower(&mut self, lowered: &str) -> u32 {
        let number = self.lowers.intern(lowered);
        if number as usize == self.lower_facts.len() {
            let chars = self.add_chars(lowered);
            self.lower_facts.push(LowerFacts { chars, bases: None });
        }
        number
    }

    fn add_chars(&mut self, text: &str) -> Range<usize> {
        let from = self.chars.len();
        self.chars.extend(text.chars().map(u32::from));
        from..self.chars.len()
    }

    /// Sets the lemmas of the lower case of string `id` as a noun, a verb and an adjective, unless they are known.
    pub fn set_bases<T: AsRef<str>>(&mut self, id: u32, bases: impl FnOnce(&str) -> [T; 3]) {
        let lower = self.lower(id) as usize;
        if self.lower_facts[lower].bases.is_none() {
            let lemmas = bases(self.lowers.get(lower as u32));
            self.lower_facts[lower].bases = Some(lemmas.map(|base| self.add_lower(base.as_ref())));
        }
    }

    pub fn len(&self) -> usize {
        self.facts.len()
    }

    /// The number of distinct lower-case strings.
    pub fn lower_len(&self) -> usize {
        self.lower_facts.len()
    }

    /// Whether the word list has words.
    pub fn has_words(&self) -> bool {
        !self.words.is_empty()
    }

    /// Whether the word list has only some of the words of its language.
    pub fn has_some_words(&self) -> bool {
        self.words.is_partial
    }

    fn facts(&self, id: u32) -> &StringFacts {
        &self.facts[id as usize]
    }

    pub fn text(&self, id: u32) -> &str {
        &self.text[self.facts(id).text.clone()]
    }

    pub fn chars(&self, id: u32) -> &[u32] {
        &self.chars[self.facts(id).chars.clone()]
    }

    /// The number of the lower-cased string.
    pub fn lower(&self, id: u32) -> u32 {
        self.facts(id).lower
    }

    pub fn lower_text(&self, lower: u32) -> &str {
        self.lowers.get(lower)
    }

    pub fn lower_chars(&self, lower: u32) -> &[u32] {
        &self.chars[self.lower_facts[lower as usize].chars.clone()]
    }

    /// The lemmas of the lower-case string as a noun, a verb and an adjective, if they were set.
    pub fn bases(&self, lower: u32) -> &[u32] {
        self.lower_facts[lower as usize].bases.as_ref().map_or(&[], |bases| bases)
    }

    /// Whether the string is alphabetic, like Python's `str.isalpha`.
    pub fn is_alphabetic(&self, id: u32) -> bool {
        self.facts(id).is_alphabetic
    }

    /// Whether it begins with an upper-case letter.
    pub fn is_capital(&self, id: u32) -> bool {
        self.facts(id).is_capital
    }

    /// Whether the string or its lower case is in the word list. Cached.
    pub fn is_known(&self, id: u32) -> bool {
        let facts = self.facts(id);
        let state = match facts.is_known.load(Ordering::Relaxed) {
            0 => {
                1 + u8::from([self.text(id), self.lower_text(facts.lower)].iter().any(|text| self.words.contains(text)))
            }
            state => state,
        };
        facts.is_known.store(state, Ordering::Relaxed);
        state > 1
    }

    /// The number of labels.
    pub fn labels(&self) -> usize {
        self.labels.len()
    }

    /// The label with a number.
    pub fn label(&self, number: u32) -> &LabelFacts {
        &self.labels[number as usize]
    }
}

/// The bytes of a string without apostrophes and hyphens.
pub fn without_apostrophes_and_hyphens(text: &str) -> impl Iterator<Item = u8> + '_ {
    text.bytes().filter(|byte| !matches!(byte, b'\'' | b'-'))
}

/// Lower case, like Python's `str.lower`.
pub fn lower(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.to_lowercase())
    }
}

/// Whether a string is alphabetic and not empty, like Python's `str.isalpha`.
pub fn is_alphabetic(text: &str) -> bool {
    !text.is_empty() && text.chars().all(is_letter)
}

/// Whether a string begins with an upper-case letter, like Python's `str.isupper` of its first character.
pub fn is_capital(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_uppercase)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn list_contains_exactly_its_words() {
        let words = ["", "a", "ab", "b", "ba", "e\u{301}", "zz", "é"];
        let list = WordList::new(words.iter().rev().chain(&words));
        assert_eq!(list.len(), words.len());
        assert!(!list.is_empty() && WordList::default().is_empty());
        for word in words {
            assert!(list.contains(word), "{word}");
            assert!(!list.contains(&format!("{word}c")) && !list.contains(&format!("{word} ")), "{word}");
        }
        assert!(!WordList::default().contains(""));
    }
}
