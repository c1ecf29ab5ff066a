//! Cost and step of each pair of places in two sentences.

use super::Kind;

/// Cells a table may have, 16 bytes each: 640 MB, two texts of 6,300 tokens.
pub const MOST_CELLS: usize = 40_000_000;

/// Cost and step of each cell: the cheapest way to turn i tokens of the source into j of the target.
///
/// Where i or j is at most the length of the common beginning, nothing need be worked out. The cost is |i - j|: it is
/// never less, since only insertions and deletions leave a diagonal, and each costs 1; and it is so much, by induction on
/// i + j, since one of them leads here from a cell that is cheaper by 1, or a match from one that costs the same. So there
/// a step along the diagonal is taken only if it costs nothing. Only the cells beyond are kept.
#[derive(Default)]
pub struct Table {
    pub cost: Vec<f64>,
    pub step: Vec<Step>,
    pub common: usize,
    pub width: usize,
}

/// How a cell was reached; `length` is the number of tokens a transposition covers.
#[derive(Clone, Copy, PartialEq, Eq)]
pub struct Step {
    pub kind: Kind,
    pub length: u32,
}

pub const fn single(kind: Kind) -> Step {
    Step { kind, length: 1 }
}

impl Table {
    /// Makes room for the cells of n and m tokens with so many in common at the beginning; false if that is too much.
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

    /// Gives large tables back.
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

    /// Whether a cell beyond the common beginning is one of equal tokens.
    #[inline]
    pub fn is_match(&self, i: usize, j: usize) -> bool {
        i.min(j) > self.common && self.step(i, j).kind == Kind::Match
    }

    /// The step of a cell beyond the common beginning.
    #[inline]
    pub fn step(&self, i: usize, j: usize) -> Step {
        self.step[(i - self.common) * self.width + j - self.common]
    }
}

pub const NONE: Step = single(Kind::Match);

/// Cells that are kept for the next pair; larger tables are given back.
const KEPT_CELLS: usize = 1 << 20;

/// Makes the table so large, what is in it being of no account; false if there is no memory.
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

/// Insertion, or deletion if that is cheaper.
#[inline]
pub fn insert_or_delete(insert: f64, delete: f64) -> (f64, Step) {
    if delete < insert {
        (delete, single(Kind::Delete))
    } else {
        (insert, single(Kind::Insert))
    }
}
