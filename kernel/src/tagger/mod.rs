//! The builtin English annotator: Penn tags, dependency labels, heads of auxiliaries and lemmas of tokenised text.
//!
//! Two averaged perceptrons over hashed features run from left to right: the first chooses the tag of each
//! token, the second, which sees all tags, its dependency label (Collins 2002, greedy). Lemmas come from rules
//! and a list of base forms. The model is data: `tools/train_tagger.py` writes it and says how.

pub mod batch;
pub mod context;
pub mod features;
pub mod lemmas;
pub mod possible;
pub mod read;
pub mod session;
pub mod weights;

use context::{kind, View};
use features::{label_features, normal, tag_features, Word, OUTSIDE};
use lemmas::Lexicon;
use possible::Sets;
use read::{Reader, Words};
use weights::{best, best_of, Weights};

use crate::parallel;

/// The part of a model that is not weights: names, the dictionary of frequent words, the lexicon.
pub struct Vocabulary {
    pub tags: Vec<String>,
    pub labels: Vec<String>,
    words: Words,
    classes: Vec<(u16, u8)>,
    /// The tags of each ambiguity class, as bits; class 0 is empty.
    class_tags: Vec<u64>,
    sets: Sets,
    /// Opening and closing quotation mark.
    quotes: [Option<u8>; 2],
    pub lexicon: Lexicon,
    pub kinds: Vec<u8>,
}

impl Vocabulary {
    pub fn read(reader: &mut Reader) -> Result<Self, String> {
        let (tags, labels) = (reader.names()?, reader.names()?);
        let class_tags: Vec<u64> = (0..reader.u16()?).map(|_| reader.u64()).collect::<Result<_, _>>()?;
        let words = Words::read(reader)?;
        let classes =
            (0..words.len()).map(|_| Ok((reader.u16()?, reader.u8()?))).collect::<Result<Vec<_>, String>>()?;
        let known = |&(class, sure): &(u16, u8)| {
            (class as usize) < class_tags.len() && (sure == OUTSIDE || (sure as usize) < tags.len())
        };
        if class_tags.is_empty() || tags.len() > 64 || !classes.iter().all(known) {
            return Err("the tagger's model names a tag it does not have".into());
        }
        // One more kind for the tag beyond the sentence.
        let mut kinds = vec![b'$'; 256];
        for (place, tag) in tags.iter().enumerate() {
            kinds[place] = kind(tag);
        }
        let sets = Sets::new(&tags);
        let quotes = ["``", "''"].map(|mark| tags.iter().position(|tag| tag == mark).map(|place| place as u8));
        Ok(Self { tags, labels, words, classes, class_tags, sets, quotes, lexicon: Lexicon::read(reader)?, kinds })
    }

    /// Ambiguity class and certain tag of a normalised word; (0, OUTSIDE) if it was not frequent in training.
    pub fn class(&self, word: &str) -> (u16, u8) {
        self.words.find(word).map_or((0, OUTSIDE), |rank| self.classes[rank])
    }

    /// What an unknown word with slashes between letters is tagged as: its last part ("his/her" as "her").
    pub fn essence<'a>(&self, form: &'a str) -> &'a str {
        let letters = |part: &str| !part.is_empty() && part.chars().all(char::is_alphabetic);
        match form.rsplit_once('/') {
            Some((_, last)) if form.split('/').all(letters) && self.words.find(&normal(form)).is_none() => last,
            _ => form,
        }
    }

    /// Whether a quotation is open after a tag, given whether one was before it.
    pub fn in_quotation(&self, tag: u8, before: bool) -> bool {
        match self.quotes.iter().position(|&mark| mark == Some(tag)) {
            Some(place) => place == 0,
            None => before,
        }
    }
}

pub struct Model {
    pub vocabulary: Vocabulary,
    tagging: Weights,
    labelling: Weights,
}

/// Tags, labels and heads of a sentence, one entry a token; heads are places in the sentence.
#[derive(Clone, Default)]
pub struct Annotations {
    pub tags: Vec<u8>,
    pub labels: Vec<u8>,
    pub heads: Vec<i32>,
}

