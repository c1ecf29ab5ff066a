//! Multisets of n-grams: the overlap of a hypothesis with its source and references.
//!
//! For every sentence, reference and order 1..=n the eight numbers of [`COLUMNS`] are counted: the seven regions of the
//! Venn diagram of source S, reference R and hypothesis H (multiset cardinalities, Koyama et al. 2024), and the part of
//! "under-delete" whose n-grams are not in the reference (the penalty of the GLEU scorer). They follow by inclusion and
//! exclusion from sums over n-grams, `|S|, |R|, |H|, |S∩R|, |S∩H|, |R∩H|, |S∩R∩H|`. Only sums with the hypothesis are
//! computed per system.
//!
//! The n-grams of sources and references are stored for several hypotheses. A single hypothesis is counted together
//! with them, sentence by sentence, in the memory of one sentence.
//!
//! Expected cost: O(tokens of source and references × n) to store them, O(tokens of the hypothesis × n × references) to
//! count, plus the tokens of source and references if they are not stored. Memory: O(tokens of source and references ×
//! n × references) if they are stored. The n-grams of a sentence with many references are not stored. Lines have no
//! special cases.

mod evidence;
mod grams;
mod hypothesis;
mod kept;
mod rows;
pub mod scores;
mod shared;
mod table;
mod together;
mod tokens;
mod window;

use std::collections::TryReserveError;
use std::ops::Range;
use std::sync::atomic::{AtomicUsize, Ordering};

pub use self::evidence::NgramRow;
use self::grams::Grams;
use self::hypothesis::Scratch;
use self::kept::{sums_per_order, Run};
pub use self::rows::COLUMNS;
use self::rows::{Rows, Sums};
use self::together::Together;
use self::tokens::for_each_token;
pub use self::tokens::Unit;
use crate::parallel;
use crate::text::Text;

/// Number of sentences whose n-grams share memory.
const RUN: usize = 256;

/// Maximum size of counts in bytes.
const MOST: usize = 1 << 32;

/// Maximum number of n-grams of all versions of a sentence counted at once; each takes about 40 bytes.
const MOST_GRAMS: usize = 1 << 26;

/// Maximum number of versions × n-grams of a sentence whose n-grams are stored; beyond, storing them saves no time.
const MOST_CELLS: usize = 1 << 16;

/// Sources and references that can be compared with any number of hypotheses.
pub struct NgramTable {
    /// The source, then the references. A missing line counts as empty.
    texts: Vec<Text>,
    n: usize,
    unit: Unit,
    /// Their n-grams, if they are stored.
    runs: Vec<Run>,
}

/// The reason why n-grams cannot be counted, and the sentence that causes it, if there is one.
#[derive(Debug)]
pub struct Refused {
    pub message: String,
    pub hint: &'static str,
    pub sentence: Option<usize>,
}

const LINE_END: &str = "is a line end missing?";
const MEMORY: &str = "more memory, fewer references or a smaller n";

impl NgramTable {
    /// Source and references must have the same length; `keep` stores their n-grams for several hypotheses.
    /// Err: the counts of a system, or a sentence, are too large.
    pub fn new(
        source: Text,
        references: Vec<Text>,
        n: usize,
        unit: Unit,
        keep: bool,
        threads: usize,
    ) -> Result<Self, Refused> {
        let cells = [source.len(), references.len(), n, COLUMNS.len()];
        let bytes = cells.iter().try_fold(size_of::<i32>(), |bytes, &cells| bytes.checked_mul(cells));
        if bytes.is_none_or(|bytes| bytes > MOST) {
            let message = format!("n is {n}: the counts of {} sentences do not fit in 4 GiB", source.len());
            return Err(Refused { message, hint: MEMORY, sentence: None });
        }
        let mut texts = vec![source];
        texts.extend(references);
        let table = Self { texts, n, unit, runs: Vec::new() };
        table.check(None)?;
        if !keep {
            return Ok(table);
        }
        let runs = parallel::runs(table.len(), RUN, threads, || (), |run, ()| table.run(run));
        Ok(Self { runs, ..table })
    }

