//! Counts of a sentence from the n-grams that its versions add to the source and remove from it.
//!
//! With D(x) the number of an n-gram x in a version less its number in the source, sums over x of the positive and the
//! negative parts of D of a reference, of a hypothesis and of what both have in common determine all regions. D(x)
//! needs only the occurrences of x that touch a changed place, for every alignment of a version with the source: other
//! occurrences pair one to one.

use std::ops::Range;

use wide::{i16x8, i32x8};

use super::changes::{find_changes, AlignmentLimits, Change};
use super::distinct::{grow, DistinctNgrams};
use super::lanes::{Block, Difference, LaneSums};
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

/// An n-gram that a change removes (step 2 × change) or adds (step 2 × change + 1).
#[derive(Clone, Copy, Default)]
struct Occurrence {
    position: u32,
    step: u32,
}

/// Sums for few and for many versions. Narrow numbers take less time, and are enough for most sentences.
#[derive(Default)]
struct SumsBySize {
    few: LaneSums<i16x8, 1>,
    several: LaneSums<i16x8, 2>,
    many: LaneSums<i16x8, 8>,
    few_wide: LaneSums<i32x8, 1>,
    many_wide: LaneSums<i32x8, 8>,
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
    occurrences: Vec<Occurrence>,
    /// The numbers of [`Self::count`].
    rows: Vec<[i32; COLUMNS.len()]>,
    /// None while they are in use.
    sums: Option<Box<SumsBySize>>,
}

impl SentenceCounter {
    pub fn new(n: usize, unit: TokenUnit) -> Self {
        let (reach, run) = if unit == TokenUnit::Word { (12, 2) } else { (32, 5) };
        Self {
            n,
            unit,
            limits: AlignmentLimits { gap: n.saturating_sub(1), reach, run },
            codes: Codes::new(unit),
            lanes: Vec::new(),
            found: Vec::new(),
            changes: Vec::new(),
            last_changes: Vec::new(),
            distinct: DistinctNgrams::default(),
            repeated: Vec::new(),
            occurrences: Vec::new(),
            rows: Vec::new(),
            sums: None,
        }
    }

    /// The numbers `[hypothesis][reference][order]` of a sentence, the last column only with `absent`. Expected O(bytes,
    /// and changed tokens × n × versions). None: not enough memory.
    pub fn count(&mut self, versions: Versions, absent: bool) -> Option<&[[i32; COLUMNS.len()]]> {
        let numbers @ [hypotheses, references] = self.number_lanes(versions);
        self.rows.clear();
        if hypotheses + references == 0 {
            self.add_unchanged(versions);
            return Some(&self.rows);
        }
        self.read(versions)?;
        // Neither a number of n-grams nor a sum exceeds the number of tokens of a version.
        let is_narrow = self.longest_version() <= i16::MAX as usize;
        let mut sums = std::mem::take(&mut self.sums).unwrap_or_default();
        match hypotheses + references {
            ..=8 if is_narrow => self.count_orders(&mut sums.few, numbers, versions, absent)?,
            ..=16 if is_narrow => self.count_orders(&mut sums.several, numbers, versions, absent)?,
            _ if is_narrow => self.count_orders(&mut sums.many, numbers, versions, absent)?,
            ..=8 => self.count_orders(&mut sums.few_wide, numbers, versions, absent)?,
            _ => self.count_orders(&mut sums.many_wide, numbers, versions, absent)?,
        }
        self.sums = Some(sums);
        Some(&self.rows)
    }

