//! Counts of whole corpora, and their edits.

use std::collections::TryReserveError;

use crate::edits::columns::{EditColumns, Row};
use crate::lattice::exact::Scratch;
use crate::lattice::problem::{Edit, Gold, Stop};
use crate::lattice::views::{views, Options, View, Views};
use crate::parallel;
use crate::text::strings::Strings;
use crate::text::Text;

/// Columns of the counts: matched gold edits, proposed edits, gold edits, and the state ([`FINE`] …).
pub const COLUMNS: [&str; 4] = ["correct", "proposed", "gold", "state"];

/// States of a sentence; after a timeout, or if the sentence is too long, no edits are proposed.
pub const FINE: i32 = 0;
pub const LATE: i32 = 1;
pub const TOO_LONG: i32 = 2;

/// Sources and gold edits without noops that hypotheses are compared with.
#[derive(Clone, Copy)]
pub struct Task<'a> {
    pub source: &'a Text,
    pub gold: &'a EditColumns,
    pub options: Options,
}

/// The maximum number of annotators of a sentence.
pub fn most_annotators(gold: &EditColumns) -> usize {
    (0..gold.sentences()).map(|s| gold.versions_of(s).len()).max().unwrap_or(0)
}

/// An annotator's gold edits without noops, with their indices in the columns.
fn gold_of<'a>(gold: &'a EditColumns, version: usize) -> impl Iterator<Item = (&'a Row, Gold<'a>)> {
    let edits = gold.edits_of(version).iter().filter(|row| !gold.is_noop(row));
    edits.map(|row| (row, Gold { start: row.start, end: row.end, text: gold.strings.get(row.text) }))
}

impl<'a> Task<'a> {
    fn gold_of(&self, s: usize) -> Vec<Vec<Gold<'a>>> {
        let gold = self.gold;
        gold.versions_of(s).map(|version| gold_of(gold, version).map(|(_, gold)| gold).collect()).collect()
    }

    /// The counts of every sentence and annotator, `[sentence, annotator, COLUMNS]` with `annotators` rows per
    /// sentence; rows of missing annotators are 0. With `explain`, also a row of evidence for each counted edit. Cost:
    /// [`views`] for every sentence. Err: not enough memory.
    pub fn count(
        &self,
        hypothesis: &Text,
        annotators: usize,
        threads: usize,
        explain: bool,
    ) -> Result<(Vec<i32>, Evidence), TryReserveError> {
        let mut strings = if explain { self.gold.strings.clone() } else { Strings::default() };
        let nothing = strings.intern("");
        let found = parallel::each(self.source.len(), threads, Scratch::default, |s, scratch| {
            let gold = self.gold_of(s);
            let found = views(self.source.line(s), hypothesis.line(s), &gold, &self.options, scratch);
            let views = found.as_ref().map(|found| &found.views[..]).map_err(|&stop| stop);
            let items = if explain { self.items(s, found.as_ref().ok(), nothing) } else { Vec::new() };
            (row(views, &gold), items)
        });
        let width = annotators * COLUMNS.len();
        let mut counts = Vec::new();
        counts.try_reserve_exact(found.len().saturating_mul(width))?;
        let mut rows = Vec::new();
        for (s, (row, items)) in found.into_iter().enumerate() {
            counts.extend(row);
            counts.resize((s + 1) * width, 0);
            for mut item in items {
                if let Some(text) = item.own_text.take() {
                    item.edit.text = strings.intern(&text);
                }
                rows.push(item);
            }
        }
        Ok((counts, Evidence { rows, strings }))
    }

    fn items(&self, sentence: usize, found: Option<&Views>, nothing: u32) -> Vec<Item> {
        let mut items = Vec::new();
        for (annotator, version) in self.gold.versions_of(sentence).enumerate() {
            let gold: Vec<&Row> = gold_of(self.gold, version).map(|(row, _)| row).collect();
            let mut add = |column, edit, own_text| items.push(Item { sentence, annotator, column, edit, own_text });
            if let Some(Views { pair: Some(pair), views }) = found {
                let View { edits, matches } = &views[annotator];
                let mut own = |edit: Edit, column, kind| {
                    let (start, end) = (edit.start as i32, edit.end as i32);
                    add(column, Row { start, end, kind, text: nothing }, Some(pair.string(edit)));
                };
                matches.iter().for_each(|&(edit, at)| own(edits[edit], CORRECT, gold[at].kind));
                for (number, &edit) in edits.iter().enumerate() {
                    let first = matches.iter().find(|pair| pair.0 == number);
                    own(edit, PROPOSED, first.map_or(nothing, |&(_, at)| gold[at].kind));
                }
            }
            gold.iter().for_each(|&&row| add(GOLD, row, None));
        }
        items
    }
}

/// The counts of the annotators of a sentence.
fn row(views: Result<&[View], Stop>, gold: &[Vec<Gold>]) -> Vec<i32> {
    let of = |a: usize| match &views {
        Ok(views) => [views[a].matches.len() as i32, views[a].edits.len() as i32, gold[a].len() as i32, FINE],
        Err(Stop::Late) => [0, 0, gold[a].len() as i32, LATE],
        Err(Stop::TooLong | Stop::TooMany) => [0, 0, gold[a].len() as i32, TOO_LONG],
    };
    (0..gold.len()).flat_map(of).collect()
}

const CORRECT: u8 = 0;
const PROPOSED: u8 = 1;
pub const GOLD: u8 = 2;

/// One row of evidence, which adds 1 to a cell.
#[derive(Debug)]
pub struct Item {
    pub sentence: usize,
    pub annotator: usize,
    pub column: u8,
    pub edit: Row,
    /// The text of an edit of the hypothesis, until it has a number.
    own_text: Option<String>,
}

/// The evidence of the counts. By sentence, then annotator: matched gold edits and proposed edits, with the hypothesis'
/// tokens as text, and gold edits. An edit has the type of the first gold edit that it matches, else "".
#[derive(Debug)]
pub struct Evidence {
    pub rows: Vec<Item>,
    pub strings: Strings,
}
