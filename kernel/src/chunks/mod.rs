//! The chunk partition of CLEME: source, hypothesis and all references of a sentence cut at the same places.
//!
//! Every edit of every version is put into one pool; edits that touch (or lie at most `distance` tokens apart) share an
//! interval; the stretches of source between intervals are chunks as well. So all versions of a sentence are the same
//! sequence of chunks, each a span of the source and, in each version, a text. Tokens are integers.

/// Sequences of integers, one behind the other: sequence i is `ids[offsets[i]..offsets[i + 1]]`.
#[derive(Clone, Copy)]
pub struct Sequences<'a> {
    pub offsets: &'a [i64],
    pub ids: &'a [i32],
}

impl<'a> Sequences<'a> {
    fn len(&self) -> usize {
        self.offsets.len().saturating_sub(1)
    }

    fn get(&self, i: usize) -> &'a [i32] {
        &self.ids[self.offsets[i] as usize..self.offsets[i + 1] as usize]
    }

    fn check(&self, name: &str) -> Result<(), String> {
        check_offsets(self.offsets, self.ids.len(), name)
    }
}

/// The edits of `width` versions of every sentence, in columns.
///
/// Version v of sentence s has the edits `of[s * width + v]..of[s * width + v + 1]`, in order and without overlap;
/// edit e turns the source tokens `start[e]..end[e]` into `text.get(e)`.
#[derive(Clone, Copy)]
pub struct Edits<'a> {
    pub width: usize,
    pub of: &'a [i64],
    pub start: &'a [i32],
    pub end: &'a [i32],
    pub text: Sequences<'a>,
}

impl Edits<'_> {
    fn range(&self, sentence: usize, version: usize) -> std::ops::Range<usize> {
        let row = sentence * self.width + version;
        self.of[row] as usize..self.of[row + 1] as usize
    }

    /// Whether offsets fit each other and every edit lies in its sentence, in order and without overlap.
    fn check(&self, source: Sequences, name: &str) -> Result<(), String> {
        if self.start.len() != self.text.len() || self.end.len() != self.text.len() {
            return Err(format!("{name}: columns of different lengths"));
        }
        if self.of.len() != source.len() * self.width + 1 {
            return Err(format!("{name}: not {} rows", source.len() * self.width));
        }
        check_offsets(self.of, self.start.len(), name)?;
        self.text.check(name)?;
        for s in 0..source.len() {
            let length = source.get(s).len() as i32;
            for v in 0..self.width {
                let mut done = 0;
                for e in self.range(s, v) {
                    if self.start[e] < done || self.end[e] < self.start[e] || self.end[e] > length {
                        return Err(format!("{name}: edit {e} is out of place in sentence {s}"));
                    }
                    done = self.end[e];
                }
            }
        }
        Ok(())
    }
}

fn check_offsets(offsets: &[i64], total: usize, name: &str) -> Result<(), String> {
    let rising = offsets.windows(2).all(|pair| pair[0] <= pair[1]);
    if offsets.first() != Some(&0) || offsets.last() != Some(&(total as i64)) || !rising {
        return Err(format!("{name}: offsets do not fit {total} entries"));
    }
    Ok(())
}

/// The chunks of S sentences, C in all, each with a cell for each of the V versions: hypothesis, then references.
///
/// Sentence s has the chunks `offsets[s]..offsets[s + 1]`; chunk c spans the source tokens `start[c]..end[c]`. Cells
/// are rows of V: whether the version has an edit there, and the number of its tokens. `same` are rows of V - 1:
/// whether the hypothesis has the reference's text.
#[derive(Debug, Default, PartialEq, Eq)]
pub struct Partition {
    pub offsets: Vec<i64>,
    pub start: Vec<i32>,
    pub end: Vec<i32>,
    pub changed: Vec<bool>,
    pub length: Vec<i32>,
    pub same: Vec<bool>,
}

/// The chunks of every sentence; `hypothesis.width` is 1, `references.width` may differ from it.
///
/// Cost: O(E log E) for the E edits of a sentence, plus the tokens of its changed chunks × versions. Err: columns that do
/// not fit each other.
pub fn partition(source: Sequences, hypothesis: Edits, references: Edits, distance: i32) -> Result<Partition, String> {
    source.check("source")?;
    hypothesis.check(source, "hypothesis")?;
    references.check(source, "references")?;
    if hypothesis.width != 1 || distance < 0 {
        return Err("one hypothesis and a distance from 0 on are needed".to_owned());
    }
    let mut out = Partition { offsets: vec![0], ..Partition::default() };
    let mut scratch = Scratch::default();
    for s in 0..source.len() {
        let versions: Vec<(Edits, usize)> =
            std::iter::once((hypothesis, 0)).chain((0..references.width).map(|r| (references, r))).collect();
        scratch.pool(s, &versions, distance);
        out.sentence(s, source.get(s), &versions, &mut scratch);
        out.offsets.push(out.start.len() as i64);
    }
    Ok(out)
}

#[derive(Default)]
struct Scratch {
    spans: Vec<(i32, i32)>,
    intervals: Vec<(i32, i32)>,
    next: Vec<usize>,
    hypothesis: Vec<i32>,
    reference: Vec<i32>,
}

