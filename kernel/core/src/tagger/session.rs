//! Annotates sentences on one thread. Nothing is decided before it is read, and then once.
//!
//! ```ignore
//! let mut session = Session::new(model, profile);              // one per thread
//! let (mut source, mut target) = (Memo::default(), Memo::default());   // reused memory
//! for pair in pairs {
//!     if session.refresh() { /* all numbers are void: drop the data derived from them */ }
//!     session.read(pair.source, &mut source);
//!     session.read_like(&source, [pair.source, pair.target], &mut target);
//!     let source = session.annotation(&source, None);
//!     let target = session.annotation(&target, Some(&source));
//!     // source.tag(3), target.lemma(0), ...
//! }
//! ```

use std::cell::{Cell, RefCell};
use std::sync::Arc;

use foldhash::HashMap;

use super::annotator::{Annotator, NOWHERE};
use super::features::{LABEL_REACH, LABEL_WINDOW, TAG_REACH, TAG_WINDOW};
use super::model::Model;
use super::profile::Profile;
use super::vocabulary::OUTSIDE;
use crate::text::strings::Strings;
use crate::text::words::words;

/// Approximate maximum number of strings that a session stores between sentences; `refresh` drops more.
const MANY: usize = 1 << 16;

/// A decision that was not read yet.
const OPEN: u8 = 254;

/// The lemma of a token, as a number of the session, and the index of its part of speech in the profile.
#[derive(Clone, Copy)]
struct Reading {
    lemma: u32,
    pos: u8,
}

/// A sentence: the numbers of its forms, with [`LABEL_REACH`] times [`NOWHERE`] on both sides, and the decisions that
/// were read.
#[derive(Default)]
pub struct Memo {
    forms: Vec<u32>,
    /// The ends of the words in the line, if it was read without another.
    ends: Vec<usize>,
    tags: Vec<Cell<u8>>,
    labels: Vec<Cell<u8>>,
    readings: Vec<Cell<Option<Reading>>>,
    /// The number of forms at the beginning and at the end that the sentence shares with another.
    common: [usize; 2],
}

impl Memo {
    /// The numbers of the forms.
    pub fn forms(&self) -> &[u32] {
        &self.forms[LABEL_REACH..self.forms.len() - LABEL_REACH]
    }

    fn fill(&mut self, forms: impl Iterator<Item = u32>) {
        let nowhere = [NOWHERE; LABEL_REACH];
        self.forms.clear();
        self.forms.extend(nowhere.into_iter().chain(forms).chain(nowhere));
        let tokens = self.forms().len();
        self.tags.clear();
        self.tags.resize(tokens, Cell::new(OPEN));
        self.labels.clear();
        self.labels.resize(tokens, Cell::new(OPEN));
        self.readings.clear();
        self.readings.resize(tokens, Cell::new(None));
        self.common = [0; 2];
    }
}

/// Annotates sentences on one thread. The annotation of a sentence depends only on this sentence; the numbers depend on
/// previous sentences.
pub struct Session {
    profile: Arc<Profile>,
    model: Arc<Model>,
    strings: Strings,
    decider: RefCell<Decider>,
}

struct Decider {
    annotator: Annotator,
    lemmas: Strings,
    /// Lemma and part of speech of a form with a tag and a label, or without one (`OUTSIDE`) if none is needed.
    readings: HashMap<(u32, u8, u8), Option<Reading>>,
}

impl Session {
    pub fn new(model: Arc<Model>, profile: Arc<Profile>) -> Self {
        let annotator = Annotator::new(Arc::clone(&model));
        let decider = Decider { annotator, lemmas: Strings::default(), readings: HashMap::default() };
        Self { profile, model, strings: Strings::default(), decider: RefCell::new(decider) }
    }

    /// The distinct forms by number; strings are only appended until `refresh` returns true.
    pub fn strings(&self) -> &Strings {
        &self.strings
    }

