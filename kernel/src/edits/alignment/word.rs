//! The cost of substituting words, without their letters.

use crate::edits::annotated::Sentence;
use crate::edits::labels::pos;

const LEMMA_COST: f64 = 0.499;
const OPEN_POS_COST: f64 = 0.25;
const POS_COST: f64 = 0.5;

/// The properties of a token that costs depend on.
#[derive(Clone, Copy)]
pub struct Word {
    pub form: u32,
    pub lower: u32,
    lemma: u32,
    pos: u32,
    is_open: bool,
    /// First position of its lower case in the other sentence.
    pub first: u32,
}

impl Word {
    #[inline]
    pub fn of(sentence: &Sentence, t: usize, first: u32) -> Self {
        Word {
            first,
            form: sentence.form(t),
            lower: sentence.lower(t),
            lemma: sentence.lemma(t),
            pos: sentence.pos(t),
            is_open: sentence.pos_class(t) & pos::OPEN != 0,
        }
    }

    /// The cost of different lemmas and different POS.
    #[inline]
    pub fn distance(&self, other: &Word) -> f64 {
        let lemma = if self.lemma == other.lemma { 0.0 } else { LEMMA_COST };
        let pos = if self.pos == other.pos {
            0.0
        } else if self.is_open && other.is_open {
            OPEN_POS_COST
        } else {
            POS_COST
        };
        lemma + pos
    }
}
