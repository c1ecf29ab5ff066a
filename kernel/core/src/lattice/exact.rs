//! The official algorithm: compound arcs, weights for one annotator, the cheapest path in list order.
//!
//! The order of the arc list and of floating-point sums decides between paths of equal cost, so both are preserved.

use crate::lattice::basic::{ArcKind, PathProblem};
use crate::lattice::problem::{match_insertions, GoldTarget, GoldTargets, LatticeEdit, Stop};

/// The cost of a counted edit in addition to its length.
const EDIT_COST: f64 = 0.001;

#[derive(Clone, Copy)]
struct CompoundArc {
    from: u32,
    to: u32,
    length: u32,
    unchanged: u32,
    kind: ArcKind,
}

/// Arcs, and the arc list: numbers of arcs, some of them repeated, in the order of relaxation.
struct ArcGraph<'a> {
    problem: PathProblem<'a>,
    arcs: Vec<CompoundArc>,
    entries: Vec<u32>,
}

/// Lists of the arcs that enter each node, with memory reused for all sentences.
#[derive(Default)]
pub struct EnteringArcs {
    /// The arcs that enter each node.
    entering: Vec<Vec<u32>>,
    /// The arcs that enter the current node.
    current: Vec<u32>,
}

impl EnteringArcs {
    /// The empty lists of this number of nodes; [`ArcGraph::new`] empties the ones it fills.
    fn lists(&mut self, nodes: usize) -> (&mut [Vec<u32>], &mut Vec<u32>) {
        self.entering.resize(nodes.max(self.entering.len()), Vec::new());
        (&mut self.entering, &mut self.current)
    }
}

/// The edits of every annotator's cheapest path, left to right. Err: `TooMany` for more than `limit` entries.
/// Cost: O(entries × passes), for at most `limit` entries; 40 bytes per arc.
pub fn paths(
    problem: PathProblem,
    targets: &[GoldTargets],
    limit: usize,
    entering: &mut EnteringArcs,
) -> Result<Vec<Vec<LatticeEdit>>, Stop> {
    let graph = ArcGraph::new(problem, limit, entering);
    let mut graph = graph.inspect_err(|_| *entering = EnteringArcs::default())?; // after an error lists are not empty
    graph.drop_noops();
    let unmatched = graph.unmatched_weights();
    let mut unmatched_path = None;
    let path_of = |targets| {
        if let Some(weights) = graph.weights(&unmatched, targets)? {
            return graph.cheapest(&weights);
        }
        if unmatched_path.is_none() {
            unmatched_path = Some(graph.cheapest(&unmatched)?);
        }
        Ok(unmatched_path.clone().unwrap_or_default())
    };
    targets.iter().map(path_of).collect()
}

/// Merges `fresh` into `arcs`, both ascending and disjoint in `key`.
fn merge(arcs: &mut Vec<u32>, new_arcs: &[u32], key: impl Fn(u32) -> u32) {
    let (mut old_remaining, mut new_remaining) = (arcs.len(), new_arcs.len());
    arcs.extend_from_slice(new_arcs);
    for position in (0..arcs.len()).rev() {
        if new_remaining == 0 {
            break;
        }
        if old_remaining > 0 && key(arcs[old_remaining - 1]) > key(new_arcs[new_remaining - 1]) {
            old_remaining -= 1;
            arcs[position] = arcs[old_remaining];
        } else {
            new_remaining -= 1;
            arcs[position] = new_arcs[new_remaining];
        }
    }
}

impl<'a> ArcGraph<'a> {
    fn edit(&self, arc: u32) -> LatticeEdit {
        let arc = &self.arcs[arc as usize];
        self.problem.lattice.edit(arc.from, arc.to)
    }

