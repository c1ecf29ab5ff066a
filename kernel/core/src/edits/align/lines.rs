//! Division of a text into the lines of another version of it, by an alignment of words and line ends.
//!
//! Units are words, other characters, and line ends. Sequences of units that occur equally often in both texts divide
//! them; a table of edit distances aligns the units between them.

use std::iter::successors;
use std::ops::Range;

use foldhash::HashMap;
use unicode_properties::{GeneralCategoryGroup, UnicodeGeneralCategory};

use crate::edits::align::distance::WordBits;
use crate::error::Error;
use crate::interrupt;
use crate::text::tokenise::forms::is_alphanumeric;
use crate::text::words::is_space;
use crate::text::Text;

/// A text in the lines of a source. Line numbers count from 0.
#[derive(Debug, PartialEq)]
pub struct DividedLines {
    pub lines: Text,
    /// Lines of the text that were divided.
    pub merged: Vec<usize>,
    /// Lines of the source that were joined from several lines.
    pub split: Vec<usize>,
    /// Lines of the source whose words are all missing in the text.
    pub lost: Vec<usize>,
    /// Lines of the source next to an uncertain division: the text has less than a third of their words.
    pub doubtful: Vec<usize>,
    /// Share of the source's words that are in the text in the same order.
    pub word_share: f64,
}

/// Costs of a word and of a line end in only one text, and of words without a common letter.
const WORD_COST: i32 = 16;
const LINE_END_COST: i32 = 48;
const UNLIKE_COST: f64 = 28.0;
/// Cost of a division after a word whose class never ends a line, and before a word whose class never begins one.
const DIVISION_COST: f64 = 15.0;
/// Lengths of sequences of words, tried in this order.
const RUN_LENGTHS: [usize; 4] = [6, 4, 3, 2];
/// Maximum numbers of cells (1 byte each) of one table, and of all tables: a base, and a number per unit.
const MAX_CELLS: usize = 1 << 24;
const MAX_IN_ALL: usize = 1 << 26;
const MAX_PER_UNIT: usize = 40;
/// Number of letters of a word that are compared.
const MAX_LETTERS: usize = 64;
/// The key of a line end.
const LINE_END_KEY: u32 = 0;

/// Divides `text` into the lines of `source`; None if the tables would be too large, because the texts share too
/// little.
///
/// Cost: O(n log n) for n units, and at most `MAX_IN_ALL + MAX_PER_UNIT n` cells.
pub fn divide(source: &Text, text: &Text) -> Result<Option<DividedLines>, Error> {
    let mut words =
        UnitWords { keys: HashMap::default(), letters: vec![Vec::new()], classes: vec![[1.0, 0.0, 0.0]; 2] };
    let [source_units, text_units] = [source, text].map(|lines| words.units(lines));
    let (cuts, matched) = (Vec::new(), vec![0; source.len()]);
    let cells_left = MAX_IN_ALL + MAX_PER_UNIT * (source_units.len() + text_units.len());
    let (bits, row, trace) = Default::default();
    let mut divider =
        LineDivider { source: &source_units, text: &text_units, words, cuts, matched, cells_left, bits, row, trace };
    let is_divided = divider.align(0..source_units.len(), 0..text_units.len(), 0)?;
    Ok(is_divided.then(|| divider.into_lines(text)))
}

/// A word, another character or a line end.
struct TextUnit {
    key: u32,
    class: usize,
    line: usize,
    start: usize,
    end: usize,
}

/// The distinct words: keys and classes, letters by key, and numbers of occurrences, line beginnings and line ends by
/// class. Classes are words that begin with a small letter, other words, and each punctuation mark.
struct UnitWords<'a> {
    keys: HashMap<&'a str, (u32, usize)>,
    letters: Vec<Vec<u32>>,
    classes: Vec<[f64; 3]>,
}

impl<'a> UnitWords<'a> {
    fn units(&mut self, text: &'a Text) -> Vec<TextUnit> {
        let mut units: Vec<TextUnit> = Vec::new();
        for line in 0..text.len() {
            let (line_text, first_unit, mut start) = (text.line(line), units.len(), 0);
            while let Some(first) = line_text[start..].chars().next() {
                let size = if is_word_part(first) {
                    line_text[start..].find(|c| !is_word_part(c))
                } else {
                    Some(first.len_utf8())
                };
                let end = size.map_or(line_text.len(), |size| start + size);
                if !is_space(first) {
                    let (key, class) = self.key(&line_text[start..end]);
                    self.classes[class][0] += 1.0;
                    units.push(TextUnit { key, class, line, start, end });
                }
                start = end;
            }
            if let [first, ..] = &units[first_unit..] {
                self.classes[first.class][1] += 1.0;
                self.classes[units[units.len() - 1].class][2] += 1.0;
            }
            units.push(TextUnit { key: LINE_END_KEY, class: 0, line, start, end: start });
        }
        units
    }

