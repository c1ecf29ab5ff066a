//! A hypothesis as edits that agree with each annotator's gold edits.

use std::time::{Duration, Instant};

use crate::lattice::basic::Lattice;
use crate::lattice::exact::Scratch;
use crate::lattice::problem::{Clock, Edit, Gold, Pair, Stop, Targets};
use crate::lattice::{exact, search};

/// Maximum number of arcs (basic and compound entries, including repetitions) for the exact algorithm.
pub const ENTRY_LIMIT: usize = 1 << 21;

#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Maximum number of unchanged tokens inside a compound edit.
    pub max_unchanged: u32,
    /// Whether to drop edits whose two sides are equal except for blanks and case.
    pub ignore_whitespace_casing: bool,
    /// Maximum time for one sentence.
    pub timeout: Option<Duration>,
    /// Number of entries above which the path is searched, usually [`ENTRY_LIMIT`].
    pub entry_limit: usize,
}

/// The path of one annotator: the hypothesis' edits that agree most with the gold, and the matching (edit, gold edit)
/// pairs.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct View {
    pub edits: Vec<Edit>,
    pub matches: Vec<(usize, usize)>,
}

/// A pair and the views of all annotators, `views[a]`.
pub struct Views<'a> {
    /// None if the sentences are equal and there are no edits.
    pub pair: Option<Pair<'a>>,
    pub views: Vec<View>,
}

/// The edits of the hypothesis for each annotator's gold. Err: a timeout, or more than the limits of [`Lattice::new`]
/// and [`search::paths`].
pub fn views<'a>(
    source: &'a str,
    hypothesis: &'a str,
    gold: &[Vec<Gold>],
    options: &Options,
    scratch: &mut Scratch,
) -> Result<Views<'a>, Stop> {
    let unchanged = || Ok(Views { pair: None, views: vec![View::default(); gold.len()] });
    if source == hypothesis {
        return unchanged();
    }
    let pair = Pair::new(source, hypothesis);
    if pair.source == pair.hypothesis {
        return unchanged();
    }
    let clock = Clock(options.timeout.map(|timeout| Instant::now() + timeout));
    let targets: Vec<Targets> = gold.iter().map(|gold| Targets::new(gold, &pair)).collect();
    let paths = paths(&pair, &targets, options, clock, scratch)?;
    let views = paths.into_iter().zip(&targets).map(|(path, targets)| view(path, &pair, targets, options)).collect();
    Ok(Views { pair: Some(pair), views })
}

fn paths(
    pair: &Pair,
    targets: &[Targets],
    options: &Options,
    clock: Clock,
    scratch: &mut Scratch,
) -> Result<Vec<Vec<Edit>>, Stop> {
    let lattice = Lattice::new(&pair.source, &pair.hypothesis, clock)?;
    match exact::paths(&lattice, pair, targets, options.max_unchanged, options.entry_limit, clock, scratch) {
        Err(Stop::TooMany) => search::paths(&lattice, pair, targets, options.max_unchanged, clock),
        result => result,
    }
}

/// Matches edits with gold edits from left to right behind a cursor in the gold list. An edit that several equal gold
/// edits contain is matched with each of them, as in the official scorer.
fn view(mut edits: Vec<Edit>, pair: &Pair, targets: &Targets, options: &Options) -> View {
    if options.ignore_whitespace_casing {
        edits.retain(|edit| !pair.is_blank_or_case(*edit));
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