    /// Joins arcs i→k and k→j into i→j, for k, then i, then j ascending, wherever that is shorter than the existing
    /// i→j.
    ///
    /// Only basic arcs leave node k at this time (compound ones pass through later nodes), so at most three are joined.
    /// The arcs that enter a node are sorted by their starts.
    fn new(problem: PathProblem<'a>, limit: usize, entering_arcs: &mut EnteringArcs) -> Result<Self, Stop> {
        let PathProblem { lattice, max_unchanged, clock, .. } = problem;
        if lattice.steps.len() > limit {
            return Err(Stop::TooManyEntries);
        }
        let mut arcs = Vec::with_capacity(4 * lattice.steps.len());
        let mut entries = Vec::with_capacity(6 * lattice.steps.len());
        let (entering, current) = entering_arcs.lists(lattice.nodes.len());
        for step in &lattice.steps {
            let number = arcs.len() as u32;
            let unchanged = u32::from(step.kind == ArcKind::Noop);
            arcs.push(CompoundArc { from: step.from, to: step.to, length: 1, unchanged, kind: step.kind });
            entries.extend(std::iter::repeat_n(number, step.copies.into()));
            entering[step.to as usize].push(number);
        }
        let mut new_arcs: [Vec<u32>; 3] = Default::default();
        for k in 0..lattice.nodes.len() {
            if entries.len() > limit {
                return Err(Stop::TooManyEntries);
            }
            if k % 64 == 0 {
                clock.check()?;
            }
            std::mem::swap(current, &mut entering[k]);
            let rights = lattice.first[k]..lattice.first[k + 1];
            let mut positions = [0; 3];
            for entering_arc in current.drain(..) {
                let entering_arc = arcs[entering_arc as usize];
                for (step_number, leaving_arc) in rights.clone().enumerate() {
                    let leaving_arc = arcs[leaving_arc as usize];
                    let unchanged = entering_arc.unchanged + leaving_arc.unchanged;
                    if unchanged > max_unchanged {
                        continue;
                    }
                    let known_arcs = &entering[leaving_arc.to as usize];
                    while known_arcs
                        .get(positions[step_number])
                        .is_some_and(|&arc| arcs[arc as usize].from < entering_arc.from)
                    {
                        positions[step_number] += 1;
                    }
                    let compound = CompoundArc {
                        from: entering_arc.from,
                        to: leaving_arc.to,
                        length: entering_arc.length + leaving_arc.length,
                        unchanged,
                        kind: entering_arc.kind.join(leaving_arc.kind),
                    };
                    let next = known_arcs.get(positions[step_number]).map(|&arc| arc as usize);
                    match next.filter(|&next| arcs[next].from == entering_arc.from) {
                        Some(arc) if compound.length < arcs[arc].length => {
                            arcs[arc] = compound;
                            entries.push(arc as u32);
                        }
                        Some(_) => {}
                        None => {
                            let number = arcs.len() as u32;
                            arcs.push(compound);
                            entries.push(number);
                            new_arcs[step_number].push(number);
                        }
                    }
                }
            }
            for (new_arcs, leaving_arc) in new_arcs.iter_mut().zip(rights) {
                let to = arcs[leaving_arc as usize].to as usize;
                merge(&mut entering[to], new_arcs, |arc| arcs[arc as usize].from);
                new_arcs.clear();
            }
        }
        Ok(Self { problem, arcs, entries })
    }

    /// Removes compound arcs without changes. The official scorer removes entries while it iterates over the list, so
    /// the entry after a removed one is always kept.
    fn drop_noops(&mut self) {
        let (arcs, mut removed) = (&self.arcs, false);
        self.entries.retain(|&entry| {
            let arc = &arcs[entry as usize];
            removed = !removed && arc.kind == ArcKind::Noop && arc.length > 1;
            !removed
        });
    }

    /// The weight of every arc without matches: its length, and a small cost for each entry that is an edit.
    fn unmatched_weights(&self) -> Vec<f64> {
        let mut weights: Vec<f64> = self.arcs.iter().map(|arc| f64::from(arc.length)).collect();
        for &entry in &self.entries {
            if self.arcs[entry as usize].kind != ArcKind::Noop {
                weights[entry as usize] += EDIT_COST;
            }
        }
        weights
    }

    /// The weights for one annotator, or None if no arc matches one of the annotator's edits.
    fn weights(&self, unmatched: &[f64], targets: &GoldTargets) -> Result<Option<Vec<f64>>, Stop> {
        let PathProblem { pair, lattice, .. } = self.problem;
        let reward = -(self.entries.len() as f64);
        let mut weights: Option<Vec<f64>> = None;
        for (number, arc) in self.arcs.iter().enumerate() {
            if targets.starts[lattice.nodes[arc.from as usize].0 as usize].is_empty() {
                continue;
            }
            let edit = lattice.edit(arc.from, arc.to);
            if edit.start < edit.end && targets.matches(edit.start, edit.end, pair.text(edit)) {
                weights.get_or_insert_with(|| unmatched.to_vec())[number] = reward;
            }
        }
        for (point, starts) in targets.starts.iter().enumerate() {
            if !starts.is_empty() {
                self.weigh_insertions(point as u32, targets, unmatched, &mut weights)?;
            }
        }
        Ok(weights)
    }

