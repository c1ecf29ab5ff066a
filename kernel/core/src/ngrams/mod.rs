//! Multisets of n-grams: the overlap of hypotheses with their source and references.
//!
//! For every sentence, hypothesis, reference and order 1..=n the eight numbers of [`COLUMNS`] are counted: the seven
//! regions of the Venn diagram of source S, reference R and hypothesis H (multiset cardinalities, Koyama et al. 2024),
//! and the part of "under-delete" whose n-grams are not in the reference (the penalty of the GLEU scorer).
//!
//! Only n-grams that touch a changed place are counted ([`counter`]). Tokens and n-grams are compared exactly.
//!
//! Expected cost: O(bytes of all versions + changed tokens × n × versions). Memory: that of a sentence.

mod changes;
mod counter;
mod distinct;
mod evidence;
mod lanes;
pub mod regions;
mod tokens;

use std::ops::Range;

use self::counter::{SentenceCounter, Versions, MAX_VERSIONS};
pub use self::evidence::NgramRow;
pub use self::regions::COLUMNS;
use self::tokens::count_tokens;
pub use self::tokens::TokenUnit;
use crate::error::{zeros, Error};
use crate::parallel;
use crate::text::Text;

/// Maximum size of the counts of a hypothesis in bytes.
const MAX_COUNT_BYTES: usize = 1 << 32;

/// Number of sentences whose sums a thread adds at once.
const SENTENCES_PER_TASK: usize = 256;

/// Maximum number of n-grams of a source, its references and a hypothesis.
const MAX_NGRAMS: usize = 1 << 26;

/// Sources and references whose n-grams are compared with those of hypotheses.
pub struct NgramCorpus {
    /// A missing line counts as empty.
    pub source: Text,
    /// References of the length of the source.
    pub references: Vec<Text>,
    /// The largest order.
    pub n: usize,
    pub unit: TokenUnit,
}

impl NgramCorpus {
    /// The number of sentences.
    pub fn len(&self) -> usize {
        self.source.len()
    }

    /// The shape of the counts of a hypothesis: sentences, references, orders, columns.
    pub fn shape(&self, absent: bool) -> [usize; 4] {
        [self.len(), self.references.len(), self.n, COLUMNS.len() - usize::from(!absent)]
    }

    /// The lines of a sentence: source and references, and its line in a hypothesis.
    fn lines<'a>(&'a self, sentence: usize, hypothesis: &'a Text) -> impl Iterator<Item = &'a str> {
        let texts = [&self.source].into_iter().chain(&self.references).chain([hypothesis]);
        texts.map(move |text| text.line(sentence))
    }

    fn count_tokens(&self, sentence: usize, hypothesis: &Text) -> usize {
        self.lines(sentence, hypothesis).map(|line| count_tokens(line, self.unit)).sum()
    }

    /// Err: the counts of a hypothesis are too large, or the first sentence whose versions have more n-grams than are
    /// counted. O(sentences), except for sentences of millions of bytes.
    ///
    /// # Panics
    /// If the length of the hypothesis differs from that of the source; callers of the interface check it.
    fn check(&self, hypothesis: &Text) -> Result<(), Error> {
        assert_eq!(hypothesis.len(), self.len());
        // Also without sentences or references.
        let shape = [self.len().max(1), self.references.len().max(1), self.n, COLUMNS.len()];
        let bytes = shape.iter().try_fold(size_of::<i32>(), |bytes, &length| bytes.checked_mul(length));
        if bytes.is_none_or(|bytes| bytes > MAX_COUNT_BYTES) {
            return Err(Error::NgramCounts { sentences: self.len(), n: self.n });
        }
        for sentence in 0..self.len() {
            let bytes: usize = self.lines(sentence, hypothesis).map(str::len).sum();
            if bytes.saturating_mul(self.n) <= MAX_NGRAMS {
                continue;
            }
            let tokens = self.count_tokens(sentence, hypothesis);
            if tokens.saturating_mul(self.n) > MAX_NGRAMS {
                return Err(Error::Ngrams { sentence, tokens, n: self.n, limit: MAX_NGRAMS });
            }
        }
        Ok(())
    }

    /// The error for a sentence whose n-grams do not fit in memory.
    fn too_large(&self, sentence: usize, hypothesis: &Text) -> Error {
        let tokens = self.count_tokens(sentence, hypothesis);
        Error::NgramMemory { sentence, tokens, references: self.references.len(), n: self.n }
    }

