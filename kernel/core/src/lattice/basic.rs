//! Basic arcs: the operations of the cheapest paths of two Levenshtein tables, token by token.

use std::ops::Range;

use crate::lattice::problem::{Clock, LatticeEdit, Stop, TokenId, TokenPair};

/// Maximum number of cells of the tables, (source tokens + 1) · (hypothesis tokens + 1); a byte each.
pub const MAX_CELLS: usize = 40_000_000;

/// Maximum number of nodes on cheapest paths; with its steps a node takes up to 44 bytes.
pub const MAX_NODES: usize = 10_000_000;

/// The effect of an arc. A compound arc is a substitution unless all its basic arcs have the same kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ArcKind {
    Noop,
    Insert,
    Delete,
    Substitute,
}

impl ArcKind {
    pub fn join(self, kind: ArcKind) -> ArcKind {
        if self == kind {
            self
        } else {
            ArcKind::Substitute
        }
    }
}

/// A step of one token. `copies` is 2 if it is in both tables; then the arc list contains it twice.
#[derive(Clone, Copy, Debug)]
pub struct BasicArc {
    pub from: u32,
    pub to: u32,
    pub kind: ArcKind,
    pub copies: u8,
}

/// Nodes (i, j) in ascending order, numbered from 0, and the basic arcs in the order of (from, to).
pub struct Lattice {
    pub nodes: Vec<(u32, u32)>,
    pub steps: Vec<BasicArc>,
    /// The steps `steps[first[k]..first[k + 1]]` leave node k.
    pub first: Vec<u32>,
}

/// The search for the cheapest path through the lattice of a sentence pair for each annotator.
#[derive(Clone, Copy)]
pub struct PathProblem<'a> {
    pub pair: &'a TokenPair<'a>,
    pub lattice: &'a Lattice,
    /// Maximum number of unchanged tokens inside a compound edit.
    pub max_unchanged: u32,
    pub clock: Clock,
}

/// Bits of a cell for the table with substitution cost 1: the optimal predecessors, and whether the cell lies on an
/// optimal path. The other table has the same bits, shifted by `SECOND_TABLE`.
const DIAGONAL: u8 = 1;
const UP: u8 = 2;
const LEFT: u8 = 4;
const REACHED: u8 = 8;
const SECOND_TABLE: u32 = 4;

/// Cost of paths in the narrow band beyond the difference of the lengths.
const NARROW_EXTRA_COST: usize = 4;

/// Cost of a cell outside the band: larger than any cost, without overflow in sums.
const OUTSIDE_COST: u32 = u32::MAX / 2;

impl Lattice {
    /// Computes both tables with one byte per cell. Cost: O(n·m) bytes, O((n + m)·(cost of the cheapest path)) time.
    /// Err: more than [`MAX_CELLS`] or [`MAX_NODES`], or a timeout.
    pub fn new(source: &[TokenId], hypothesis: &[TokenId], clock: Clock) -> Result<Self, Stop> {
        let width = hypothesis.len() + 1;
        let size = (source.len() + 1).checked_mul(width).filter(|&size| size <= MAX_CELLS).ok_or(Stop::TooLong)?;
        let mut cells = vec![0; size];
        let band = fill(&mut cells, source, hypothesis, clock)?;
        if mark_paths(&mut cells, width, band, clock)? > MAX_NODES {
            return Err(Stop::TooLong);
        }
        Ok(Self::collect(&cells, width, band, source, hypothesis))
    }

    /// The steps out of node k, in the order of their ends.
    pub fn leaving(&self, k: usize) -> &[BasicArc] {
        &self.steps[self.first[k] as usize..self.first[k + 1] as usize]
    }

    /// The path from one node to another as an edit.
    pub fn edit(&self, from: u32, to: u32) -> LatticeEdit {
        let ((start, from), (end, to)) = (self.nodes[from as usize], self.nodes[to as usize]);
        LatticeEdit { start, end, from, to }
    }

    /// The number of a node.
    pub fn node(&self, node: (u32, u32)) -> Option<u32> {
        self.nodes.binary_search(&node).ok().map(|index| index as u32)
    }

    /// The nodes with `i` source tokens consumed.
    pub fn row(&self, i: u32) -> &[(u32, u32)] {
        let start = self.nodes.partition_point(|node| node.0 < i);
        let length = self.nodes[start..].partition_point(|node| node.0 == i);
        &self.nodes[start..start + length]
    }

    fn collect(cells: &[u8], width: usize, band: CostBand, source: &[TokenId], hypothesis: &[TokenId]) -> Self {
        let mut nodes = Vec::new();
        let mut steps = Vec::new();
        let (mut node_ids_above, mut node_ids) = (vec![0; width], vec![0; width]);
        for (i, row) in cells.chunks_exact(width).enumerate() {
            std::mem::swap(&mut node_ids_above, &mut node_ids);
            let columns = band.row(i, width);
            for (j, &cell) in columns.clone().zip(&row[columns]) {
                if cell & (REACHED | REACHED << SECOND_TABLE) == 0 {
                    continue;
                }
                let to = nodes.len() as u32;
                node_ids[j] = to;
                nodes.push((i as u32, j as u32));
                let copies = |predecessor: u8| {
                    let in_table =
                        |shift: u32| u8::from((cell >> shift) & (REACHED | predecessor) == (REACHED | predecessor));
                    in_table(0) + in_table(SECOND_TABLE)
                };
                let mut add_step = |from: u32, kind: ArcKind, copies: u8| {
                    if copies > 0 {
                        steps.push(BasicArc { from, to, kind, copies });
                    }
                };
                if i > 0 && j > 0 {
                    let is_same = source[i - 1] == hypothesis[j - 1];
                    add_step(
                        node_ids_above[j - 1],
                        if is_same { ArcKind::Noop } else { ArcKind::Substitute },
                        copies(DIAGONAL),
                    );
                }
                if i > 0 {
                    add_step(node_ids_above[j], ArcKind::Delete, copies(UP));
                }
                if j > 0 {
                    add_step(node_ids[j - 1], ArcKind::Insert, copies(LEFT));
                }
            }
        }
        steps.sort_unstable_by_key(|step| (step.from, step.to));
        let mut first = vec![0; nodes.len() + 1];
        for step in &steps {
            first[step.from as usize + 1] += 1;
        }
        for k in 0..nodes.len() {
            first[k + 1] += first[k];
        }
        Self { nodes, steps, first }
    }
}

