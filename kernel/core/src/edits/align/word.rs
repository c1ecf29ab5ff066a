//! The cost of substituting words, without their letters.

use crate::edits::annotated::Sentence;
use crate::edits::labels::pos;

const LEMMA_COST: f64 = 0.499;
const OPEN_POS_COST: f64 = 0.25;
const POS_COST: f64 = 0.5;

/// The properties of a token that every cell reads.
#[derive(Clone, Copy)]
pub struct Word {
    pub form: u32,
    pub lower: u32,
    /// First position of its lower case in the other sentence.
    pub first: u32,
}

impl Word {
    #[inline]
    pub fn of(sentence: &Sentence, t: usize, first: u32) -> Self {
        Word { first, form: sentence.form(t), lower: sentence.lower(t) }
    }
}

/// The cost of different lemmas and different POS of source token s and target token t.
#[inline]
pub fn distance(source: &Sentence, s: usize, target: &Sentence, t: usize) -> f64 {
    let lemma = if source.lemma(s) == target.lemma(t) { 0.0 } else { LEMMA_COST };
    let is_open = |sentence: &Sentence, t| sentence.pos_class(t) & pos::OPEN != 0;
    let pos = if source.pos(s) == target.pos(t) {
        0.0
    } else if is_open(source, s) && is_open(target, t) {
        OPEN_POS_COST
    } else {
        POS_COST
    };
    lemma + pos
}