    /// The weights of the insertions before source token `point`, if any of them matches.
    fn weigh_insertions(
        &self,
        point: u32,
        targets: &GoldTargets,
        unmatched: &[f64],
        weights: &mut Option<Vec<f64>>,
    ) -> Result<(), Stop> {
        let PathProblem { pair, clock, .. } = self.problem;
        let gold: Vec<&GoldTarget> = targets.targets_on(point, point).collect();
        let is_insertion = |entry: &u32| {
            let edit = self.edit(*entry);
            (edit.start, edit.end) == (point, point)
        };
        let is_match = |entry: &u32| {
            let matches = |target: &&GoldTarget| target.matches(point, point, pair.text(self.edit(*entry)));
            is_insertion(entry) && gold.iter().any(matches)
        };
        if gold.is_empty() || !self.entries.iter().any(is_match) {
            return Ok(());
        }
        let mut insertions: Vec<u32> = self.entries.iter().copied().filter(is_insertion).collect();
        insertions.sort_by_key(|&entry| (self.arcs[entry as usize].from, self.arcs[entry as usize].to));
        let edits = insertions.iter().map(|&entry| self.edit(entry));
        let spans: Vec<(u32, u32)> = edits.map(|edit| (edit.from, edit.to)).collect();
        let weights = weights.get_or_insert_with(|| unmatched.to_vec());
        for &entry in &insertions {
            weights[entry as usize] = f64::from(self.arcs[entry as usize].length);
        }
        let reward = -(self.entries.len() as f64);
        match_insertions(
            spans.len(),
            |entry| spans[entry],
            &gold,
            &pair.hypothesis,
            clock,
            |number, _, is_matched| {
                let weight = &mut weights[insertions[number] as usize];
                *weight = if is_matched { reward } else { *weight + EDIT_COST };
            },
        )
    }

    /// Bellman-Ford in the order of the arc list, with strict improvements only.
    fn cheapest(&self, weights: &[f64]) -> Result<Vec<LatticeEdit>, Stop> {
        let PathProblem { lattice, clock, .. } = self.problem;
        let mut distance = vec![f64::INFINITY; lattice.nodes.len()];
        let mut predecessor = vec![u32::MAX; lattice.nodes.len()];
        distance[0] = 0.0;
        let mut changed = true;
        while changed {
            clock.check()?;
            changed = false;
            for &entry in &self.entries {
                let arc = &self.arcs[entry as usize];
                let length = distance[arc.from as usize] + weights[entry as usize];
                if length < distance[arc.to as usize] {
                    distance[arc.to as usize] = length;
                    predecessor[arc.to as usize] = entry;
                    changed = true;
                }
            }
        }
        let mut edits = Vec::new();
        let mut node = lattice.nodes.len() - 1;
        while predecessor[node] != u32::MAX {
            let arc = &self.arcs[predecessor[node] as usize];
            if arc.kind != ArcKind::Noop {
                edits.push(lattice.edit(arc.from, arc.to));
            }
            node = arc.from as usize;
        }
        edits.reverse();
        Ok(edits)
    }
}

/// For tests: (from, to) in hypothesis positions of the arc list's insertions before each source token.
#[cfg(test)]
pub fn insertion_spans(problem: PathProblem) -> Vec<Vec<(u32, u32)>> {
    let graph = ArcGraph::new(problem, usize::MAX, &mut EnteringArcs::default()).unwrap_or_else(|_| unreachable!());
    let mut spans = vec![Vec::new(); problem.pair.source.len() + 1];
    for &entry in &graph.entries {
        let edit = graph.edit(entry);
        if edit.start == edit.end {
            spans[edit.start as usize].push((edit.from, edit.to));
        }
    }
    spans.iter_mut().for_each(|spans| spans.sort_unstable());
    spans
}
