//! Differences of multiplicities: for each n-gram and version how many more there are than in the source.

use std::ops::{AddAssign, Neg};

/// A signed integer that counts n-grams of a sentence.
pub trait Count: Copy + Default + Ord + AddAssign + Neg<Output = Self> + Into<i32> {
    const ONE: Self;
}

impl Count for i16 {
    const ONE: Self = 1;
}

impl Count for i32 {
    const ONE: Self = 1;
}

/// Number of versions that one operation adds.
const WIDTH: usize = 8;

/// A number for each of [`WIDTH`] versions. Operations work on copies, which the compiler keeps in vector registers.
#[derive(Clone, Copy, Default, PartialEq)]
struct Block<C>([C; WIDTH]);

impl<C: Count> Block<C> {
    #[inline]
    fn of(value: C) -> Self {
        Self([value; WIDTH])
    }

    #[inline]
    fn plus(mut self, other: Self) -> Self {
        for lane in 0..WIDTH {
            self.0[lane] += other.0[lane];
        }
        self
    }

    #[inline]
    fn min(mut self, other: Self) -> Self {
        for lane in 0..WIDTH {
            self.0[lane] = self.0[lane].min(other.0[lane]);
        }
        self
    }

    /// The numbers that are positive; 0 for others.
    #[inline]
    fn positive(mut self) -> Self {
        for lane in 0..WIDTH {
            self.0[lane] = self.0[lane].max(C::default());
        }
        self
    }

