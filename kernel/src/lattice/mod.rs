//! MaxMatch: the hypothesis is read as the sequence of edits that agrees most with the gold edits
//! (Dahlmeier and Ng, NAACL 2012), with the choices among equals that the official scorer makes.
//!
//! A node (i, j) stands for i source and j hypothesis tokens consumed. The basic arcs ([`basic`]) are those of
//! all cheapest paths of two Levenshtein tables; compound arcs join basic ones as long as at most
//! `max_unchanged` of the joined tokens are unchanged. Arcs that equal a gold edit are rewarded, the others
//! cost their length and a little more, and the cheapest path gives the edits ([`exact`]). On degenerate text
//! the compound arcs explode; past [`ENTRY_LIMIT`] of them the path is searched without building any
//! ([`search`]).
//!
//! Cost of a sentence of n source and m hypothesis tokens: O(n·m) time and bytes for the tables, then
//! O(entries × passes) for the exact path, at most [`ENTRY_LIMIT`] entries, or the cost of the search.

mod basic;
mod exact;
mod insertions;
mod search;

use std::time::{Duration, Instant};

use rustc_hash::FxHashMap;

use crate::parallel;
use crate::text::words::words;
use basic::Lattice;

/// Longest arc list (basic and compound entries, repetitions included) on which the exact algorithm runs.
pub const ENTRY_LIMIT: usize = 1 << 21;

/// One gold edit: source tokens `start..end` become one of `alternatives` (texts, "" deletes).
#[derive(Clone, Debug)]
pub struct Gold {
    pub start: usize,
    pub end: usize,
    pub alternatives: Vec<String>,
}

/// One edit of the hypothesis: source tokens `start..end` became hypothesis tokens `from..to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    pub start: u32,
    pub end: u32,
    pub from: u32,
    pub to: u32,
}

/// The path of one annotator: his view of the hypothesis' edits, and the (edit, gold edit) pairs that match.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    pub edits: Vec<Edit>,
    pub matches: Vec<(usize, usize)>,
}

/// Which algorithm finds the path.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Method {
    /// The exact one up to [`ENTRY_LIMIT`] entries, else the search.
    Auto,
    /// The exact one, whatever the number of entries.
    Exact,
    /// The search, always.
    Search,
}

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Unchanged tokens allowed inside a compound edit.
    pub max_unchanged: u32,
    /// Drop edits whose two sides are equal but for blanks and case.
    pub ignore_whitespace_casing: bool,
    /// Longest time for one sentence.
    pub timeout: Option<Duration>,
    pub method: Method,
}

/// Why a sentence has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Stop {
    /// More than the allowed number of entries.
    TooMany,
    /// The time is over.
    Late,
}

/// A deadline that is cheap to ask often.
#[derive(Clone, Copy)]
struct Clock(Option<Instant>);

impl Clock {
    fn check(self) -> Result<(), Stop> {
        match self.0 {
            Some(end) if Instant::now() >= end => Err(Stop::Late),
            _ => Ok(()),
        }
    }
}

/// A token of one sentence pair by number; equal numbers are equal texts.
type Token = u32;

/// No token of the pair: never equal to one.
const STRANGER: Token = Token::MAX;

/// Source and hypothesis as numbers, with the texts behind them.
struct Pair<'a> {
    source: Vec<Token>,
    hypothesis: Vec<Token>,
    texts: Vec<&'a str>,
    numbers: FxHashMap<&'a str, Token>,
}

impl<'a> Pair<'a> {
    fn new(source: &'a str, hypothesis: &'a str) -> Self {
        let mut texts = Vec::new();
        let mut numbers = FxHashMap::with_capacity_and_hasher(64, Default::default());
        let mut encode = |text: &'a str| {
            let mut tokens = Vec::new();
            for word in words(text) {
                tokens.push(*numbers.entry(word).or_insert_with(|| {
                    texts.push(word);
                    texts.len() as Token - 1
                }));
            }
            tokens
        };
        let (source, hypothesis) = (encode(source), encode(hypothesis));
        Self { source, hypothesis, texts, numbers }
    }

    /// A correction as the tokens a hypothesis must have to equal it. The texts are compared as strings, in which
    /// tokens are joined by one blank: a correction with other white space equals nothing.
    fn tokens_of(&self, correction: &str) -> Vec<Token> {
        if correction.is_empty() {
            return Vec::new();
        }
        correction.split(' ').map(|piece| self.numbers.get(piece).copied().unwrap_or(STRANGER)).collect()
    }

    /// The hypothesis tokens of an edit.
    fn text(&self, edit: Edit) -> &[Token] {
        &self.hypothesis[edit.from as usize..edit.to as usize]
    }

    fn squeezed(&self, tokens: &[Token]) -> String {
        tokens.iter().map(|&token| self.texts[token as usize].to_lowercase()).collect()
    }
}

/// A gold edit in the numbers of one pair.
struct Target {
    start: u32,
    end: u32,
    alternatives: Vec<Vec<Token>>,
}

impl Target {
    fn matches(&self, start: u32, end: u32, text: &[Token]) -> bool {
        (self.start, self.end) == (start, end) && self.alternatives.iter().any(|tokens| tokens == text)
    }
}

