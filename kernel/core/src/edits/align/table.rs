//! Table of costs and steps of an alignment, and the band of cells that is computed.

use std::ops::Range;

use super::OperationKind;

/// Maximum number of cells of a table, 16 bytes each: 640 MB, two texts of 6,300 tokens.
pub const MAX_CELLS: usize = 40_000_000;

/// Cost and step of each cell: the cheapest way to turn i tokens of the source into j of the target.
///
/// Cells with i or j within the common beginning are not stored. Their cost is |i - j|: a lower bound, since only
/// insertions and deletions leave a diagonal and each costs 1, and reached by induction on i + j, since an insertion or
/// deletion leads to the cell from one that is cheaper by 1, or a match from one of the same cost. So a step along the
/// diagonal is taken only if it costs nothing.
#[derive(Default)]
pub struct AlignTable {
    pub costs: Vec<f64>,
    pub steps: Vec<AlignStep>,
    pub common: usize,
    pub width: usize,
}

/// How a cell was reached; `length` is the number of transposed tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct AlignStep {
    pub kind: OperationKind,
    pub length: u32,
}

pub const fn single(kind: OperationKind) -> AlignStep {
    AlignStep { kind, length: 1 }
}

impl AlignTable {
    /// Reserves the cells of n and m tokens with a common beginning; false if there are too many.
    pub fn reserve(&mut self, n: usize, m: usize, common: usize) -> bool {
        (self.common, self.width) = (common, m - common + 1);
        let cells = (n - common + 1).saturating_mul(self.width);
        if cells > MAX_CELLS || !(reserve(&mut self.costs, cells, 0.0) && reserve(&mut self.steps, cells, NONE)) {
            return false;
        }
        for j in 0..self.width {
            self.costs[j] = j as f64;
        }
        for i in 0..=n - common {
            self.costs[i * self.width] = i as f64;
        }
        true
    }

    /// Releases large tables.
    pub fn release(&mut self) {
        if self.costs.len() > KEPT_CELLS {
            (self.costs, self.steps) = Default::default();
        }
    }

    #[inline]
    pub fn cost(&self, i: usize, j: usize) -> f64 {
        if i <= self.common || j <= self.common {
            i.abs_diff(j) as f64
        } else {
            self.costs[(i - self.common) * self.width + j - self.common]
        }
    }

    /// Whether the tokens of a cell after the common beginning are equal.
    #[inline]
    pub fn is_match(&self, i: usize, j: usize) -> bool {
        i.min(j) > self.common && self.step(i, j).kind == OperationKind::Match
    }

    /// The step of a cell after the common beginning.
    #[inline]
    pub fn step(&self, i: usize, j: usize) -> AlignStep {
        self.steps[(i - self.common) * self.width + j - self.common]
    }
}

const NONE: AlignStep = single(OperationKind::Match);

/// Maximum number of cells kept for the next pair.
const KEPT_CELLS: usize = 1 << 20;

/// Resizes the table, whose contents are undefined; false without enough memory.
fn reserve<T: Clone>(table: &mut Vec<T>, cells: usize, value: T) -> bool {
    if table.len() >= cells {
        return true;
    }
    if table.try_reserve_exact(cells - table.len()).is_err() {
        return false;
    }
    table.resize(cells, value);
    true
}

/// The cheaper of insertion and deletion; insertion if equal.
#[inline]
pub fn insert_or_delete(insert: f64, delete: f64) -> (f64, AlignStep) {
    if delete < insert {
        (delete, single(OperationKind::Delete))
    } else {
        (insert, single(OperationKind::Insert))
    }
}

/// Diagonals d = j - i: those between the first and the last cell, and `slack` diagonals on either side.
#[derive(Clone, Copy)]
pub struct DiagonalBand {
    /// The diagonal of the last cell.
    pub last: i64,
    pub slack: i64,
}

impl DiagonalBand {
    /// The target tokens in `first..end` that the band pairs with source token i.
    #[inline]
    pub fn columns(self, i: usize, first: usize, end: usize) -> Range<usize> {
        let clamp = |j: i64| (j.max(first as i64) as usize).min(end);
        let (low, high) = (self.last.min(0) - self.slack, self.last.max(0) + self.slack);
        clamp(i as i64 + low)..clamp(i as i64 + high + 1)
    }

    /// Cost of the cheapest path outside the band.
    #[inline]
    pub fn cost_outside(self) -> f64 {
        (self.last.abs() + 2 * (self.slack + 1)) as f64
    }

    /// The cost up to which costs of diagonal d are certain: the cost of a path from outside the band. The true cost of
    /// a more expensive cell may be lower, but not below this value.
    #[inline]
    pub fn certain_cost(self, d: i64) -> f64 {
        let (low, high) = (self.last.min(0) - self.slack - 1, self.last.max(0) + self.slack + 1);
        ((d - low) - low).min(high + (high - d)) as f64
    }
}
