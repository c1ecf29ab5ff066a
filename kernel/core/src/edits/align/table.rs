//! Cost and step of each pair of positions in two sentences.

use super::Kind;

/// Maximum number of cells of a table, 16 bytes each: 640 MB, two texts of 6,300 tokens.
pub const MOST_CELLS: usize = 40_000_000;

/// Cost and step of each cell: the cheapest way to turn i tokens of the source into j of the target.
///
/// Cells with i or j within the common beginning need no computation. Their cost is |i - j|. It is a lower bound, since
/// only insertions and deletions leave a diagonal and each costs 1. It is reached, by induction on i + j: an insertion
/// or deletion leads to the cell from one that is cheaper by 1, or a match from one of the same cost. A step along the
/// diagonal is thus taken only if it costs nothing. Only the other cells are stored.
#[derive(Default)]
pub struct Table {
    pub cost: Vec<f64>,
    pub step: Vec<Step>,
    pub common: usize,
    pub width: usize,
}

/// How a cell was reached; `length` is the number of transposed tokens.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub kind: Kind,
    pub length: u32,
}

pub const fn single(kind: Kind) -> Step {
    Step { kind, length: 1 }
}

impl Table {
    /// Reserves the cells of n and m tokens with a common beginning; false if there are too many.
    pub fn reserve(&mut self, n: usize, m: usize, common: usize) -> bool {
        (self.common, self.width) = (common, m - common + 1);
        let cells = (n - common + 1).saturating_mul(self.width);
        if cells > MOST_CELLS || !(reserve(&mut self.cost, cells, 0.0) && reserve(&mut self.step, cells, NONE)) {
            return false;
        }
        for j in 0..self.width {
            self.cost[j] = j as f64;
        }
        for i in 0..=n - common {
            self.cost[i * self.width] = i as f64;
        }
        true
    }

    /// Releases large tables.
    pub fn release(&mut self) {
        if self.cost.len() > KEPT_CELLS {
            (self.cost, self.step) = Default::default();
        }
    }

    #[inline]
    pub fn cost(&self, i: usize, j: usize) -> f64 {
        if i <= self.common || j <= self.common {
            i.abs_diff(j) as f64
        } else {
            self.cost[(i - self.common) * self.width + j - self.common]
        }
    }

    /// Whether the tokens of a cell after the common beginning are equal.
    #[inline]
    pub fn is_match(&self, i: usize, j: usize) -> bool {
        i.min(j) > self.common && self.step(i, j).kind == Kind::Match
    }

    /// The step of a cell after the common beginning.
    #[inline]
    pub fn step(&self, i: usize, j: usize) -> Step {
        self.step[(i - self.common) * self.width + j - self.common]
    }
}

const NONE: Step = single(Kind::Match);

/// Maximum number of cells kept for the next pair; larger tables are released.
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
pub fn insert_or_delete(insert: f64, delete: f64) -> (f64, Step) {
    if delete < insert {
        (delete, single(Kind::Delete))
    } else {
        (insert, single(Kind::Insert))
    }
}
