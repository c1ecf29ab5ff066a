//! Annotation of sentences on one thread. Decisions are computed lazily and cached.
//!
//! ```ignore
//! let mut session = Session::new(model, profile);              // one per thread
//! let (mut source, mut target) = (SentenceMemo::default(), SentenceMemo::default());   // reused memory
//! for pair in pairs {
//!     if session.refresh() { /* all numbers are invalid: drop the data derived from them */ }
//!     session.read(pair.source, &mut source);
//!     session.read_like(&source, [pair.source, pair.target], &mut target);
//!     let source = session.annotation(&source, None);
//!     let target = session.annotation(&target, Some(&source));
//!     // source.tag(3), target.lemma(0), ...
//! }
//! ```

use std::cell::{Cell, RefCell};
use std::ops::Range;
use std::sync::Arc;

use foldhash::HashMap;

use super::annotator::{Annotator, NO_STRING};
use super::features::{LABEL_REACH, TAG_REACH};
use super::model::{Model, Profile, OUTSIDE};
use crate::error::Error;
use crate::parallel;
use crate::text::strings::Strings;
use crate::text::words::words;

/// Approximate maximum number of strings that a session stores between sentences; `refresh` drops more.
const MAX_STRINGS: usize = 1 << 16;

/// A decision that is not computed yet.
const UNDECIDED: u8 = 254;

/// The lemma of a token, as a number of the session, and the index of its part of speech in the profile.
#[derive(Clone, Copy)]
struct LemmaReading {
    lemma: u32,
    pos: u8,
}

/// A sentence: the numbers of its forms, with [`LABEL_REACH`] times [`NO_STRING`] on both sides, and the decisions that
/// were read.
#[derive(Default)]
pub struct SentenceMemo {
    forms: Vec<u32>,
    /// The ends of the words in the line, if it was read without another.
    ends: Vec<usize>,
    /// Between [`LABEL_REACH`] times [`OUTSIDE`].
    tags: Vec<Cell<u8>>,
    labels: Vec<Cell<u8>>,
    readings: Vec<Cell<Option<LemmaReading>>>,
    /// Numbers of forms at the beginning and at the end that the sentence shares with the sentence it was read like.
    common: [usize; 2],
}

impl SentenceMemo {
    /// The numbers of the forms.
    pub fn forms(&self) -> &[u32] {
        &self.forms[LABEL_REACH..self.forms.len() - LABEL_REACH]
    }

    fn fill(&mut self, forms: impl Iterator<Item = u32>) {
        let no_strings = [NO_STRING; LABEL_REACH];
        self.ends.clear();
        self.forms.clear();
        self.forms.extend(no_strings.into_iter().chain(forms).chain(no_strings));
        let tokens = self.forms().len();
        let outside = [const { Cell::new(OUTSIDE) }; LABEL_REACH];
        self.tags.clear();
        self.tags.extend_from_slice(&outside);
        self.tags.resize(LABEL_REACH + tokens, Cell::new(UNDECIDED));
        self.tags.extend_from_slice(&outside);
        self.labels.clear();
        self.labels.resize(tokens, Cell::new(UNDECIDED));
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
    readings: HashMap<(u32, u8, u8), Option<LemmaReading>>,
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

    /// Bounds the memory; call it when no numbers are in use, as between two pairs of sentences. If the session has
    /// many strings, it drops all of them and returns true; all numbers are then invalid.
    #[must_use = "if true, previous numbers are invalid"]
    pub fn refresh(&mut self) -> bool {
        let is_full = self.strings.len() > MAX_STRINGS;
        if is_full {
            *self = Self::new(Arc::clone(&self.model), Arc::clone(&self.profile));
        }
        is_full
    }

    /// Replaces the content of `memo` by a sentence. O(bytes).
    pub fn read(&mut self, line: &str, memo: &mut SentenceMemo) {
        let mut ends = std::mem::take(&mut memo.ends);
        ends.clear();
        memo.fill(words(line).map(|word| {
            ends.push(word.as_ptr() as usize + word.len() - line.as_ptr() as usize);
            self.strings.intern(word)
        }));
        memo.ends = ends;
    }

    /// Replaces the content of `memo` by a tokenised sentence. O(bytes).
    pub fn read_tokens<'t>(&mut self, tokens: impl Iterator<Item = &'t str>, memo: &mut SentenceMemo) {
        memo.fill(tokens.map(|token| self.strings.intern(token)));
    }

