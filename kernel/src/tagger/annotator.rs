//! Tags, labels and heads of one sentence after another.

use super::context::View;
use super::features::{as_window, label_features, tag_features, HERE, JOINT, LEFT, RIGHT, SECOND_LEFT, SECOND_RIGHT};
use super::model::Model;
use super::vocabulary::{Vocabulary, OUTSIDE};
use super::weights::{best, best_of, Rows, Scores, Weights};
use super::word::Word;

/// Tags, labels and heads of a sentence, one entry a token; heads are places in the sentence.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Annotations {
    pub tags: Vec<u8>,
    pub labels: Vec<u8>,
    pub heads: Vec<i32>,
}

/// What the features of one word alone add to the scores of a token's tags.
struct Alone {
    /// As the token itself: the sum.
    here: Scores<64>,
    /// As a neighbour, by place in the window: the rows, of which there are few.
    around: [[u32; FEW]; 5],
}
const FEW: usize = 2;

impl Alone {
    fn new(word: &Word, weights: &Weights<64>) -> Self {
        let mut rows: [Vec<u32>; 6] = Default::default();
        tag_features([word; 5], [OUTSIDE; 2], false, |place, feature| rows[place].push(weights.row(feature)));
        let (mut here, mut around) = ([0; 64], [[0; FEW]; 5]);
        weights.add(&rows[HERE], &mut here);
        for place in [SECOND_LEFT, LEFT, RIGHT, SECOND_RIGHT] {
            around[place][..rows[place].len()].copy_from_slice(&rows[place]);
        }
        Self { here, around }
    }
}

/// Annotates sentences; what depends on a word alone is found once, until it is forgotten.
pub struct Annotator<'m> {
    model: &'m Model,
    /// The words met so far, and what they add alone; the first is the word beyond the sentence.
    words: Vec<Word>,
    alone: Vec<Alone>,
    /// The place in `words` of the string with an id; 0 if it was not met.
    places: Vec<u32>,
}

impl<'m> Annotator<'m> {
    pub fn new(model: &'m Model) -> Self {
        let mut new = Self { model, words: Vec::new(), alone: Vec::new(), places: Vec::new() };
        new.add(Word::outside());
        new
    }

    /// Number of words met so far.
    pub fn words(&self) -> usize {
        self.words.len() - 1
    }

    fn add(&mut self, word: Word) {
        self.alone.push(Alone::new(&word, &self.model.tagging));
        self.words.push(word);
    }

    /// Annotate the sentence of the words `strings[ids[0]]`, `strings[ids[1]]`, ...; an id must mean the same string
    /// in every call.
    ///
    /// Cost: at most a microsecond a token, and some microseconds a word not met before.
    pub fn annotate(&mut self, strings: &[String], ids: &[i32]) -> Annotations {
        let mut places = vec![0; 2];
        places.extend(ids.iter().map(|&id| self.place(strings, id as usize)));
        places.extend([0; 2]);
        let words: Vec<&Word> = places.iter().map(|&place| &self.words[place]).collect();
        let tags = self.tag(&places, &words);
        let labels = self.label(&words, &tags);
        let tags = tags[2..tags.len() - 2].to_vec();
        Annotations { heads: heads(&self.model.vocabulary, &tags, &labels), tags, labels }
    }

    /// The place of a string in `words`.
    fn place(&mut self, strings: &[String], id: usize) -> usize {
        if self.places.len() <= id {
            self.places.resize(strings.len(), 0);
        }
        if self.places[id] == 0 {
            self.places[id] = self.words.len() as u32;
            self.add(Word::new(&strings[id], &self.model.vocabulary));
        }
        self.places[id] as usize
    }

    /// The tags of one sentence, with two outside tags on both sides.
    fn tag(&self, places: &[usize], words: &[&Word]) -> Vec<u8> {
        let mut tags = Vec::with_capacity(words.len());
        tags.extend([OUTSIDE; 2]);
        let mut quote = false;
        for (i, window) in words.windows(5).enumerate() {
            let word = window[HERE];
            let tag = match word.sure {
                OUTSIDE => {
                    best_of(&self.tag_scores(&places[i..], window, [tags[i], tags[i + 1]], quote), word.possible)
                }
                sure => sure,
            };
            quote = self.model.vocabulary.in_quotation(tag, quote);
            tags.push(tag);
        }
        tags.extend([OUTSIDE; 2]);
        tags
    }

    fn tag_scores(&self, places: &[usize], window: &[&Word], tags: [u8; 2], quote: bool) -> Scores<64> {
        let weights = &self.model.tagging;
        let mut rows = Rows::default();
        for place in [SECOND_LEFT, LEFT, RIGHT, SECOND_RIGHT] {
            self.alone[places[place]].around[place].iter().for_each(|&row| rows.push(row));
        }
        tag_features(as_window(window), tags, quote, |place, feature| {
            if place == JOINT {
                rows.push(weights.row(feature));
            }
        });
        let mut scores = self.alone[places[HERE]].here;
        weights.add(rows.get(), &mut scores);
        scores
    }

    fn label(&self, words: &[&Word], tags: &[u8]) -> Vec<u8> {
        let weights = &self.model.labelling;
        let view = View::new(words, tags, &self.model.vocabulary.kinds);
        let mut before = [OUTSIDE; 2];
        let decide = |(i, (window, tags)): (usize, (&[&Word], &[u8]))| {
            let mut rows = Rows::default();
            let tags = [tags[0], tags[1], tags[2], tags[3], tags[4]];
            label_features(as_window(window), tags, &view.context(i), before, |feature| {
                rows.push(weights.row(feature))
            });
            let mut scores = [0; 16];
            weights.add(rows.get(), &mut scores);
            before = [before[1], best(&scores[..weights.classes])];
            before[1]
        };
        words.windows(5).zip(tags.windows(5)).enumerate().map(decide).collect()
    }
}

/// The head of an auxiliary is the next verb to its right that is none; every other token is its own.
pub fn heads(vocabulary: &Vocabulary, tags: &[u8], labels: &[u8]) -> Vec<i32> {
    let mut next = None;
    let mut heads: Vec<i32> = (0..tags.len() as i32).collect();
    for i in (0..tags.len()).rev() {
        if vocabulary.auxiliaries[labels[i] as usize] {
            heads[i] = next.unwrap_or(i) as i32;
        } else if vocabulary.verbs[tags[i] as usize] {
            next = Some(i);
        }
    }
    heads
}
