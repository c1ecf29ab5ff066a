//! Tags and labels of tokens, as functions of the words around them (Liang et al., ICML 2008).

use std::sync::Arc;

use foldhash::HashMap;

use super::features::{joint_features, label_features, word_features, ContextWindow, Word};
use super::features::{LABEL_REACH, LABEL_WINDOW, TAG_REACH, TAG_WINDOW};
use super::model::{best_of, ClassScores, Model, Weights, MAX_CLASSES, OUTSIDE};
use crate::text::strings::Strings;

/// Stands for the number of the string outside a sentence.
pub const NO_STRING: u32 = u32::MAX;

/// The contribution of one word's features to the scores of a token's tags. Each part fits into one cache line.
#[repr(align(64))]
struct WordScores {
    /// For the token itself.
    middle: ClassScores,
    /// For a neighbour, by position in the window, plus `BIAS`: unsigned numbers are widened faster, and an equal bias
    /// of all tags does not change decisions.
    neighbour: [[u8; MAX_CLASSES]; TAG_WINDOW],
}
const BIAS: i16 = 128;

impl WordScores {
    fn new(word: &Word, weights: &Weights) -> Self {
        let scores: [ClassScores; TAG_WINDOW] = std::array::from_fn(|position| {
            let (mut scores, mut features) = ([0; MAX_CLASSES], Vec::new());
            word_features(position, word, |feature| features.push(feature));
            weights.add(&features, &mut scores);
            scores
        });
        // A neighbour has four features, whose weights are at most 15.
        Self { middle: scores[TAG_REACH], neighbour: scores.map(|scores| scores.map(|score| (score + BIAS) as u8)) }
    }
}

/// Computes tags and labels; contributions of words are cached.
pub struct Annotator {
    pub model: Arc<Model>,
    /// Words and their contributions; the first is the word outside the sentence.
    words: Vec<Word>,
    word_scores: Vec<WordScores>,
    /// Index in `words` by the number of the string; 0 if it is not known yet.
    indices: Vec<u32>,
    /// Index in `words` by the key of the word.
    indices_by_key: HashMap<(String, u64), u32>,
}

impl Annotator {
    pub fn new(model: Arc<Model>) -> Self {
        let (words, word_scores, indices, indices_by_key) = Default::default();
        let mut annotator = Self { model, words, word_scores, indices, indices_by_key };
        annotator.add(Word::outside());
        annotator
    }

    fn add(&mut self, word: Word) {
        self.word_scores.push(WordScores::new(&word, &self.model.tagging));
        self.words.push(word);
    }

    /// The index of a word by the number of its string, [`NO_STRING`] outside the sentence. A number must refer to the
    /// same string in every call.
    #[inline]
    pub fn word_index(&mut self, strings: &Strings, number: u32) -> u32 {
        match self.indices.get(number as usize) {
            Some(&index) if index > 0 => index,
            _ => self.read(strings, number),
        }
    }

    #[cold]
    fn read(&mut self, strings: &Strings, number: u32) -> u32 {
        if number == NO_STRING {
            return 0;
        }
        if self.indices.len() <= number as usize {
            self.indices.resize(strings.len(), 0);
        }
        let key = Word::key(strings.get(number), &self.model.vocabulary);
        if !self.indices_by_key.contains_key(&key) {
            self.add(Word::new(&key, &self.model.vocabulary));
        }
        let index = *self.indices_by_key.entry(key).or_insert(self.words.len() as u32 - 1);
        self.indices[number as usize] = index;
        index
    }

    /// The tag of the token in the middle of a window.
    pub fn tag(&self, window: &[u32; TAG_WINDOW]) -> u8 {
        let word = &self.words[window[TAG_REACH] as usize];
        if word.certain_tag != OUTSIDE {
            return word.certain_tag;
        }
        if word.possible.is_power_of_two() {
            return word.possible.trailing_zeros() as u8;
        }
        let mut scores = self.word_scores[window[TAG_REACH] as usize].middle;
        for (position, &index) in window.iter().enumerate().filter(|&(position, _)| position != TAG_REACH) {
            for (score, &value) in scores.iter_mut().zip(&self.word_scores[index as usize].neighbour[position]) {
                *score += i16::from(value);
            }
        }
        let words = window.map(|index| &self.words[index as usize]);
        self.model.tagging.add(&joint_features(words), &mut scores);
        best_of(&scores, word.possible)
    }

    /// The label of the token in the middle of a window; the tag outside the sentence is [`OUTSIDE`].
    pub fn label(&self, window: &[u32; LABEL_WINDOW], tags: &[u8; LABEL_WINDOW]) -> u8 {
        let words = window.map(|index| &self.words[index as usize]);
        let context = ContextWindow::new(&words, tags, &self.model.vocabulary.kinds).context(LABEL_REACH);
        let mut scores = [0; MAX_CLASSES];
        self.model.labelling.add(&label_features(words, *tags, &context), &mut scores);
        best_of(&scores, self.model.vocabulary.label_sets[tags[LABEL_REACH] as usize])
    }
}