    /// Bounds the memory; call it when no number is in use, as between two pairs of sentences. If the session has many
    /// strings, it drops all of them and returns true; all numbers are then void.
    #[must_use = "after true, numbers from before mean other strings"]
    pub fn refresh(&mut self) -> bool {
        let full = self.strings.len() > MANY;
        if full {
            *self = Self::new(Arc::clone(&self.model), Arc::clone(&self.profile));
        }
        full
    }

    /// Reads a sentence into `memo`, whose previous content is dropped. O(bytes).
    pub fn read(&mut self, line: &str, memo: &mut Memo) {
        let mut ends = std::mem::take(&mut memo.ends);
        ends.clear();
        memo.fill(words(line).map(|word| {
            ends.push(word.as_ptr() as usize + word.len() - line.as_ptr() as usize);
            self.strings.intern(word)
        }));
        memo.ends = ends;
    }

    /// Like `read` for the second line, given the memo of the first. Only words between the common beginning and end are
    /// looked up, and decisions that have the same inputs in the first line will be read there.
    pub fn read_like(&mut self, other: &Memo, [first, line]: [&str; 2], memo: &mut Memo) {
        let same = |(a, b): &(u8, u8)| a == b;
        let mut shared = first.bytes().zip(line.bytes()).take_while(same).count();
        shared = (0..=shared).rfind(|&at| line.is_char_boundary(at)).unwrap_or(0);
        // A word at the border may go on in one of the lines.
        let before = other.ends.partition_point(|&end| end < shared);
        let start = other.ends[..before].last().map_or(0, |&end| end);
        shared = first[start..].bytes().rev().zip(line[start..].bytes().rev()).take_while(same).count();
        shared = (0..=shared).rfind(|&at| line.is_char_boundary(line.len() - at)).unwrap_or(0);
        let last = other.ends.partition_point(|&end| end < first.len() - shared);
        let stop = line.len() - other.ends.get(last).map_or(0, |end| first.len() - end);
        let after = other.forms().get(last + 1..).unwrap_or_default();
        let changed = words(&line[start..stop]).map(|word| self.strings.intern(word));
        memo.fill(other.forms()[..before].iter().copied().chain(changed).chain(after.iter().copied()));
        let (own, other) = (memo.forms(), other.forms());
        let front = own.iter().zip(other).take_while(|(a, b)| a == b).count();
        let rest = own[front..].iter().rev().zip(other[front..].iter().rev());
        memo.common = [front, rest.take_while(|(a, b)| a == b).count()];
    }

    /// The annotation of a sentence, given the one of the sentence that it was read like.
    pub fn annotation<'a>(&'a self, memo: &'a Memo, like: Option<&'a Annotation<'a>>) -> Annotation<'a> {
        Annotation { session: self, memo, like }
    }
}

/// The decisions about a sentence, made when they are read.
pub struct Annotation<'a> {
    session: &'a Session,
    memo: &'a Memo,
    like: Option<&'a Annotation<'a>>,
}

