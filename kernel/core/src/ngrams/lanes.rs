//! Differences of multiplicities: for each n-gram and version how many more there are than in the source.

use std::ops::{Add, BitAnd, Sub};

use wide::{i16x8, i32x8, CmpEq};

/// Number of versions in a [`Block`].
const WIDTH: usize = 8;

/// Signed numbers that count the n-grams of a sentence, one for each of [`WIDTH`] versions, in vector registers.
pub trait Block: Copy + Default + Add<Output = Self> + Sub<Output = Self> + BitAnd<Output = Self> {
    fn of(value: i32) -> Self;
    /// 1 in the lanes whose bits are set, and 0 in others.
    fn ones(bits: u64) -> Self;
    fn min(self, other: Self) -> Self;
    fn max(self, other: Self) -> Self;
    /// All bits of the lanes where both are equal.
    fn equal(self, other: Self) -> Self;
    fn at(&self, lane: usize) -> i32;
}

/// Implements [`Block`] with the methods of the type.
macro_rules! implement_block {
    ($block:ty, $count:ty) => {
        impl Block for $block {
            #[inline(always)]
            fn of(value: i32) -> Self {
                Self::splat(value as $count)
            }

            #[inline(always)]
            fn ones(bits: u64) -> Self {
                Self::from(std::array::from_fn(|lane| (bits >> lane & 1) as $count))
            }

            #[inline(always)]
            fn min(self, other: Self) -> Self {
                <$block>::min(self, other)
            }

            #[inline(always)]
            fn max(self, other: Self) -> Self {
                <$block>::max(self, other)
            }

            #[inline(always)]
            fn equal(self, other: Self) -> Self {
                self.cmp_eq(other)
            }

            #[inline(always)]
            fn at(&self, lane: usize) -> i32 {
                self.as_array_ref()[lane].into()
            }
        }
    };
}

implement_block!(i16x8, i16);
implement_block!(i32x8, i32);

/// A number for each version.
#[derive(Clone, Copy)]
struct Lanes<B, const BLOCKS: usize>([B; BLOCKS]);

impl<B: Block, const BLOCKS: usize> Lanes<B, BLOCKS> {
    #[inline(always)]
    fn of(value: i32) -> Self {
        Self([B::of(value); BLOCKS])
    }

    #[inline(always)]
    fn zip(mut self, other: Self, operation: impl Fn(B, B) -> B) -> Self {
        for block in 0..BLOCKS {
            self.0[block] = operation(self.0[block], other.0[block]);
        }
        self
    }

    #[inline(always)]
    fn plus(self, other: Self) -> Self {
        self.zip(other, B::add)
    }

    #[inline(always)]
    fn min(self, other: Self) -> Self {
        self.zip(other, B::min)
    }

    /// The numbers that are positive; 0 for others.
    #[inline(always)]
    fn positive(self) -> Self {
        self.zip(Self::of(0), B::max)
    }

    /// The numbers that are negative, without their sign; 0 for others.
    #[inline(always)]
    fn negative(self) -> Self {
        Self::of(0).zip(self, B::sub).positive()
    }

    #[inline(always)]
    fn at(&self, lane: usize) -> i32 {
        self.0[lane / WIDTH].at(lane % WIDTH)
    }
}

/// Numbers of n-grams that a version adds to the source, and that it removes.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Difference {
    pub added: i32,
    pub removed: i32,
    /// The removed n-grams that the reference lacks altogether.
    pub lost: i32,
}

/// What versions add to the source and remove from it, or have in common with another version.
#[derive(Clone, Copy)]
struct LaneDifferences<B, const BLOCKS: usize> {
    added: Lanes<B, BLOCKS>,
    removed: Lanes<B, BLOCKS>,
}

impl<B: Block, const BLOCKS: usize> LaneDifferences<B, BLOCKS> {
    #[inline(always)]
    fn zero() -> Self {
        Self { added: Lanes::of(0), removed: Lanes::of(0) }
    }

    /// Adds an n-gram.
    #[inline(always)]
    fn add(&mut self, delta: &Lanes<B, BLOCKS>) {
        self.added = self.added.plus(delta.positive());
        self.removed = self.removed.plus(delta.negative());
    }

    /// Adds what versions have in common with the one in this lane.
    #[inline(always)]
    fn add_shared(&mut self, delta: &Lanes<B, BLOCKS>, lane: usize) {
        let other = Lanes::of(delta.at(lane));
        self.added = self.added.plus(delta.positive().min(other.positive()));
        self.removed = self.removed.plus(delta.negative().min(other.negative()));
    }
}

/// Sums of one order over n-grams, for at most `BLOCKS` × [`WIDTH`] versions that are numbered: hypotheses, then references.
pub struct LaneSums<B, const BLOCKS: usize> {
    hypotheses: usize,
    references: usize,
    /// For each change -1 in the lanes of its versions, then 1.
    steps: Vec<Lanes<B, BLOCKS>>,
    /// For each of `ngrams` n-grams its number in each version, less its number in the source; then unused room.
    deltas: Vec<Lanes<B, BLOCKS>>,
    ngrams: usize,
    /// The number of each n-gram in the source, if it is needed.
    in_source: Vec<i32>,
    all: LaneDifferences<B, BLOCKS>,
    /// What each hypothesis shares with the references; what each reference shares if there are fewer references.
    shared: Vec<LaneDifferences<B, BLOCKS>>,
    /// The n-grams that each reference lacks altogether, and for each hypothesis those of them that it removes.
    lost: Lanes<B, BLOCKS>,
    shared_lost: Vec<Lanes<B, BLOCKS>>,
}