impl Scratch {
    /// The shared intervals of a sentence: edits within `distance` of each other, united.
    fn pool(&mut self, s: usize, versions: &[(Edits, usize)], distance: i32) {
        self.spans.clear();
        self.intervals.clear();
        self.next.clear();
        for (edits, version) in versions {
            let range = edits.range(s, *version);
            self.next.push(range.start);
            self.spans.extend(range.map(|e| (edits.start[e], edits.end[e])));
        }
        self.spans.sort_unstable();
        for &(start, end) in &self.spans {
            match self.intervals.last_mut() {
                Some((_, last)) if start <= last.saturating_add(distance) => *last = end.max(*last),
                _ => self.intervals.push((start, end)),
            }
        }
    }
}

impl Partition {
    fn sentence(&mut self, s: usize, source: &[i32], versions: &[(Edits, usize)], scratch: &mut Scratch) {
        let mut done = 0;
        let intervals = std::mem::take(&mut scratch.intervals);
        for &(start, end) in &intervals {
            if start > done {
                self.stretch(done, start, versions.len());
            }
            self.interval(s, source, (start, end), versions, scratch);
            done = end;
        }
        let length = source.len() as i32;
        if length > done || intervals.is_empty() {
            self.stretch(done, length, versions.len());
        }
        scratch.intervals = intervals;
    }

    /// A chunk that no version touches.
    fn stretch(&mut self, start: i32, end: i32, versions: usize) {
        self.start.push(start);
        self.end.push(end);
        self.changed.extend(std::iter::repeat_n(false, versions));
        self.length.extend(std::iter::repeat_n(end - start, versions));
        self.same.extend(std::iter::repeat_n(true, versions - 1));
    }

    /// A chunk that some version changes.
    fn interval(
        &mut self,
        s: usize,
        source: &[i32],
        (start, end): (i32, i32),
        versions: &[(Edits, usize)],
        scratch: &mut Scratch,
    ) {
        self.start.push(start);
        self.end.push(end);
        let Scratch { next, hypothesis, reference, .. } = scratch;
        for (v, (edits, version)) in versions.iter().enumerate() {
            let text = if v == 0 { &mut *hypothesis } else { &mut *reference };
            let limit = edits.range(s, *version).end;
            let first = next[v];
            apply(source, (start, end), edits, &mut next[v], limit, text);
            self.changed.push(next[v] > first);
            self.length.push(text.len() as i32);
            if v > 0 {
                self.same.push(hypothesis == reference);
            }
        }
    }
}

/// `text` becomes the source tokens `start..end` with the edits from `next` on that lie in them; `next` moves past them.
fn apply(source: &[i32], (start, end): (i32, i32), edits: &Edits, next: &mut usize, limit: usize, text: &mut Vec<i32>) {
    text.clear();
    let mut done = start as usize;
    while *next < limit && edits.end[*next] <= end {
        text.extend_from_slice(&source[done..edits.start[*next] as usize]);
        text.extend_from_slice(edits.text.get(*next));
        done = edits.end[*next] as usize;
        *next += 1;
    }
    text.extend_from_slice(&source[done..end as usize]);
}

#[cfg(test)]
mod tests {
    use super::*;

    const NOTHING: Sequences<'static> = Sequences { offsets: &[0], ids: &[] };

    #[test]
    fn touching_edits_share_a_chunk_and_insertions_have_no_source() {
        // source 1 2 3; hypothesis 1 9 3; reference 8 1 2 7
        let source = Sequences { offsets: &[0, 3], ids: &[1, 2, 3] };
        let hypothesis =
            Edits { width: 1, of: &[0, 1], start: &[1], end: &[2], text: Sequences { offsets: &[0, 1], ids: &[9] } };
        let references = Edits {
            width: 1,
            of: &[0, 2],
            start: &[0, 2],
            end: &[0, 3],
            text: Sequences { offsets: &[0, 1, 2], ids: &[8, 7] },
        };
        let chunks = partition(source, hypothesis, references, 0).unwrap();
        assert_eq!(chunks.offsets, [0, 3]);
        assert_eq!(chunks.start, [0, 0, 1]);
        assert_eq!(chunks.end, [0, 1, 3]);
        assert_eq!(chunks.changed, [false, true, false, false, true, true]);
        assert_eq!(chunks.length, [0, 1, 1, 1, 2, 2]);
        assert_eq!(chunks.same, [false, true, false]);
    }

    #[test]
    fn an_empty_sentence_is_one_chunk() {
        let source = Sequences { offsets: &[0, 0], ids: &[] };
        let none = Edits { width: 1, of: &[0, 0], start: &[], end: &[], text: NOTHING };
        let chunks = partition(source, none, none, 0).unwrap();
        assert_eq!((chunks.start, chunks.end), (vec![0], vec![0]));
    }

    #[test]
    fn columns_that_do_not_fit_are_refused() {
        let source = Sequences { offsets: &[0, 1], ids: &[1] };
        let mut edits =
            Edits { width: 1, of: &[0, 1], start: &[0], end: &[2], text: Sequences { offsets: &[0, 0], ids: &[] } };
        assert!(partition(source, edits, edits, 0).unwrap_err().contains("out of place"));
        edits.end = &[1];
        assert!(partition(source, edits, edits, -1).is_err());
        edits.of = &[0];
        assert!(partition(source, edits, edits, 0).is_err());
        edits.of = &[0, 2];
        assert!(partition(source, edits, edits, 0).is_err());
    }
}