    /// Err: the first sentence whose versions have more n-grams than can be counted at once. O(sentences), except for
    /// sentences of millions of bytes.
    pub fn check(&self, hypotheses: Option<&Text>) -> Result<(), Refused> {
        let lines = |s: usize| self.texts.iter().chain(hypotheses).map(move |text| text.line(s));
        for s in 0..self.len() {
            let bytes: usize = lines(s).map(str::len).sum();
            if bytes.saturating_mul(self.n) <= MOST_GRAMS {
                continue;
            }
            let mut tokens = 0_usize;
            lines(s).for_each(|line| for_each_token(line, self.unit, |_| tokens += 1));
            if tokens.saturating_mul(self.n) > MOST_GRAMS {
                let (number, n) = (s + 1, self.n);
                let place = format!("sentence {number}, of {tokens} tokens in all versions, with n {n}");
                let message = format!("{place}: more than {MOST_GRAMS} n-grams at once");
                return Err(Refused { message, hint: LINE_END, sentence: Some(s) });
            }
        }
        Ok(())
    }

    /// The number of sentences.
    pub fn len(&self) -> usize {
        self.texts[0].len()
    }

    /// The shape of the result of [`Self::count`]: sentences, references, orders, columns.
    pub fn shape(&self, absent: bool) -> [usize; 4] {
        [self.len(), self.texts.len() - 1, self.n, COLUMNS.len() - usize::from(!absent)]
    }

    /// Counts `[sentence][reference][order][column]` of one hypothesis per sentence; the last column only with
    /// `absent`. Err: not enough memory, with the first sentence whose n-grams do not fit, if it is one.
    ///
    /// # Panics
    /// If the number of hypotheses differs from the number of sentences; callers check it.
    pub fn count(&self, hypotheses: &Text, absent: bool, threads: usize) -> Result<Vec<i32>, Refused> {
        assert_eq!(hypotheses.len(), self.len());
        let [sentences, references, n, columns] = self.shape(absent);
        let row = references * n * columns;
        let mut counts = Vec::new();
        let message =
            |error: TryReserveError| format!("the counts of {sentences} sentences do not fit in memory: {error}");
        let short = |error| Refused { message: message(error), hint: MEMORY, sentence: None };
        counts.try_reserve_exact(sentences * row).map_err(short)?;
        counts.resize(sentences * row, 0);
        let first_failure = AtomicUsize::new(usize::MAX);
        if row > 0 {
            let scratch = <(Together, Scratch)>::default;
            parallel::chunks(&mut counts, row, threads, scratch, |s, out, (together, scratch)| {
                let mut rows = Rows { n, columns, out };
                if self.count_stored(s, hypotheses.line(s), scratch, &mut rows) {
                    return;
                }
                together.texts.clear();
                together.texts.extend(self.texts.iter().chain([hypotheses]).map(|text| text.line(s)));
                if together.count(self.unit, &mut rows).is_err() {
                    first_failure.fetch_min(s, Ordering::Relaxed);
                }
            });
        }
        match first_failure.into_inner() {
            usize::MAX => Ok(counts),
            s => Err(self.too_large(s, Some(hypotheses))),
        }
    }

    /// The n-grams of a sentence do not fit in memory.
    fn too_large(&self, s: usize, hypotheses: Option<&Text>) -> Refused {
        let (number, references, n) = (s + 1, self.texts.len() - 1, self.n);
        let mut tokens = 0_usize;
        let lines = self.texts.iter().chain(hypotheses).map(|text| text.line(s));
        lines.for_each(|line| for_each_token(line, self.unit, |_| tokens += 1));
        let place =
            format!("sentence {number}, of {tokens} tokens in all versions ({references} references), with n {n}");
        Refused { message: format!("{place}: its n-grams do not fit in memory"), hint: MEMORY, sentence: Some(s) }
    }

