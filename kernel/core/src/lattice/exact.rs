//! The official algorithm: compound arcs, weights for one annotator, the cheapest path in list order.
//!
//! The order of the arc list and of floating-point sums decides between paths of equal cost, so it is preserved.

use crate::lattice::basic::{Kind, Lattice};
use crate::lattice::insertions;
use crate::lattice::problem::{Clock, Edit, Pair, Stop, Target, Targets};

/// The cost of a counted edit in addition to its length.
const EDIT: f64 = 0.001;

#[derive(Clone, Copy)]
struct Arc {
    from: u32,
    to: u32,
    length: u32,
    unchanged: u32,
    kind: Kind,
}

/// The data that the weights for one annotator depend on.
struct Ground<'a> {
    lattice: &'a Lattice,
    pair: &'a Pair<'a>,
    targets: &'a Targets,
    clock: Clock,
}

/// Arcs, and the list over which the path is relaxed: numbers of arcs, some of them repeated.
struct Graph {
    arcs: Vec<Arc>,
    entries: Vec<u32>,
}

/// Lists reused for all sentences, since every node has one and most are short.
#[derive(Default)]
pub struct Scratch {
    /// The arcs that enter each node.
    entering: Vec<Vec<u32>>,
    /// The arcs that enter the current node.
    lefts: Vec<u32>,
}

impl Scratch {
    /// The empty lists of this number of nodes; [`Graph::new`] empties the ones it fills.
    fn lists(&mut self, nodes: usize) -> (&mut [Vec<u32>], &mut Vec<u32>) {
        self.entering.resize(nodes.max(self.entering.len()), Vec::new());
        (&mut self.entering, &mut self.lefts)
    }
}

/// The edits of every annotator's cheapest path, left to right. Err: `TooMany` for more than `limit` entries.
/// Cost: O(entries × passes), for at most `limit` entries; 40 bytes per arc.
pub fn paths(
    lattice: &Lattice,
    pair: &Pair,
    targets: &[Targets],
    max_unchanged: u32,
    limit: usize,
    clock: Clock,
    scratch: &mut Scratch,
) -> Result<Vec<Vec<Edit>>, Stop> {
    let graph = Graph::new(lattice, max_unchanged, limit, clock, scratch);
    let mut graph = graph.inspect_err(|_| *scratch = Scratch::default())?; // its lists are not empty
    graph.drop_noops();
    let unmatched = graph.unmatched_weights();
    let mut plain = None; // the path without any match, the same for all annotators
    let path_of = |targets| {
        let ground = Ground { lattice, pair, targets, clock };
        if let Some(weights) = graph.weights(&unmatched, &ground)? {
            return graph.cheapest(&weights, lattice, clock);
        }
        if plain.is_none() {
            plain = Some(graph.cheapest(&unmatched, lattice, clock)?);
        }
        Ok(plain.clone().unwrap_or_default())
    };
    targets.iter().map(path_of).collect()
}

impl Arc {
    fn edit(&self, lattice: &Lattice) -> Edit {
        lattice.edit(self.from, self.to)
    }
}

/// Merges `fresh` into `arcs`, both ascending and disjoint in `key`.
fn merge(arcs: &mut Vec<u32>, fresh: &[u32], key: impl Fn(u32) -> u32) {
    let mut old = arcs.len();
    arcs.extend_from_slice(fresh);
    let mut new = fresh.len();
    for at in (0..arcs.len()).rev() {
        if new == 0 {
            break;
        }
        if old > 0 && key(arcs[old - 1]) > key(fresh[new - 1]) {
            old -= 1;
            arcs[at] = arcs[old];
        } else {
            new -= 1;
            arcs[at] = fresh[new];
        }
    }
}

