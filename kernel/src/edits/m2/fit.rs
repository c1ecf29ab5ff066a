//! Edits and their sentences: which fit, and the corrected text.

use std::collections::BTreeSet;

use crate::edits::columns::{Row, DELETE, NOOP};
use crate::edits::m2::blocks::{Blocks, Builder, Line};
use crate::text::strings::Strings;
use crate::text::words::{is_space, words};
use crate::text::Text;

/// Whether the edit is a noop.
pub fn is_noop(row: &Row, strings: &Strings) -> bool {
    (row.start, row.end) == (-1, -1) || strings.get(row.kind) == NOOP
}

/// Whether the span lies in a sentence of this length and does not end before it starts.
fn fits(row: &Row, length: usize) -> bool {
    0 <= row.start && row.start <= row.end && row.end as usize <= length
}

/// Whether the span lies in the sentence but ends before it starts.
fn is_reversed(row: &Row, length: usize) -> bool {
    0 <= row.end && row.end < row.start && row.start as usize <= length
}

/// The alternatives of a correction: stripped, `-NONE-` as the empty string.
pub fn alternatives(text: &str) -> impl Iterator<Item = &str> {
    let mut rest = Some(text);
    let next = move || {
        let text = rest?;
        let bar = text.as_bytes().windows(2).position(|pair| pair == b"||");
        rest = bar.map(|at| &text[at + 2..]);
        Some(text[..bar.unwrap_or(text.len())].trim_matches(is_space))
    };
    std::iter::from_fn(next).map(|text| if text == DELETE { "" } else { text })
}

/// The lines that fit each sentence; a line that fits none is kept by all. Cost: O(sentences · lines).
pub fn share<S: AsRef<str>>(sources: &[S], lines: &[Line], builder: &mut Builder) -> Vec<Vec<Line>> {
    let misfits = |source: &S| -> BTreeSet<usize> {
        let length = words(source.as_ref()).count();
        let wrong = |line: &Line| !fits(&line.row, length) && !is_noop(&line.row, builder.strings());
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

    /// The first block with an edit that does not fit its sentence. Cost: O(bytes + edits).
    pub fn first_misfit(&self) -> Option<usize> {
        let wrong = |row: &Row, length| !fits(row, length) && !is_noop(row, &self.edits.strings);
        (0..self.len()).find(|&block| {
            let rows = &self.edits.rows[self.rows_of(block)];
            !rows.is_empty() && {
                let length = self.length(block);
                rows.iter().any(|row| wrong(row, length))
            }
        })
    }

    /// The blocks without edits outside their sentences; edits that end before they start stay.
    /// Cost: O(bytes + edits).
    pub fn without_misfits(&self) -> Blocks {
        self.thinned(|block, lines, builder| {
            let length = self.length(block);
            let wrong = |line: &Line| {
                !fits(&line.row, length) && !is_reversed(&line.row, length) && !is_noop(&line.row, builder.strings())
            };
            (0..lines.len()).filter(|&place| wrong(&lines[place])).collect()
        })
    }

    /// The blocks with all noops and the edits that `keep` selects by index; an annotator who loses all edits keeps a
    /// noop. Cost: O(edits).
    pub fn kept(&self, keep: &[bool]) -> Blocks {
        self.thinned(|block, lines, builder| {
            let places = self.places_of(block);
            (0..lines.len())
                .filter(|&place| !keep[places[place]] && !is_noop(&lines[place].row, builder.strings()))
                .collect()
        })
    }

    /// The blocks without the lines that `lost` returns for each.
    fn thinned(&self, lost: impl Fn(usize, &[Line], &Builder) -> BTreeSet<usize>) -> Blocks {
        let builder = self.rebuilt(0..self.len(), |block, lines, rest, builder| {
            let places = lost(block, &lines, builder);
            (if places.is_empty() { lines } else { without(&lines, &places, builder) }, rest)
        });
        builder.finish(self.source.clone())
    }

    /// The number of tokens of each sentence. Cost: O(bytes).
    pub fn lengths(&self) -> Vec<usize> {
        (0..self.len()).map(|block| self.length(block)).collect()
    }

    /// The sentences after the edits (first alternatives, first alignment) of the version `pick(block)`, with one blank
    /// between tokens; unchanged for None. Err: the first block whose edits overlap or do not fit.
    /// Cost: O(bytes + edits · log edits).
    pub fn corrected(&self, pick: impl Fn(usize) -> Option<usize>) -> Result<Text, usize> {
        let made = |block| self.made(block, pick(block)).map(Some).ok_or(block);
        (0..self.len()).map(made).collect::<Result<Vec<_>, _>>().map(Text::new)
    }

    /// Like [`Blocks::corrected`], for version number `place` of every block; missing in blocks without it.
    pub fn version(&self, place: usize) -> Result<Text, usize> {
        let made = |block| {
            let version = self.edits.versions_of(block).nth(place);
            version.map(|version| self.made(block, Some(version)).ok_or(block)).transpose()
        };
        (0..self.len()).map(made).collect::<Result<Vec<_>, _>>().map(Text::new)
    }

    /// The version of a block by an annotator.
    pub fn by(&self, block: usize, annotator: i32) -> Option<usize> {
        self.edits.versions_of(block).find(|&version| self.edits.annotator[version] == annotator)
    }

    /// The indices of a version's edits (first alignment) by position, without noops; None if they overlap or do not fit
    /// a sentence of `length` tokens. Cost: O(edits · log edits).
    pub fn ordered(&self, version: usize, length: usize) -> Option<Vec<usize>> {
        let row = |place: usize| &self.edits.rows[place];
        let mut places: Vec<usize> = (self.edits.offsets[version]..self.edits.offsets[version + 1])
            .filter(|&place| self.alignment[place] == 0 && !is_noop(row(place), &self.edits.strings))
            .collect();
        places.sort_by_key(|&place| (row(place).start, row(place).end));
        let apart = places.windows(2).all(|pair| row(pair[0]).end <= row(pair[1]).start);
        (apart && places.iter().all(|&place| fits(row(place), length))).then_some(places)
    }

    fn made(&self, block: usize, version: Option<usize>) -> Option<String> {
        let tokens: Vec<&str> = words(self.source.line(block)).collect();
        let mut pieces = Vec::with_capacity(tokens.len());
        let mut done = 0;
        for row in version.map_or(Some(Vec::new()), |version| self.ordered(version, tokens.len()))? {
            let row = &self.edits.rows[row];
            pieces.extend_from_slice(&tokens[done..row.start as usize]);
            pieces.extend(alternatives(self.edits.strings.get(row.text)).next().into_iter().flat_map(words));
            done = row.end as usize;
        }
        pieces.extend_from_slice(&tokens[done..]);
        Some(pieces.join(" "))
    }
}