    fn key(&mut self, word: &'a str) -> (u32, usize) {
        *self.keys.entry(word).or_insert_with(|| {
            let is_mark = !word.ends_with(is_alphanumeric);
            let class = if is_mark { self.classes.len() } else { usize::from(!word.starts_with(char::is_lowercase)) };
            if is_mark {
                self.classes.push([1.0, 0.0, 1.0]);
            }
            // An alphabet has fewer than 128 letters, so this keeps them distinct in a small table.
            let letter = |c| if is_single_unit(c) { u32::from(c) } else { u32::from(c) % 128 };
            self.letters.push(word.chars().take(MAX_LETTERS).map(letter).collect());
            (self.letters.len() as u32 - 1, class)
        })
    }

    /// The cost of a division after this number of units, without the cost of a line end.
    fn division_cost(&self, units: &[TextUnit], position: usize) -> i32 {
        let is_word = |unit: &&TextUnit| unit.key != LINE_END_KEY;
        let after = units[position..].iter().take(2).find(is_word);
        let (Some(before), Some(after)) = (units[..position].last().filter(is_word), after) else {
            return 0;
        };
        let [before, after] = [before, after].map(|unit| self.classes[unit.class]);
        (DIVISION_COST * (2.0 - before[2] / before[0] - after[1] / after[0])) as i32
    }
}

/// Whether a character is always a separate unit: true for scripts without blanks.
fn is_single_unit(c: char) -> bool {
    matches!(u32::from(c), 0xE00..=0xEFF | 0x1000..=0x109F | 0x1780..=0x17FF | 0x2E80..=0xA4CF | 0xF900..=0xFAFF
        | 0xFF00..=0xFFEF | 0x2_0000..=0x3_FFFF)
}

/// Whether a character forms words with its neighbours.
fn is_word_part(c: char) -> bool {
    (is_alphanumeric(c) || c.general_category_group() == GeneralCategoryGroup::Mark) && !is_single_unit(c)
}

struct LineDivider<'a> {
    source: &'a [TextUnit],
    text: &'a [TextUnit],
    words: UnitWords<'a>,
    /// For each aligned line of the source, the number of units of the text up to its end.
    cuts: Vec<usize>,
    /// Number of words of each line of the source that are in the text.
    matched: Vec<usize>,
    /// Number of cells that may still be filled.
    cells_left: usize,
    bits: WordBits,
    row: Vec<i32>,
    trace: Vec<UnitStep>,
}

/// The units that a step consumes.
#[derive(Clone, Copy, PartialEq, Eq)]
enum UnitStep {
    Both,
    Source,
    Text,
}