impl Graph {
    /// Joins arcs i→k and k→j into i→j, for k, then i, then j ascending, wherever that is shorter than the existing
    /// i→j.
    ///
    /// Only basic arcs leave node k at its turn (a compound one would have passed through a later node), so at most
    /// three are considered. The arcs that enter a node, sorted by their starts, are merged with the new ones.
    fn new(
        lattice: &Lattice,
        max_unchanged: u32,
        limit: usize,
        clock: Clock,
        scratch: &mut Scratch,
    ) -> Result<Self, Stop> {
        if lattice.steps.len() > limit {
            return Err(Stop::TooMany);
        }
        let mut arcs = Vec::with_capacity(4 * lattice.steps.len());
        let mut entries = Vec::with_capacity(6 * lattice.steps.len());
        let (entering, lefts) = scratch.lists(lattice.nodes.len());
        for step in &lattice.steps {
            let number = arcs.len() as u32;
            let unchanged = u32::from(step.kind == Kind::Noop);
            arcs.push(Arc { from: step.from, to: step.to, length: 1, unchanged, kind: step.kind });
            entries.extend(std::iter::repeat_n(number, step.copies.into()));
            entering[step.to as usize].push(number);
        }
        let mut fresh: [Vec<u32>; 3] = Default::default();
        for k in 0..lattice.nodes.len() {
            if entries.len() > limit {
                return Err(Stop::TooMany);
            }
            if k % 64 == 0 {
                clock.check()?;
            }
            std::mem::swap(lefts, &mut entering[k]);
            let rights = lattice.first[k]..lattice.first[k + 1];
            let mut seen = [0; 3];
            for left in lefts.drain(..) {
                let left = arcs[left as usize];
                for (way, right) in rights.clone().enumerate() {
                    let right = arcs[right as usize];
                    let unchanged = left.unchanged + right.unchanged;
                    if unchanged > max_unchanged {
                        continue;
                    }
                    let there = &entering[right.to as usize];
                    while there.get(seen[way]).is_some_and(|&arc| arcs[arc as usize].from < left.from) {
                        seen[way] += 1;
                    }
                    let joined = Arc {
                        from: left.from,
                        to: right.to,
                        length: left.length + right.length,
                        unchanged,
                        kind: left.kind.join(right.kind),
                    };
                    let old = there.get(seen[way]).map(|&arc| arc as usize);
                    match old.filter(|&old| arcs[old].from == left.from) {
                        Some(old) if joined.length < arcs[old].length => {
                            arcs[old] = joined;
                            entries.push(old as u32);
                        }
                        Some(_) => {}
                        None => {
                            let number = arcs.len() as u32;
                            arcs.push(joined);
                            entries.push(number);
                            fresh[way].push(number);
                        }
                    }
                }
            }
            for (fresh, right) in fresh.iter_mut().zip(rights) {
                let to = arcs[right as usize].to as usize;
                merge(&mut entering[to], fresh, |arc| arcs[arc as usize].from);
                fresh.clear();
            }
        }
        Ok(Self { arcs, entries })
    }

    /// Walks the list once and drops unchanged stretches. The official walk removes entries from the list while
    /// walking, so it never considers the entry after a removed one.
    fn drop_noops(&mut self) {
        let (arcs, mut removed) = (&self.arcs, false);
        self.entries.retain(|&entry| {
            let arc = &arcs[entry as usize];
            removed = !removed && arc.kind == Kind::Noop && arc.length > 1;
            !removed
        });
    }

    /// The weight of every arc without matches: its length, and a small amount for each entry that is an edit.
    fn unmatched_weights(&self) -> Vec<f64> {
        let mut weights: Vec<f64> = self.arcs.iter().map(|arc| f64::from(arc.length)).collect();
        for &entry in &self.entries {
            if self.arcs[entry as usize].kind != Kind::Noop {
                weights[entry as usize] += EDIT;
            }
        }
        weights
    }

