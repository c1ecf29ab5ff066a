//! Tags and labels of tokens: functions of the words around them, without earlier decisions (Liang et al., ICML 2008).

use super::context::View;
use super::features::{joint_features, label_features, word_features};
use super::features::{LABEL_REACH, LABEL_WINDOW, TAG_REACH, TAG_WINDOW};
use super::model::Model;
use super::vocabulary::OUTSIDE;
use super::weights::{best_of, Scores, Weights, CLASSES};
use super::word::Word;
use crate::text::strings::Strings;

use std::sync::Arc;

use foldhash::HashMap;

/// The string outside a sentence.
pub const NOWHERE: u32 = u32::MAX;

/// The contribution of one word's features to the scores of a token's tags. Each part is in one line of the cache.
#[repr(align(64))]
struct Alone {
    /// For the token itself.
    here: Scores,
    /// For a neighbour, by position in the window, plus `BIAS`: unsigned numbers are widened faster, and one bias of all
    /// tags changes no decision.
    around: [[u8; CLASSES]; TAG_WINDOW],
}
const BIAS: i16 = 128;

impl Alone {
    fn new(word: &Word, weights: &Weights) -> Self {
        let scores: [Scores; TAG_WINDOW] = std::array::from_fn(|place| {
            let (mut scores, mut features) = ([0; CLASSES], Vec::new());
            word_features(place, word, |feature| features.push(feature));
            weights.add(&features, &mut scores);
            scores
        });
        // A neighbour has four features, whose weights are at most 15.
        Self { here: scores[TAG_REACH], around: scores.map(|scores| scores.map(|score| (score + BIAS) as u8)) }
    }
}

/// Decides on tokens; the contribution of a word is computed when it is first read.
pub struct Annotator {
    pub model: Arc<Model>,
    /// The words that were read, with their contributions; the first is the word outside the sentence.
    words: Vec<Word>,
    alone: Vec<Alone>,
    /// The index in `words` of the string with a number; 0 for an unread one.
    places: Vec<u32>,
    /// The index in `words` by the key of a word.
    alike: HashMap<(String, u64), u32>,
}

impl Annotator {
    pub fn new(model: Arc<Model>) -> Self {
        let (words, alone, places, alike) = Default::default();
        let mut new = Self { model, words, alone, places, alike };
        new.add(Word::outside());
        new
    }

    /// The number of words that were read.
    pub fn words(&self) -> usize {
        self.words.len()
    }

    fn add(&mut self, word: Word) {
        self.alone.push(Alone::new(&word, &self.model.tagging));
        self.words.push(word);
    }

    /// The index of a word by the number of its string, [`NOWHERE`] outside the sentence. A number must refer to the
    /// same string in every call.
    #[inline]
    pub fn place(&mut self, strings: &Strings, number: u32) -> u32 {
        match self.places.get(number as usize) {
            Some(&place) if place > 0 => place,
            _ => self.read(strings, number),
        }
    }

    #[cold]
    fn read(&mut self, strings: &Strings, number: u32) -> u32 {
        if number == NOWHERE {
            return 0;
        }
        if self.places.len() <= number as usize {
            self.places.resize(strings.len(), 0);
        }
        let key = Word::key(strings.get(number), &self.model.vocabulary);
        if !self.alike.contains_key(&key) {
            self.add(Word::new(&key, &self.model.vocabulary));
        }
        let place = *self.alike.entry(key).or_insert(self.words.len() as u32 - 1);
        self.places[number as usize] = place;
        place
    }

    /// The tag of the token in the middle of a window.
    pub fn tag(&self, places: &[u32; TAG_WINDOW]) -> u8 {
        let word = &self.words[places[TAG_REACH] as usize];
        if word.sure != OUTSIDE {
            return word.sure;
        }
        if word.possible.is_power_of_two() {
            return word.possible.trailing_zeros() as u8;
        }
        let mut scores = self.alone[places[TAG_REACH] as usize].here;
        for (at, &place) in places.iter().enumerate().filter(|&(at, _)| at != TAG_REACH) {
            for (score, &value) in scores.iter_mut().zip(&self.alone[place as usize].around[at]) {
                *score += i16::from(value);
            }
        }
        let window = places.map(|place| &self.words[place as usize]);
        self.model.tagging.add(&joint_features(window), &mut scores);
        best_of(&scores, word.possible)
    }

    /// The label of the token in the middle of a window; the tag outside the sentence is [`OUTSIDE`].
    pub fn label(&self, places: &[u32; LABEL_WINDOW], tags: &[u8; LABEL_WINDOW]) -> u8 {
        let words = places.map(|place| &self.words[place as usize]);
        let context = View::new(&words, tags, &self.model.vocabulary.kinds).context(LABEL_REACH);
        let mut scores = [0; CLASSES];
        self.model.labelling.add(&label_features(words, *tags, &context), &mut scores);
        best_of(&scores, self.model.vocabulary.label_sets[tags[LABEL_REACH] as usize])
    }
}