    fn run(&self, sentences: Range<usize>) -> Run {
        let (mut run, mut grams) = (Run::default(), Grams::default());
        let mut texts = Vec::with_capacity(self.texts.len());
        let bytes = |s: usize| 1 + self.texts.iter().map(|text| text.line(s).len()).sum::<usize>();
        let all: usize = sentences.clone().map(bytes).sum();
        for s in sentences.clone() {
            texts.clear();
            texts.extend(self.texts.iter().map(|text| text.line(s)));
            let numbered = grams.read(&texts, self.n, self.unit);
            if numbered.is_ok() && texts.len() * grams.grams.len() <= MOST_CELLS {
                run.push(&grams, texts.len(), self.n);
            } else {
                run.skip(texts.len(), self.n);
            }
            if s == sentences.start {
                run.reserve((all / bytes(s)).min(sentences.len()));
            }
        }
        run
    }

    /// Counts a sentence whose n-grams are stored; false for others.
    fn count_stored(&self, s: usize, hypothesis: &str, scratch: &mut Scratch, rows: &mut Rows) -> bool {
        let Some(run) = self.runs.get(s / RUN) else { return false };
        let Some(sentence) = run.sentence(s % RUN, self.texts.len()) else { return false };
        let per_order = sums_per_order(self.texts.len());
        let sizes = &run.sizes[(s % RUN) * self.n * per_order..][..self.n * per_order];
        // Most systems leave most sentences unchanged.
        if hypothesis == self.texts[0].line(s) {
            for (order, sizes) in sizes.chunks_exact(per_order).enumerate() {
                let s = sizes[0];
                for (reference, size) in sizes[1..].chunks_exact(3).enumerate() {
                    let [r, sr, absent] = [size[0], size[1], size[2]];
                    rows.write(reference, order, Sums { s, r, h: s, sr, sh: s, rh: sr, srh: sr, absent });
                }
            }
            return true;
        }
        scratch.start(sentence, |version| self.texts[version as usize].line(s), hypothesis, self.unit);
        for (order, sizes) in sizes.chunks_exact(per_order).enumerate() {
            let h = scratch.overlap(sentence, self.texts.len(), order);
            let (s, sh) = (sizes[0], scratch.sums[0]);
            let overlaps = scratch.sums[1..].chunks_exact(3);
            for (reference, (size, overlap)) in sizes[1..].chunks_exact(3).zip(overlaps).enumerate() {
                let ([r, sr], [rh, srh, absent]) = ([size[0], size[1]], [overlap[0], overlap[1], overlap[2]]);
                rows.write(reference, order, Sums { s, r, h, sr, sh, rh, srh, absent });
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &[&str]) -> Text {
        Text::new(lines.iter().map(Some))
    }

    fn count(source: &str, reference: &str, hypothesis: &str, n: usize, unit: Unit) -> Vec<i32> {
        let counted = |keep, absent| {
            let table = NgramTable::new(text(&[source]), vec![text(&[reference])], n, unit, keep, 1).unwrap();
            table.count(&text(&[hypothesis]), absent, 1).unwrap()
        };
        let counts = counted(true, true);
        assert_eq!(counted(false, true), counts);
        let seven: Vec<i32> = counts.chunks(8).flat_map(|row| &row[..7]).copied().collect();
        assert_eq!([counted(true, false), counted(false, false)], [seven.clone(), seven]);
        counts
    }

    #[test]
    fn regions_of_a_repeated_token() {
        // Multiplicities of "a": source 2, reference 1, hypothesis 3.
        assert_eq!(count("a a", "a", "a a a", 1, Unit::Word), [1, 0, 0, 0, 1, 1, 0, 0]);
        // Bigrams "a a": source 1, reference 0, hypothesis 2.
        assert_eq!(count("a a", "a", "a a a", 2, Unit::Word)[8..], [0, 0, 0, 0, 1, 1, 0, 1]);
    }

    #[test]
    fn empty_lines_count_nothing() {
        assert_eq!(count("", "", "", 3, Unit::Word), [0; 24]);
        assert_eq!(count("a b", "", "", 1, Unit::Word), [0, 2, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn words_split_where_python_splits() {
        let mut words = Vec::new();
        for_each_token(" a\u{1c}b\u{a0}c\u{200b}d\u{3000}\t", Unit::Word, |word| words.push(word));
        assert_eq!(words, ["a", "b", "c\u{200b}d"]);
    }

    #[test]
    fn graphemes_are_not_code_points() {
        let family = "👨‍👩‍👧";
        assert_eq!(count(family, family, family, 1, Unit::Grapheme)[0], 1);
        assert_eq!(count(family, family, family, 1, Unit::Char)[0], 5);
    }

    #[test]
    fn threads_change_nothing() {
        let lines = |make: &dyn Fn(usize) -> String| Text::new((0..2000).map(|i| Some(make(i))));
        let source = lines(&|i| format!("a b {i} c"));
        let references = vec![lines(&|i| format!("a {i} c d")), lines(&|i| format!("b {i}"))];
        let hypotheses = lines(&|i| format!("a b {} c d", i / 2));
        let counted = |keep, threads| {
            let table = NgramTable::new(source.clone(), references.clone(), 4, Unit::Word, keep, threads).unwrap();
            table.count(&hypotheses, true, threads).unwrap()
        };
        assert_eq!(counted(true, 1), counted(true, 4));
        assert_eq!(counted(true, 1), counted(false, 4));
    }

    #[test]
    fn counts_and_evidence_do_not_depend_on_the_seed() {
        let hash = |grams: Grams| grams::token_hash(&grams.hasher, "a");
        assert_ne!(hash(Grams::default()), hash(Grams::default()), "seeds");
        let lines = |step: usize| {
            Text::new((0..9).map(|i| Some((0..30).map(|j| format!("w{} ", (i + j * step) % 11)).collect::<String>())))
        };
        let counted = || {
            let table = NgramTable::new(lines(1), vec![lines(2), lines(3)], 3, Unit::Word, true, 1).unwrap();
            let evidence = table.evidence(&lines(4), 1).unwrap();
            let strings: Vec<String> = evidence.strings.iter().map(String::from).collect();
            (table.count(&lines(4), true, 1).unwrap(), evidence.rows, strings)
        };
        assert_eq!(counted(), counted());
    }

    #[test]
    fn many_references_count_as_each_alone() {
        let line =
            |number: usize| (0..20).map(|word| format!("w{} ", (number * 7 + word * word) % 997)).collect::<String>();
        let [source, hypothesis] = [3, 5].map(|number| text(&["a", &line(number)]));
        let references: Vec<Text> = (0..300).map(|number| text(&["a b", &line(number)])).collect();
        let counted = |references: &[Text], keep| {
            let table = NgramTable::new(source.clone(), references.to_vec(), 4, Unit::Word, keep, 1).unwrap();
            let counts = table.count(&hypothesis, true, 1).unwrap();
            let mut sums = vec![0; counts.len()];
            for NgramRow { sentence, reference, order, region, weight, .. } in
                table.evidence(&hypothesis, 1).unwrap().rows
            {
                let row = (sentence as usize * references.len() + reference as usize) * 4 + order as usize - 1;
                sums[row * COLUMNS.len() + region as usize] += weight as i32;
            }
            assert_eq!(sums, counts);
            let is_kept = table.runs.first().map(|run| [0, 1].map(|s| run.sentence(s, table.texts.len()).is_some()));
            (counts, is_kept)
        };
        let (counts, is_kept) = counted(&references, true);
        assert_eq!(is_kept, Some([true, false]));
        assert_eq!((counts.clone(), None), counted(&references, false));
        let row = 4 * COLUMNS.len();
        for (number, reference) in references.chunks(1).enumerate() {
            let (alone, is_kept) = counted(reference, true);
            assert_eq!(is_kept, Some([true, true]));
            let both = [number, references.len() + number].map(|cell| &counts[cell * row..][..row]);
            assert_eq!(alone, both.concat());
        }
    }

    #[test]
    fn too_large_an_n_is_refused() {
        assert!(NgramTable::new(text(&["a"; 99]), vec![text(&["a"; 99])], 1 << 30, Unit::Word, true, 1).is_err());
    }
}
