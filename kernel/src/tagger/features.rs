//! What the classifiers look at: hashes of words, affixes, tags and labels around a token.

use super::context::Context;
use super::Vocabulary;

/// Stands for a tag, label or word beyond the sentence.
pub const OUTSIDE: u8 = 255;

/// Mix a value into a hash (the multiplier is 2^64 over the golden ratio).
#[inline]
pub fn mix(hash: u64, value: u64) -> u64 {
    let product = (hash ^ value).wrapping_mul(0x9E37_79B9_7F4A_7C15);
    product ^ (product >> 32)
}

/// FNV-1a, 64 bit, of the UTF-8 bytes.
pub fn fnv(text: &str) -> u64 {
    text.bytes().fold(0xCBF2_9CE4_8422_2325, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x0000_0100_0000_01B3))
}

/// The feature of a template with up to three values.
#[inline]
fn feature(template: u64, a: u64, b: u64, c: u64) -> u64 {
    mix(mix(mix(mix(template, 0), a), b), c).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// Everything about a word that does not depend on its sentence.
#[derive(Clone)]
pub struct Word {
    pub hash: u64,
    prefixes: [u64; 3],
    suffixes: [u64; 5],
    shape: u64,
    /// Which tags it had in training (0: not seen often enough) and what the lexicon says of it.
    pub class: u64,
    lexicon: u64,
    /// The only tag it had in training, if it was frequent, else `OUTSIDE`.
    pub sure: u8,
    /// The tags it can have, as bits.
    pub possible: u64,
}

impl Word {
    /// The word on both sides of a sentence.
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
        Word {
            hash: fnv(&text),
            prefixes: std::array::from_fn(|n| affix(&normal[..normal.len().min(n + 1)])),
            suffixes: std::array::from_fn(|n| affix(&normal[normal.len().saturating_sub(n + 1)..])),
            shape: fnv(&shape(form)),
            class: u64::from(class),
            lexicon: vocabulary.lexicon.shapes(&lower),
            sure,
            possible: vocabulary.sets.possible(&lower, seen, &vocabulary.lexicon),
        }
    }
}

/// Lower case, digits as zeros.
pub fn normal(form: &str) -> String {
    form.to_lowercase().chars().map(|c| if c.is_ascii_digit() { '0' } else { c }).collect()
}

/// X, x, 0 for upper case, lower case and digits, other ASCII as it is, the rest "*"; runs shortened to two.
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

/// Features that choose the tag of the next token, given the words and the tags chosen before it, and whether
/// these leave a quotation open.
/// `words` and `tags` have two outside entries before the sentence, `words` also after it: token i is
/// `words[i + 2]`, and the tags end with those of tokens i - 2 and i - 1.
#[inline]
pub fn tag_features(words: &[&Word], tags: &[u8], quote: bool, mut emit: impl FnMut(u64)) {
    let i = tags.len() - 2;
    let (w2, w1, w0, n1, n2) = (words[i], words[i + 1], words[i + 2], words[i + 3], words[i + 4]);
    let (t1, t2) = (u64::from(tags[i + 1]), u64::from(tags[i]));
    let first = u64::from(i == 0);
    emit(feature(1, 0, 0, 0));
    emit(feature(2, w0.hash, 0, 0));
    emit(feature(3, w0.hash, t1, 0));
    emit(feature(4, w0.hash, t1, t2));
    emit(feature(5, w1.hash, 0, 0));
    emit(feature(6, n1.hash, 0, 0));
    emit(feature(7, w2.hash, 0, 0));
    emit(feature(8, n2.hash, 0, 0));
    emit(feature(9, w1.hash, w0.hash, 0));
    emit(feature(10, w0.hash, n1.hash, 0));
    emit(feature(11, t1, 0, 0));
    emit(feature(12, t2, 0, 0));
    emit(feature(13, t1, t2, 0));
    emit(feature(14, t1, n1.hash, 0));
    for (n, &suffix) in w0.suffixes.iter().enumerate() {
        emit(feature(20 + n as u64, suffix, 0, 0));
    }
    for (n, &prefix) in w0.prefixes.iter().enumerate() {
        emit(feature(30 + n as u64, prefix, 0, 0));
    }
    emit(feature(35, w0.shape, first, 0));
    emit(feature(36, w0.shape, w1.shape, 0));
    emit(feature(37, w0.suffixes[2], t1, 0));
    emit(feature(38, w1.suffixes[2], 0, 0));
    emit(feature(39, n1.suffixes[2], 0, 0));
    emit(feature(40, n1.shape, w0.shape, 0));
    emit(feature(41, w0.class, t1, 0));
    emit(feature(42, w0.class, n1.class, 0));
    emit(feature(43, w0.class, t1, n1.class));
    emit(feature(44, n1.class, t1, 0));
    emit(feature(45, n1.class, n2.class, w0.class));
    emit(feature(46, w0.class, t1, t2));
    emit(feature(47, w0.lexicon, w0.suffixes[1], 0));
    emit(feature(48, w0.lexicon, t1, 0));
    emit(feature(49, w0.lexicon, n1.lexicon, t1));
    emit(feature(51, w0.shape, t1, u64::from(quote)));
    emit(feature(50, n1.lexicon, n1.suffixes[1], w0.class));
}

/// Features that choose the label of token `i`, given all words and tags and the labels chosen before it.
/// `words` and `tags` have two outside entries on both sides.
#[inline]
pub fn label_features(
    words: &[&Word],
    tags: &[u8],
    i: usize,
    context: &Context,
    before: u8,
    second: u8,
    mut emit: impl FnMut(u64),
) {
    let (w1, w0, n1, n2) = (words[i + 1].hash, words[i + 2].hash, words[i + 3].hash, words[i + 4].hash);
    let tag = |place: usize| u64::from(tags[i + place]);
    let (t2, t1, t0, u1, u2) = (tag(0), tag(1), tag(2), tag(3), tag(4));
    let (l1, l2) = (u64::from(before), u64::from(second));
    emit(feature(101, t0, 0, 0));
    emit(feature(102, w0, t0, 0));
    emit(feature(103, t1, t0, 0));
    emit(feature(104, t0, u1, 0));
    emit(feature(105, t1, t0, u1));
    emit(feature(106, t2, t1, t0));
    emit(feature(107, t0, u1, u2));
    emit(feature(108, w1, t0, 0));
    emit(feature(109, t0, n1, 0));
    emit(feature(110, w1, w0, 0));
    emit(feature(111, w0, n1, 0));
    emit(feature(112, w0, t1, u1));
    emit(feature(113, w0, u1, u2));
    emit(feature(114, l1, t0, 0));
    emit(feature(115, l1, l2, t0));
    emit(feature(116, l1, w0, 0));
    emit(feature(117, l1, t0, u1));
    emit(feature(118, w0, n2, 0));
    emit(feature(120, context.verb_tag, context.verb_word, t0));
    emit(feature(121, context.verb_tag, t0, u1));
    emit(feature(122, context.preposition, t0, u1));
    emit(feature(123, context.next_verb_tag, context.next_verb_word, w0));
    emit(feature(124, context.next_verb_tag, t0, u1));
    emit(feature(125, context.path, t0, u1));
    emit(feature(126, context.path, t0, w0));
    emit(feature(127, context.verb_word, w0, t0));
    emit(feature(128, context.passive, context.next_verb_tag, t0));
    emit(feature(129, context.ahead, t0, 0));
    emit(feature(130, context.ahead, w0, 0));
    emit(feature(131, context.path, context.ahead, t0));
    emit(feature(132, words[i + 2].suffixes[2], t0, l1));
}
