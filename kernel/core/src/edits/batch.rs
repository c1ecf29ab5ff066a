//! Extraction from annotated sentences of any annotator: columns of ids of tables of strings.

use std::ops::Range;
use std::sync::Arc;

use crate::edits::annotated::{Sentence, Span, Tokens};
use crate::edits::classify::classify;
use crate::edits::columns::EditColumns;
use crate::edits::lexicon::{Lexicon, WordList};
use crate::edits::pair::{Pairs, Settings, TooLong};
use crate::edits::rules::TagSet;
use crate::parallel;
use crate::text::strings::Strings;

/// Columns of tokens: `form`, `lemma`, `pos` (universal), `tag`, `dep` are indices of strings, `head` the position of
/// the token's head in its sentence.
pub struct Columns<'a> {
    pub form: &'a [i32],
    pub lemma: &'a [i32],
    pub pos: &'a [i32],
    pub tag: &'a [i32],
    pub dep: &'a [i32],
    pub head: &'a [i32],
}

impl Columns<'_> {
    /// Whether these are the columns of sentences with these offsets, with ids below the number of `strings`.
    pub fn fit(&self, offsets: &[i64], strings: usize) -> bool {
        let ids = [self.form, self.lemma, self.pos, self.tag, self.dep];
        let heads = |ends: &[i64]| self.head.get(ends[0] as usize..ends[1] as usize);
        offsets.first() == Some(&0)
            && offsets.last() == Some(&(self.head.len() as i64))
            && ids.iter().all(|column| column.len() == self.head.len())
            && ids.iter().all(|column| column.iter().all(|&id| (0..strings as i64).contains(&id.into())))
            && offsets.windows(2).all(|ends| {
                heads(ends).is_some_and(|heads| heads.iter().all(|&head| (0..ends[1] - ends[0]).contains(&head.into())))
            })
    }
}

/// The tokens of all added tables.
#[derive(Default)]
struct Table {
    form: Vec<u32>,
    lemma: Vec<u32>,
    pos: Vec<u32>,
    tag: Vec<u32>,
    dep: Vec<u32>,
    head: Vec<u32>,
}

pub struct Batch {
    lexicon: Lexicon,
    strings: Strings,
    labels: Strings,
    offsets: Vec<usize>,
    table: Table,
}

/// One sentence of a batch.
struct Rows<'a> {
    table: &'a Table,
    tokens: Range<usize>,
}

impl Tokens for Rows<'_> {
    fn lemma(&self, t: usize) -> u32 {
        self.table.lemma[self.tokens.start + t]
    }

    fn pos(&self, t: usize) -> u32 {
        self.table.pos[self.tokens.start + t]
    }

    fn tag(&self, t: usize) -> u32 {
        self.table.tag[self.tokens.start + t]
    }

    fn dep(&self, t: usize) -> u32 {
        self.table.dep[self.tokens.start + t]
    }

    fn head(&self, t: usize) -> usize {
        self.table.head[self.tokens.start + t] as usize
    }

    fn children(&self, t: usize) -> Vec<usize> {
        (0..self.tokens.len()).filter(|&child| child != t && self.head(child) == t).collect()
    }
}

/// A pair of sentences of a batch, with equal numbers if nothing changed; None for a sentence without a version.
pub type Pair = Option<(usize, usize)>;

/// Number of pairs per task of a thread.
const RUN: usize = 64;

impl Batch {
    pub fn new(words: Arc<WordList>) -> Self {
        let (lexicon, strings, labels) = (Lexicon::new(words), Strings::default(), Strings::default());
        Self { lexicon, strings, labels, offsets: vec![0], table: Table::default() }
    }

    pub fn len(&self) -> usize {
        self.offsets.len() - 1
    }

    /// Adds sentences: sentence s has the tokens `offsets[s]..offsets[s + 1]` of the columns, whose ids are indices of
    /// `strings`; `bases[v]` contains the lemmas of the lower case of string v, if the rules need them. O(strings +
    /// tokens).
    pub fn add(&mut self, strings: &[String], bases: &[[String; 3]], offsets: &[i64], columns: Columns) {
        let ids: Vec<u32> = strings.iter().map(|string| self.intern(string)).collect();
        for (&id, bases) in ids.iter().zip(bases) {
            self.lexicon.set_bases(id, |_| bases.clone());
        }
        let before = self.table.form.len();
        let mut label = |&id: &i32| {
            let number = self.labels.intern(&strings[id as usize]);
            if number as usize == self.lexicon.labels() {
                self.lexicon.add_label(self.labels.get(number));
            }
            number
        };
        let table = &mut self.table;
        table.form.extend(columns.form.iter().map(|&id| ids[id as usize]));
        table.lemma.extend(columns.lemma.iter().map(|&id| ids[id as usize]));
        table.pos.extend(columns.pos.iter().map(&mut label));
        table.tag.extend(columns.tag.iter().map(&mut label));
        table.dep.extend(columns.dep.iter().map(&mut label));
        table.head.extend(columns.head.iter().map(|&head| head as u32));
        self.offsets.extend(offsets[1..].iter().map(|&offset| before + offset as usize));
    }

    fn intern(&mut self, text: &str) -> u32 {
        let id = self.strings.intern(text);
        if id as usize == self.lexicon.len() {
            self.lexicon.add(text);
        }
        id
    }

    /// Number of tokens of a sentence.
    pub fn tokens(&self, s: usize) -> usize {
        self.rows(s).tokens.len()
    }

    fn rows(&self, s: usize) -> Rows<'_> {
        Rows { table: &self.table, tokens: self.offsets[s]..self.offsets[s + 1] }
    }

    fn sentence<'a>(&'a self, rows: &'a Rows) -> Sentence<'a> {
        Sentence { lexicon: &self.lexicon, forms: &self.table.form[rows.tokens.clone()], tokens: rows }
    }

    /// The edits of each pair (source, target), one version per sentence. Cost: `Pairs::extract` for every pair.
    pub fn extract(&self, pairs: &[Pair], settings: Settings, threads: usize) -> Result<EditColumns, TooLong> {
        let work = |run: Range<usize>, scratch: &mut Pairs| {
            let mut edits = EditColumns::found_in_text();
            for s in run {
                if let Some((source, target)) = pairs[s].filter(|(source, target)| source != target) {
                    let (source, target) = (self.rows(source), self.rows(target));
                    let (source, target) = (self.sentence(&source), self.sentence(&target));
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
        let parts = parallel::runs(pairs.len(), RUN, threads, Pairs::default, work);
        Ok(EditColumns::joined(parts.into_iter().collect::<Result<Vec<_>, _>>()?.iter()))
    }

    /// The types of given edits: `edits[e]` is a pair of sentences and the spans. Cost: `classify` for each.
    pub fn types(&self, edits: &[(usize, usize, Span)], types: TagSet) -> Vec<String> {
        let of = |(s, t, span): &(usize, usize, Span)| {
            let (source, target) = (self.rows(*s), self.rows(*t));
            classify(&self.sentence(&source), &self.sentence(&target), span, types).to_string()
        };
        edits.iter().map(of).collect()
    }
}
