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
//! n × references) if they are stored. The n-grams of a sentence with many references are not stored.

mod evidence;
mod hypothesis;
mod index;
pub mod regions;
mod sentence_counter;
mod stored;
mod tokens;
mod versions;

use std::ops::Range;

pub use self::evidence::NgramRow;
use self::hypothesis::HypothesisNgrams;
pub use self::regions::COLUMNS;
use self::regions::{OverlapSums, RegionRows};
use self::sentence_counter::SentenceCounter;
use self::stored::{sums_per_order, StoredSentences};
use self::tokens::count_tokens;
pub use self::tokens::TokenUnit;
use self::versions::VersionNgrams;
use crate::error::Error;
use crate::parallel;
use crate::text::Text;

/// Number of sentences whose n-grams share memory.
const SENTENCES_PER_STORE: usize = 256;

/// Maximum size of counts in bytes.
const MAX_COUNT_BYTES: usize = 1 << 32;

/// Maximum number of n-grams of all versions of a sentence counted at once; each takes about 40 bytes.
const MAX_NGRAMS: usize = 1 << 26;

/// Maximum number of versions × n-grams of a stored sentence; storing more saves no time.
const MAX_STORED_CELLS: usize = 1 << 16;

/// Sources and references that can be compared with any number of hypotheses.
pub struct NgramTable {
    /// The source, then the references. A missing line counts as empty.
    texts: Vec<Text>,
    n: usize,
    unit: TokenUnit,
    /// Their n-grams in groups of [`SENTENCES_PER_STORE`] sentences; empty if they are not stored.
    stored: Vec<StoredSentences>,
}

impl NgramTable {
    /// Requires source and references of the same length; `keep` stores their n-grams for several hypotheses.
    /// Err: the counts of a system, or a sentence, are too large.
    pub fn new(
        source: Text,
        references: Vec<Text>,
        n: usize,
        unit: TokenUnit,
        keep: bool,
        threads: usize,
    ) -> Result<Self, Error> {
        // Also for tables without sentences or references: rows are counted by their width.
        let shape = [source.len().max(1), references.len().max(1), n, COLUMNS.len()];
        let bytes = shape.iter().try_fold(size_of::<i32>(), |bytes, &length| bytes.checked_mul(length));
        if bytes.is_none_or(|bytes| bytes > MAX_COUNT_BYTES) {
            return Err(Error::NgramCounts { sentences: source.len(), n });
        }
        let mut texts = vec![source];
        texts.extend(references);
        let table = Self { texts, n, unit, stored: Vec::new() };
        table.check(None)?;
        if !keep {
            return Ok(table);
        }
        let store = |sentences, (): &mut ()| Ok(table.store(sentences));
        let stored = parallel::map_ranges(table.len(), SENTENCES_PER_STORE, threads, || (), store)?;
        Ok(Self { stored, ..table })
    }