    /// Like `read` for the second line, given the memo of the first. Only words between the common beginning and end
    /// are looked up, and decisions with the same input in the first line are shared.
    pub fn read_like(&mut self, like: &SentenceMemo, [first, line]: [&str; 2], memo: &mut SentenceMemo) {
        let is_same = |(a, b): &(u8, u8)| a == b;
        let mut common = first.bytes().zip(line.bytes()).take_while(is_same).count();
        common = (0..=common).rfind(|&end| line.is_char_boundary(end)).unwrap_or(0);
        // A word at the border may continue in one of the lines.
        let words_before = like.ends.partition_point(|&end| end < common);
        let start = like.ends[..words_before].last().map_or(0, |&end| end);
        common = first[start..].bytes().rev().zip(line[start..].bytes().rev()).take_while(is_same).count();
        common = (0..=common).rfind(|&length| line.is_char_boundary(line.len() - length)).unwrap_or(0);
        let last_changed = like.ends.partition_point(|&end| end < first.len() - common);
        let stop = line.len() - like.ends.get(last_changed).map_or(0, |end| first.len() - end);
        let (common_start, common_end) =
            (&like.forms()[..words_before], like.forms().get(last_changed + 1..).unwrap_or_default());
        let changed = words(&line[start..stop]).map(|word| self.strings.intern(word));
        memo.fill(common_start.iter().copied().chain(changed).chain(common_end.iter().copied()));
        let (forms, like) = (memo.forms(), like.forms());
        let front = forms.iter().zip(like).take_while(|(a, b)| a == b).count();
        let back = forms[front..].iter().rev().zip(like[front..].iter().rev()).take_while(|(a, b)| a == b).count();
        memo.common = [front, back];
    }

    /// The annotation of a sentence, given the annotation of the sentence it was read like.
    pub fn annotation<'a>(&'a self, memo: &'a SentenceMemo, like: Option<&'a Annotation<'a>>) -> Annotation<'a> {
        Annotation { session: self, memo, like }
    }
}

/// The annotation of a sentence, computed lazily.
pub struct Annotation<'a> {
    session: &'a Session,
    memo: &'a SentenceMemo,
    like: Option<&'a Annotation<'a>>,
}

impl Annotation<'_> {
    fn len(&self) -> usize {
        self.memo.labels.len()
    }

    /// The token of the other sentence with the same words around it, up to a distance.
    fn token_with_same_context(&self, t: usize, reach: usize) -> Option<(&Self, usize)> {
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
        self.padded_tag(t + LABEL_REACH)
    }

    /// The tag at an index of the memo's tags, which include those outside the sentence.
    fn padded_tag(&self, index: usize) -> u8 {
        get_or_decide(&self.memo.tags[index], || {
            let t = index - LABEL_REACH;
            match self.token_with_same_context(t, TAG_REACH) {
                Some((like, s)) => like.tag(s),
                None => self.decide(t, |annotator, words| annotator.tag(words)),
            }
        })
    }

    /// The index of a token's label in the model.
    pub fn label(&self, t: usize) -> u8 {
        get_or_decide(&self.memo.labels[t], || match self.token_with_same_context(t, TAG_REACH + LABEL_REACH) {
            Some((like, s)) => like.label(s),
            None => {
                let tags = std::array::from_fn(|offset| self.padded_tag(t + offset));
                self.decide(t, |annotator, words| annotator.label(words, &tags))
            }
        })
    }

    /// A decision by the N words around a token.
    fn decide<const N: usize>(&self, t: usize, decide: impl FnOnce(&Annotator, &[u32; N]) -> u8) -> u8 {
        let forms =
            self.memo.forms[t + LABEL_REACH - N / 2..].first_chunk().expect("both sides of a sentence are filled");
        let annotator = &mut self.session.decider.borrow_mut().annotator;
        let words = forms.map(|form| annotator.word_index(&self.session.strings, form));
        decide(annotator, &words)
    }

    /// The number of a token's lemma among the lemmas of the session.
    pub fn lemma(&self, t: usize) -> u32 {
        self.reading(t).lemma
    }

    /// A token's lemma.
    pub fn lemma_text(&self, t: usize) -> String {
        let lemma = self.lemma(t);
        self.session.decider.borrow().lemmas.get(lemma).to_string()
    }

    /// The index of a token's part of speech in the profile.
    pub fn pos(&self, t: usize) -> u8 {
        self.reading(t).pos
    }

    fn reading(&self, t: usize) -> LemmaReading {
        if let Some(reading) = self.memo.readings[t].get() {
            return reading;
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
                Some(LemmaReading { lemma: lemmas.intern(&lemma), pos })
            })
        };
        let reading = read(OUTSIDE).or_else(|| read(self.label(t))).expect("a label is enough");
        self.memo.readings[t].set(Some(reading));
        reading
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
        if self.is_auxiliary(t) {
            next().unwrap_or(t)
        } else {
            t
        }
    }

    /// The auxiliaries whose head is a token, from left to right.
    pub fn auxiliaries(&self, t: usize) -> Vec<usize> {
        if !self.is_head(t) {
            return Vec::new();
        }
        let start = (0..t).rfind(|&s| self.is_head(s)).map_or(0, |head| head + 1);
        (start..t).filter(|&s| self.is_auxiliary(s)).collect()
    }
}

