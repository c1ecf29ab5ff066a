//! Evidence of the counts: each n-gram of a sentence with its number in each region.

use std::iter::once;
use std::ops::Range;

use super::counter::MAX_UNRESERVED;
use super::distinct::DistinctNgrams;
use super::tokens::Codes;
use super::{NgramCorpus, COLUMNS};
use crate::error::Error;
use crate::parallel;
use crate::text::strings::Strings;
use crate::text::Text;

/// `weight` n-grams of an order (from 1) in a region of [`COLUMNS`]; `text` is an index of the strings.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct NgramRow {
    pub sentence: u32,
    pub reference: u32,
    pub order: u32,
    pub region: u32,
    pub weight: u32,
    pub text: u32,
}

/// Rows by sentence, reference, order and first appearance in source, references and hypothesis.
#[derive(Default)]
pub struct NgramEvidence {
    pub rows: Vec<NgramRow>,
    pub strings: Strings,
}

/// The regions of one n-gram with these multiplicities in source, reference and hypothesis.
fn regions(s: u32, r: u32, h: u32) -> [u32; COLUMNS.len()] {
    let [tk, ud] = [s.min(r).min(h), s.min(h).saturating_sub(r)];
    let [td, ti, od] = [s.saturating_sub(r.max(h)), r.min(h).saturating_sub(s), s.min(r).saturating_sub(h)];
    let [oi, ui] = [h.saturating_sub(s.max(r)), r.saturating_sub(s.max(h))];
    [tk, td, ti, od, oi, ud, ui, if r == 0 { ud } else { 0 }]
}

/// The n-grams of one order in all versions of a sentence, numbered in order of first appearance.
struct NumberedNgrams {
    /// The position where each n-gram appears first.
    firsts: Vec<u32>,
    /// The n-grams of all versions.
    numbers: Vec<u32>,
    /// The n-grams of each version are `numbers[ends[v - 1]..ends[v]]`.
    ends: Vec<usize>,
    /// The multiplicities of each n-gram in source, hypothesis and the current reference.
    multiplicities: Vec<[u32; 3]>,
    /// The index of the text of each n-gram, once it is needed.
    texts: Vec<Option<u32>>,
}

impl NumberedNgrams {
    /// Numbers the n-grams of the next order. None: not enough memory.
    fn next(codes: &[u64], versions: &[Range<usize>], order: usize, distinct: &mut DistinctNgrams) -> Option<Self> {
        distinct.start_order(order, codes.len());
        let (mut numbers, mut ends) = (Vec::new(), vec![0]);
        numbers.try_reserve_exact(codes.len()).ok()?;
        for version in versions {
            let starts = version.start..(version.end + 1).saturating_sub(order).max(version.start);
            distinct.number(codes, starts, |position| position, |_, number| numbers.push(number as u32));
            ends.push(numbers.len());
        }
        let (mut multiplicities, mut texts) = (Vec::new(), Vec::new());
        multiplicities.try_reserve_exact(distinct.firsts().len()).ok()?;
        multiplicities.resize(distinct.firsts().len(), [0; 3]);
        texts.try_reserve_exact(distinct.firsts().len()).ok()?;
        texts.resize(distinct.firsts().len(), None);
        Some(Self { firsts: distinct.firsts().to_vec(), numbers, ends, multiplicities, texts })
    }

    /// Adds the n-grams of a version to the multiplicities with this index, and appends the first occurrences of new
    /// n-grams to `present`.
    fn add(&mut self, version: usize, index: usize, present: &mut Vec<u32>) {
        for &number in &self.numbers[self.ends[version]..self.ends[version + 1]] {
            let multiplicities = &mut self.multiplicities[number as usize];
            if *multiplicities == [0; 3] {
                present.push(number);
            }
            multiplicities[index] += 1;
        }
    }
}