/// One annotator's gold edits in file order, and where those that start at each token are.
struct Targets {
    list: Vec<Target>,
    /// `starts[s]`: the places in `list` of the edits that start at source token s, in order.
    starts: Vec<Vec<u32>>,
}

impl Targets {
    fn new(gold: &[Gold], pair: &Pair) -> Self {
        let mut starts = vec![Vec::new(); pair.source.len() + 1];
        let mut list = Vec::with_capacity(gold.len());
        for edit in gold {
            if let Some(here) = starts.get_mut(edit.start) {
                here.push(list.len() as u32);
            }
            let alternatives = edit.alternatives.iter().map(|text| pair.tokens_of(text)).collect();
            list.push(Target { start: edit.start as u32, end: edit.end as u32, alternatives });
        }
        Self { list, starts }
    }

    /// The edits on source tokens `start..end`, in file order.
    fn on(&self, start: u32, end: u32) -> impl DoubleEndedIterator<Item = &Target> {
        let here = self.starts[start as usize].iter().map(|&place| &self.list[place as usize]);
        here.filter(move |target| target.end == end)
    }

    fn matches(&self, start: u32, end: u32, text: &[Token]) -> bool {
        self.on(start, end).any(|target| target.matches(start, end, text))
    }
}

/// The edits of the hypothesis as each annotator's gold makes them, `views[a]`; None if the time ran out.
pub fn views<T: AsRef<[Gold]>>(source: &str, hypothesis: &str, gold: &[T], options: &Options) -> Option<Vec<View>> {
    let unchanged = || Some(vec![View::default(); gold.len()]);
    if source == hypothesis {
        return unchanged();
    }
    let pair = Pair::new(source, hypothesis);
    if pair.source == pair.hypothesis {
        return unchanged();
    }
    let clock = Clock(options.timeout.map(|timeout| Instant::now() + timeout));
    let targets: Vec<Targets> = gold.iter().map(|gold| Targets::new(gold.as_ref(), &pair)).collect();
    let paths = paths(&pair, &targets, options, clock).ok()?;
    Some(paths.into_iter().zip(&targets).map(|(path, targets)| view(path, &pair, targets, options)).collect())
}

fn paths(pair: &Pair, targets: &[Targets], options: &Options, clock: Clock) -> Result<Vec<Vec<Edit>>, Stop> {
    let lattice = Lattice::new(&pair.source, &pair.hypothesis, clock)?;
    let exact = |limit| exact::paths(&lattice, pair, targets, options.max_unchanged, limit, clock);
    let search = || search::paths(&lattice, pair, targets, options.max_unchanged, clock);
    match options.method {
        Method::Exact => exact(usize::MAX),
        Method::Search => search(),
        Method::Auto => match exact(ENTRY_LIMIT) {
            Err(Stop::TooMany) => search(),
            result => result,
        },
    }
}

/// Matches edits with gold edits from left to right behind a cursor in the gold list. An edit that several equal
/// gold edits want is matched with each of them, as in the official scorer.
fn view(mut edits: Vec<Edit>, pair: &Pair, targets: &Targets, options: &Options) -> View {
    if options.ignore_whitespace_casing {
        edits.retain(|edit| {
            let source = &pair.source[edit.start as usize..edit.end as usize];
            pair.squeezed(source) != pair.squeezed(pair.text(*edit))
        });
    }
    let mut matches = Vec::new();
    let mut cursor = 0;
    for (place, edit) in edits.iter().enumerate() {
        let text = pair.text(*edit);
        for (at, target) in targets.list.iter().enumerate().skip(cursor) {
            if target.matches(edit.start, edit.end, text) {
                matches.push((place, at));
                cursor = at + 1;
            }
        }
    }
    View { edits, matches }
}

/// Columns of [`count`]: gold edits matched, edits proposed, gold edits, and whether the time ran out.
pub const COLUMNS: [&str; 4] = ["correct", "proposed", "gold", "late"];

/// The counts of every sentence and annotator, `[sentence, annotator, COLUMNS]` with `annotators` rows for each
/// sentence; rows of annotators a sentence lacks are 0. Where the time ran out nothing is proposed.
pub fn count<S: AsRef<str> + Sync, H: AsRef<str> + Sync>(
    sources: &[S],
    hypotheses: &[H],
    gold: &[Vec<Vec<Gold>>],
    annotators: usize,
    options: &Options,
    threads: usize,
) -> Vec<i32> {
    let width = annotators * COLUMNS.len();
    let rows = parallel::each(sources.len(), threads, |s| {
        let views = views(sources[s].as_ref(), hypotheses[s].as_ref(), &gold[s], options);
        let mut row = row(views.as_deref(), &gold[s]);
        row.resize(width, 0);
        row
    });
    rows.concat()
}

fn row(views: Option<&[View]>, gold: &[Vec<Gold>]) -> Vec<i32> {
    let of = |a: usize| match views {
        Some(views) => [views[a].matches.len(), views[a].edits.len(), gold[a].len(), 0],
        None => [0, 0, gold[a].len(), 1],
    };
    (0..gold.len()).flat_map(of).map(|number| number as i32).collect()
}

#[cfg(test)]
mod tests;