/// A decision, computed on first use.
fn get_or_decide(decision: &Cell<u8>, decide: impl FnOnce() -> u8) -> u8 {
    if decision.get() == UNDECIDED {
        decision.set(decide());
    }
    decision.get()
}

/// Number of sentences that a thread takes at once.
const SENTENCES_PER_TASK: usize = 64;

/// Annotated tokens: `form`, `lemma`, `pos`, `tag`, `dep` are indices of `strings`, `head` a position in the sentence.
#[derive(Default)]
pub struct AnnotatedColumns {
    pub strings: Vec<String>,
    pub form: Vec<i32>,
    pub lemma: Vec<i32>,
    pub pos: Vec<i32>,
    pub tag: Vec<i32>,
    pub dep: Vec<i32>,
    pub head: Vec<i32>,
}

/// Tags, labels and heads of the tokens of consecutive sentences.
#[derive(Default)]
struct TokenDecisions {
    tags: Vec<u8>,
    labels: Vec<u8>,
    heads: Vec<i32>,
}

/// Annotates sentences: token t is string `ids[t]`, sentence s has the tokens `offsets[s]..offsets[s + 1]`.
///
/// Cost: a tag and a label for every token, distributed to `threads` (0: one per processor), and one reading per
/// distinct form with tag and label.
pub fn columns(
    model: &Arc<Model>,
    profile: &Arc<Profile>,
    mut strings: Strings,
    ids: &[u32],
    offsets: &[usize],
    threads: usize,
) -> Result<AnnotatedColumns, Error> {
    let decide = |sentences: Range<usize>, session: &mut Session| {
        let (mut decisions, mut memo) = (TokenDecisions::default(), SentenceMemo::default());
        let _ = session.refresh(); // no numbers are in use
        for s in sentences {
            session.read_tokens(ids[offsets[s]..offsets[s + 1]].iter().map(|&id| strings.get(id)), &mut memo);
            let annotation = session.annotation(&memo, None);
            for t in 0..memo.forms().len() {
                decisions.tags.push(annotation.tag(t));
                decisions.labels.push(annotation.label(t));
                decisions.heads.push(annotation.head(t) as i32);
            }
        }
        Ok(decisions)
    };
    let session = || Session::new(Arc::clone(model), Arc::clone(profile));
    let runs = parallel::map_ranges(offsets.len().saturating_sub(1), SENTENCES_PER_TASK, threads, session, decide)?;
    let vocabulary = &model.vocabulary;
    let mut intern = |names: &[String]| -> Vec<i32> { names.iter().map(|name| strings.intern(name) as i32).collect() };
    let (tags, labels, pos_ids) = (intern(&vocabulary.tags), intern(&vocabulary.labels), intern(&profile.parts));
    let mut readings: HashMap<(u32, u8, u8), (i32, u8)> = HashMap::default();
    let mut columns = AnnotatedColumns { form: ids.iter().map(|&id| id as i32).collect(), ..Default::default() };
    let decisions = runs.iter().flat_map(|run| run.tags.iter().zip(&run.labels));
    for (&id, (&tag, &label)) in ids.iter().zip(decisions) {
        let &mut (lemma, pos) = readings.entry((id, tag, label)).or_insert_with(|| {
            let (lemma, pos) = profile.reading(vocabulary, strings.get(id), tag, label);
            (strings.intern(&lemma) as i32, pos)
        });
        columns.lemma.push(lemma);
        columns.pos.push(pos_ids[pos as usize]);
        columns.tag.push(tags[tag as usize]);
        columns.dep.push(labels[label as usize]);
    }
    columns.head = runs.into_iter().flat_map(|run| run.heads).collect();
    columns.strings = strings.iter().map(str::to_string).collect();
    Ok(columns)
}
