//! The cheapest path without compound arcs, for text with too many of them.
//!
//! The optimum of the exact algorithm has, in this order, the most gold arcs, the smallest length of other arcs, and
//! the fewest edits (a basic arc in both tables counts twice if it is a separate edit). A dynamic programme over (node,
//! state of the open edit) finds it, with one jump for each gold edit in the lattice. Among paths that are equal in all
//! three, rounding of sums decides in the exact algorithm, and the first path found is taken here. These paths have the
//! same number of correct edits, unless a gold edit changes nothing, is repeated, or precedes the one before it.

use crate::lattice::basic::{ArcKind, Lattice, PathProblem};
use crate::lattice::problem::{match_insertions, GoldTarget, GoldTargets, LatticeEdit, Stop};

/// Maximum number of slots (states of all nodes) of the dynamic programme; 12 bytes each.
pub const MAX_SLOTS: usize = 100_000_000;

/// Maximum number of entries of one insertion point with gold edits; k inserted tokens have k²/2 entries.
pub const MAX_INSERTIONS: usize = 400_000_000;

/// Costs in one number that is added and compared at once: gold arcs, then length, then edits.
type Cost = i64;
const GOLD_COST: Cost = -(1 << 44);
const LENGTH_COST: Cost = 1 << 22;
const EDIT_COST: Cost = 1;
const UNREACHED_COST: Cost = Cost::MAX;

/// A gold edit that the lattice contains, between two nodes.
struct GoldJump {
    from: u32,
    to: u32,
    cost: Cost,
}

/// The edits of every annotator's cheapest path, left to right. Cost per annotator: O(nodes × max_unchanged) time, 12
/// bytes for each node and each of its 2 · max_unchanged + 5 states, for each gold edit the occurrences of its text in
/// the hypothesis, and for each insertion point with gold edits O(run²) for a run of this number of inserted tokens.
pub fn paths(problem: PathProblem, targets: &[GoldTargets]) -> Result<Vec<Vec<LatticeEdit>>, Stop> {
    let path_of = |targets: &GoldTargets| PathSearch::new(problem)?.run(&jumps(problem, targets)?);
    targets.iter().map(path_of).collect()
}

/// States of a node: no open edit; a compound edit of one unchanged or changed token, which may not end yet; a longer
/// one with u unchanged tokens, before and after its first change.
const CLOSED: usize = 0;
const BEGUN_UNCHANGED: usize = 1;
const BEGUN_CHANGED: usize = 2;
const OPEN: usize = 3;

struct PathSearch<'a> {
    problem: PathProblem<'a>,
    max_unchanged: usize,
    states: usize,
    cost: Vec<Cost>,
    predecessor: Vec<u32>,
}

impl<'a> PathSearch<'a> {
    fn new(problem: PathProblem<'a>) -> Result<Self, Stop> {
        let nodes = problem.lattice.nodes.len();
        // No path has more unchanged tokens than steps, and no path has more steps than nodes.
        let max_unchanged = (problem.max_unchanged as usize).min(nodes);
        let states = OPEN + 2 * (max_unchanged + 1);
        let slots = states.checked_mul(nodes).filter(|&slots| slots <= MAX_SLOTS).ok_or(Stop::TooLong)?;
        Ok(Self { problem, max_unchanged, states, cost: vec![UNREACHED_COST; slots], predecessor: vec![0; slots] })
    }

    fn open(unchanged: usize, changed: bool) -> usize {
        OPEN + 2 * unchanged + usize::from(changed)
    }

    fn relax(&mut self, from: usize, to: usize, cost: Cost) {
        let cost = self.cost[from] + cost;
        if cost < self.cost[to] {
            self.cost[to] = cost;
            self.predecessor[to] = from as u32;
        }
    }

    fn run(mut self, jumps: &[GoldJump]) -> Result<Vec<LatticeEdit>, Stop> {
        let PathProblem { lattice, clock, .. } = self.problem;
        self.cost[0] = 0;
        let mut jumps = jumps.iter().peekable();
        for node in 0..lattice.nodes.len() {
            if node % 1024 == 0 {
                clock.check()?;
            }
            let first_slot = node * self.states;
            for unchanged in 0..=self.max_unchanged {
                let open = first_slot + Self::open(unchanged, true);
                if self.cost[open] != UNREACHED_COST {
                    self.relax(open, first_slot + CLOSED, 0);
                }
            }
            while let Some(jump) = jumps.next_if(|jump| jump.from as usize == node) {
                self.relax(first_slot + CLOSED, jump.to as usize * self.states + CLOSED, jump.cost);
            }
            for step in lattice.leaving(node) {
                let is_noop = step.kind == ArcKind::Noop;
                self.step(first_slot, step.to as usize * self.states, is_noop, step.copies.into());
            }
        }
        Ok(self.edits())
    }

