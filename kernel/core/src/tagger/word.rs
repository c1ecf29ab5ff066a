//! Words with the properties that the classifiers use, and hash functions.

use super::vocabulary::{zeros, Vocabulary, OUTSIDE};

/// Forms before a participle that make it passive.
const BE: &[&str] =
    &["be", "is", "are", "was", "were", "been", "being", "am", "'s", "'re", "'m", "get", "gets", "got", "getting"];

/// Properties of a word that do not depend on its sentence. The first ones are in one cache line.
#[derive(Clone)]
#[repr(C, align(64))]
pub struct Word {
    pub hash: u64,
    /// Its tags in training (0: not frequent enough), and the lexicon's facts about it.
    pub class: u64,
    pub lexicon: u64,
    /// The tags it can have, as bits.
    pub possible: u64,
    /// Its only tag in training, if it was frequent; else `OUTSIDE`.
    pub certain_tag: u8,
    /// Whether it is a form of "be" or "get".
    pub is_be_or_get: bool,
    /// Hashes of the shape, of the first 1 to 3 characters, and of the last 1 to 5.
    pub shape: u64,
    pub prefixes: [u64; 3],
    pub suffixes: [u64; 5],
}

impl Word {
    /// Whether this is the word outside a sentence.
    #[inline(always)]
    pub fn is_outside(&self) -> bool {
        self.possible == 0
    }

    /// The word outside a sentence, on both sides.
    pub fn outside() -> Self {
        Word {
            hash: 1,
            prefixes: [0; 3],
            suffixes: [0; 5],
            shape: 0,
            class: 0xFFFF,
            lexicon: 0,
            certain_tag: OUTSIDE,
            possible: 0,
            is_be_or_get: false,
        }
    }

    /// The properties of a form that determine its word: text with zeros for digits, and the lexicon's facts about it.
    pub fn key(form: &str, vocabulary: &Vocabulary) -> (String, u64) {
        let form = vocabulary.tagged_part(form);
        (zeros(form), vocabulary.lexicon.shapes(&form.to_lowercase()))
    }

    pub fn new((form, lexicon): &(String, u64), vocabulary: &Vocabulary) -> Self {
        let text = form.to_lowercase();
        let normal: Vec<char> = text.chars().collect();
        let affix = |range: &[char]| fnv(&range.iter().collect::<String>());
        let (class, certain_tag) = vocabulary.class(&text);
        let seen = vocabulary.class_tags[class as usize];
        let possible = vocabulary.sets.possible(&text, seen, *lexicon);
        Word {
            hash: fnv(&text),
            prefixes: std::array::from_fn(|n| affix(&normal[..normal.len().min(n + 1)])),
            suffixes: std::array::from_fn(|n| affix(&normal[normal.len().saturating_sub(n + 1)..])),
            shape: fnv(&shape(form)),
            class: if class > 0 {
                u64::from(class)
            } else {
                mix(possible, u64::from(form.starts_with(char::is_uppercase)))
            },
            lexicon: *lexicon,
            certain_tag,
            possible,
            is_be_or_get: BE.contains(&text.as_str()),
        }
    }
}

/// X, x, 0 for upper case, lower case and digits, other ASCII unchanged, "*" otherwise; repetitions are shortened to
/// two.
fn shape(form: &str) -> String {
    let mut out: Vec<char> = Vec::new();
    for c in form.chars() {
        let kind = match c {
            c if c.is_ascii_digit() => '0',
            c if c.is_uppercase() => 'X',
            c if c.is_lowercase() => 'x',
            c if c.is_ascii() => c,
            _ => '*',
        };
        if out.len() < 2 || out[out.len() - 1] != kind || out[out.len() - 2] != kind {
            out.push(kind);
        }
    }
    out.into_iter().collect()
}

/// Mixes a value into a hash (the multiplier is 2^64 over the golden ratio).
#[inline]
pub fn mix(hash: u64, value: u64) -> u64 {
    let product = (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ (product >> 32)
}

/// FNV-1a, 64 bit, of the UTF-8 bytes.
pub fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}
