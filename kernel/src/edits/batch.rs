//! Extraction from annotated sentences of any annotator: columns of ids of tables of strings.

use std::ops::Range;
use std::sync::Arc;

use crate::edits::annotated::{Columns, Sentence, Span};
use crate::edits::classify::classify;
use crate::edits::columns::{EditColumns, Strings};
use crate::edits::lexicon::{Lexicon, WordList};
use crate::edits::pair::{Pairs, Settings, TooLong};
use crate::edits::rules::TagSet;
use crate::parallel;

/// Annotated sentences, numbered from 0 over all added tables.
#[derive(Default)]
struct Table {
    form: Vec<i32>,
    lemma: Vec<i32>,
    pos: Vec<i32>,
    tag: Vec<i32>,
    dep: Vec<i32>,
    head: Vec<i32>,
}

pub struct Batch {
    lexicon: Lexicon,
    strings: Strings,
    offsets: Vec<usize>,
    table: Table,
}

/// A pair of sentences of a batch, with equal numbers if nothing changed; None for a sentence without a version.
pub type Pair = Option<(usize, usize)>;

/// Number of pairs per task of a thread.
const RUN: usize = 64;

impl Batch {
    pub fn new(words: Arc<WordList>) -> Self {
        let (lexicon, strings) = (Lexicon::new(words), Strings::default());
        Self { lexicon, strings, offsets: vec![0], table: Table::default() }
    }

    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// Adds sentences: sentence s has the tokens `offsets[s]..offsets[s + 1]` of the columns, whose ids are indices of
    /// `strings`; `bases[v]` contains the lemmas of the lower case of string v, if the rules need them. O(strings +
    /// tokens).
    pub fn add(&mut self, strings: &[String], bases: &[[String; 3]], offsets: &[i64], columns: Columns) {
        let ids: Vec<i32> = strings.iter().map(|string| self.intern(string) as i32).collect();
        for (&id, bases) in ids.iter().zip(bases) {
            self.lexicon.set_bases(id as u32, |_| bases.clone());
        }
        let before = self.table.form.len();
        let table = &mut self.table;
        for (own, added) in [
            (&mut table.form, columns.form),
            (&mut table.lemma, columns.lemma),
            (&mut table.pos, columns.pos),
            (&mut table.tag, columns.tag),
            (&mut table.dep, columns.dep),
        ] {
            own.extend(added.iter().map(|&id| ids[id as usize]));
        }
        table.head.extend(columns.head);
        self.offsets.extend(offsets[1..].iter().map(|&offset| before + offset as usize));
    }

    fn intern(&mut self, text: &str) -> u32 {
        let id = self.strings.intern(text);
        if id as usize == self.lexicon.len() {
            self.lexicon.add(text);
        }
        id
    }

    fn sentence(&self, s: usize) -> Sentence<'_> {
        let Table { form, lemma, pos, tag, dep, head } = &self.table;
        Columns { form, lemma, pos, tag, dep, head }.sentence(self.offsets[s]..self.offsets[s + 1], &self.lexicon)
    }

    /// The edits of each pair (source, target), one version per sentence. Cost: `Pairs::extract` for every pair.
    pub fn extract(&self, pairs: &[Pair], settings: Settings, threads: usize) -> Result<EditColumns, TooLong> {
        let work = |run: Range<usize>, scratch: &mut Pairs| {
            let mut edits = EditColumns::found_in_text();
            for s in run {
                if let Some((source, target)) = pairs[s].filter(|(source, target)| source != target) {
                    let (source, target) = (self.sentence(source), self.sentence(target));
                    if !scratch.extract(&source, &target, settings, &mut edits) {
                        return Err(TooLong::of(s, &source, &target));
                    }
                }
                if pairs[s].is_some() {
                    edits.end_version(0);
                }
                edits.end_sentence();
            }
            Ok(edits)
        };
        EditColumns::joined(parallel::runs(pairs.len(), RUN, threads, Pairs::default, work))
    }

    /// The types of given edits: `edits[e]` is a pair of sentences and the spans. Cost: `classify` for each.
    pub fn types(&self, edits: &[(usize, usize, Span)], types: TagSet) -> Vec<String> {
        let of = |(s, t, span): &(usize, usize, Span)| classify(&self.sentence(*s), &self.sentence(*t), span, types);
        edits.iter().map(|edit| of(edit).to_string()).collect()
    }
}
