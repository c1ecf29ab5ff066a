//! The cheapest path without compound arcs, for text with too many of them.
//!
//! The optimum of the exact algorithm has, in this order, the most gold arcs, the least length of the rest, and the
//! fewest edits (a basic arc in both tables counts twice if it is a separate edit). A dynamic programme over (node,
//! open edit) finds it: no open edit, or a compound edit with a number of unchanged tokens inside; with one jump for
//! each gold edit in the lattice. Among paths that are equal in all three, rounding of sums decides in the exact
//! algorithm, and the first one found is kept here. They have as many correct edits, unless a gold edit changes
//! nothing, is there twice, or precedes the one before it.

use crate::lattice::basic::{Kind, Lattice};
use crate::lattice::insertions::{self, Entries};
use crate::lattice::problem::{Clock, Edit, Pair, Stop, Target, Targets};

/// Maximum number of slots (states of all nodes) of the dynamic programme; 12 bytes each.
pub const MOST_SLOTS: usize = 100_000_000;

/// Maximum number of entries of one insertion point with gold edits; a run of k inserted tokens has k²/2.
pub const MOST_INSERTIONS: usize = 400_000_000;

/// Costs packed into one number, so that they are added and compared at once: gold arcs, length, edits.
type Cost = i64;
const GOLD: Cost = -(1 << 44);
const LENGTH: Cost = 1 << 22;
const EDIT: Cost = 1;
const UNREACHED: Cost = Cost::MAX;

/// A gold edit that the lattice contains, between two nodes.
struct Jump {
    from: u32,
    to: u32,
    cost: Cost,
}

/// The edits of every annotator's cheapest path, left to right. Cost per annotator: O(nodes × max_unchanged) time, 12
/// bytes for each node and each of its 2 · max_unchanged + 5 states, for each gold edit the occurrences of its text in
/// the hypothesis, and for each insertion point with gold edits O(run²) for a run of this number of inserted tokens.
pub fn paths(
    lattice: &Lattice,
    pair: &Pair,
    targets: &[Targets],
    max_unchanged: u32,
    clock: Clock,
) -> Result<Vec<Vec<Edit>>, Stop> {
    let path_of = |targets: &Targets| {
        let jumps = jumps(lattice, pair, targets, max_unchanged, clock)?;
        Search::new(lattice, max_unchanged)?.run(&jumps, clock)
    };
    targets.iter().map(path_of).collect()
}

/// States of a node: no open edit; a compound edit that began with an unchanged or a changed token (it may not end
/// yet); one that continues, with u unchanged tokens, before (`CLEAN`) and after its first change.
const CLOSED: usize = 0;
const BEGUN_UNCHANGED: usize = 1;
const BEGUN_CHANGED: usize = 2;
const OPEN: usize = 3;

struct Search<'a> {
    lattice: &'a Lattice,
    max_unchanged: usize,
    states: usize,
    cost: Vec<Cost>,
    before: Vec<u32>,
}

impl<'a> Search<'a> {
    fn new(lattice: &'a Lattice, max_unchanged: u32) -> Result<Self, Stop> {
        // No path has more unchanged tokens than steps, and no path has more steps than nodes.
        let max_unchanged = (max_unchanged as usize).min(lattice.nodes.len());
        let states = OPEN + 2 * (max_unchanged + 1);
        let slots = states.checked_mul(lattice.nodes.len()).filter(|&slots| slots <= MOST_SLOTS);
        let slots = slots.ok_or(Stop::TooLong)?;
        Ok(Self { lattice, max_unchanged, states, cost: vec![UNREACHED; slots], before: vec![0; slots] })
    }

    fn open(unchanged: usize, changed: bool) -> usize {
        OPEN + 2 * unchanged + usize::from(changed)
    }

    fn relax(&mut self, from: usize, to: usize, cost: Cost) {
        let cost = self.cost[from] + cost;
        if cost < self.cost[to] {
            self.cost[to] = cost;
            self.before[to] = from as u32;
        }
    }

