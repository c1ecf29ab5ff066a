//! The features of the classifiers: hashes of words, affixes, classes and tags in a window around a token.

use super::context::Context;
use super::word::{mix, Word};

/// The number of words on each side of a token that determine its tag.
pub const TAG_REACH: usize = 3;
/// The number of words and tags on each side of a token that determine its label.
pub const LABEL_REACH: usize = 4;
/// The number of words of a window.
pub const TAG_WINDOW: usize = 2 * TAG_REACH + 1;
pub const LABEL_WINDOW: usize = 2 * LABEL_REACH + 1;

/// The feature of a template with up to three values.
#[inline(always)]
fn feature(template: u64, values: [u64; 3]) -> u64 {
    let [a, b, c] = values;
    mix(mix(mix(template, a), b), c).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// The features of one word at a position of the window for the tag of the token in its middle.
#[inline(always)]
pub fn word_features(position: usize, word: &Word, mut emit: impl FnMut(u64)) {
    let mut add = |template: u64, value: u64| emit(feature(template * 16 + position as u64, [value, 0, 0]));
    add(1, word.hash);
    if position != TAG_REACH {
        add(2, word.class);
        if position.abs_diff(TAG_REACH) == 1 {
            add(3, word.suffixes[2]);
            add(4, word.shape);
        }
        return;
    }
    add(5, 0);
    for (n, &suffix) in word.suffixes.iter().enumerate() {
        add(20 + n as u64, suffix);
    }
    for (n, &prefix) in word.prefixes.iter().enumerate() {
        add(30 + n as u64, prefix);
    }
    add(6, word.shape);
    add(7, mix(word.hash, word.shape));
    add(8, mix(word.lexicon, word.suffixes[1]));
    add(9, word.class);
    add(10, mix(word.class, word.suffixes[2]));
}

/// The features of several words together for the tag of the token in the middle.
#[inline(always)]
pub fn joint_features(window: [&Word; TAG_WINDOW]) -> [u64; 13] {
    let [_, w2, w1, w0, n1, n2, _] = window;
    let (c2, c1, c0, d1, d2) = (w2.class, w1.class, w0.class, n1.class, n2.class);
    let first = u64::from(w1.is_outside());
    [
        feature(900, [w1.hash, w0.hash, 0]),
        feature(901, [w0.hash, n1.hash, 0]),
        feature(902, [c1, w0.hash, 0]),
        feature(903, [w0.hash, d1, 0]),
        feature(904, [w1.hash, c0, 0]),
        feature(905, [c0, n1.hash, 0]),
        feature(906, [c1, c0, 0]),
        feature(907, [c0, d1, 0]),
        feature(908, [c1, c0, d1]),
        feature(909, [c2, c1, c0]),
        feature(910, [c0, d1, d2]),
        feature(911, [w0.shape, first, 0]),
        feature(912, [w0.shape, w1.shape, n1.shape]),
    ]
}

/// Features for the label of the token in the middle, from the words and tags around it.
#[inline(always)]
pub fn label_features(window: [&Word; LABEL_WINDOW], tags: [u8; LABEL_WINDOW], context: &Context) -> [u64; 33] {
    let [_, _, _, w1, w0, n1, _, _, _] = window.map(|word| word.hash);
    let [_, t3, t2, t1, t0, u1, u2, u3, _] = tags.map(u64::from);
    let with = |template: u64, a: u64, b: u64, c: u64| feature(1000 + template, [a, b, c]);
    [
        with(1, t0, 0, 0),
        with(2, w0, t0, 0),
        with(3, t1, t0, 0),
        with(4, t0, u1, 0),
        with(5, t1, t0, u1),
        with(6, t2, t1, t0),
        with(7, t0, u1, u2),
        with(8, w1, t0, 0),
        with(9, t0, n1, 0),
        with(10, w1, w0, 0),
        with(11, w0, n1, 0),
        with(12, w0, t1, u1),
        with(13, w0, u1, u2),
        with(14, w0, t1, t2),
        with(15, t3, t2 << 8 | t1, t0),
        with(16, t0, u1 << 8 | u2, u3),
        with(17, t2 << 8 | t1, t0, u1),
        with(18, t1, t0, u1 << 8 | u2),
        with(19, w1, t0, u1),
        with(20, window[LABEL_REACH].suffixes[2], t0, t1),
        with(30, context.verb_tag, context.verb_word, t0),
        with(31, context.verb_tag, t0, u1),
        with(32, context.preposition, t0, u1),
        with(33, context.next_verb_tag, context.next_verb_word, w0),
        with(34, context.next_verb_tag, t0, u1),
        with(35, context.path, t0, u1),
        with(36, context.path, t0, w0),
        with(37, context.verb_word, w0, t0),
        with(38, context.passive, context.next_verb_tag, t0),
        with(39, context.ahead, t0, 0),
        with(40, context.ahead, w0, 0),
        with(41, context.path, context.ahead, t0),
        with(42, context.path, context.next_verb_tag, t0),
    ]
}