    /// The weights for one annotator, or None if no arc matches one of the annotator's edits.
    fn weights(&self, unmatched: &[f64], ground: &Ground) -> Result<Option<Vec<f64>>, Stop> {
        let reward = -(self.entries.len() as f64);
        let mut weights: Option<Vec<f64>> = None;
        let targets = ground.targets;
        for (number, arc) in self.arcs.iter().enumerate() {
            if targets.starts[ground.lattice.nodes[arc.from as usize].0 as usize].is_empty() {
                continue;
            }
            let edit = arc.edit(ground.lattice);
            if edit.start < edit.end && targets.matches(edit.start, edit.end, ground.pair.text(edit)) {
                weights.get_or_insert_with(|| unmatched.to_vec())[number] = reward;
            }
        }
        for (point, starts) in targets.starts.iter().enumerate() {
            if !starts.is_empty() {
                self.weigh_insertions(point as u32, &mut weights, unmatched, ground)?;
            }
        }
        Ok(weights)
    }

    /// The weights of the insertions before source token `point`, if any of them matches.
    fn weigh_insertions(
        &self,
        point: u32,
        weights: &mut Option<Vec<f64>>,
        unmatched: &[f64],
        ground: &Ground,
    ) -> Result<(), Stop> {
        let gold: Vec<&Target> = ground.targets.on(point, point).collect();
        let edit_of = |entry: u32| self.arcs[entry as usize].edit(ground.lattice);
        let inserts = |entry: &u32| {
            let edit = edit_of(*entry);
            (edit.start, edit.end) == (point, point)
        };
        let matches = |entry: &u32| {
            let wanted = |target: &Target| target.matches(point, point, ground.pair.text(edit_of(*entry)));
            inserts(entry) && gold.iter().any(|target| wanted(target))
        };
        if gold.is_empty() || !self.entries.iter().any(matches) {
            return Ok(());
        }
        let mut here: Vec<u32> = self.entries.iter().copied().filter(inserts).collect();
        here.sort_by_key(|&entry| (self.arcs[entry as usize].from, self.arcs[entry as usize].to));
        let spans: Vec<(u32, u32)> =
            here.iter().map(|&entry| edit_of(entry)).map(|edit| (edit.from, edit.to)).collect();
        let weights = weights.get_or_insert_with(|| unmatched.to_vec());
        for &entry in &here {
            weights[entry as usize] = f64::from(self.arcs[entry as usize].length);
        }
        let reward = -(self.entries.len() as f64);
        insertions::consume(&spans, &gold, &ground.pair.hypothesis, ground.clock, |at, _, matched| {
            let weight = &mut weights[here[at] as usize];
            *weight = if matched { reward } else { *weight + EDIT };
        })
    }

    /// Bellman-Ford over the list, strict improvements only, until nothing changes.
    fn cheapest(&self, weights: &[f64], lattice: &Lattice, clock: Clock) -> Result<Vec<Edit>, Stop> {
        let mut distance = vec![f64::INFINITY; lattice.nodes.len()];
        let mut before = vec![u32::MAX; lattice.nodes.len()];
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
                    before[arc.to as usize] = entry;
                    changed = true;
                }
            }
        }
        let mut edits = Vec::new();
        let mut node = lattice.nodes.len() - 1;
        while before[node] != u32::MAX {
            let arc = &self.arcs[before[node] as usize];
            if arc.kind != Kind::Noop {
                edits.push(arc.edit(lattice));
            }
            node = arc.from as usize;
        }
        edits.reverse();
        Ok(edits)
    }
}

/// For tests: (from, to) in hypothesis positions of the arc list's insertions before each source token.
#[cfg(test)]
pub fn insertion_spans(lattice: &Lattice, max_unchanged: u32) -> Vec<Vec<(u32, u32)>> {
    let graph = Graph::new(lattice, max_unchanged, usize::MAX, Clock(None), &mut Scratch::default())
        .unwrap_or_else(|_| unreachable!());
    let rows = lattice.nodes.last().map_or(0, |node| node.0 as usize + 1);
    let mut spans = vec![Vec::new(); rows];
    for &entry in &graph.entries {
        let edit = graph.arcs[entry as usize].edit(lattice);
        if edit.start == edit.end {
            spans[edit.start as usize].push((edit.from, edit.to));
        }
    }
    spans.iter_mut().for_each(|spans| spans.sort_unstable());
    spans
}