    /// The numbers that are negative, without their sign; 0 for others.
    #[inline]
    fn negative(mut self) -> Self {
        for lane in 0..WIDTH {
            self.0[lane] = (-self.0[lane]).max(C::default());
        }
        self
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

/// Sums of one order over n-grams, for versions that are numbered as lanes: hypotheses, then references.
#[derive(Default)]
pub struct LaneSums<C> {
    hypotheses: usize,
    references: usize,
    /// Number of blocks of all lanes, and of hypotheses.
    blocks: usize,
    hypothesis_blocks: usize,
    /// For each change -1 in the lanes of its versions, then 1.
    steps: Vec<Block<C>>,
    /// For each n-gram its number in each version, less its number in the source.
    deltas: Vec<Block<C>>,
    /// The number of each n-gram in the source, if it is needed and may exceed 1.
    source_counts: Vec<C>,
    /// The sums of each lane: n-grams that are added, and that are removed.
    added: Vec<Block<C>>,
    removed: Vec<Block<C>>,
    /// The n-grams that a reference lacks altogether.
    lost: Vec<C>,
    /// For each reference the sums with the hypotheses: n-grams that both add, that both remove, and the latter if the
    /// reference lacks them altogether.
    both_added: Vec<Block<C>>,
    both_removed: Vec<Block<C>>,
    both_lost: Vec<Block<C>>,
}

impl<C: Count> LaneSums<C> {
    /// Starts a sentence.
    pub fn start(&mut self, hypotheses: usize, references: usize) {
        (self.hypotheses, self.references) = (hypotheses, references);
        self.blocks = (hypotheses + references).div_ceil(WIDTH);
        self.hypothesis_blocks = hypotheses.div_ceil(WIDTH);
        self.steps.clear();
    }

    /// Reserves memory for this number of n-grams. None: not enough memory.
    pub fn reserve(&mut self, ngrams: usize) -> Option<()> {
        self.deltas.try_reserve(ngrams * self.blocks).ok()?;
        self.source_counts.try_reserve(ngrams).ok()
    }

    /// Adds a change of the lanes whose bits are set.
    pub fn add_change(&mut self, lanes: u64) {
        for value in [-C::ONE, C::ONE] {
            for block in 0..self.blocks {
                let bits = lanes >> (block * WIDTH);
                let lane_step = |lane: usize| if bits >> lane & 1 == 1 { value } else { C::default() };
                self.steps.push(Block(std::array::from_fn(lane_step)));
            }
        }
    }

    /// Starts an order.
    pub fn start_order(&mut self) {
        self.deltas.clear();
        self.source_counts.clear();
    }

    /// Adds an n-gram, known or the next one, that a change removes (step 2 × change) or adds (step 2 × change + 1).
    #[inline]
    pub fn add(&mut self, ngram: usize, step: usize) {
        let blocks = self.blocks;
        let steps = &self.steps[step * blocks..(step + 1) * blocks];
        match self.deltas.get_mut(ngram * blocks..(ngram + 1) * blocks) {
            Some(deltas) => deltas.iter_mut().zip(steps).for_each(|(delta, &step)| *delta = delta.plus(step)),
            None => self.deltas.extend_from_slice(steps),
        }
    }

    /// Counts n-grams of the source; others of the source must occur once there.
    pub fn count_source(&mut self, ngrams: impl Iterator<Item = usize>) {
        self.source_counts.resize(self.deltas.len() / self.blocks, C::default());
        ngrams.for_each(|ngram| self.source_counts[ngram] += C::ONE);
    }

    /// Sums over the n-grams of the order. `has_lost`: those that may be repeated were counted in the source.
    pub fn sum(&mut self, has_lost: bool) {
        let Self { added, removed, lost, both_added, both_removed, both_lost, .. } = self;
        for sums in [&mut *added, removed, both_added, both_removed, both_lost] {
            sums.clear();
        }
        lost.clear();
        let ngrams = self.deltas.chunks_exact(self.blocks);
        for block in 0..self.blocks {
            let [mut sum_added, mut sum_removed] = [Block::default(); 2];
            for deltas in ngrams.clone() {
                sum_added = deltas[block].positive().plus(sum_added);
                sum_removed = deltas[block].negative().plus(sum_removed);
            }
            added.push(sum_added);
            removed.push(sum_removed);
        }
        for lane in self.hypotheses..self.hypotheses + self.references {
            let delta_of = |deltas: &[Block<C>]| deltas[lane / WIDTH].0[lane % WIDTH];
            let ngrams = ngrams.clone();
            for block in 0..self.hypothesis_blocks {
                let [mut sum_added, mut sum_removed] = [Block::default(); 2];
                for deltas in ngrams.clone() {
                    let delta = Block::of(delta_of(deltas));
                    sum_added = deltas[block].positive().min(delta.positive()).plus(sum_added);
                    sum_removed = deltas[block].negative().min(delta.negative()).plus(sum_removed);
                }
                both_added.push(sum_added);
                both_removed.push(sum_removed);
            }
            if !has_lost {
                continue;
            }
            let is_lost = |(deltas, &count): &(&[Block<C>], &C)| -delta_of(deltas) == count.max(C::ONE);
            let lost_ngrams = ngrams.zip(&self.source_counts).filter(is_lost).map(|(deltas, _)| deltas);
            for block in 0..self.hypothesis_blocks {
                let removed =
                    lost_ngrams.clone().map(|deltas| deltas[block].negative().min(Block::of(-delta_of(deltas))));
                both_lost.push(removed.fold(Block::default(), Block::plus));
            }
            let mut sum = C::default();
            lost_ngrams.for_each(|deltas| sum += -delta_of(deltas));
            lost.push(sum);
        }
    }

    /// What a hypothesis, numbered as a lane, adds and removes; nothing if it has no lane.
    pub fn hypothesis(&self, lane: Option<usize>) -> Difference {
        let Some(lane) = lane else { return Difference::default() };
        let at = |sums: &[Block<C>]| sums[lane / WIDTH].0[lane % WIDTH].into();
        Difference { added: at(&self.added), removed: at(&self.removed), lost: 0 }
    }

    /// What a reference, numbered as a lane, adds and removes.
    pub fn reference(&self, lane: Option<usize>) -> Difference {
        let lost = lane.and_then(|lane| self.lost.get(lane - self.hypotheses)).map_or(0, |&lost| lost.into());
        Difference { lost, ..self.hypothesis(lane) }
    }

    /// What both a hypothesis and a reference add and remove.
    pub fn both(&self, hypothesis: Option<usize>, reference: Option<usize>) -> Difference {
        let (Some(hypothesis), Some(reference)) = (hypothesis, reference) else { return Difference::default() };
        let pair = (reference - self.hypotheses) * self.hypothesis_blocks + hypothesis / WIDTH;
        let at = |sums: &[Block<C>]| sums.get(pair).map_or(0, |block| block.0[hypothesis % WIDTH].into());
        Difference { added: at(&self.both_added), removed: at(&self.both_removed), lost: at(&self.both_lost) }
    }
}