    /// Err: the first sentence whose versions have more n-grams than can be counted at once. O(sentences), except for
    /// sentences of millions of bytes.
    fn check(&self, hypotheses: Option<&Text>) -> Result<(), Error> {
        let lines = |s: usize| self.texts.iter().chain(hypotheses).map(move |text| text.line(s));
        for s in 0..self.len() {
            let bytes: usize = lines(s).map(str::len).sum();
            if bytes.saturating_mul(self.n) <= MAX_NGRAMS {
                continue;
            }
            let tokens: usize = lines(s).map(|line| count_tokens(line, self.unit)).sum();
            if tokens.saturating_mul(self.n) > MAX_NGRAMS {
                return Err(Error::Ngrams { sentence: s, tokens, n: self.n, limit: MAX_NGRAMS });
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
    /// `absent`. Err: not enough memory for the counts or for the n-grams of a sentence.
    ///
    /// # Panics
    /// If the number of hypotheses differs from the number of sentences; callers check it.
    pub fn count(&self, hypotheses: &Text, absent: bool, threads: usize) -> Result<Vec<i32>, Error> {
        assert_eq!(hypotheses.len(), self.len());
        self.check(Some(hypotheses))?;
        let [sentences, references, n, columns] = self.shape(absent);
        let row = references * n * columns;
        let mut counts = Vec::new();
        counts.try_reserve_exact(sentences * row).map_err(|_| Error::Memory("the counts"))?;
        counts.resize(sentences * row, 0);
        if row > 0 {
            let scratch = <(SentenceCounter, HypothesisNgrams)>::default;
            parallel::for_each_row(&mut counts, row, threads, scratch, |s, out, (counter, hypothesis)| {
                let mut rows = RegionRows { n, columns, out };
                if self.count_stored(s, hypotheses.line(s), hypothesis, &mut rows) {
                    return Ok(());
                }
                counter.texts.clear();
                counter.texts.extend(self.texts.iter().chain([hypotheses]).map(|text| text.line(s)));
                counter.count(self.unit, &mut rows).ok_or_else(|| self.too_large(s, Some(hypotheses)))
            })?;
        }
        Ok(counts)
    }

    /// The error for a sentence whose n-grams do not fit in memory.
    fn too_large(&self, sentence: usize, hypotheses: Option<&Text>) -> Error {
        let lines = self.texts.iter().chain(hypotheses).map(|text| text.line(sentence));
        let tokens = lines.map(|line| count_tokens(line, self.unit)).sum();
        Error::NgramMemory { sentence, tokens, references: self.texts.len() - 1, n: self.n }
    }

    fn store(&self, sentences: Range<usize>) -> StoredSentences {
        let (mut stored, mut ngrams) = (StoredSentences::default(), VersionNgrams::default());
        let mut texts = Vec::with_capacity(self.texts.len());
        for s in sentences {
            texts.clear();
            texts.extend(self.texts.iter().map(|text| text.line(s)));
            let is_read = ngrams.read(&texts, self.n, self.unit).is_some();
            if is_read && texts.len() * ngrams.index.ngrams.len() <= MAX_STORED_CELLS {
                stored.push(&mut ngrams, texts.len(), self.n);
            } else {
                stored.skip(texts.len(), self.n);
            }
        }
        stored
    }

    /// Counts a sentence if its n-grams are stored; false otherwise.
    fn count_stored(&self, s: usize, hypothesis: &str, ngrams: &mut HypothesisNgrams, rows: &mut RegionRows) -> bool {
        let Some(stored) = self.stored.get(s / SENTENCES_PER_STORE) else { return false };
        let Some(sentence) = stored.sentence(s % SENTENCES_PER_STORE, self.texts.len()) else { return false };
        let per_order = sums_per_order(self.texts.len());
        let sizes = &stored.sizes[(s % SENTENCES_PER_STORE) * self.n * per_order..][..self.n * per_order];
        let sizes_by_order = sizes.chunks_exact(per_order).enumerate();
        // Most systems leave most sentences unchanged.
        if hypothesis == self.texts[0].line(s) {
            for (order, sizes) in sizes_by_order {
                let s = sizes[0];
                for (reference, size) in sizes[1..].chunks_exact(3).enumerate() {
                    let [r, sr, absent] = [size[0], size[1], size[2]];
                    rows.write(reference, order, OverlapSums { s, r, h: s, sr, sh: s, rh: sr, srh: sr, absent });
                }
            }
            return true;
        }
        ngrams.start(sentence, |version| self.texts[version as usize].line(s), hypothesis, self.unit);
        for (order, sizes) in sizes_by_order {
            let h = ngrams.overlap(sentence, self.texts.len(), order);
            let (s, sh) = (sizes[0], ngrams.sums[0]);
            let overlaps = ngrams.sums[1..].chunks_exact(3);
            for (reference, (size, overlap)) in sizes[1..].chunks_exact(3).zip(overlaps).enumerate() {
                let ([r, sr], [rh, srh, absent]) = ([size[0], size[1]], [overlap[0], overlap[1], overlap[2]]);
                rows.write(reference, order, OverlapSums { s, r, h, sr, sh, rh, srh, absent });
            }
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::index::{token_hash, NgramIndex};
    use super::tokens::for_each_token;
    use super::*;

    fn text(lines: &[&str]) -> Text {
        Text::new(lines.iter().map(Some))
    }

    fn count(source: &str, reference: &str, hypothesis: &str, n: usize, unit: TokenUnit) -> Vec<i32> {
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
    fn words_are_split_at_pythons_white_space() {
        let mut words = Vec::new();
        for_each_token(" a\u{1c}b\u{a0}c\u{200b}d\u{3000}\t", TokenUnit::Word, |word| words.push(word));
        assert_eq!(words, ["a", "b", "c\u{200b}d"]);
    }

    #[test]
    fn graphemes_are_not_code_points() {
        let family = "👨‍👩‍👧";
        assert_eq!(count(family, family, family, 1, TokenUnit::Grapheme)[0], 1);
        assert_eq!(count(family, family, family, 1, TokenUnit::Char)[0], 5);
    }

    #[test]
    fn counts_do_not_depend_on_threads_or_storage() {
        let lines = |make: &dyn Fn(usize) -> String| Text::new((0..2000).map(|i| Some(make(i))));
        let source = lines(&|i| format!("a b {i} c"));
        let references = vec![lines(&|i| format!("a {i} c d")), lines(&|i| format!("b {i}"))];
        let hypotheses = lines(&|i| format!("a b {} c d", i / 2));
        let counted = |keep, threads| {
            let table = NgramTable::new(source.clone(), references.clone(), 4, TokenUnit::Word, keep, threads).unwrap();
            table.count(&hypotheses, true, threads).unwrap()
        };
        assert_eq!(counted(true, 1), counted(true, 4));
        assert_eq!(counted(true, 1), counted(false, 4));
    }

    #[test]
    fn counts_and_evidence_do_not_depend_on_the_seed() {
        let hash = |index: NgramIndex| token_hash(&index.hasher, b"a");
        assert_ne!(hash(NgramIndex::default()), hash(NgramIndex::default()), "seeds");
        let lines = |step: usize| {
            Text::new((0..9).map(|i| Some((0..30).map(|j| format!("w{} ", (i + j * step) % 11)).collect::<String>())))
        };
        let counted = || {
            let table = NgramTable::new(lines(1), vec![lines(2), lines(3)], 3, TokenUnit::Word, true, 1).unwrap();
            let evidence = table.evidence(&lines(4), None, 1).unwrap();
            let strings: Vec<String> = evidence.strings.iter().map(String::from).collect();
            (table.count(&lines(4), true, 1).unwrap(), evidence.rows, strings)
        };
        assert_eq!(counted(), counted());
    }

    #[test]
    fn many_references_are_counted_like_single_ones() {
        let line =
            |number: usize| (0..20).map(|word| format!("w{} ", (number * 7 + word * word) % 997)).collect::<String>();
        let [source, hypothesis] = [3, 5].map(|number| text(&["a", &line(number)]));
        let references: Vec<Text> = (0..300).map(|number| text(&["a b", &line(number)])).collect();
        let counted = |references: &[Text], keep| {
            let table = NgramTable::new(source.clone(), references.to_vec(), 4, TokenUnit::Word, keep, 1).unwrap();
            let counts = table.count(&hypothesis, true, 1).unwrap();
            let mut sums = vec![0; counts.len()];
            for NgramRow { sentence, reference, order, region, weight, .. } in
                table.evidence(&hypothesis, None, 1).unwrap().rows
            {
                let row = (sentence as usize * references.len() + reference as usize) * 4 + order as usize - 1;
                sums[row * COLUMNS.len() + region as usize] += weight as i32;
            }
            assert_eq!(sums, counts);
            let stored = table.stored.first();
            let are_stored = stored.map(|stored| [0, 1].map(|s| stored.sentence(s, table.texts.len()).is_some()));
            (counts, are_stored)
        };
        let (counts, are_stored) = counted(&references, true);
        assert_eq!(are_stored, Some([true, false]));
        assert_eq!((counts.clone(), None), counted(&references, false));
        let row = 4 * COLUMNS.len();
        for (number, reference) in references.chunks(1).enumerate() {
            let (single, are_stored) = counted(reference, true);
            assert_eq!(are_stored, Some([true, true]));
            let of_reference = [number, references.len() + number].map(|cell| &counts[cell * row..][..row]);
            assert_eq!(single, of_reference.concat());
        }
    }

    #[test]
    fn counts_that_are_too_large_are_an_error() {
        for (sentences, references) in [(99, 0), (99, 1), (0, 1)] {
            let text = text(&vec!["a"; sentences]);
            let references = vec![text.clone(); references];
            assert!(NgramTable::new(text, references, 1 << 60, TokenUnit::Word, true, 1).is_err());
        }
    }
}
