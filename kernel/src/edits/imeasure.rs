//! Counts tokens by the columns of three-way alignments: kept, missed, wrong, right, or changed differently.

use crate::edits::threeway::{cells, Scratch, Sentence, HYPOTHESIS, REFERENCE, SOURCE};
use crate::parallel;
use crate::text::strings::Strings;
use crate::text::words::words;
use crate::text::Text;

/// The class of a column of the alignment.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[repr(u8)]
pub enum Class {
    /// All three agree.
    Kept,
    /// Source and hypothesis agree, the reference differs.
    Missed,
    /// Source and reference agree, the hypothesis differs.
    Wrong,
    /// Hypothesis and reference agree, the source differs.
    Right,
    /// All three differ.
    Changed,
}

pub const CLASSES: usize = 5;

/// The number of columns of each class, with the hypothesis, and with the source in its place.
pub type Tally = [u32; 2 * CLASSES];

/// A column of an alignment with a candidate, of the hypothesis or of the source itself (`base`): the source token at
/// which it begins, and the tokens of the three if they have one.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Column {
    pub candidate: u32,
    pub base: bool,
    pub class: Class,
    pub start: u32,
    pub tokens: [Option<u32>; 3],
}

/// A sentence that is too long to be aligned, with the numbers of tokens of the three.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct TooLong {
    pub sentence: usize,
    pub lengths: [usize; 3],
}

/// The texts: candidates `offsets[s]..offsets[s + 1]` are references of sentence s.
#[derive(Clone, Copy)]
pub struct Texts<'a> {
    pub source: &'a Text,
    pub hypothesis: &'a Text,
    pub candidates: &'a Text,
    pub offsets: &'a [usize],
}

/// The class of a column; a gap counts as a token and equals another gap.
fn class(tokens: [Option<u32>; 3]) -> Class {
    let [source, hypothesis, reference] = tokens;
    match (source == hypothesis, source == reference) {
        (true, true) => Class::Kept,
        (true, false) => Class::Missed,
        (false, true) => Class::Wrong,
        (false, false) if hypothesis == reference => Class::Right,
        (false, false) => Class::Changed,
    }
}

/// Calls `each(class, tokens of the column)` for the columns of an alignment.
fn columns(texts: [&[u32]; 3], steps: &[u8], mut each: impl FnMut(Class, [Option<u32>; 3], u32)) {
    let mut at = [0u32; 3];
    for step in steps {
        let start = at[0];
        let mut places = [None; 3];
        for (which, bit) in [SOURCE, HYPOTHESIS, REFERENCE].into_iter().enumerate() {
            if step & bit != 0 {
                places[which] = Some(at[which]);
                at[which] += 1;
            }
        }
        let token = |which: usize| places[which].map(|place| texts[which][place as usize]);
        each(class([token(0), token(1), token(2)]), places, start);
    }
}

/// A tally for every candidate and, if `wanted`, all columns. O(|S| |H| |R|) time and bytes per candidate. Err: a
/// sentence with a candidate of more than `most` cells.
pub fn tallies(
    texts: Texts<'_>,
    most: usize,
    wanted: bool,
    threads: usize,
) -> Result<(Vec<Tally>, Vec<Column>), TooLong> {
    let sentence = |s: usize, scratch: &mut Scratch| {
        let mut known = Strings::default();
        let mut ids = |line| words(line).map(|word| known.intern(word)).collect::<Vec<u32>>();
        let source = ids(texts.source.line(s));
        let hypothesis = ids(texts.hypothesis.line(s));
        let range = texts.offsets[s]..texts.offsets[s + 1];
        let candidates: Vec<_> = range.map(|at| (at as u32, ids(texts.candidates.line(at)))).collect();
        let lengths = |reference: &[u32]| [source.len(), hypothesis.len(), reference.len()];
        let mut sizes = candidates.iter().map(|(_, reference)| lengths(reference)).chain([lengths(&[])]);
        if let Some(lengths) = sizes.find(|&lengths| cells(lengths) > most) {
            return Err(TooLong { sentence: s, lengths });
        }
        let aligner = Sentence::new(&source, &hypothesis, scratch);
        let (mut found, mut listed) = (Vec::new(), Vec::new());
        for (candidate, reference) in &candidates {
            let mut tally = [0; 2 * CLASSES];
            let [own, of_base] = aligner.align(reference, scratch);
            for (base, second, steps) in [(false, &hypothesis, own), (true, &source, of_base)] {
                columns([&source, second, reference], &steps, |class, tokens, start| {
                    tally[CLASSES * usize::from(base) + class as usize] += 1;
                    if wanted {
                        listed.push(Column { candidate: *candidate, base, class, start, tokens });
                    }
                });
            }
            found.push(tally);
        }
        Ok((found, listed))
    };
    let mut all = (Vec::new(), Vec::new());
    for part in parallel::each(texts.source.len(), threads, Scratch::default, sentence) {
        let (found, listed) = part?;
        all.0.extend(found);
        all.1.extend(listed);
    }
    Ok(all)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn tally(source: &str, hypothesis: &str, reference: &str) -> Result<(Vec<Tally>, Vec<Column>), TooLong> {
        let [source, hypothesis, candidates] = [source, hypothesis, reference].map(|text| Text::new([Some(text)]));
        let texts = Texts { source: &source, hypothesis: &hypothesis, candidates: &candidates, offsets: &[0, 1] };
        tallies(texts, 1000, true, 1)
    }

    #[test]
    fn classes_of_columns() {
        let (found, columns) = tally("a b c d e", "a x c y f", "a b z y g").unwrap();
        assert_eq!(found, [[1, 1, 1, 1, 1, 2, 3, 0, 0, 0]]);
        assert_eq!((columns[1].class, columns[1].start, columns[1].tokens), (Class::Wrong, 1, [Some(1); 3]));
    }

    #[test]
    fn what_is_too_long_is_refused() {
        let line = "a ".repeat(11);
        assert_eq!(tally(&line, &line, &line).unwrap_err(), TooLong { sentence: 0, lengths: [11; 3] });
    }
}