impl<B: Block, const BLOCKS: usize> Default for LaneSums<B, BLOCKS> {
    fn default() -> Self {
        Self {
            hypotheses: 0,
            references: 0,
            steps: Vec::new(),
            deltas: Vec::new(),
            ngrams: 0,
            in_source: Vec::new(),
            all: LaneDifferences::zero(),
            shared: Vec::new(),
            lost: Lanes::of(0),
            shared_lost: Vec::new(),
        }
    }
}

impl<B: Block, const BLOCKS: usize> LaneSums<B, BLOCKS> {
    /// Starts a sentence.
    pub fn start(&mut self, hypotheses: usize, references: usize) {
        (self.hypotheses, self.references) = (hypotheses, references);
        self.steps.clear();
        self.lost = Lanes::of(0);
        self.shared_lost.clear();
    }

    /// Reserves memory for this number of n-grams. None: not enough memory.
    pub fn reserve(&mut self, ngrams: usize) -> Option<()> {
        self.deltas.try_reserve((ngrams + 1).saturating_sub(self.deltas.len())).ok()?;
        self.in_source.try_reserve(ngrams).ok()
    }

    /// Adds a change of the lanes whose bits are set.
    pub fn add_change(&mut self, lanes: u64) {
        let added = Lanes(std::array::from_fn(|block| B::ones(lanes >> (block * WIDTH))));
        self.steps.extend([Lanes::of(0).zip(added, B::sub), added]);
    }

    /// Starts an order, with at most `occurrences` n-grams.
    pub fn start_order(&mut self, occurrences: usize) {
        self.ngrams = 0;
        if self.deltas.len() <= occurrences {
            self.deltas.resize(occurrences + 1, Lanes::of(0));
        }
    }

    /// Adds an n-gram, known or the next one, that a change removes (step 2 × change) or adds (step 2 × change + 1).
    #[inline]
    pub fn add(&mut self, ngram: usize, step: usize) {
        self.deltas[self.ngrams] = Lanes::of(0);
        self.deltas[ngram] = self.deltas[ngram].plus(self.steps[step]);
        self.ngrams = self.ngrams.max(ngram + 1);
    }

    /// Counts n-grams of the source; others of the source must occur once there.
    pub fn count_source(&mut self, ngrams: impl Iterator<Item = usize>) {
        self.in_source.clear();
        self.in_source.resize(self.ngrams, 0);
        ngrams.for_each(|ngram| self.in_source[ngram] += 1);
    }

    /// Sums over the n-grams of the order.
    pub fn sum(&mut self) {
        let deltas = &self.deltas[..self.ngrams];
        let versions = self.hypotheses + self.references;
        let first = if self.shares_by_hypothesis() { 0 } else { self.hypotheses.min(versions - 1) };
        // Usually there is one hypothesis, so that one pass is enough.
        let (mut all, mut shared_with_first) = (LaneDifferences::zero(), LaneDifferences::zero());
        for delta in deltas {
            all.add(delta);
            shared_with_first.add_shared(delta, first);
        }
        self.all = all;
        self.shared.clear();
        self.shared.push(shared_with_first);
        for lane in first + 1..first + self.hypotheses.min(self.references) {
            let mut shared = LaneDifferences::zero();
            deltas.iter().for_each(|delta| shared.add_shared(delta, lane));
            self.shared.push(shared);
        }
    }

    /// Sums over the n-grams of the order that references lack altogether, once those of the source are counted.
    pub fn sum_lost(&mut self) {
        let numbers = self.in_source.iter().map(|&number| Lanes::of(number.max(1)));
        let lost_of = |(delta, number): (&Lanes<B, BLOCKS>, Lanes<B, BLOCKS>)| {
            (*delta, delta.negative().zip(number, |removed, number| removed & removed.equal(number)))
        };
        let ngrams = self.deltas.iter().zip(numbers).map(lost_of);
        self.lost = ngrams.clone().fold(Lanes::of(0), |sum, (_, lost)| sum.plus(lost));
        self.shared_lost.clear();
        for hypothesis in 0..self.hypotheses {
            let shared = ngrams.clone().map(|(delta, lost)| lost.min(Lanes::of(delta.at(hypothesis)).negative()));
            self.shared_lost.push(shared.fold(Lanes::of(0), Lanes::plus));
        }
    }

    fn shares_by_hypothesis(&self) -> bool {
        self.hypotheses <= self.references
    }

    /// What a version, numbered as a lane, adds and removes; nothing if it has no lane.
    pub fn of_version(&self, lane: Option<usize>) -> Difference {
        let Some(lane) = lane else { return Difference::default() };
        let LaneDifferences { added, removed } = &self.all;
        Difference { added: added.at(lane), removed: removed.at(lane), lost: self.lost.at(lane) }
    }

    /// What both a hypothesis and a reference add and remove.
    pub fn both(&self, hypothesis: Option<usize>, reference: Option<usize>) -> Difference {
        let (Some(hypothesis), Some(reference)) = (hypothesis, reference) else { return Difference::default() };
        let (LaneDifferences { added, removed }, lane) = match self.shares_by_hypothesis() {
            true => (&self.shared[hypothesis], reference),
            false => (&self.shared[reference - self.hypotheses], hypothesis),
        };
        let lost = self.shared_lost.get(hypothesis).map_or(0, |shared| shared.at(reference));
        Difference { added: added.at(lane), removed: removed.at(lane), lost }
    }
}