impl Annotation<'_> {
    fn len(&self) -> usize {
        self.memo.tags.len()
    }

    /// The token of the other sentence that has the same words around it, up to a distance.
    fn twin(&self, t: usize, reach: usize) -> Option<(&Self, usize)> {
        let (like, [front, back]) = (self.like?, self.memo.common);
        if t + reach < front {
            Some((like, t))
        } else if t >= self.len() - back + reach {
            Some((like, t + like.len() - self.len()))
        } else {
            None
        }
    }

    /// The index of a token's tag in the model.
    pub fn tag(&self, t: usize) -> u8 {
        let known = &self.memo.tags[t];
        if known.get() == OPEN {
            known.set(match self.twin(t, TAG_REACH) {
                Some((like, s)) => like.tag(s),
                None => {
                    let forms: &[u32; TAG_WINDOW] = self.around(t, TAG_REACH);
                    let annotator = &mut self.session.decider.borrow_mut().annotator;
                    let places = forms.map(|form| annotator.place(&self.session.strings, form));
                    annotator.tag(&places)
                }
            });
        }
        known.get()
    }

    /// The index of a token's label in the model.
    pub fn label(&self, t: usize) -> u8 {
        let known = &self.memo.labels[t];
        if known.get() == OPEN {
            known.set(match self.twin(t, TAG_REACH + LABEL_REACH) {
                Some((like, s)) => like.label(s),
                None => {
                    let tag = |at: usize| {
                        let token = (t + at).checked_sub(LABEL_REACH).filter(|&token| token < self.len());
                        token.map_or(OUTSIDE, |token| self.tag(token))
                    };
                    let tags: [u8; LABEL_WINDOW] = std::array::from_fn(tag);
                    let forms: &[u32; LABEL_WINDOW] = self.around(t, LABEL_REACH);
                    let annotator = &mut self.session.decider.borrow_mut().annotator;
                    let places = forms.map(|form| annotator.place(&self.session.strings, form));
                    annotator.label(&places, &tags)
                }
            });
        }
        known.get()
    }

    fn around<const N: usize>(&self, t: usize, reach: usize) -> &[u32; N] {
        self.memo.forms[t + LABEL_REACH - reach..].first_chunk().expect("both sides of a sentence are filled")
    }

    /// The number of a token's lemma among the lemmas of the session.
    pub fn lemma(&self, t: usize) -> u32 {
        self.reading(t).lemma
    }

    /// The index of a token's part of speech in the profile.
    pub fn pos(&self, t: usize) -> u8 {
        self.reading(t).pos
    }

    fn reading(&self, t: usize) -> Reading {
        let known = &self.memo.readings[t];
        if let Some(known) = known.get() {
            return known;
        }
        let Session { profile, model, strings, decider } = self.session;
        let (form, tag) = (self.memo.forms()[t], self.tag(t));
        let read = |label: u8| {
            let Decider { lemmas, readings, .. } = &mut *decider.borrow_mut();
            *readings.entry((form, tag, label)).or_insert_with(|| {
                let text = strings.get(form);
                if label == OUTSIDE && profile.reads_label(&model.vocabulary, text, tag) {
                    return None;
                }
                let (lemma, pos) = profile.reading(&model.vocabulary, text, tag, label);
                Some(Reading { lemma: lemmas.intern(&lemma), pos })
            })
        };
        let found = read(OUTSIDE).or_else(|| read(self.label(t))).expect("a label is enough");
        known.set(Some(found));
        found
    }

    /// Whether a token's tag allows an auxiliary's label.
    pub fn may_be_auxiliary(&self, t: usize) -> bool {
        self.session.model.vocabulary.allows_auxiliary(self.tag(t))
    }

    /// Whether a token's label is an auxiliary's.
    fn is_auxiliary(&self, t: usize) -> bool {
        self.may_be_auxiliary(t) && self.session.model.vocabulary.auxiliaries[self.label(t) as usize]
    }

    /// Whether a token can have auxiliaries.
    fn is_head(&self, t: usize) -> bool {
        self.session.model.vocabulary.verbs[self.tag(t) as usize] && !self.is_auxiliary(t)
    }

    /// The position of a token's head: for an auxiliary the next other verb to the right, else the token.
    pub fn head(&self, t: usize) -> usize {
        let next = || (t + 1..self.len()).find(|&t| self.is_head(t));
        Some(t).filter(|&t| self.is_auxiliary(t)).and_then(|_| next()).unwrap_or(t)
    }

    /// The auxiliaries whose head is a token, from left to right.
    pub fn auxiliaries(&self, t: usize) -> Vec<usize> {
        let before = if self.is_head(t) { t } else { 0 };
        let own = (0..before).rev().take_while(|&t| !self.is_head(t)).filter(|&t| self.is_auxiliary(t));
        let mut found: Vec<usize> = own.collect();
        found.reverse();
        found
    }
}
