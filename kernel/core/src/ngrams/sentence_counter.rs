//! Counts of sentences whose n-grams are not stored, in the memory of one sentence.
//!
//! If only the regions are needed, tokens that all versions share at both ends are removed first. N-grams in source,
//! reference and hypothesis alike only add to the intersection of all three. The versions are cut to the tokens that
//! differ, with n - 1 tokens before and after, which belong to n-grams with a difference. Each removed token counts as
//! the start of one n-gram of every order.

use super::regions::{OverlapSums, RegionRows, COLUMNS};
use super::tokens::{count_tokens, TokenUnit};
use super::versions::VersionNgrams;
use crate::text::words::{common_prefix, common_suffix, is_space};

/// Multiplicities of an n-gram.
#[derive(Clone, Copy, Default)]
struct Multiplicities {
    source: i32,
    hypothesis: i32,
    /// In the current reference, up to the current token.
    reference: i32,
}

impl Multiplicities {
    /// The multiplicity in both source and hypothesis.
    fn shared(&self) -> i32 {
        self.source.min(self.hypothesis)
    }
}

/// Counts sentences one by one, in memory that a thread reuses.
#[derive(Default)]
pub struct SentenceCounter<'a> {
    /// The source, the references and the hypothesis.
    pub texts: Vec<&'a str>,
    ngrams: VersionNgrams,
    multiplicities: Vec<Multiplicities>,
}

impl SentenceCounter<'_> {
    /// Writes the rows of the sentence. Expected O(tokens × n), also in memory. None: not enough memory.
    pub fn count(&mut self, unit: TokenUnit, rows: &mut RegionRows) -> Option<()> {
        // Only the regions can be computed without the tokens that all versions share at both ends.
        let has_absent = rows.columns == COLUMNS.len();
        let common = if has_absent { 0 } else { narrow(&mut self.texts, rows.n, unit) };
        self.ngrams.read(&self.texts, rows.n, unit)?;
        let Self { texts, ngrams, multiplicities } = self;
        let distinct = ngrams.index.ngrams.len();
        multiplicities.clear();
        multiplicities.try_reserve(distinct).ok()?;
        multiplicities.resize(distinct, Multiplicities::default());
        let hypothesis = texts.len() - 1;
        for order in 0..rows.n {
            let size = |version: usize| ngrams.size(version, order) + common;
            let (s, h, mut sh) = (size(0), size(hypothesis), common);
            ngrams.occurrences(0, order).iter().for_each(|&ngram| multiplicities[ngram as usize].source += 1);
            for &ngram in ngrams.occurrences(hypothesis, order) {
                let ngram = &mut multiplicities[ngram as usize];
                sh += i32::from(ngram.hypothesis < ngram.source);
                ngram.hypothesis += 1;
            }
            for reference in 1..hypothesis {
                let occurrences = ngrams.occurrences(reference, order);
                let (mut sr, mut rh, mut srh, mut absent) = (common, common, common, sh);
                for &ngram in occurrences {
                    let ngram = &mut multiplicities[ngram as usize];
                    sr += i32::from(ngram.reference < ngram.source);
                    rh += i32::from(ngram.reference < ngram.hypothesis);
                    srh += i32::from(ngram.reference < ngram.shared());
                    absent -= if ngram.reference == 0 { ngram.shared() } else { 0 };
                    ngram.reference += 1;
                }
                occurrences.iter().for_each(|&ngram| multiplicities[ngram as usize].reference = 0);
                rows.write(reference - 1, order, OverlapSums { s, r: size(reference), h, sr, sh, rh, srh, absent });
            }
        }
        Some(())
    }
}

/// Removes tokens that belong to no n-gram with a difference, and returns their number. Requires at least one text.
/// O(bytes of all texts).
fn narrow(texts: &mut [&str], n: usize, unit: TokenUnit) -> i32 {
    if unit == TokenUnit::Grapheme {
        return 0; // the next character may extend a cluster
    }
    let (first, rest) = (texts[0], &texts[1..]);
    let shortest = texts.iter().map(|text| text.len()).min().unwrap_or(0);
    let prefix = rest.iter().fold(shortest, |bytes, text| common_prefix(&first.as_bytes()[..bytes], text.as_bytes()));
    let prefix = (0..=prefix).rev().find(|&bytes| first.is_char_boundary(bytes)).unwrap_or(0);
    let start = prefix - context_bytes(first[..prefix].chars().rev(), n, unit);
    let suffix = rest.iter().fold(shortest - prefix, |bytes, text| {
        common_suffix(&first.as_bytes()[first.len() - bytes..], text.as_bytes())
    });
    let suffix = (0..=suffix).rev().find(|&bytes| first.is_char_boundary(first.len() - bytes)).unwrap_or(0);
    let end = suffix - context_bytes(first[first.len() - suffix..].chars(), n, unit);
    let tokens = count_tokens(&first[..start], unit) + count_tokens(&first[first.len() - end..], unit);
    texts.iter_mut().for_each(|text| *text = &text[start..text.len() - end]);
    tokens as i32
}

/// The number of bytes of the common tokens that belong to n-grams with a difference. `outwards`: the common characters
/// from the difference on.
fn context_bytes(outwards: impl Iterator<Item = char>, n: usize, unit: TokenUnit) -> usize {
    let bytes = |characters: &mut dyn Iterator<Item = char>| characters.map(char::len_utf8).sum();
    if unit != TokenUnit::Word {
        return bytes(&mut outwards.take(n - 1));
    }
    // The first word, which may be empty, is part of a word with the difference.
    let (mut words, mut is_after_space) = (1, false);
    bytes(&mut outwards.take_while(|&c| {
        words += usize::from(is_space(c) && !is_after_space);
        is_after_space = is_space(c);
        words <= n
    }))
}