    fn run(mut self, jumps: &[Jump], clock: Clock) -> Result<Vec<Edit>, Stop> {
        self.cost[0] = 0;
        let mut jumps = jumps.iter().peekable();
        for node in 0..self.lattice.nodes.len() {
            if node % 1024 == 0 {
                clock.check()?;
            }
            let here = node * self.states;
            for unchanged in 0..=self.max_unchanged {
                let open = here + Self::open(unchanged, true);
                if self.cost[open] != UNREACHED {
                    self.relax(open, here + CLOSED, 0);
                }
            }
            while let Some(jump) = jumps.next_if(|jump| jump.from as usize == node) {
                self.relax(here + CLOSED, jump.to as usize * self.states + CLOSED, jump.cost);
            }
            for step in self.lattice.leaving(node) {
                self.step(here, step.to as usize * self.states, step.kind == Kind::Noop, step.copies.into());
            }
        }
        Ok(self.edits())
    }

    fn step(&mut self, here: usize, there: usize, noop: bool, copies: Cost) {
        let u = usize::from(noop);
        self.relax(here + CLOSED, there + CLOSED, LENGTH + if noop { 0 } else { copies * EDIT });
        if u <= self.max_unchanged {
            let begun = if noop { BEGUN_UNCHANGED } else { BEGUN_CHANGED };
            self.relax(here + CLOSED, there + begun, LENGTH + EDIT);
        }
        for (begun, unchanged, changed) in [(BEGUN_UNCHANGED, 1, false), (BEGUN_CHANGED, 0, true)] {
            if self.cost[here + begun] != UNREACHED && unchanged + u <= self.max_unchanged {
                self.relax(here + begun, there + Self::open(unchanged + u, changed || !noop), LENGTH);
            }
        }
        for unchanged in 0..=self.max_unchanged - u.min(self.max_unchanged) {
            for changed in [false, true] {
                let open = here + Self::open(unchanged, changed);
                if self.cost[open] != UNREACHED && unchanged + u <= self.max_unchanged {
                    self.relax(open, there + Self::open(unchanged + u, changed || !noop), LENGTH);
                }
            }
        }
    }

    /// The edits along the path to the last node, from its states: an edit lasts from one closed state to the next,
    /// unless a single unchanged token lies between them.
    fn edits(&self) -> Vec<Edit> {
        let mut edits = Vec::new();
        let mut slot = (self.lattice.nodes.len() - 1) * self.states;
        let mut end = slot / self.states;
        while slot != 0 {
            slot = self.before[slot] as usize;
            if slot % self.states == CLOSED {
                let from = slot / self.states;
                if !self.unchanged(from, end) {
                    edits.push(self.lattice.edit(from as u32, end as u32));
                }
                end = from;
            }
        }
        edits.reverse();
        edits
    }

    fn unchanged(&self, from: usize, to: usize) -> bool {
        self.lattice.leaving(from).iter().any(|step| step.to as usize == to && step.kind == Kind::Noop)
    }
}

/// The annotator's gold edits that the lattice contains, by starting node.
fn jumps(
    lattice: &Lattice,
    pair: &Pair,
    targets: &Targets,
    max_unchanged: u32,
    clock: Clock,
) -> Result<Vec<Jump>, Stop> {
    let mut jumps = Vec::new();
    for target in &targets.list {
        let in_range = target.start < target.end && target.end as usize <= pair.source.len();
        for &(_, from) in lattice.row(target.start).iter().filter(|_| in_range) {
            clock.check()?;
            for text in &target.alternatives {
                let to = from as usize + text.len();
                if pair.hypothesis.get(from as usize..to) == Some(text) {
                    let ends = ((target.start, from), (target.end, to as u32));
                    jumps.extend(realised(lattice, ends.0, ends.1, max_unchanged));
                }
            }
        }
    }
    for point in 0..targets.starts.len() as u32 {
        let gold: Vec<&Target> = targets.on(point, point).collect();
        if !gold.is_empty() {
            insertion_jumps(lattice, pair, point, &gold, clock, &mut jumps)?;
        }
    }
    jumps.sort_by_key(|jump| (jump.from, jump.to));
    Ok(jumps)
}