impl NgramCorpus {
    /// The evidence of the counts of [`Self::count`], for references that are present.
    ///
    /// `longest`: only the n-grams up to this order that source, reference and hypothesis do not share.
    ///
    /// Expected cost: O(tokens of all versions × n), O(tokens of source and hypothesis × n × references), and O(n) for
    /// the text of each n-gram. Err: the first sentence whose n-grams do not fit in memory.
    ///
    /// # Panics
    /// If the length of the hypothesis differs from that of the source; callers check it.
    pub fn evidence(&self, hypothesis: &Text, longest: Option<usize>, threads: usize) -> Result<NgramEvidence, Error> {
        self.check(hypothesis)?;
        let blocks = parallel::map_blocks(self.len(), threads, |block| {
            let (mut codes, mut distinct) = (Codes::new(self.unit), DistinctNgrams::default());
            let mut evidence = NgramEvidence::default();
            for sentence in block {
                self.explain(sentence, hypothesis, longest, &mut codes, &mut distinct, &mut evidence)
                    .ok_or_else(|| self.too_large(sentence, hypothesis))?;
            }
            Ok(evidence)
        })?;
        let mut evidence = NgramEvidence::default();
        for block in blocks {
            let texts: Vec<u32> = block.strings.iter().map(|text| evidence.strings.intern(text)).collect();
            evidence.rows.extend(block.rows.iter().map(|row| NgramRow { text: texts[row.text as usize], ..*row }));
        }
        Ok(evidence)
    }

    /// Adds the evidence of a sentence. None: not enough memory.
    fn explain(
        &self,
        sentence: usize,
        hypothesis: &Text,
        longest: Option<usize>,
        codes: &mut Codes,
        distinct: &mut DistinctNgrams,
        evidence: &mut NgramEvidence,
    ) -> Option<()> {
        let n = longest.map_or(self.n, |longest| longest.min(self.n));
        let mut lines = self.lines(sentence, hypothesis);
        let bytes = self.lines(sentence, hypothesis).map(str::len).sum::<usize>();
        if bytes > MAX_UNRESERVED {
            let tokens = self.count_tokens(sentence, hypothesis);
            codes.reserve(tokens)?;
            distinct.reserve(tokens)?;
        }
        codes.read_source(lines.next().unwrap_or_default());
        let ends: Vec<usize> = once(codes.source_length()).chain(lines.map(|line| codes.add(line))).collect();
        let versions: Vec<_> =
            once(0).chain(ends.iter().copied()).zip(ends.iter().copied()).map(|(start, end)| start..end).collect();
        let numbered = (1..=n).map(|order| NumberedNgrams::next(&codes.codes, &versions, order, distinct));
        let mut orders = numbered.collect::<Option<Vec<_>>>()?;
        // The n-grams of source and hypothesis, by order.
        let mut fixed = vec![Vec::new(); n];
        for (ngrams, fixed) in orders.iter_mut().zip(&mut fixed) {
            ngrams.add(0, 0, fixed);
            ngrams.add(versions.len() - 1, 1, fixed);
            fixed.sort_unstable();
        }
        let mut present = Vec::new();
        for (reference, text) in self.references.iter().enumerate() {
            if text.get(sentence).is_none() {
                continue;
            }
            for (order, (ngrams, fixed)) in (1..).zip(orders.iter_mut().zip(&fixed)) {
                present.clone_from(fixed);
                ngrams.add(reference + 1, 2, &mut present);
                present.sort(); // stable: fast for two sequences, the first of which is sorted
                for &number in &present {
                    let [in_source, in_hypothesis, in_reference] = &mut ngrams.multiplicities[number as usize];
                    let weights = regions(*in_source, std::mem::take(in_reference), *in_hypothesis);
                    let first_region = usize::from(longest.is_some()); // without the n-grams that all share
                    let regions = weights.iter().enumerate().skip(first_region);
                    for (region, &weight) in regions.filter(|(_, &weight)| weight > 0) {
                        let first = ngrams.firsts[number as usize] as usize;
                        let text = *ngrams.texts[number as usize]
                            .get_or_insert_with(|| evidence.strings.intern(&codes.text(first..first + order)));
                        evidence.rows.push(NgramRow {
                            sentence: sentence as u32,
                            reference: reference as u32,
                            order: order as u32,
                            region: region as u32,
                            weight,
                            text,
                        });
                    }
                }
            }
        }
        Some(())
    }
}
