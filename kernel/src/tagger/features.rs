//! The features of the classifiers: hashes of words, affixes, tags and labels around a token.

use super::context::Context;
use super::hash::mix;
use super::vocabulary::OUTSIDE;
use super::word::Word;

/// The words around a token: the two before it, the token, the two after it.
pub type Window<'a> = [&'a Word; 5];

/// The window that begins with a list.
#[inline(always)]
pub fn as_window<'a>(words: &[&'a Word]) -> Window<'a> {
    std::array::from_fn(|place| words[place])
}

/// Positions in a window.
pub const SECOND_LEFT: usize = 0;
pub const LEFT: usize = 1;
pub const HERE: usize = 2;
pub const RIGHT: usize = 3;
pub const SECOND_RIGHT: usize = 4;
/// No position: a feature of more than one word, or of tags.
pub const JOINT: usize = 5;

/// The feature of a template with up to three values.
#[inline(always)]
fn feature(template: u64, a: u64, b: u64, c: u64) -> u64 {
    mix(mix(mix(mix(template, 0), a), b), c).wrapping_mul(0xD6E8_FEB8_6659_FD93)
}

/// Features for the tag of a token, from the words around it, the tags of the two tokens before it, and whether a
/// quotation is open.
///
/// Each feature comes with the position of the word if it depends on only one word, else with `JOINT`.
#[inline(always)]
pub fn tag_features(window: Window, tags: [u8; 2], quote: bool, mut emit: impl FnMut(usize, u64)) {
    let [w2, w1, w0, n1, n2] = window;
    let [t2, t1] = tags.map(u64::from);
    let first = u64::from(t1 == u64::from(OUTSIDE));
    emit(HERE, feature(1, 0, 0, 0));
    emit(HERE, feature(2, w0.hash, 0, 0));
    emit(JOINT, feature(3, w0.hash, t1, 0));
    emit(JOINT, feature(4, w0.hash, t1, t2));
    emit(LEFT, feature(5, w1.hash, 0, 0));
    emit(RIGHT, feature(6, n1.hash, 0, 0));
    emit(SECOND_LEFT, feature(7, w2.hash, 0, 0));
    emit(SECOND_RIGHT, feature(8, n2.hash, 0, 0));
    emit(JOINT, feature(9, w1.hash, w0.hash, 0));
    emit(JOINT, feature(10, w0.hash, n1.hash, 0));
    emit(JOINT, feature(11, t1, 0, 0));
    emit(JOINT, feature(12, t2, 0, 0));
    emit(JOINT, feature(13, t1, t2, 0));
    emit(JOINT, feature(14, t1, n1.hash, 0));
    for (n, &suffix) in w0.suffixes.iter().enumerate() {
        emit(HERE, feature(20 + n as u64, suffix, 0, 0));
    }
    for (n, &prefix) in w0.prefixes.iter().enumerate() {
        emit(HERE, feature(30 + n as u64, prefix, 0, 0));
    }
    emit(JOINT, feature(35, w0.shape, first, 0));
    emit(JOINT, feature(36, w0.shape, w1.shape, 0));
    emit(JOINT, feature(37, w0.suffixes[2], t1, 0));
    emit(LEFT, feature(38, w1.suffixes[2], 0, 0));
    emit(RIGHT, feature(39, n1.suffixes[2], 0, 0));
    emit(JOINT, feature(40, n1.shape, w0.shape, 0));
    emit(JOINT, feature(41, w0.class, t1, 0));
    emit(JOINT, feature(42, w0.class, n1.class, 0));
    emit(JOINT, feature(43, w0.class, t1, n1.class));
    emit(JOINT, feature(44, n1.class, t1, 0));
    emit(JOINT, feature(45, n1.class, n2.class, w0.class));
    emit(JOINT, feature(46, w0.class, t1, t2));
    emit(HERE, feature(47, w0.lexicon, w0.suffixes[1], 0));
    emit(JOINT, feature(48, w0.lexicon, t1, 0));
    emit(JOINT, feature(49, w0.lexicon, n1.lexicon, t1));
    emit(JOINT, feature(51, w0.shape, t1, u64::from(quote)));
    emit(JOINT, feature(50, n1.lexicon, n1.suffixes[1], w0.class));
}

/// Features for the label of a token, from the words around it, the tags of the same five tokens, its context, and the
/// labels of the two tokens before it.
#[inline(always)]
pub fn label_features(window: Window, tags: [u8; 5], context: &Context, labels: [u8; 2], mut emit: impl FnMut(u64)) {
    let [_, w1, w0, n1, n2] = window.map(|word| word.hash);
    let [t2, t1, t0, u1, u2] = tags.map(u64::from);
    let [l2, l1] = labels.map(u64::from);
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
    emit(feature(132, window[HERE].suffixes[2], t0, l1));
}
