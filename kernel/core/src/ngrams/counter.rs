//! Counts of a sentence from the n-grams that its versions add to the source and remove from it.
//!
//! With D(x) the number of an n-gram x in a version less its number in the source, sums over x of the positive and the
//! negative parts of D of a reference, of a hypothesis and of what both have in common determine all regions. D(x)
//! needs only the occurrences of x that touch a changed place, for every alignment of a version with the source: other
//! occurrences pair one to one.

use std::ops::Range;

use super::changes::{find_changes, AlignmentLimits, Change};
use super::distinct::DistinctNgrams;
use super::lanes::{Count, LaneSums};
use super::regions::{region_row, COLUMNS};
use super::tokens::{count_tokens, Codes, TokenUnit};

/// Maximum numbers of hypotheses and of references that are counted at once; a set of both is a `u64`.
pub const MAX_VERSIONS: usize = 32;

/// Memory for a sentence with more bytes than this is reserved first, so that missing memory is an error and not an
/// abort.
pub const MAX_UNRESERVED: usize = 1 << 18;

/// Stands for the number of no change.
const NONE: u32 = u32::MAX;

/// A source, and hypotheses and references that are compared with it, at most [`MAX_VERSIONS`] each.
#[derive(Clone, Copy)]
pub struct Versions<'a> {
    pub source: &'a str,
    pub hypotheses: &'a [&'a str],
    pub references: &'a [&'a str],
}

/// A change of one or more versions.
struct SharedChange {
    change: Change,
    /// The codes around its replacement: the tokens of a version that differ, and their context.
    window: Range<usize>,
    /// The set of its versions.
    lanes: u64,
    /// The previous change that begins at the same token of the source, or [`NONE`].
    previous: u32,
}

impl SharedChange {
    /// The positions of the n-grams of an order that the change removes from the source, which has `length` tokens.
    fn removed(&self, order: usize, length: usize) -> Range<usize> {
        starts(&self.change.source, order, &(0..length))
    }

    /// The positions of the n-grams of an order that it adds.
    fn added(&self, order: usize) -> Range<usize> {
        starts(&self.change.version, order, &self.window)
    }
}

/// The positions where n-grams of an order start that touch a changed place, within a window.
fn starts(changed: &Range<usize>, order: usize, window: &Range<usize>) -> Range<usize> {
    let first = (changed.start + 1).saturating_sub(order).max(window.start);
    first..changed.end.min((window.end + 1).saturating_sub(order)).max(first)
}

/// Counts sentences one by one, in memory that a thread reuses.
pub struct SentenceCounter {
    n: usize,
    unit: TokenUnit,
    limits: AlignmentLimits,
    codes: Codes,
    /// The lane of each version that differs from the source, hypotheses first.
    lanes: Vec<Option<usize>>,
    found: Vec<Change>,
    changes: Vec<SharedChange>,
    /// The last change that begins at each token of the source, or [`NONE`].
    last_changes: Vec<u32>,
    distinct: DistinctNgrams,
    /// The positions in the source of tokens that may be repeated: n-grams that begin with others occur once.
    repeated: Vec<u32>,
    narrow: LaneSums<i16>,
    wide: LaneSums<i32>,
}

impl SentenceCounter {
    pub fn new(n: usize, unit: TokenUnit) -> Self {
        let (reach, run) = if unit == TokenUnit::Word { (12, 2) } else { (32, 5) };
        Self {
            n,
            unit,
            limits: AlignmentLimits { gap: n - 1, reach, run },
            codes: Codes::new(unit),
            lanes: Vec::new(),
            found: Vec::new(),
            changes: Vec::new(),
            last_changes: Vec::new(),
            distinct: DistinctNgrams::default(),
            repeated: Vec::new(),
            narrow: LaneSums::default(),
            wide: LaneSums::default(),
        }
    }

    /// Calls `write(hypothesis, reference, order, row)`, with orders from 0, for the rows of a sentence; the last column
    /// only with `absent`. Expected O(bytes, and changed tokens × n × versions). None: not enough memory.
    pub fn count(
        &mut self,
        versions: Versions,
        absent: bool,
        write: impl FnMut(usize, usize, usize, [i32; COLUMNS.len()]),
    ) -> Option<()> {
        let [hypotheses, references] = self.number_lanes(versions);
        if hypotheses + references == 0 {
            self.write_unchanged(versions, write);
            return Some(());
        }
        self.read(versions)?;
        // Neither a number of n-grams nor a sum exceeds the number of tokens.
        if self.codes.codes.len() <= i16::MAX as usize {
            let mut sums = std::mem::take(&mut self.narrow);
            sums.start(hypotheses, references);
            self.count_orders(&mut sums, versions, absent, write)?;
            self.narrow = sums;
        } else {
            let mut sums = std::mem::take(&mut self.wide);
            sums.start(hypotheses, references);
            self.count_orders(&mut sums, versions, absent, write)?;
            self.wide = sums;
        }
        Some(())
    }