/// The cells (i, j) with `i - deletions <= j <= i + insertions`.
#[derive(Clone, Copy)]
struct CostBand {
    deletions: usize,
    insertions: usize,
}

impl CostBand {
    /// The band of all paths that cost at most `cost`. Their insertions minus deletions is the difference of the
    /// lengths, and their sum is at most the cost, which must be at least this difference.
    fn for_cost(cost: usize, source: usize, hypothesis: usize) -> Self {
        Self { deletions: (cost + source - hypothesis) / 2, insertions: (cost + hypothesis - source) / 2 }
    }

    /// The columns of row `i`.
    fn row(self, i: usize, width: usize) -> Range<usize> {
        i.saturating_sub(self.deletions)..width.min(i + self.insertions + 1)
    }
}

/// Fills both Levenshtein tables row by row, in a band that contains all cheapest paths; only the optimal predecessors
/// of each cell are stored. A narrow band comes first: its cost is an upper bound that determines the required band.
fn fill(cells: &mut [u8], source: &[TokenId], hypothesis: &[TokenId], clock: Clock) -> Result<CostBand, Stop> {
    let (n, m) = (source.len(), hypothesis.len());
    let guess = n.abs_diff(m) + NARROW_EXTRA_COST;
    let narrow = CostBand::for_cost(guess, n, m);
    let cost = fill_band(cells, source, hypothesis, narrow, clock)?;
    if cost <= guess {
        return Ok(narrow);
    }
    let wide = CostBand::for_cost(cost, n, m);
    cells.fill(0);
    fill_band(cells, source, hypothesis, wide, clock)?;
    Ok(wide)
}

/// Fills the tables within the band, and returns the cost of the cheapest path with substitution cost 2, which is at
/// least the cost in the other table.
fn fill_band(
    cells: &mut [u8],
    source: &[TokenId],
    hypothesis: &[TokenId],
    band: CostBand,
    clock: Clock,
) -> Result<usize, Stop> {
    let width = hypothesis.len() + 1;
    let first_row: Vec<u32> = (0..width as u32).collect();
    let mut costs = [first_row.clone(), first_row];
    for costs in &mut costs {
        costs[band.row(0, width).end..].fill(OUTSIDE_COST);
    }
    cells[1..width].fill(LEFT | LEFT << SECOND_TABLE);
    for (i, (&source_token, row)) in source.iter().zip(cells[width..].chunks_exact_mut(width)).enumerate() {
        clock.check()?;
        let columns = band.row(i + 1, width);
        let first = columns.start.max(1);
        for (table, costs) in costs.iter_mut().enumerate() {
            let substitution = table as u32 + 1;
            let shift = table as u32 * SECOND_TABLE;
            let (mut diagonal_cost, mut left) = (costs[first - 1], OUTSIDE_COST);
            if columns.start == 0 {
                left = i as u32 + 1;
                costs[0] = left;
                row[0] |= UP << shift;
            }
            let columns = first..columns.end;
            let row_tokens = &hypothesis[first - 1..columns.end - 1];
            for ((cell, cost), &hypothesis_token) in
                row[columns.clone()].iter_mut().zip(&mut costs[columns]).zip(row_tokens)
            {
                let diagonal = diagonal_cost + if source_token == hypothesis_token { 0 } else { substitution };
                let up = *cost + 1;
                left += 1;
                let minimum = diagonal.min(up).min(left);
                let predecessors = u8::from(diagonal == minimum) * DIAGONAL
                    + u8::from(up == minimum) * UP
                    + u8::from(left == minimum) * LEFT;
                *cell |= predecessors << shift;
                (diagonal_cost, *cost, left) = (*cost, minimum, minimum);
            }
        }
    }
    Ok(costs[1][hypothesis.len()] as usize)
}

/// Marks the cells on cheapest paths in each table; returns the number of cells marked in any table.
fn mark_paths(cells: &mut [u8], width: usize, band: CostBand, clock: Clock) -> Result<usize, Stop> {
    let last = cells.len() - 1;
    let mut marked = 0;
    cells[last] |= REACHED | REACHED << SECOND_TABLE;
    for i in (0..cells.len() / width).rev() {
        clock.check()?;
        for position in band.row(i, width).rev().map(|j| i * width + j) {
            if cells[position] & (REACHED | REACHED << SECOND_TABLE) == 0 {
                continue;
            }
            marked += 1;
            for shift in [0, SECOND_TABLE] {
                let cell = cells[position] >> shift;
                if cell & REACHED != 0 {
                    for (predecessor, distance) in [(DIAGONAL, width + 1), (UP, width), (LEFT, 1)] {
                        if cell & predecessor != 0 {
                            cells[position - distance] |= REACHED << shift;
                        }
                    }
                }
            }
        }
    }
    Ok(marked)
}