impl LineDivider<'_> {
    /// False if the tables would be too large.
    fn align(&mut self, source: Range<usize>, text: Range<usize>, level: usize) -> Result<bool, Error> {
        let cells = (source.len() + 1).saturating_mul(text.len() + 1);
        if level > 0 && cells <= MAX_CELLS {
            let Some(cells_left) = self.cells_left.checked_sub(cells) else { return Ok(false) };
            self.cells_left = cells_left;
            self.fill(source.clone(), text.clone())?;
            self.trace_back(source, text);
            return Ok(true);
        }
        let Some(&size) = RUN_LENGTHS.get(level) else { return Ok(false) };
        let (mut i, mut j) = (source.start, text.start);
        let pairs = pair_runs(&runs(self.source, source.clone(), size), &runs(self.text, text.clone(), size));
        for (source_next, text_next) in longest_increasing(&pairs) {
            if !self.align(i..source_next, j..text_next, level + 1)? {
                return Ok(false);
            }
            self.matched[self.source[source_next].line] += 1;
            (i, j) = (source_next + 1, text_next + 1);
        }
        self.align(i..source.end, j..text.end, level + 1)
    }

    /// Fills the table of the last steps of the cheapest alignments.
    fn fill(&mut self, source: Range<usize>, text: Range<usize>) -> Result<(), Error> {
        let LineDivider { words, bits, row, trace, .. } = self;
        let (width, text_units) = (text.len() + 1, &self.text[text.clone()]);
        let single_cost =
            |source_unit: &TextUnit| if source_unit.key == LINE_END_KEY { LINE_END_COST } else { WORD_COST };
        row.clear();
        row.push(0);
        trace.clear();
        trace.resize(width, UnitStep::Text);
        for (j, text_unit) in text_units.iter().enumerate() {
            row.push(row[j] + single_cost(text_unit));
        }
        for source_unit in &self.source[source] {
            interrupt::check_interrupt_sometimes()?;
            bits.set(&words.letters[source_unit.key as usize]);
            let mut diagonal = row[0];
            for j in 0..width {
                let is_end = source_unit.key == LINE_END_KEY;
                let division_cost =
                    |position| if is_end { words.division_cost(self.text, text.start + position) } else { 0 };
                let mut best = (row[j] + single_cost(source_unit) + division_cost(j), UnitStep::Source);
                if let Some(text_unit) = j.checked_sub(1).map(|position| &text_units[position]) {
                    let cost_of_text = row[j - 1] + single_cost(text_unit);
                    if cost_of_text < best.0 {
                        best = (cost_of_text, UnitStep::Text);
                    }
                    if is_end == (text_unit.key == LINE_END_KEY) && diagonal <= best.0 {
                        let letter_cost = if source_unit.key == text_unit.key {
                            0
                        } else {
                            (UNLIKE_COST * bits.distance(&words.letters[text_unit.key as usize])) as i32
                        };
                        let cost_of_both = diagonal + letter_cost + division_cost(j - 1);
                        if cost_of_both <= best.0 {
                            best = (cost_of_both, UnitStep::Both);
                        }
                    }
                }
                diagonal = row[j];
                row[j] = best.0;
                trace.push(best.1);
            }
        }
        Ok(())
    }

    /// Follows the steps from the end of the table, and adds the ends of lines to `cuts`.
    fn trace_back(&mut self, source: Range<usize>, text: Range<usize>) {
        let (mut i, mut j, first_cut) = (source.len(), text.len(), self.cuts.len());
        while i > 0 {
            let step = self.trace[i * (text.len() + 1) + j];
            let (unit, end) = (&self.source[source.start + i - 1], text.start + j);
            if step != UnitStep::Text {
                i -= 1;
                if unit.key == LINE_END_KEY {
                    self.cuts.push(end);
                } else if step == UnitStep::Both && self.text[end - 1].key == unit.key {
                    self.matched[unit.line] += 1;
                }
            }
            j -= usize::from(step != UnitStep::Source);
        }
        self.cuts[first_cut..].reverse();
    }

    fn into_lines(mut self, text: &Text) -> DividedLines {
        let units = self.text;
        if let Some(last) = self.cuts.last_mut() {
            *last = units.len();
        }
        let mut sizes = vec![0; self.matched.len()];
        self.source.iter().filter(|unit| unit.key != LINE_END_KEY).for_each(|unit| sizes[unit.line] += 1);
        let is_inner = |position: usize| {
            position > 0 && position < units.len() && units[position - 1].line == units[position].line
        };
        let [mut merged, mut split, mut lost, mut doubtful] = <[Vec<usize>; 4]>::default();
        let mut lines = Vec::new();
        let mut start = 0;
        for (line_number, &end) in self.cuts.iter().enumerate() {
            let (mut line, mut pieces) = (String::new(), 0);
            for line_units in units[start..end].chunk_by(|a, b| a.line == b.line) {
                let (first, last) = (&line_units[0], &line_units[line_units.len() - 1]);
                let from = if pieces == 0 && is_inner(start) { first.start } else { 0 };
                let piece = &text.line(first.line)[from..last.end];
                let is_single_unit = line.ends_with(is_single_unit)
                    && piece.starts_with(is_single_unit)
                    && !(line.contains(' ') || piece.contains(' '));
                if !(line.is_empty() || piece.is_empty() || is_single_unit) {
                    line.push(' ');
                }
                line.push_str(piece);
                pieces += usize::from(!piece.is_empty());
            }
            if is_inner(end) && merged.last() != Some(&units[end].line) {
                merged.push(units[end].line);
            }
            if pieces > 1 {
                split.push(line_number);
            }
            if sizes[line_number] > 0 && pieces == 0 && (start == end || is_inner(start)) {
                lost.push(line_number);
            } else if (is_inner(start) || is_inner(end)) && 3 * self.matched[line_number] < sizes[line_number] {
                doubtful.push(line_number);
            }
            lines.push(Some(line));
            start = end;
        }
        let word_share = self.matched.iter().sum::<usize>() as f64 / sizes.iter().sum::<usize>().max(1) as f64;
        DividedLines { lines: Text::new(lines), merged, split, lost, doubtful, word_share }
    }
}