    /// Relaxes states by a basic arc between two nodes, whose slots begin at `from` and `to`.
    fn step(&mut self, from: usize, to: usize, is_noop: bool, copies: Cost) {
        let unchanged_here = usize::from(is_noop);
        self.relax(from + CLOSED, to + CLOSED, LENGTH_COST + if is_noop { 0 } else { copies * EDIT_COST });
        if unchanged_here <= self.max_unchanged {
            let begun = if is_noop { BEGUN_UNCHANGED } else { BEGUN_CHANGED };
            self.relax(from + CLOSED, to + begun, LENGTH_COST + EDIT_COST);
        }
        let max_unchanged = self.max_unchanged;
        let mut continue_edit = |state: usize, unchanged: usize, changed: bool| {
            let unchanged = unchanged + unchanged_here;
            if self.cost[from + state] != UNREACHED_COST && unchanged <= max_unchanged {
                self.relax(from + state, to + Self::open(unchanged, changed || !is_noop), LENGTH_COST);
            }
        };
        continue_edit(BEGUN_UNCHANGED, 1, false);
        continue_edit(BEGUN_CHANGED, 0, true);
        for unchanged in 0..=max_unchanged.saturating_sub(unchanged_here) {
            continue_edit(Self::open(unchanged, false), unchanged, false);
            continue_edit(Self::open(unchanged, true), unchanged, true);
        }
    }

    /// The edits along the path to the last node, from its states: an edit lasts from one closed state to the next,
    /// unless a single unchanged token lies between them.
    fn edits(&self) -> Vec<LatticeEdit> {
        let lattice = self.problem.lattice;
        let is_unchanged = |from: usize, to: usize| {
            lattice.leaving(from).iter().any(|step| step.to as usize == to && step.kind == ArcKind::Noop)
        };
        let mut edits = Vec::new();
        let mut slot = (lattice.nodes.len() - 1) * self.states;
        let mut end = slot / self.states;
        while slot != 0 {
            slot = self.predecessor[slot] as usize;
            if slot % self.states == CLOSED {
                let from = slot / self.states;
                if !is_unchanged(from, end) {
                    edits.push(lattice.edit(from as u32, end as u32));
                }
                end = from;
            }
        }
        edits.reverse();
        edits
    }
}

/// The annotator's gold edits that the lattice contains, by starting node.
fn jumps(problem: PathProblem, targets: &GoldTargets) -> Result<Vec<GoldJump>, Stop> {
    let PathProblem { pair, lattice, clock, .. } = problem;
    let mut jumps = Vec::new();
    for target in &targets.list {
        let is_in_range = target.start < target.end && target.end as usize <= pair.source.len();
        for &(_, from) in lattice.row(target.start).iter().filter(|_| is_in_range) {
            clock.check()?;
            for text in &target.alternatives {
                let to = from as usize + text.len();
                if pair.hypothesis.get(from as usize..to) == Some(text) {
                    jumps.extend(arc_between(problem, (target.start, from), (target.end, to as u32)));
                }
            }
        }
    }
    for point in 0..targets.starts.len() as u32 {
        let gold: Vec<&GoldTarget> = targets.targets_on(point, point).collect();
        if gold.is_empty() {
            continue;
        }
        let run = InsertionRun::new(lattice, point)?;
        let mut costs: Vec<((u32, u32), Cost)> = Vec::new();
        match_insertions(
            run.length,
            |entry| run.span(entry),
            &gold,
            &pair.hypothesis,
            clock,
            |_, span, is_matched| match costs.iter_mut().find(|(known_span, _)| *known_span == span) {
                Some((_, cost)) => *cost = if is_matched { GOLD_COST } else { *cost + EDIT_COST },
                None if is_matched => costs.push((span, GOLD_COST)),
                None => {}
            },
        )?;
        let node = |j| lattice.node((point, j)).unwrap_or_default();
        jumps.extend(costs.into_iter().map(|((from, to), cost)| GoldJump { from: node(from), to: node(to), cost }));
    }
    jumps.sort_by_key(|jump| (jump.from, jump.to));
    Ok(jumps)
}