    /// The counts `[sentence][reference][order][column]` of each hypothesis; the last column only with `absent`. Err:
    /// the counts are too large, or there is not enough memory for them or for the n-grams of a sentence.
    ///
    /// # Panics
    /// If the length of a hypothesis differs from that of the source; callers check it.
    pub fn count(&self, hypotheses: &[Text], absent: bool, threads: usize) -> Result<Vec<Vec<i32>>, Error> {
        hypotheses.iter().try_for_each(|hypothesis| self.check(hypothesis))?;
        let [sentences, references, n, columns] = self.shape(absent);
        let width = references * n * columns;
        let cells = || zeros(sentences * width).map_err(|_| Error::Memory("the counts"));
        let mut counts = hypotheses.iter().map(|_| cells()).collect::<Result<Vec<Vec<i32>>, _>>()?;
        if width > 0 && !hypotheses.is_empty() {
            let counter = || SentenceCounter::new(n, self.unit);
            parallel::for_each_row_of(&mut counts, width, threads, counter, |sentence, rows, counter| {
                self.count_sentence(sentence, hypotheses, absent, rows, counter)
            })?;
        }
        Ok(counts)
    }

    /// The sums `[order][region]` of the counts of each hypothesis with the best reference of each sentence: the one
    /// with the largest F, see [`regions::is_better`], of equal ones the first. Err: see [`Self::count`].
    ///
    /// # Panics
    /// If the length of a hypothesis differs from that of the source; callers check it.
    pub fn best_sums(&self, hypotheses: &[Text], beta: f64, threads: usize) -> Result<Vec<Vec<i64>>, Error> {
        hypotheses.iter().try_for_each(|hypothesis| self.check(hypothesis))?;
        let [_, references, n, columns] = self.shape(false);
        if n == 0 || hypotheses.is_empty() {
            return Ok(vec![Vec::new(); hypotheses.len()]);
        }
        let (orders, width) = (n * columns, (references * n * columns).max(1));
        let is_complete = self.references.iter().all(Text::is_complete);
        let work = |range: Range<usize>, scratch: &mut BestScratch| {
            let mut sums = vec![vec![0; orders]; hypotheses.len()];
            for sentence in range {
                let is_present = |reference: &Text| is_complete || reference.get(sentence).is_some();
                scratch.counts.clear();
                scratch.counts.resize(hypotheses.len() * width, 0);
                let mut rows: Vec<_> = scratch.counts.chunks_exact_mut(width).collect();
                self.count_sentence(sentence, hypotheses, false, &mut rows, &mut scratch.counter)?;
                for (sums, counts) in sums.iter_mut().zip(scratch.counts.chunks_exact(width)) {
                    let counts = counts.chunks_exact(orders).zip(&self.references);
                    let counts = counts.filter_map(|(counts, reference)| is_present(reference).then_some(counts));
                    let best = best_of(counts, beta, &mut scratch.best).ok_or(Error::NoReference { sentence })?;
                    sums.iter_mut().zip(best).for_each(|(sum, &count)| *sum += i64::from(count));
                }
            }
            Ok(sums)
        };
        let scratch = || BestScratch {
            counter: SentenceCounter::new(n, self.unit),
            counts: Vec::new(),
            best: Default::default(),
        };
        let parts = parallel::map_ranges(self.len(), SENTENCES_PER_TASK, threads, scratch, work)?;
        let mut total = vec![vec![0; orders]; hypotheses.len()];
        for (hypothesis, sums) in parts.iter().flat_map(|sums| sums.iter().enumerate()) {
            total[hypothesis].iter_mut().zip(sums).for_each(|(total, sum)| *total += sum);
        }
        Ok(total)
    }

    /// Writes the rows of a sentence, one for each hypothesis.
    fn count_sentence(
        &self,
        sentence: usize,
        hypotheses: &[Text],
        absent: bool,
        rows: &mut [&mut [i32]],
        counter: &mut SentenceCounter,
    ) -> Result<(), Error> {
        let [_, _, n, columns] = self.shape(absent);
        let mut lines = [""; 2 * MAX_VERSIONS];
        let (hypothesis_lines, reference_lines) = lines.split_at_mut(MAX_VERSIONS);
        for (hypotheses, rows) in hypotheses.chunks(MAX_VERSIONS).zip(rows.chunks_mut(MAX_VERSIONS)) {
            for (number, references) in self.references.chunks(MAX_VERSIONS).enumerate() {
                let versions = Versions {
                    source: self.source.line(sentence),
                    hypotheses: read_lines(hypotheses, sentence, hypothesis_lines),
                    references: read_lines(references, sentence, reference_lines),
                };
                let counted =
                    counter.count(versions, absent).ok_or_else(|| self.too_large(sentence, &hypotheses[0]))?;
                let width = references.len() * n;
                for (row, counts) in rows.iter_mut().zip(counted.chunks_exact(width.max(1))) {
                    let cells = row[number * MAX_VERSIONS * n * columns..].chunks_exact_mut(columns);
                    cells.zip(counts).for_each(|(cells, counts)| cells.copy_from_slice(&counts[..columns]));
                }
            }
        }
        Ok(())
    }
}

