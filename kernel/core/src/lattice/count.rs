//! Counts and evidence of the edits of hypotheses that agree most with each annotator's gold edits.

use std::time::{Duration, Instant};

use crate::edits::columns::{EditColumns, EditRow, EvidenceRow};
use crate::error::Error;
use crate::lattice::basic::{Lattice, PathProblem};
use crate::lattice::exact::EnteringArcs;
use crate::lattice::problem::{Clock, GoldTargets, LatticeEdit, Stop, TokenPair};
use crate::lattice::{exact, search};
use crate::parallel;
use crate::text::strings::Strings;
use crate::text::Text;

/// Maximum number of arcs (basic and compound entries, including repetitions) for the exact algorithm.
pub const ENTRY_LIMIT: usize = 1 << 21;

#[derive(Clone, Copy, Debug)]
pub struct LatticeOptions {
    /// Maximum number of unchanged tokens inside a compound edit.
    pub max_unchanged: u32,
    /// Whether to drop edits whose two sides are equal except for blanks and case.
    pub ignore_whitespace_casing: bool,
    /// Maximum time for one sentence.
    pub timeout: Option<Duration>,
    /// Number of entries above which the path is searched, usually [`ENTRY_LIMIT`].
    pub entry_limit: usize,
}

/// Columns of the counts: matched gold edits, proposed edits, gold edits, and the state ([`COMPLETE`] …).
pub const COLUMNS: [&str; 4] = ["correct", "proposed", "gold", "state"];

/// States of a sentence; after a timeout, or if the sentence is too long, no edits are proposed.
pub const COMPLETE: i32 = 0;
pub const TIMED_OUT: i32 = 1;
pub const TOO_LONG: i32 = 2;

/// Sources and gold edits to compare hypotheses with.
#[derive(Clone, Copy)]
pub struct LatticeTask<'a> {
    pub source: &'a Text,
    pub gold: &'a EditColumns,
    pub options: LatticeOptions,
}

/// The path of one annotator: the hypothesis' edits that agree most with the gold, and the matching (edit, gold edit)
/// pairs.
#[derive(Clone, Default)]
struct AnnotatorPath {
    edits: Vec<LatticeEdit>,
    matches: Vec<(usize, usize)>,
}

/// The paths of all annotators of a sentence.
struct SentencePaths<'a> {
    /// None if the sentences are equal and there are no edits.
    pair: Option<TokenPair<'a>>,
    paths: Vec<AnnotatorPath>,
}

impl<'a> LatticeTask<'a> {
    /// The maximum number A of annotators of a sentence, the counts `[sentence, A, COLUMNS]`, where rows of missing
    /// annotators are 0, and with `explain` a row of evidence for each counted edit. Cost: [`Lattice::new`] and the
    /// paths of every sentence. Err: not enough memory.
    pub fn count(
        &self,
        hypothesis: &Text,
        threads: usize,
        explain: bool,
    ) -> Result<(usize, Vec<i32>, LatticeEvidence), Error> {
        let annotators = (0..self.source.len()).map(|s| self.gold.versions_of(s).len()).max().unwrap_or(0);
        let mut strings = if explain { self.gold.strings.clone() } else { Strings::default() };
        let no_string = strings.intern("");
        let count_sentence = |s: usize, entering: &mut EnteringArcs| {
            let gold = self.gold_of(s);
            let (paths, state) = match self.paths(self.source.line(s), hypothesis.line(s), &gold, entering) {
                Ok(paths) => (Some(paths), COMPLETE),
                Err(Stop::Interrupted) => return Err(Error::Interrupted),
                Err(Stop::Timeout) => (None, TIMED_OUT),
                Err(Stop::TooLong | Stop::TooManyEntries) => (None, TOO_LONG),
            };
            let counts_of = |(annotator, rows): (usize, &Vec<&EditRow>)| {
                let path = paths.as_ref().map(|paths| &paths.paths[annotator]);
                let [correct, proposed] = path.map_or([0; 2], |path| [path.matches.len(), path.edits.len()]);
                [correct as i32, proposed as i32, rows.len() as i32, state]
            };
            let counts: Vec<i32> = gold.iter().enumerate().flat_map(counts_of).collect();
            let evidence = if explain { evidence_of(s, paths.as_ref(), &gold, no_string) } else { Vec::new() };
            Ok((counts, evidence))
        };
        let sentences = parallel::map_items(self.source.len(), threads, EnteringArcs::default, count_sentence)?;
        let width = annotators * COLUMNS.len();
        let mut counts = Vec::new();
        counts.try_reserve_exact(sentences.len().saturating_mul(width)).map_err(|_| Error::Memory("the counts"))?;
        let mut rows = Vec::new();
        for (s, (sentence_counts, evidence)) in sentences.into_iter().enumerate() {
            counts.extend(sentence_counts);
            counts.resize((s + 1) * width, 0);
            for (mut row, text) in evidence {
                if let Some(text) = text {
                    row.edit.text = strings.intern(&text);
                }
                rows.push(row);
            }
        }
        Ok((annotators, counts, LatticeEvidence { rows, strings }))
    }