/// The jump between two nodes, if the exact algorithm has an arc there: the arcs out of the first node inside the
/// rectangle, built as [`crate::lattice::exact`] builds them.
fn arc_between(problem: PathProblem, start: (u32, u32), end: (u32, u32)) -> Option<GoldJump> {
    let PathProblem { lattice, max_unchanged, .. } = problem;
    let (from, to) = (lattice.node(start)?, lattice.node(end)?);
    let width = (end.1 - start.1 + 1) as usize;
    let cell = |(i, j): (u32, u32)| (i - start.0) as usize * width + (j - start.1) as usize;
    // (length, unchanged) of the arc from the start to each cell.
    let mut arcs: Vec<Option<(u32, u32)>> = vec![None; cell(end) + 1];
    arcs[0] = Some((0, 0));
    for i in start.0..=end.0 {
        for &node in lattice.row(i).iter().filter(|node| (start.1..=end.1).contains(&node.1)) {
            let Some((length, unchanged)) = arcs[cell(node)] else {
                continue;
            };
            for step in lattice.leaving(lattice.node(node)? as usize) {
                let next = lattice.nodes[step.to as usize];
                let unchanged = unchanged + u32::from(step.kind == ArcKind::Noop);
                let is_inside = next.0 <= end.0 && next.1 <= end.1;
                if is_inside && (length == 0 || unchanged <= max_unchanged) {
                    let arc = &mut arcs[cell(next)];
                    if arc.is_none_or(|(known_length, _)| length + 1 < known_length) {
                        *arc = Some((length + 1, unchanged));
                    }
                }
            }
        }
    }
    let (length, unchanged) = arcs[cell(end)]?;
    // Several unchanged tokens are not an arc.
    (length == 1 || unchanged < length).then_some(GoldJump { from, to, cost: GOLD_COST })
}

/// All insertions at one point in the order of (from, to), computed lazily: from each position of consecutive insertion
/// steps, the basic one (twice if both tables have it) and then the longer ones.
struct InsertionRun {
    /// For each start: number of the first entry, position, copies of the basic arc, end of the run.
    starts: Vec<(usize, u32, usize, u32)>,
    length: usize,
    /// For every `1 << INDEX_SHIFT` entries the index of the first one's start.
    index: Vec<usize>,
}

/// Number of entries between two index entries of a [`InsertionRun`], as a power of two.
const INDEX_SHIFT: usize = 6;

impl InsertionRun {
    fn new(lattice: &Lattice, point: u32) -> Result<Self, Stop> {
        let mut starts = Vec::new();
        for &(i, j) in lattice.row(point).iter().rev() {
            let step = lattice
                .node((i, j))
                .and_then(|node| lattice.leaving(node as usize).iter().find(|step| step.kind == ArcKind::Insert));
            if let Some(step) = step {
                let end = match starts.last() {
                    Some(&(_, next, _, end)) if next == j + 1 => end,
                    _ => j + 1,
                };
                starts.push((0, j, usize::from(step.copies), end));
            }
        }
        starts.reverse();
        let mut length = 0;
        for start in &mut starts {
            start.0 = length;
            length += start.2 + (start.3 - start.1 - 1) as usize;
        }
        if length > MAX_INSERTIONS {
            return Err(Stop::TooLong);
        }
        let mut index = Vec::with_capacity((length >> INDEX_SHIFT) + 1);
        for start in 0..starts.len() {
            let next = starts.get(start + 1).map_or(length, |next| next.0);
            index.resize(next.div_ceil(1 << INDEX_SHIFT), start);
        }
        Ok(Self { starts, length, index })
    }

    /// The hypothesis tokens `from..to` that an entry inserts.
    fn span(&self, entry: usize) -> (u32, u32) {
        let mut start = self.index[entry >> INDEX_SHIFT];
        while self.starts.get(start + 1).is_some_and(|next| next.0 <= entry) {
            start += 1;
        }
        let (first, from, copies, _) = self.starts[start];
        (from, from + 1 + (entry - first).saturating_sub(copies - 1) as u32)
    }
}

/// For tests: (from, to) in hypothesis positions of the insertions before a source token.
#[cfg(test)]
pub fn insertion_spans(lattice: &Lattice, point: u32) -> Vec<(u32, u32)> {
    let run = InsertionRun::new(lattice, point).unwrap_or_else(|_| unreachable!());
    (0..run.length).map(|entry| run.span(entry)).collect()
}