    /// Numbers the hypotheses that differ from the source, then such references, and returns how many there are.
    fn number_lanes(&mut self, versions: Versions) -> [usize; 2] {
        self.lanes.clear();
        let mut lanes = 0;
        [versions.hypotheses, versions.references].map(|lines| {
            let first = lanes;
            for &line in lines {
                let differs = line != versions.source;
                self.lanes.push(differs.then_some(lanes));
                lanes += usize::from(differs);
            }
            lanes - first
        })
    }

    /// Writes the rows of a sentence whose versions are all equal to the source.
    fn write_unchanged(&self, versions: Versions, mut write: impl FnMut(usize, usize, usize, [i32; COLUMNS.len()])) {
        let length = count_tokens(versions.source, self.unit);
        for hypothesis in 0..versions.hypotheses.len() {
            for reference in 0..versions.references.len() {
                for order in 0..self.n {
                    let mut row = [0; COLUMNS.len()];
                    row[0] = length.saturating_sub(order) as i32;
                    write(hypothesis, reference, order, row);
                }
            }
        }
    }

    /// Reads the tokens of all versions, and finds their changes. None: not enough memory.
    fn read(&mut self, versions: Versions) -> Option<()> {
        let Versions { source, hypotheses, references } = versions;
        let lines = || [&source].into_iter().chain(hypotheses).chain(references);
        if lines().map(|line| line.len()).sum::<usize>() > MAX_UNRESERVED {
            let tokens = lines().map(|line| count_tokens(line, self.unit)).sum();
            self.codes.reserve(tokens)?;
            self.distinct.reserve(tokens)?;
        }
        self.codes.read_source(source);
        self.changes.clear();
        self.last_changes.clear();
        self.last_changes.resize(self.codes.source_length() + 1, NONE);
        for (version, line) in hypotheses.iter().chain(references).enumerate() {
            if let Some(lane) = self.lanes[version] {
                self.add_version(source, line, 1 << lane);
            }
        }
        Some(())
    }

    /// Adds the changes of a version to those of others.
    fn add_version(&mut self, source: &str, version: &str, lane: u64) {
        let Self { n, limits, codes, found, changes, last_changes, .. } = self;
        let (length, start) = (codes.source_length(), codes.codes.len());
        let ends = codes.add_difference(source, version, *n - 1);
        let window = start..codes.codes.len();
        let [before, after] = [ends.prefix, ends.suffix].map(|shared| shared.min(*n - 1));
        let middle = ends.prefix..length - ends.suffix;
        let replacement = start + before..window.end - after;
        found.clear();
        find_changes(&codes.codes[middle.clone()], &codes.codes[replacement.clone()], *limits, found);
        let known = changes.len();
        for change in found {
            let change = Change {
                source: middle.start + change.source.start..middle.start + change.source.end,
                version: replacement.start + change.version.start..replacement.start + change.version.end,
            };
            let tokens = &codes.codes[change.version.clone()];
            let last = &mut last_changes[change.source.start];
            let mut candidate = *last;
            while let Some(shared) = changes.get(candidate as usize) {
                if shared.change.source == change.source && codes.codes[shared.change.version.clone()] == *tokens {
                    break;
                }
                candidate = shared.previous;
            }
            match changes.get_mut(candidate as usize) {
                Some(shared) => shared.lanes |= lane,
                None => {
                    changes.push(SharedChange { change, window: window.clone(), lanes: lane, previous: *last });
                    *last = changes.len() as u32 - 1;
                }
            }
        }
        if changes.len() == known {
            codes.codes.truncate(start);
        }
    }

    fn count_orders<C: Count>(
        &mut self,
        sums: &mut LaneSums<C>,
        versions: Versions,
        absent: bool,
        mut write: impl FnMut(usize, usize, usize, [i32; COLUMNS.len()]),
    ) -> Option<()> {
        let Self { codes, changes, distinct, repeated, lanes, .. } = self;
        let length = codes.source_length();
        let codes = &codes.codes[..];
        let (hypotheses, references) = lanes.split_at(versions.hypotheses.len());
        changes.iter().for_each(|change| sums.add_change(change.lanes));
        distinct.start(codes);
        if absent {
            distinct.find_repeated(length, repeated);
        }
        for order in 1..=self.n {
            let starts = || changes.iter().flat_map(|change| [change.removed(order, length), change.added(order)]);
            let occurrences = starts().map(|starts| starts.len()).sum();
            if occurrences > MAX_UNRESERVED {
                sums.reserve(occurrences)?;
            }
            distinct.start_order(occurrences);
            sums.start_order();
            for (step, starts) in starts().enumerate() {
                distinct.number(codes, starts, |ngram| sums.add(ngram, step));
            }
            if absent {
                let starts = repeated.iter().map(|&position| position as usize);
                let starts = starts.take_while(|&position| position + order <= length);
                sums.count_source(starts.filter_map(|position| distinct.get(codes, position)));
            }
            sums.sum(absent);
            let size = length.saturating_sub(order - 1) as i32;
            for (h, &hypothesis) in hypotheses.iter().enumerate() {
                for (r, &reference) in references.iter().enumerate() {
                    let both = sums.both(hypothesis, reference);
                    let row = region_row(size, sums.hypothesis(hypothesis), sums.reference(reference), both);
                    write(h, r, order - 1, row);
                }
            }
        }
        Some(())
    }
}