    /// The gold edits of each annotator of a sentence, without noops.
    fn gold_of(&self, s: usize) -> Vec<Vec<&'a EditRow>> {
        let gold = self.gold;
        let rows_of = |version| gold.edits_of(version).iter().filter(|row| !gold.is_noop(row)).collect();
        gold.versions_of(s).map(rows_of).collect()
    }

    /// The paths of a hypothesis. Err: a timeout, or more than the limits of [`Lattice::new`] and [`search::paths`].
    fn paths<'t>(
        &self,
        source: &'t str,
        hypothesis: &'t str,
        gold: &[Vec<&EditRow>],
        entering: &mut EnteringArcs,
    ) -> Result<SentencePaths<'t>, Stop> {
        let unchanged = || Ok(SentencePaths { pair: None, paths: vec![AnnotatorPath::default(); gold.len()] });
        if source == hypothesis {
            return unchanged();
        }
        let pair = TokenPair::new(source, hypothesis);
        if pair.source == pair.hypothesis {
            return unchanged();
        }
        let LatticeOptions { max_unchanged, ignore_whitespace_casing, timeout, entry_limit } = self.options;
        let clock = Clock(timeout.map(|timeout| Instant::now() + timeout));
        let targets: Vec<GoldTargets> =
            gold.iter().map(|rows| GoldTargets::new(rows, &self.gold.strings, &pair)).collect();
        let lattice = Lattice::new(&pair.source, &pair.hypothesis, clock)?;
        let problem = PathProblem { pair: &pair, lattice: &lattice, max_unchanged, clock };
        let edits = match exact::paths(problem, &targets, entry_limit, entering) {
            Err(Stop::TooManyEntries) => search::paths(problem, &targets),
            result => result,
        }?;
        let path = |(mut edits, targets): (Vec<LatticeEdit>, &GoldTargets)| {
            if ignore_whitespace_casing {
                edits.retain(|edit| !pair.is_blank_or_case(*edit));
            }
            AnnotatorPath { matches: matches(&edits, targets, &pair), edits }
        };
        let paths = edits.into_iter().zip(&targets).map(path).collect();
        Ok(SentencePaths { paths, pair: Some(pair) })
    }
}

/// Matches edits with gold edits from left to right, behind a cursor in the gold list. As in the official scorer, an
/// edit is matched with each of several equal gold edits.
fn matches(edits: &[LatticeEdit], targets: &GoldTargets, pair: &TokenPair) -> Vec<(usize, usize)> {
    let mut matches = Vec::new();
    let mut cursor = 0;
    for (number, edit) in edits.iter().enumerate() {
        let text = pair.text(*edit);
        for (gold_number, target) in targets.list.iter().enumerate().skip(cursor) {
            if target.matches(edit.start, edit.end, text) {
                matches.push((number, gold_number));
                cursor = gold_number + 1;
            }
        }
    }
    matches
}

/// The evidence of a sentence, with the texts of the hypothesis' edits, which have no numbers yet.
fn evidence_of(
    sentence: usize,
    paths: Option<&SentencePaths>,
    gold: &[Vec<&EditRow>],
    no_string: u32,
) -> Vec<(EvidenceRow, Option<String>)> {
    let mut evidence = Vec::new();
    for (annotator, rows) in gold.iter().enumerate() {
        let mut add = |column, edit, text| {
            let is_gold = column == GOLD;
            evidence.push((EvidenceRow { sentence, reference: annotator, column, is_gold, edit }, text));
        };
        if let Some(SentencePaths { pair: Some(pair), paths }) = paths {
            let AnnotatorPath { edits, matches } = &paths[annotator];
            let mut add_edit = |edit: LatticeEdit, column, kind| {
                let (start, end) = (edit.start as i32, edit.end as i32);
                add(column, EditRow { start, end, kind, text: no_string }, Some(pair.string(edit)));
            };
            matches.iter().for_each(|&(edit, gold)| add_edit(edits[edit], CORRECT, rows[gold].kind));
            for (number, &edit) in edits.iter().enumerate() {
                let first_match = matches.iter().find(|(matched, _)| *matched == number);
                add_edit(edit, PROPOSED, first_match.map_or(no_string, |&(_, gold)| rows[gold].kind));
            }
        }
        rows.iter().for_each(|&&row| add(GOLD, row, None));
    }
    evidence
}

const CORRECT: u8 = 0;
const PROPOSED: u8 = 1;
const GOLD: u8 = 2;

/// The evidence of the counts. By sentence, then annotator: matched gold edits and proposed edits, with the hypothesis'
/// tokens as text, and gold edits. An edit has the type of the first gold edit that it matches, else "".
#[derive(Debug)]
pub struct LatticeEvidence {
    pub rows: Vec<EvidenceRow>,
    pub strings: Strings,
}