    /// The largest number of tokens of the source and of the windows of versions.
    fn longest_version(&self) -> usize {
        let windows = self.changes.iter().map(|change| change.window.len());
        windows.fold(self.codes.source_length(), usize::max)
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

    /// Adds the rows of a sentence whose versions are all equal to the source.
    fn add_unchanged(&mut self, versions: Versions) {
        let (length, none) = (count_tokens(versions.source, self.unit), Difference::default());
        for _ in 0..versions.hypotheses.len() * versions.references.len() {
            let rows = (0..self.n).map(|order| region_row(length.saturating_sub(order) as i32, none, none, none));
            self.rows.extend(rows);
        }
    }

    /// Reads the tokens of all versions, and finds their changes. None: not enough memory.
    fn read(&mut self, versions: Versions) -> Option<()> {
        let Versions { source, hypotheses, references } = versions;
        let lines = || [&source].into_iter().chain(hypotheses).chain(references);
        if lines().map(|line| line.len()).sum::<usize>() > MAX_UNRESERVED {
            let tokens = lines().map(|line| count_tokens(line, self.unit)).sum();
            self.codes.reserve(tokens)?;
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
        let Self { limits, codes, found, changes, last_changes, .. } = self;
        let (length, start) = (codes.source_length(), codes.codes.len());
        let ends = codes.add_difference(source, version, limits.gap);
        let window = start..codes.codes.len();
        let [before, after] = [ends.prefix, ends.suffix].map(|shared| shared.min(limits.gap));
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

    fn count_orders<B: Block, const BLOCKS: usize>(
        &mut self,
        sums: &mut LaneSums<B, BLOCKS>,
        [hypotheses, references]: [usize; 2],
        versions: Versions,
        absent: bool,
    ) -> Option<()> {
        let Self { n, codes, changes, distinct, repeated, lanes, occurrences, rows, .. } = self;
        let length = codes.source_length();
        let codes = &codes.codes[..];
        sums.start(hypotheses, references);
        changes.iter().for_each(|change| sums.add_change(change.lanes));
        if absent {
            distinct.find_repeated(&codes[..length], repeated);
        }
        let (hypotheses, references) = lanes.split_at(versions.hypotheses.len());
        rows.resize(hypotheses.len() * references.len() * *n, Default::default());
        for order in 1..=*n {
            let occurrences = list_occurrences(changes, order, length, occurrences)?;
            if occurrences.len() > MAX_UNRESERVED {
                distinct.reserve(occurrences.len())?;
                sums.reserve(occurrences.len())?;
            }
            distinct.start_order(order, occurrences.len());
            sums.start_order(occurrences.len());
            let position = |occurrence: &Occurrence| occurrence.position as usize;
            distinct.number(codes, occurrences.iter(), position, |occurrence, ngram| {
                sums.add(ngram, occurrence.step as usize);
            });
            if absent {
                let starts = repeated.iter().map(|&position| position as usize);
                let starts = starts.take_while(|&position| position + order <= length);
                sums.count_source(starts.filter_map(|position| distinct.get(codes, position)));
                sums.sum_lost();
            }
            sums.sum();
            let size = length.saturating_sub(order - 1) as i32;
            let rows_of_order = rows[order - 1..].iter_mut().step_by(*n);
            let pairs = hypotheses
                .iter()
                .flat_map(|&hypothesis| references.iter().map(move |&reference| (hypothesis, reference)));
            for (row, (hypothesis, reference)) in rows_of_order.zip(pairs) {
                let both = sums.both(hypothesis, reference);
                *row = region_row(size, sums.of_version(hypothesis), sums.of_version(reference), both);
            }
        }
        Some(())
    }
}

/// Number of occurrences that are listed at once.
const OCCURRENCES_AT_ONCE: usize = 8;

/// The n-grams of an order that changes remove and add, in memory reused for all orders. None: not enough memory.
fn list_occurrences<'a>(
    changes: &[SharedChange],
    order: usize,
    length: usize,
    occurrences: &'a mut Vec<Occurrence>,
) -> Option<&'a [Occurrence]> {
    let mut end = 0;
    for (number, change) in (0..).zip(changes) {
        for (step, starts) in [(2 * number, change.removed(order, length)), (2 * number + 1, change.added(order))] {
            let blocks = starts.len() / OCCURRENCES_AT_ONCE + 1;
            grow(occurrences, end + blocks * OCCURRENCES_AT_ONCE)?;
            // Too many are written, since their number cannot be predicted.
            for (block, occurrences) in
                occurrences[end..].chunks_exact_mut(OCCURRENCES_AT_ONCE).take(blocks).enumerate()
            {
                let first = (starts.start + block * OCCURRENCES_AT_ONCE) as u32;
                for (position, occurrence) in (first..).zip(occurrences) {
                    *occurrence = Occurrence { position, step };
                }
            }
            end += starts.len();
        }
    }
    Some(&occurrences[..end])
}