/// The jump between two nodes, if the exact algorithm has an arc there: the arcs out of the first node inside the
/// rectangle, built as [`crate::lattice::exact`] builds them.
fn realised(lattice: &Lattice, start: (u32, u32), end: (u32, u32), max_unchanged: u32) -> Option<Jump> {
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
                let unchanged = unchanged + u32::from(step.kind == Kind::Noop);
                let inside = next.0 <= end.0 && next.1 <= end.1;
                if inside && (length == 0 || unchanged <= max_unchanged) {
                    let arc = &mut arcs[cell(next)];
                    if arc.is_none_or(|(old, _)| length + 1 < old) {
                        *arc = Some((length + 1, unchanged));
                    }
                }
            }
        }
    }
    let (length, unchanged) = arcs[cell(end)]?;
    // Several unchanged tokens are not an arc.
    (length == 1 || unchanged < length).then_some(Jump { from, to, cost: GOLD })
}

/// All insertions at one point in the order of (from, to), without storing them: from each position of a run of
/// insertion steps, the basic one (twice if both tables have it) and then the longer ones to the end of the run.
struct Run {
    /// For each start: number of the first entry, position, copies of the basic arc, end of the run.
    starts: Vec<(usize, u32, usize, u32)>,
    length: usize,
    /// For every `1 << SHIFT` entries the start that the first of them belongs to.
    index: Vec<usize>,
}

/// Number of entries between two index entries of a [`Run`], as a power of two.
const SHIFT: usize = 6;

impl Run {
    fn new(lattice: &Lattice, point: u32) -> Result<Self, Stop> {
        let mut starts = Vec::new();
        for &(i, j) in lattice.row(point).iter().rev() {
            let step = lattice
                .node((i, j))
                .and_then(|node| lattice.leaving(node as usize).iter().find(|step| step.kind == Kind::Insert));
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
        if length > MOST_INSERTIONS {
            return Err(Stop::TooLong);
        }
        let mut index = Vec::with_capacity((length >> SHIFT) + 1);
        for place in 0..starts.len() {
            let next = starts.get(place + 1).map_or(length, |next| next.0);
            index.resize(next.div_ceil(1 << SHIFT), place);
        }
        Ok(Self { starts, length, index })
    }
}

impl Entries for Run {
    fn len(&self) -> usize {
        self.length
    }

    fn span(&self, at: usize) -> (u32, u32) {
        let mut start = self.index[at >> SHIFT];
        while self.starts.get(start + 1).is_some_and(|next| next.0 <= at) {
            start += 1;
        }
        let (first, from, copies, _) = self.starts[start];
        (from, from + 1 + (at - first).saturating_sub(copies - 1) as u32)
    }
}

fn insertion_jumps(
    lattice: &Lattice,
    pair: &Pair,
    point: u32,
    gold: &[&Target],
    clock: Clock,
    jumps: &mut Vec<Jump>,
) -> Result<(), Stop> {
    let run = Run::new(lattice, point)?;
    let mut found: Vec<((u32, u32), Cost)> = Vec::new();
    insertions::consume(&run, gold, &pair.hypothesis, clock, |_, span, matched| {
        match found.iter_mut().find(|known| known.0 == span) {
            Some((_, cost)) => *cost = if matched { GOLD } else { *cost + EDIT },
            None if matched => found.push((span, GOLD)),
            None => {}
        }
    })?;
    let node = |j| lattice.node((point, j)).unwrap_or_default();
    jumps.extend(found.into_iter().map(|((from, to), cost)| Jump { from: node(from), to: node(to), cost }));
    Ok(())
}

/// For tests: (from, to) in hypothesis positions of the insertions before a source token.
#[cfg(test)]
pub fn insertion_spans(lattice: &Lattice, point: u32) -> Vec<(u32, u32)> {
    let run = Run::new(lattice, point).unwrap_or_else(|_| unreachable!());
    (0..run.len()).map(|at| run.span(at)).collect()
}
