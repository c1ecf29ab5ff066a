//! Tags, labels and heads of sentences.

use super::context::{Context, View};
use super::features::{as_window, label_features, tag_features, HERE, JOINT, LEFT, RIGHT, SECOND_LEFT, SECOND_RIGHT};
use super::model::Model;
use super::vocabulary::{Vocabulary, OUTSIDE};
use super::weights::{best, best_of, Rows, Scores, Weights};
use super::word::Word;

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::Arc;

/// Number of annotators created so far.
static ANNOTATORS: AtomicU64 = AtomicU64::new(1);

/// An annotated sentence: the decisions about every token, and their inputs.
#[derive(Clone, Debug, Default)]
pub struct Annotations {
    /// Indices of the words in the annotator with this number, with two outside entries on both sides, as in `tags`.
    annotator: u64,
    places: Vec<usize>,
    tags: Vec<u8>,
    /// Whether a quotation is open before each token.
    quotes: Vec<bool>,
    contexts: Vec<Context>,
    /// With two labels before the sentence.
    labels: Vec<u8>,
    heads: Vec<i32>,
}

impl Annotations {
    /// The model's tag of every token.
    pub fn tags(&self) -> &[u8] {
        &self.tags[2..self.tags.len() - 2]
    }

    /// The model's label of every token.
    pub fn labels(&self) -> &[u8] {
        &self.labels[2..]
    }

    /// The position of every token's head in the sentence.
    pub fn heads(&self) -> &[i32] {
        &self.heads
    }

    /// For every window of `places`, the token of this sentence with the same window that is nearest to the token after
    /// the last match, if there is one within `NEAR`.
    fn twins(&self, places: &[usize]) -> Vec<Option<usize>> {
        let mut next = 0;
        let find = |window: &[usize]| {
            let near = (1..=NEAR).flat_map(|n| [next + n, next.wrapping_sub(n)]);
            let same = |&at: &usize| self.places.get(at..at.wrapping_add(5)) == Some(window);
            let found = std::iter::once(next).chain(near).find(same);
            next = found.unwrap_or(next) + 1;
            found
        };
        places.windows(5).map(find).collect()
    }
}

/// Maximum distance that a token may have moved, relative to the tokens before it, and still be recognised.
const NEAR: usize = 4;

/// The contribution of one word's features to the scores of a token's tags.
struct Alone {
    /// For the token itself: the sum.
    here: Scores<64>,
    /// For a neighbour, by position in the window: the rows, which are few.
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

/// Annotates sentences; the contribution of a word is computed once, until it is evicted.
pub struct Annotator {
    number: u64,
    model: Arc<Model>,
    /// The known words with their contributions; the first is the word outside the sentence.
    words: Vec<Word>,
    alone: Vec<Alone>,
    /// The index in `words` of the string with an id; 0 for an unknown one.
    places: Vec<u32>,
}

impl Annotator {
    pub fn new(model: Arc<Model>) -> Self {
        let number = ANNOTATORS.fetch_add(1, Ordering::Relaxed);
        let mut new = Self { number, model, words: Vec::new(), alone: Vec::new(), places: Vec::new() };
        new.add(Word::outside());
        new
    }

    /// The number of known words.
    pub fn words(&self) -> usize {
        self.words.len() - 1
    }

    fn add(&mut self, word: Word) {
        self.alone.push(Alone::new(&word, &self.model.tagging));
        self.words.push(word);
    }

    /// Annotate the sentence of the words `strings[ids[0]]`, `strings[ids[1]]`, ... into `out`; an id must refer to the
    /// same string in every call.
    ///
    /// Every decision depends on a few inputs. A decision with the same inputs as a token of the sentence `like` is
    /// copied; `like` does not change the result.
    ///
    /// Cost: at most a microsecond per token, and some microseconds per unknown word.
    pub fn annotate(&mut self, strings: &[String], ids: &[i32], like: Option<&Annotations>, out: &mut Annotations) {
        self.begin(strings, ids, out);
        let like = like.filter(|like| like.annotator == self.number);
        let twins = like.map_or_else(|| vec![None; ids.len()], |like| like.twins(&out.places));
        let nothing = Annotations::default();
        let like = (like.unwrap_or(&nothing), &twins[..]);
        let words: Vec<&Word> = out.places.iter().map(|&place| &self.words[place]).collect();
        self.tag(&words, like, out);
        self.label(&words, like, out);
        heads(&self.model.vocabulary, out);
    }

