//! Counts of whole corpora, and their edits.

use crate::edits::columns::{EditColumns, Row};
use crate::edits::m2::fit::is_noop;
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
    let edits = gold.edits_of(version).iter().filter(|row| !is_noop(row, &gold.strings));
    edits.map(|row| (row, Gold { start: row.start, end: row.end, text: gold.strings.get(row.text) }))
}

impl<'a> Task<'a> {
    fn gold_of(&self, s: usize) -> Vec<Vec<Gold<'a>>> {
        let gold = self.gold;
        gold.versions_of(s).map(|version| gold_of(gold, version).map(|(_, gold)| gold).collect()).collect()
    }

    /// The counts of every sentence and annotator, `[sentence, annotator, COLUMNS]` with `annotators` rows per
    /// sentence; rows of missing annotators are 0. With `explain`, also a row of evidence for each counted edit. Cost:
    /// [`views`] for every sentence.
    pub fn count(&self, hypothesis: &Text, annotators: usize, threads: usize, explain: bool) -> (Vec<i32>, Evidence) {
        let found = parallel::each(self.source.len(), threads, Scratch::default, |s, scratch| {
            let gold = self.gold_of(s);
            let found = views(self.source.line(s), hypothesis.line(s), &gold, &self.options, scratch);
            let views = found.as_ref().map(|found| &found.views[..]).map_err(|&stop| stop);
            let items = if explain { self.items(s, found.as_ref().ok()) } else { Vec::new() };
            (row(views, &gold, annotators), items)
        });
        let mut counts = Vec::with_capacity(found.len() * annotators * COLUMNS.len());
        let mut evidence = Evidence::default();
        if explain {
            evidence.strings = self.gold.strings.clone();
        }
        let nothing = evidence.strings.intern("");
        for (s, (row, items)) in found.into_iter().enumerate() {
            counts.extend(row);
            items.into_iter().for_each(|item| evidence.push(s, item, nothing));
        }
        (counts, evidence)
    }

    fn items(&self, s: usize, found: Option<&Views>) -> Vec<Item> {
        let mut items = Vec::new();
        for (a, version) in self.gold.versions_of(s).enumerate() {
            let gold: Vec<&Row> = gold_of(self.gold, version).map(|(row, _)| row).collect();
            if let Some(Views { pair: Some(pair), views }) = found {
                let View { edits, matches } = &views[a];
                let own = |edit: Edit, column, kind| {
                    let (start, end) = (edit.start as i32, edit.end as i32);
                    Item { annotator: a, column, start, end, kind, text: Wording::New(pair.string(edit)) }
                };
                let kind = |edit: usize| matches.iter().find(|pair| pair.0 == edit).map(|&(_, at)| gold[at].kind);
                items.extend(matches.iter().map(|&(edit, at)| own(edits[edit], CORRECT, Some(gold[at].kind))));
                items.extend(edits.iter().enumerate().map(|(at, &edit)| own(edit, PROPOSED, kind(at))));
            }
            items.extend(gold.iter().map(|&&Row { start, end, kind, text }| Item {
                annotator: a,
                column: GOLD,
                start,
                end,
                kind: Some(kind),
                text: Wording::Known(text),
            }));
        }
        items
    }
}

fn row(views: Result<&[View], Stop>, gold: &[Vec<Gold>], annotators: usize) -> Vec<i32> {
    let of = |a: usize| match &views {
        Ok(views) => [views[a].matches.len() as i32, views[a].edits.len() as i32, gold[a].len() as i32, FINE],
        Err(Stop::Late) => [0, 0, gold[a].len() as i32, LATE],
        Err(Stop::TooLong | Stop::TooMany) => [0, 0, gold[a].len() as i32, TOO_LONG],
    };
    let mut row: Vec<i32> = (0..gold.len()).flat_map(of).collect();
    row.resize(annotators * COLUMNS.len(), 0);
    row
}

const CORRECT: u8 = 0;
const PROPOSED: u8 = 1;
const GOLD: u8 = 2;

/// The text of an edit: of the hypothesis, or in the table of the gold.
enum Wording {
    New(String),
    Known(u32),
}

/// One row of evidence of the current sentence.
struct Item {
    annotator: usize,
    column: u8,
    start: i32,
    end: i32,
    kind: Option<u32>,
    text: Wording,
}

/// The evidence of the counts in columns: each row adds 1 to a cell. By sentence, then annotator: matched gold edits
/// and proposed edits, with the hypothesis' tokens as text, and gold edits. An edit has the type of the first gold edit
/// that it matches, else "".
#[derive(Debug, Default)]
pub struct Evidence {
    pub sentence: Vec<i64>,
    pub reference: Vec<i64>,
    pub column: Vec<i64>,
    /// 0: hypothesis, 1: reference.
    pub side: Vec<u8>,
    pub start: Vec<i32>,
    pub end: Vec<i32>,
    pub text: Vec<i32>,
    pub kind: Vec<i32>,
    pub strings: Strings,
}

impl Evidence {
    fn push(&mut self, sentence: usize, item: Item, nothing: u32) {
        let text = match item.text {
            Wording::New(text) => self.strings.intern(&text),
            Wording::Known(place) => place,
        };
        self.sentence.push(sentence as i64);
        self.reference.push(item.annotator as i64);
        self.column.push(item.column.into());
        self.side.push(u8::from(item.column == GOLD));
        self.start.push(item.start);
        self.end.push(item.end);
        self.text.push(text as i32);
        self.kind.push(item.kind.unwrap_or(nothing) as i32);
    }
}
