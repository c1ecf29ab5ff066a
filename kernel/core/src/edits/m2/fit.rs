//! Edits and their sentences: which fit, and the corrected text.

use std::collections::BTreeSet;

use crate::edits::m2::blocks::{Blocks, Builder, Line};
use crate::edits::order::{fits, order_version, Fault, Kind};
use crate::text::words::words;
use crate::text::Text;

/// The lines that fit each sentence; a line that fits none is kept by all. Cost: O(sentences · lines).
pub fn share<S: AsRef<str>>(sources: &[S], lines: &[Line], builder: &mut Builder) -> Vec<Vec<Line>> {
    let misfits = |source: &S| -> BTreeSet<usize> {
        let length = words(source.as_ref()).count();
        let wrong = |line: &Line| !fits(&line.row, length) && !builder.is_noop(&line.row);
        (0..lines.len()).filter(|&place| wrong(&lines[place])).collect()
    };
    let misfits: Vec<BTreeSet<usize>> = sources.iter().map(misfits).collect();
    let everywhere = |place: &usize| misfits.iter().all(|own| own.contains(place));
    let lost: BTreeSet<usize> = (0..lines.len()).filter(everywhere).collect();
    misfits.iter().map(|own| without(lines, &(own - &lost), builder)).collect()
}

/// The lines except some; an annotator who loses all keeps a noop in place of the first one.
fn without(lines: &[Line], places: &BTreeSet<usize>, builder: &mut Builder) -> Vec<Line> {
    let kept = |place: &usize| !places.contains(place);
    let mut present: BTreeSet<i32> = (0..lines.len()).filter(kept).map(|place| lines[place].annotator).collect();
    let mut found = Vec::with_capacity(lines.len());
    for (place, line) in lines.iter().enumerate() {
        if kept(&place) {
            found.push(*line);
        } else if present.insert(line.annotator) {
            found.push(builder.noop(line.annotator));
        }
    }
    found
}

impl Blocks {
    pub fn length(&self, block: usize) -> usize {
        words(self.source.line(block)).count()
    }

    /// The blocks with all noops and the edits that `keep` selects by index; an annotator who loses all edits keeps a
    /// noop. Cost: O(edits).
    pub fn kept(&self, keep: &[bool]) -> Blocks {
        let builder = self.rebuilt(0..self.len(), |block, lines, rest, builder| {
            let places = self.places_of(block);
            let lost: BTreeSet<usize> =
                (0..lines.len()).filter(|&place| !keep[places[place]] && !builder.is_noop(&lines[place].row)).collect();
            (if lost.is_empty() { lines } else { without(&lines, &lost, builder) }, rest)
        });
        builder.finish(self.source.clone())
    }

    /// The sentences after the edits (first alternatives) of one alignment of the version `pick(block)`, with one blank
    /// between tokens; a line is unchanged for Some(None) and missing for None. Err: the first edit that overlaps another
    /// or does not fit. Cost: O(bytes + edits · log edits).
    pub fn corrected(&self, alignment: i32, pick: impl Fn(usize) -> Option<Option<usize>>) -> Result<Text, Fault> {
        let line = |block| pick(block).map(|version| self.applied(block, version, alignment)).transpose();
        (0..self.len()).map(line).collect::<Result<Vec<_>, _>>().map(Text::new)
    }

    /// The version of a block by an annotator.
    pub fn by(&self, block: usize, annotator: i32) -> Option<usize> {
        self.edits.versions_of(block).find(|&version| self.edits.annotator[version] == annotator)
    }

    /// The indices of a version's edits of one alignment, see [`order_version`].
    pub fn ordered(&self, version: usize, length: usize, alignment: i32) -> Result<Vec<u32>, (usize, Kind)> {
        let mut places = Vec::new();
        order_version(&self.edits, version, length, |row| self.alignment[row] == alignment, &mut places)?;
        Ok(places)
    }

    fn applied(&self, block: usize, version: Option<usize>, alignment: i32) -> Result<String, Fault> {
        let tokens: Vec<&str> = words(self.source.line(block)).collect();
        let Some(version) = version else { return Ok(tokens.join(" ")) };
        let first = self.edits.versions_of(block).start;
        let rows = self.ordered(version, tokens.len(), alignment).map_err(|(edit, kind)| Fault {
            sentence: block,
            version: version - first,
            edit,
            kind,
        })?;
        let mut pieces = Vec::with_capacity(tokens.len());
        let mut done = 0;
        for row in rows {
            let row = &self.edits.rows[row as usize];
            pieces.extend_from_slice(&tokens[done..row.start as usize]);
            pieces.extend(words(self.edits.correction(row)));
            done = row.end as usize;
        }
        pieces.extend_from_slice(&tokens[done..]);
        Ok(pieces.join(" "))
    }
}
