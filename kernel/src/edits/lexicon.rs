//! Strings with what the rules ask of each, found once when a string is first seen.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use rustc_hash::FxHashSet;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::edits::columns::Strings;
use crate::edits::labels::{penn_category, pos_class, Dep};

/// The word list of the spelling rule.
#[derive(Default)]
pub struct WordList(FxHashSet<Box<str>>);

impl WordList {
    pub fn new<T: AsRef<str>>(words: impl IntoIterator<Item = T>) -> Self {
        Self(words.into_iter().map(|word| word.as_ref().into()).collect())
    }

    pub fn contains(&self, word: &str) -> bool {
        self.0.contains(word)
    }

    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }
}

/// What is known of a string.
struct Facts {
    /// Id of the lower-cased string.
    lower: u32,
    is_alphabetic: bool,
    is_capital: bool,
    is_known: bool,
    /// Bytes of the string without apostrophes and hyphens.
    bare_length: u32,
    chars: Range<usize>,
    pos_class: u8,
    dep: Dep,
    category: Option<&'static str>,
    bases: Option<[u32; 3]>,
}

/// Distinct strings by id, in order of first appearance, each with what the rules ask of it. It only grows.
pub struct Lexicon {
    strings: Strings,
    facts: Vec<Facts>,
    /// The code points of all strings.
    chars: Vec<u32>,
    words: Arc<WordList>,
}

impl Lexicon {
    pub fn new(words: Arc<WordList>) -> Self {
        Self { strings: Strings::default(), facts: Vec::new(), chars: Vec::new(), words }
    }

    /// The id of a string, which is added, and its lower case with it, if it is new. O(bytes).
    pub fn intern(&mut self, text: &str) -> u32 {
        if let Some(id) = self.strings.place(text) {
            return id;
        }
        let id = self.strings.intern(text);
        let from = self.chars.len();
        self.chars.extend(text.chars().map(u32::from));
        let lowered = lower(text);
        self.facts.push(Facts {
            lower: id,
            is_alphabetic: is_alphabetic(text),
            is_capital: is_capital(text),
            is_known: self.words.contains(text) || self.words.contains(&lowered),
            bare_length: bare(text).count() as u32,
            chars: from..self.chars.len(),
            pos_class: pos_class(text),
            dep: Dep::of(text),
            category: penn_category(text),
            bases: None,
        });
        if lowered != text {
            self.facts[id as usize].lower = self.intern(&lowered);
        }
        id
    }

    /// Says of what string `id` is a form, as a noun, as a verb, as an adjective.
    pub fn set_bases(&mut self, id: u32, bases: [u32; 3]) {
        self.facts[id as usize].bases = Some(bases);
    }

    pub fn len(&self) -> usize {
        self.facts.len()
    }

    pub fn is_empty(&self) -> bool {
        self.facts.is_empty()
    }

    /// About how much memory the strings take, in bytes.
    pub fn bytes(&self) -> usize {
        self.facts.len() * (std::mem::size_of::<Facts>() + 64) + self.chars.len() * 6
    }

    pub fn text(&self, id: u32) -> &str {
        self.strings.get(id)
    }

    pub fn chars(&self, id: u32) -> &[u32] {
        &self.chars[self.facts(id).chars.clone()]
    }

    fn facts(&self, id: u32) -> &Facts {
        &self.facts[id as usize]
    }

    /// Id of the lower-cased string.
    pub fn lower(&self, id: u32) -> u32 {
        self.facts(id).lower
    }

    /// All letters, as Python's `str.isalpha` has it.
    pub fn is_alphabetic(&self, id: u32) -> bool {
        self.facts(id).is_alphabetic
    }

    /// Begins with an upper-case letter.
    pub fn is_capital(&self, id: u32) -> bool {
        self.facts(id).is_capital
    }

    /// The string or its lower case is in the word list.
    pub fn is_known(&self, id: u32) -> bool {
        self.facts(id).is_known
    }

    /// Bytes of the string without apostrophes and hyphens.
    pub fn bare_length(&self, id: u32) -> u32 {
        self.facts(id).bare_length
    }

    /// The classes of the string as a universal POS tag.
    pub fn pos_class(&self, id: u32) -> u8 {
        self.facts(id).pos_class
    }

    /// The string as a dependency label.
    pub fn dep(&self, id: u32) -> Dep {
        self.facts(id).dep
    }

    /// The category of the string as a Penn tag, X if it is none.
    pub fn category(&self, id: u32) -> &'static str {
        self.facts(id).category.unwrap_or("X")
    }

    /// What the string is a form of, as a noun, as a verb, as an adjective, as far as that was said.
    pub fn bases(&self, id: u32) -> &[u32] {
        self.facts(id).bases.as_ref().map_or(&[], |bases| bases)
    }
}

/// The bytes of a string without apostrophes and hyphens.
pub fn bare(text: &str) -> impl Iterator<Item = u8> + '_ {
    text.bytes().filter(|byte| !matches!(byte, b'\'' | b'-'))
}

/// Lower case, as Python's `str.lower` has it.
pub fn lower(text: &str) -> Cow<'_, str> {
    if text.bytes().all(|byte| byte.is_ascii() && !byte.is_ascii_uppercase()) {
        Cow::Borrowed(text)
    } else {
        Cow::Owned(text.to_lowercase())
    }
}

/// All letters, and not empty, as Python's `str.isalpha` has it.
pub fn is_alphabetic(text: &str) -> bool {
    let is_letter = |c: char| {
        c.is_ascii_alphabetic() || (!c.is_ascii() && c.general_category_group() == GeneralCategoryGroup::Letter)
    };
    !text.is_empty() && text.chars().all(is_letter)
}

/// Begins with an upper-case letter, as Python's `str.isupper` has it of the first character.
pub fn is_capital(text: &str) -> bool {
    text.chars().next().is_some_and(char::is_uppercase)
}