/// Memory that a thread reuses for [`NgramCorpus::best_sums`]: counter, counts of a sentence, and two rows of numbers.
struct BestScratch {
    counter: SentenceCounter,
    counts: Vec<i32>,
    best: [Vec<f64>; 2],
}

/// The counts with the largest F, of equal ones the first; None without counts.
fn best_of<'a>(
    mut counts: impl Iterator<Item = &'a [i32]>,
    beta: f64,
    numbers: &mut [Vec<f64>; 2],
) -> Option<&'a [i32]> {
    let mut best = counts.next()?;
    for other in counts {
        if other == best {
            continue;
        }
        for (numbers, counts) in numbers.iter_mut().zip([other, best]) {
            numbers.clear();
            numbers.extend(counts.iter().map(|&count| f64::from(count)));
        }
        if regions::is_better(&numbers[0], &numbers[1], beta) {
            best = other;
        }
    }
    Some(best)
}

/// The lines of a sentence in several texts, written to `lines`.
fn read_lines<'a, 'b>(texts: &'a [Text], sentence: usize, lines: &'b mut [&'a str]) -> &'b [&'a str] {
    texts.iter().zip(&mut *lines).for_each(|(text, line)| *line = text.line(sentence));
    &lines[..texts.len()]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn text(lines: &[&str]) -> Text {
        Text::new(lines.iter().map(Some))
    }

    fn corpus(source: Text, references: Vec<Text>, n: usize) -> NgramCorpus {
        NgramCorpus { source, references, n, unit: TokenUnit::Word }
    }

    fn count(source: &str, reference: &str, hypothesis: &str, n: usize, unit: TokenUnit) -> Vec<i32> {
        let corpus = NgramCorpus { unit, ..corpus(text(&[source]), vec![text(&[reference])], n) };
        let [counts, without_absent] = [true, false].map(|absent| {
            let [counts] = corpus.count(&[text(&[hypothesis])], absent, 1).unwrap().try_into().unwrap();
            counts
        });
        assert_eq!(counts.chunks(8).flat_map(|row| &row[..7]).copied().collect::<Vec<_>>(), without_absent);
        counts
    }

    #[test]
    fn regions_of_a_repeated_token() {
        // Multiplicities of "a": source 2, reference 1, hypothesis 3.
        assert_eq!(count("a a", "a", "a a a", 1, TokenUnit::Word), [1, 0, 0, 0, 1, 1, 0, 0]);
        // Bigrams "a a": source 1, reference 0, hypothesis 2.
        assert_eq!(count("a a", "a", "a a a", 2, TokenUnit::Word)[8..], [0, 0, 0, 0, 1, 1, 0, 1]);
    }

    #[test]
    fn empty_lines_count_nothing() {
        assert_eq!(count("", "", "", 3, TokenUnit::Word), [0; 24]);
        assert_eq!(count("a b", "", "", 1, TokenUnit::Word), [0, 2, 0, 0, 0, 0, 0, 0]);
    }

    #[test]
    fn graphemes_are_not_code_points() {
        let family = "👨‍👩‍👧";
        assert_eq!(count(family, family, family, 1, TokenUnit::Grapheme)[0], 1);
        assert_eq!(count(family, family, family, 1, TokenUnit::Char)[0], 5);
    }

    #[test]
    fn counts_do_not_depend_on_threads_and_other_hypotheses() {
        let lines = |make: &dyn Fn(usize) -> String| Text::new((0..600).map(|i| Some(make(i))));
        let references = vec![lines(&|i| format!("a {i} c d")), lines(&|i| format!("b {i}"))];
        let corpus = corpus(lines(&|i| format!("a b {i} c")), references, 4);
        let hypotheses: Vec<Text> = (1..40).map(|step| lines(&|i| format!("a b {} c d", i / step))).collect();
        let counts = corpus.count(&hypotheses, true, 4).unwrap();
        assert_eq!(counts, corpus.count(&hypotheses, true, 1).unwrap());
        for (hypothesis, counts) in hypotheses.iter().zip(counts).step_by(3) {
            assert_eq!(corpus.count(std::slice::from_ref(hypothesis), true, 1).unwrap(), [counts]);
        }
    }

    #[test]
    fn best_sums_are_counts_with_the_best_reference() {
        let references = vec![text(&["a x", "c d"]), text(&["a c", "d"])];
        let hypothesis = text(&["a c", "c d"]);
        for n in 0..3 {
            let corpus = corpus(text(&["a b", "c"]), references.clone(), n);
            let sums = corpus.best_sums(std::slice::from_ref(&hypothesis), 0.5, 1).unwrap();
            let counts = corpus.count(std::slice::from_ref(&hypothesis), false, 1).unwrap().concat();
            let width = n * (COLUMNS.len() - 1);
            // The first sentence agrees with its second reference, the second with its first.
            let best = [&counts[width..2 * width], &counts[2 * width..3 * width]];
            let expected: Vec<i64> = best[0].iter().zip(best[1]).map(|(a, b)| i64::from(a + b)).collect();
            assert_eq!(sums, [expected], "{n}");
        }
    }

    #[test]
    fn no_hypothesis_has_no_sums_whatever_the_order() {
        assert_eq!(corpus(text(&["a"]), vec![text(&["a"])], usize::MAX).best_sums(&[], 0.5, 1), Ok(vec![]));
    }

    #[test]
    fn counts_and_evidence_do_not_depend_on_the_seed() {
        let lines = |step: usize| {
            Text::new((0..9).map(|i| Some((0..30).map(|j| format!("w{} ", (i + j * step) % 11)).collect::<String>())))
        };
        let counted = || {
            let corpus = corpus(lines(1), vec![lines(2), lines(3)], 3);
            let evidence = corpus.evidence(&lines(4), None, 1).unwrap();
            let strings: Vec<String> = evidence.strings.iter().map(String::from).collect();
            (corpus.count(&[lines(4)], true, 1).unwrap(), evidence.rows, strings)
        };
        assert_eq!(counted(), counted());
    }

    #[test]
    fn sums_of_long_lines_do_not_overflow() {
        let source = "a ".repeat(40_000);
        let reference: String = (0..40_000).map(|word| if word * word % 7 < 2 { "b " } else { "a " }).collect();
        let counts = count(&source, &reference, "b", 2, TokenUnit::Word);
        let kept = reference.matches('a').count() as i32;
        assert_eq!(counts[..8], [0, 40_000 - kept, 1, kept, 0, 0, 40_000 - kept - 1, 0]);
    }

    #[test]
    fn many_references_are_counted_like_single_ones() {
        let line =
            |number: usize| (0..20).map(|word| format!("w{} ", (number * 7 + word * word) % 997)).collect::<String>();
        let [source, hypothesis] = [3, 5].map(|number| text(&["a", &line(number)]));
        let references: Vec<Text> = (0..300).map(|number| text(&["a b", &line(number)])).collect();
        let counted = |references: &[Text]| {
            let corpus = corpus(source.clone(), references.to_vec(), 4);
            let [counts] = corpus.count(std::slice::from_ref(&hypothesis), true, 1).unwrap().try_into().unwrap();
            let mut sums = vec![0; counts.len()];
            for NgramRow { sentence, reference, order, region, weight, .. } in
                corpus.evidence(&hypothesis, None, 1).unwrap().rows
            {
                let row = (sentence as usize * references.len() + reference as usize) * 4 + order as usize - 1;
                sums[row * COLUMNS.len() + region as usize] += weight as i32;
            }
            assert_eq!(sums, counts);
            counts
        };
        let counts = counted(&references);
        let row = 4 * COLUMNS.len();
        for (number, reference) in references.chunks(1).enumerate() {
            let of_reference = [number, references.len() + number].map(|cell| &counts[cell * row..][..row]);
            assert_eq!(counted(reference), of_reference.concat());
        }
    }

    #[test]
    fn counts_that_are_too_large_are_an_error() {
        for (sentences, references) in [(99, 0), (99, 1), (0, 1)] {
            let text = text(&vec!["a"; sentences]);
            let references = vec![text.clone(); references];
            assert!(corpus(text.clone(), references.clone(), 1 << 60)
                .count(std::slice::from_ref(&text), true, 1)
                .is_err());
            assert!(corpus(text.clone(), references, 1 << 60).evidence(&text, None, 1).is_err());
        }
    }
}