impl Model {
    /// Parse a model. O(size).
    pub fn read(bytes: &[u8]) -> Result<Self, String> {
        let mut reader = Reader::new(bytes);
        let vocabulary = Vocabulary::read(&mut reader)?;
        let (tagging, labelling) = (Weights::read(&mut reader)?, Weights::read(&mut reader)?);
        if !reader.is_empty() {
            return Err("the tagger's model goes on after its end".into());
        }
        if tagging.classes != vocabulary.tags.len() || labelling.classes != vocabulary.labels.len() {
            return Err("the tagger's model has weights for other tags or labels than it names".into());
        }
        Ok(Self { vocabulary, tagging, labelling })
    }

    /// Tag and label sentences: token t is `types[ids[t]]`, sentence s is `offsets[s]..offsets[s + 1]`.
    ///
    /// Cost: O(tokens · features · classes a feature weighs), some microseconds a token, split over `threads`
    /// (0: all processors) by sentences; the result does not depend on their number.
    pub fn annotate(&self, types: &[String], ids: &[u32], offsets: &[usize], threads: usize) -> Vec<Annotations> {
        let outside = Word::outside();
        let mut words = vec![outside.clone(); types.len()];
        parallel::chunks(
            &mut words,
            1,
            threads,
            || (),
            |id, word, ()| word[0] = Word::new(&types[id], &self.vocabulary),
        );
        let mut out = vec![Annotations::default(); offsets.len().saturating_sub(1)];
        parallel::chunks(&mut out, 1, threads, Vec::new, |s, out, sentence: &mut Vec<&Word>| {
            sentence.clear();
            sentence.extend([&outside, &outside]);
            sentence.extend(ids[offsets[s]..offsets[s + 1]].iter().map(|&id| &words[id as usize]));
            sentence.extend([&outside, &outside]);
            out[0] = self.sentence(sentence);
        });
        out
    }

    fn sentence(&self, sentence: &[&Word]) -> Annotations {
        let tags = self.tag(sentence);
        let labels = self.label(sentence, &tags);
        let tags = tags[2..tags.len() - 2].to_vec();
        Annotations { heads: self.heads(&tags, &labels), tags, labels }
    }

    /// The tags of one sentence, with two outside tags on both sides.
    fn tag(&self, sentence: &[&Word]) -> Vec<u8> {
        let mut scores = vec![0i32; self.tagging.classes];
        let mut tags = vec![OUTSIDE, OUTSIDE];
        let mut quote = false;
        for i in 0..sentence.len() - 4 {
            let word = sentence[i + 2];
            let mut tag = word.sure;
            if tag == OUTSIDE {
                scores.fill(0);
                tag_features(sentence, &tags, quote, |feature| self.tagging.add(feature, &mut scores));
                tag = best_of(&scores, word.possible);
            }
            quote = self.vocabulary.in_quotation(tag, quote);
            tags.push(tag);
        }
        tags.extend([OUTSIDE, OUTSIDE]);
        tags
    }

    fn label(&self, sentence: &[&Word], tags: &[u8]) -> Vec<u8> {
        let view = View::new(sentence, tags, &self.vocabulary.kinds);
        let mut scores = vec![0i32; self.labelling.classes];
        let (mut before, mut second) = (OUTSIDE, OUTSIDE);
        let mut labels = Vec::with_capacity(tags.len() - 4);
        for i in 0..tags.len() - 4 {
            scores.fill(0);
            label_features(sentence, tags, i, &view.context(i), before, second, |feature| {
                self.labelling.add(feature, &mut scores);
            });
            (second, before) = (before, best(&scores));
            labels.push(before);
        }
        labels
    }

    /// The head of an auxiliary is the next verb to its right that is none; every other token is its own.
    fn heads(&self, tags: &[u8], labels: &[u8]) -> Vec<i32> {
        let auxiliary = |i: usize| self.vocabulary.labels[labels[i] as usize].starts_with("aux");
        let verb = |i: usize| self.vocabulary.tags[tags[i] as usize].starts_with("VB");
        let mut next = None;
        let mut heads: Vec<i32> = (0..tags.len() as i32).collect();
        for i in (0..tags.len()).rev() {
            if auxiliary(i) {
                heads[i] = next.unwrap_or(i) as i32;
            } else if verb(i) {
                next = Some(i);
            }
        }
        heads
    }
}