    /// Like `annotate`, with the same result, for a sentence whose tags and labels are known. O(tokens).
    pub fn recall(&mut self, strings: &[String], ids: &[i32], decisions: &[[u8; 2]], out: &mut Annotations) {
        self.begin(strings, ids, out);
        let vocabulary = &self.model.vocabulary;
        let outside = [OUTSIDE; 2];
        out.tags.clear();
        out.tags.extend(outside.into_iter().chain(decisions.iter().map(|&[tag, _]| tag)).chain(outside));
        out.labels.clear();
        out.labels.extend(outside.into_iter().chain(decisions.iter().map(|&[_, label]| label)));
        out.quotes.clear();
        let mut quote = false;
        for &[tag, _] in decisions {
            out.quotes.push(quote);
            quote = vocabulary.in_quotation(tag, quote);
        }
        let words: Vec<&Word> = out.places.iter().map(|&place| &self.words[place]).collect();
        let view = View::new(&words, &out.tags, &vocabulary.kinds);
        out.contexts.clear();
        out.contexts.extend((0..ids.len()).map(|i| view.context(i)));
        heads(vocabulary, out);
    }

    /// Empties `out` except for the words of a sentence.
    fn begin(&mut self, strings: &[String], ids: &[i32], out: &mut Annotations) {
        out.annotator = self.number;
        out.places.clear();
        out.places.extend([0; 2]);
        out.places.extend(ids.iter().map(|&id| self.place(strings, id as usize)));
        out.places.extend([0; 2]);
    }

    /// The index of a string in `words`.
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

    /// The tags of a sentence, and the quotations that they open.
    fn tag(&self, words: &[&Word], (like, twins): (&Annotations, &[Option<usize>]), out: &mut Annotations) {
        let Annotations { places, tags, quotes, .. } = out;
        tags.clear();
        tags.extend([OUTSIDE; 2]);
        quotes.clear();
        let mut quote = false;
        for (i, window) in words.windows(5).enumerate() {
            let same = |&j: &usize| like.tags[j..j + 2] == tags[i..] && like.quotes[j] == quote;
            let possible = window[HERE].possible;
            let tag = match (window[HERE].sure, twins[i].filter(same)) {
                (OUTSIDE, _) if possible.is_power_of_two() => possible.trailing_zeros() as u8,
                (OUTSIDE, Some(j)) => like.tags[j + 2],
                (OUTSIDE, None) => {
                    let scores = self.tag_scores(&places[i..], window, [tags[i], tags[i + 1]], quote);
                    best_of(&scores, possible)
                }
                (sure, _) => sure,
            };
            quotes.push(quote);
            quote = self.model.vocabulary.in_quotation(tag, quote);
            tags.push(tag);
        }
        tags.extend([OUTSIDE; 2]);
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

    /// The labels of a tagged sentence.
    fn label(&self, words: &[&Word], (like, twins): (&Annotations, &[Option<usize>]), out: &mut Annotations) {
        let Annotations { tags, contexts, labels, .. } = out;
        let view = View::new(words, tags, &self.model.vocabulary.kinds);
        contexts.clear();
        contexts.extend((0..twins.len()).map(|i| view.context(i)));
        labels.clear();
        labels.extend([OUTSIDE; 2]);
        for (i, (window, tags)) in words.windows(5).zip(tags.windows(5)).enumerate() {
            let same = |&j: &usize| {
                like.tags[j..j + 5] == *tags && like.labels[j..j + 2] == labels[i..] && like.contexts[j] == contexts[i]
            };
            labels.push(match twins[i].filter(same) {
                Some(j) => like.labels[j + 2],
                None => self.best_label(window, tags, &contexts[i], [labels[i], labels[i + 1]]),
            });
        }
    }

    fn best_label(&self, window: &[&Word], tags: &[u8], context: &Context, before: [u8; 2]) -> u8 {
        let weights = &self.model.labelling;
        let mut rows = Rows::default();
        let tags = std::array::from_fn(|place| tags[place]);
        label_features(as_window(window), tags, context, before, |feature| rows.push(weights.row(feature)));
        let mut scores = [0; 16];
        weights.add(rows.get(), &mut scores);
        best(&scores[..weights.classes])
    }
}

/// The head of an auxiliary is the next other verb to its right; every other token is a root.
fn heads(vocabulary: &Vocabulary, out: &mut Annotations) {
    let mut next = None;
    let mut heads = std::mem::take(&mut out.heads);
    heads.clear();
    heads.extend(0..out.tags().len() as i32);
    for i in (0..heads.len()).rev() {
        if vocabulary.auxiliaries[out.labels()[i] as usize] {
            heads[i] = next.unwrap_or(i) as i32;
        } else if vocabulary.verbs[out.tags()[i] as usize] {
            next = Some(i);
        }
    }
    out.heads = heads;
}
