//! Words with the properties that the classifiers use.

use super::hash::{fnv, mix};
use super::vocabulary::{normal, Vocabulary, OUTSIDE};

/// Forms before a participle that make it passive.
const BE: &[&str] =
    &["be", "is", "are", "was", "were", "been", "being", "am", "'s", "'re", "'m", "get", "gets", "got", "getting"];

/// All properties of a word that do not depend on its sentence.
#[derive(Clone)]
pub struct Word {
    pub hash: u64,
    /// Hashes of the first 1 to 3 characters, of the last 1 to 5, and of the shape.
    pub prefixes: [u64; 3],
    pub suffixes: [u64; 5],
    pub shape: u64,
    /// Its tags in training (0: not frequent enough), and the lexicon's facts about it.
    pub class: u64,
    pub lexicon: u64,
    /// Its only tag in training, if it was frequent, else `OUTSIDE`.
    pub sure: u8,
    /// The tags it can have, as bits.
    pub possible: u64,
    /// Whether it is a form of "be" or "get".
    pub be: bool,
}

impl Word {
    /// Whether it stands for the place outside a sentence.
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
            sure: OUTSIDE,
            possible: 0,
            be: false,
        }
    }

    pub fn new(form: &str, vocabulary: &Vocabulary) -> Self {
        let form = vocabulary.essence(form);
        let lower = form.to_lowercase();
        let text = normal(form);
        let normal: Vec<char> = text.chars().collect();
        let affix = |range: &[char]| fnv(&range.iter().collect::<String>());
        let (class, sure) = vocabulary.class(&text);
        let seen = vocabulary.class_tags[class as usize];
        let possible = vocabulary.sets.possible(&lower, seen, &vocabulary.lexicon);
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
            lexicon: vocabulary.lexicon.shapes(&lower),
            sure,
            possible,
            be: BE.contains(&text.as_str()),
        }
    }
}

/// X, x, 0 for upper case, lower case and digits, other ASCII unchanged, the rest "*"; runs are shortened to two.
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
