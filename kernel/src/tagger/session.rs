//! Annotates the sentences of a text on one thread; properties of a word are computed once per distinct word.
//!
//! ```ignore
//! let mut session = Session::new(model, profile);              // one per thread
//! let (mut source, mut target) = (Annotation::default(), Annotation::default());   // reused columns
//! for pair in pairs {
//!     if session.refresh() { /* all ids are void: drop the data derived from them */ }
//!     session.annotate(pair.source.words(), &mut source);
//!     session.annotate_like(&source, pair.target.words(), &mut target);
//!     // `session.strings()` has grown by the new strings: derive the data of the new ids
//! }
//! ```

use super::annotator::{Annotations, Annotator};
use super::model::Model;
use super::profile::Profile;
use super::strings::Table;
use super::vocabulary::OUTSIDE;

use std::sync::Arc;

use rustc_hash::FxHashMap;

/// Approximate maximum number of strings that a session stores between sentences; `refresh` drops more.
const MANY: usize = 1 << 16;

/// The columns of one annotated sentence: `form`, `lemma`, `pos`, `tag`, `dep` are ids of strings of the session that
/// annotated it, `head` is a position in the sentence. `edits::annotated::Columns` borrows them.
#[derive(Clone, Debug, Default)]
pub struct Annotation {
    pub form: Vec<i32>,
    pub lemma: Vec<i32>,
    pub pos: Vec<i32>,
    pub tag: Vec<i32>,
    pub dep: Vec<i32>,
    pub head: Vec<i32>,
    found: Annotations,
}

/// Annotates sentences on one thread. The annotation of a sentence depends only on this sentence; the ids depend on
/// previous sentences.
pub struct Session {
    model: Arc<Model>,
    profile: Arc<Profile>,
    table: Table,
    /// String ids of the model's tags and labels.
    tags: Vec<i32>,
    labels: Vec<i32>,
    annotator: Annotator,
    /// Lemma and part of speech of a form with a tag.
    readings: FxHashMap<(i32, u8), (i32, i32)>,
    /// Tag, lemma and part of speech of each form's last occurrence, if there was one.
    last: Vec<(u8, i32, i32)>,
}

impl Session {
    /// Cost: O(tags and labels of the model).
    pub fn new(model: Arc<Model>, profile: Arc<Profile>) -> Self {
        let mut table = Table::default();
        let mut ids = |names: &[String]| names.iter().map(|name| table.intern(name) as i32).collect();
        let (tags, labels) = (ids(&model.vocabulary.tags), ids(&model.vocabulary.labels));
        let annotator = Annotator::new(Arc::clone(&model));
        Self { model, profile, table, tags, labels, annotator, readings: FxHashMap::default(), last: Vec::new() }
    }

    /// The distinct strings by id; strings are only appended until `refresh` returns true.
    pub fn strings(&self) -> &[String] {
        &self.table.strings
    }

    /// Bounds the memory; call it when no id is in use, as between two pairs of sentences. If the session has many
    /// strings, it drops all of them and returns true; all ids are then void.
    #[must_use = "after true, ids from before mean other strings"]
    pub fn refresh(&mut self) -> bool {
        let full = self.table.strings.len() > MANY;
        if full {
            *self = Self::new(Arc::clone(&self.model), Arc::clone(&self.profile));
        }
        full
    }

    /// Annotate one sentence into `out`, whose previous content is dropped.
    pub fn annotate<'w>(&mut self, words: impl IntoIterator<Item = &'w str>, out: &mut Annotation) {
        self.fill(None, words, out);
    }

    /// Like `annotate`, with the same result whatever `like` is; faster if this session annotated `like` (since its
    /// last refresh) and the sentences are similar, as source and target of a correction are.
    pub fn annotate_like<'w>(
        &mut self,
        like: &Annotation,
        words: impl IntoIterator<Item = &'w str>,
        out: &mut Annotation,
    ) {
        self.fill(Some(&like.found), words, out);
    }

    /// The indices of each token's tag and label in the model, from which `recall` restores the annotation in any
    /// session.
    pub fn decisions(of: &Annotation) -> impl Iterator<Item = [u8; 2]> + '_ {
        of.found.tags().iter().zip(of.found.labels()).map(|(&tag, &label)| [tag, label])
    }

    /// Like `annotate`, with the same result, for a sentence whose `decisions` are known. O(tokens).
    pub fn recall<'w>(
        &mut self,
        words: impl IntoIterator<Item = &'w str>,
        decisions: &[[u8; 2]],
        out: &mut Annotation,
    ) {
        self.intern(words, out);
        self.annotator.recall(&self.table.strings, &out.form, decisions, &mut out.found);
        self.name(out);
    }

    fn fill<'w>(&mut self, like: Option<&Annotations>, words: impl IntoIterator<Item = &'w str>, out: &mut Annotation) {
        self.intern(words, out);
        self.annotator.annotate(&self.table.strings, &out.form, like, &mut out.found);
        self.name(out);
    }

    fn intern<'w>(&mut self, words: impl IntoIterator<Item = &'w str>, out: &mut Annotation) {
        out.form.clear();
        out.form.extend(words.into_iter().map(|word| self.table.intern(word) as i32));
    }

    /// Fills the columns from the decisions.
    fn name(&mut self, out: &mut Annotation) {
        let Annotation { form, lemma, pos, tag, dep, head, found } = out;
        replace(tag, found.tags().iter().map(|&tag| self.tags[tag as usize]));
        replace(dep, found.labels().iter().map(|&label| self.labels[label as usize]));
        replace(head, found.heads().iter().copied());
        lemma.clear();
        pos.clear();
        if self.last.len() < self.table.strings.len() {
            self.last.resize(self.table.strings.len(), (OUTSIDE, 0, 0));
        }
        for (&form, &tag) in form.iter().zip(found.tags()) {
            if self.last[form as usize].0 != tag {
                let (lemma, pos) = self.reading(form, tag);
                self.last[form as usize] = (tag, lemma, pos);
            }
            let (_, its_lemma, its_pos) = self.last[form as usize];
            lemma.push(its_lemma);
            pos.push(its_pos);
        }
    }

    /// Lemma and part of speech of a form with a tag.
    fn reading(&mut self, form: i32, tag: u8) -> (i32, i32) {
        let (table, model, profile) = (&mut self.table, &self.model, &self.profile);
        *self.readings.entry((form, tag)).or_insert_with(|| {
            let form = table.strings[form as usize].clone();
            let (lemma, pos) = profile.reading(&model.vocabulary, &form, tag);
            (table.intern(&lemma) as i32, table.intern(&pos) as i32)
        })
    }
}

fn replace(column: &mut Vec<i32>, values: impl Iterator<Item = i32>) {
    column.clear();
    column.extend(values);
}