/// Hash and middle of each sequence of `size` words around a word that is not a punctuation mark, sorted.
fn runs(units: &[TextUnit], range: Range<usize>, size: usize) -> Vec<(u64, usize)> {
    let words: Vec<usize> = range.filter(|&position| units[position].key != LINE_END_KEY).collect();
    let mix = |hash: u64, &position: &usize| {
        (hash.rotate_left(5) ^ u64::from(units[position].key)).wrapping_mul(0x517C_C1B7_2722_0A95)
    };
    let around = words.windows(size).filter(|run| units[run[size / 2]].class < 2);
    let mut runs: Vec<_> = around.map(|run| (run.iter().fold(0, mix), run[size / 2])).collect();
    runs.sort_unstable();
    runs
}

/// Pairs of sequences that occur equally often in both texts, in the order of the source.
fn pair_runs(source_runs: &[(u64, usize)], mut text_runs: &[(u64, usize)]) -> Vec<(usize, usize)> {
    let mut pairs = Vec::new();
    for group in source_runs.chunk_by(|a, b| a.0 == b.0) {
        let smaller = text_runs.iter().take_while(|run| run.0 < group[0].0).count();
        let equal = text_runs[smaller..].iter().take_while(|run| run.0 == group[0].0).count();
        if equal == group.len() {
            pairs.extend(
                group.iter().zip(&text_runs[smaller..]).map(|(source_run, text_run)| (source_run.1, text_run.1)),
            );
        }
        text_runs = &text_runs[smaller + equal..];
    }
    pairs.sort_unstable();
    pairs
}

/// The longest subsequence of pairs that increases on both sides.
fn longest_increasing(pairs: &[(usize, usize)]) -> Vec<(usize, usize)> {
    // The last pair of the best sequence of each length, and the pair before each pair.
    let (mut ends, mut previous): (Vec<usize>, Vec<Option<usize>>) = Default::default();
    for (index, pair) in pairs.iter().enumerate() {
        let length = ends.partition_point(|&end| pairs[end].1 < pair.1);
        previous.push(ends[..length].last().copied());
        if length == ends.len() {
            ends.push(index);
        } else {
            ends[length] = index;
        }
    }
    let mut sequence: Vec<_> =
        successors(ends.last().copied(), |&index| previous[index]).map(|index| pairs[index]).collect();
    sequence.reverse();
    sequence
}

#[cfg(test)]
mod tests {
    use super::*;

    fn divided(source: &[&str], text: &[&str]) -> DividedLines {
        let [source, text] = [source, text].map(|lines| Text::new(lines.iter().copied().map(Some)));
        divide(&source, &text).unwrap().expect("small tables")
    }

    #[test]
    fn lines_are_merged_split_and_lost() {
        let source =
            ["He go home .", "She stay .", "", "They is here , I think .", "So what .", "We lost this", "End ."];
        let text = ["He goes home . She stays .", "", "They are here ,", "I think .", "So what .", "End ."];
        let division = divided(&source, &text);
        let expected = ["He goes home .", "She stays .", "", "They are here , I think .", "So what .", "", "End ."];
        assert_eq!(division.lines, Text::new(expected.map(Some)));
        assert_eq!((division.merged, division.split, division.lost), (vec![0], vec![3], vec![5]));
        assert_eq!(division.word_share, 16.0 / 22.0);
    }

    #[test]
    fn scripts_without_blanks_are_divided_between_characters() {
        let division =
            divided(&["我早上去学校上课。", "他因为生病没来。"], &["我早上去了学", "校上课。他因为生病没来了。"]);
        assert_eq!(division.lines, Text::new(["我早上去了学校上课。", "他因为生病没来了。"].map(Some)));
    }

    #[test]
    fn longest_increasing_subsequence_of_pairs() {
        assert_eq!(longest_increasing(&[(0, 2), (1, 0), (2, 1), (3, 3)]), [(1, 0), (2, 1), (3, 3)]);
    }

    #[test]
    fn empty_texts_are_divided() {
        assert_eq!(divided(&[], &["a"]).lines.len(), 0);
        assert_eq!(divided(&["a"], &[]).lost, [0]);
    }
}
