//! Multisets of n-grams: how a hypothesis overlaps with a source and its references.
//!
//! For every sentence, reference and order 1..=n the eight numbers of [`COLUMNS`] are counted: the seven
//! regions of the Venn diagram of source S, reference R and hypothesis H (multiset cardinalities, Koyama
//! et al. 2024), and the part of "under-delete" whose n-grams the reference lacks altogether (the penalty of
//! the GLEU scorer). All of them follow from six sums over n-grams x,
//! `|S|, |R|, |H|, |S∩R|, |S∩H|, |R∩H|, |S∩R∩H|`, by inclusion and exclusion; only those that involve
//! the hypothesis are counted per system.
//!
//! Cost: preparing is O(tokens of source and references × n), counting O((tokens of source, references and
//! hypothesis) × n × references), both expected time, in memory of the same order. No line is special.

use std::hash::Hasher;

use rustc_hash::FxHasher;
use unicode_segmentation::UnicodeSegmentation;

use crate::parallel;
use crate::text::words::words;

/// What is counted for one order, in this order: true keep, true delete, true insert, over-delete,
/// over-insert, under-delete, under-insert, and under-delete of n-grams that the reference lacks altogether.
pub const COLUMNS: [&str; 8] = ["tk", "td", "ti", "od", "oi", "ud", "ui", "ud_absent"];

/// What a token is.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Runs of anything but white space, as Python's `str.split()`.
    Word,
    /// Unicode code points, white space included.
    Char,
    /// Extended grapheme clusters (UAX #29), white space included.
    Grapheme,
}

/// Calls `token` with every token of `text`, in order.
pub fn for_each_token<'a>(text: &'a str, unit: Unit, mut token: impl FnMut(&'a str)) {
    match unit {
        Unit::Word => words(text).for_each(token),
        Unit::Char => text.char_indices().for_each(|(at, c)| token(&text[at..at + c.len_utf8()])),
        Unit::Grapheme => text.graphemes(true).for_each(token),
    }
}

fn hash_text(text: &str) -> u64 {
    let mut hasher = FxHasher::default();
    hasher.write(text.as_bytes());
    hasher.finish()
}

/// A number that no n-gram has: "not among those of source and references".
const NONE: u32 = u32::MAX;

/// An open-addressing table from hashes to the numbers 0, 1, 2, … of entries kept elsewhere. Reused from
/// sentence to sentence; clearing costs the capacity of the current sentence, not of the largest one.
#[derive(Default)]
struct Table {
    slots: Vec<u32>,
    mask: usize,
}

impl Table {
    fn reset(&mut self, entries: usize) {
        let capacity = (2 * entries).next_power_of_two().max(8);
        self.mask = capacity - 1;
        self.slots.clear();
        self.slots.resize(capacity, NONE);
    }

    /// The number of the entry `same` accepts, or the free slot where it belongs.
    fn find(&self, hash: u64, same: impl Fn(u32) -> bool) -> Result<u32, usize> {
        // The high bits of an Fx hash are the good ones.
        let mut slot = (hash >> 32) as usize & self.mask;
        loop {
            match self.slots[slot] {
                NONE => return Err(slot),
                entry if same(entry) => return Ok(entry),
                _ => slot = (slot + 1) & self.mask,
            }
        }
    }
}

/// An n-gram: the number of the (n-1)-gram it extends and the number of its last token.
#[derive(Clone, Copy, PartialEq, Eq)]
struct Gram {
    parent: u32,
    token: u32,
}

impl Gram {
    fn hash(self) -> u64 {
        let key = (u64::from(self.parent) << 32) | u64::from(self.token);
        let mixed = key.wrapping_mul(0x9e37_79b9_7f4a_7c15);
        mixed ^ (mixed >> 29)
    }
}

/// A distinct token of a source or a reference: where its text stands, and its hash.
struct Token {
    hash: u64,
    text: u32,
    start: u32,
    end: u32,
}

/// The n-grams of one source and its references. Tokens are the unigrams, numbered first; the n-grams of
/// each order follow on those of the order before. `counts[gram × texts + text]`, text 0 being the source.
struct Sentence {
    tokens: Vec<Token>,
    grams: Vec<Gram>,
    counts: Vec<u32>,
    /// For each order |S|, then per reference |R|, |S∩R| and the part of S that R lacks altogether:
    /// `[order][1 + 3 × references]`.
    sizes: Vec<u32>,
}

/// Scratch memory of one thread.
#[derive(Default)]
struct Scratch {
    words: Table,
    table: Table,
    ids: Vec<u32>,
    grams: Vec<u32>,
    seen: Vec<u32>,
    sums: Vec<u32>,
}

/// The n-grams of sources and references, ready to be compared with any number of hypotheses.
pub struct NgramTable<T> {
    sentences: Vec<Sentence>,
    texts: Vec<Vec<T>>,
    n: usize,
    unit: Unit,
    references: usize,
}

impl<T: AsRef<str> + Sync> NgramTable<T> {
    /// `texts[s]` holds the source of sentence s and then its references, the same number for each.
    pub fn new(texts: Vec<Vec<T>>, n: usize, unit: Unit, threads: usize) -> Self {
        let references = texts.first().map_or(0, |texts| texts.len() - 1);
        let mut sentences: Vec<Option<Sentence>> = (0..texts.len()).map(|_| None).collect();
        parallel::chunks(&mut sentences, 1, threads, Scratch::default, |s, slot, scratch| {
            slot[0] = Some(Sentence::new(&texts[s], n, unit, scratch));
        });
        Self { sentences: sentences.into_iter().flatten().collect(), texts, n, unit, references }
    }

    /// Length of the table, in sentences.
    pub fn len(&self) -> usize {
        self.sentences.len()
    }

    /// Whether there is no sentence at all.
    pub fn is_empty(&self) -> bool {
        self.sentences.is_empty()
    }

    /// The shape of what [`Self::count`] returns: sentences, references, orders, columns.
    pub fn shape(&self) -> [usize; 4] {
        [self.len(), self.references, self.n, COLUMNS.len()]
    }

    /// Counts `[sentence][reference][order][column]` of one hypothesis for each sentence.
    ///
    /// # Panics
    /// If there are not as many hypotheses as sentences; the caller checks.
    pub fn count<H: AsRef<str> + Sync>(&self, hypotheses: &[H], threads: usize) -> Vec<i32> {
        assert_eq!(hypotheses.len(), self.len());
        let [_, _, _, columns] = self.shape();
        let row = self.references * self.n * columns;
        let mut counts = vec![0; self.len() * row];
        if row > 0 {
            parallel::chunks(&mut counts, row, threads, Scratch::default, |s, out, scratch| {
                let sentence = &self.sentences[s];
                sentence.count(&self.texts[s], hypotheses[s].as_ref(), self.n, self.unit, scratch, out);
            });
        }
        counts
    }
}

impl Sentence {
    fn new<T: AsRef<str>>(texts: &[T], n: usize, unit: Unit, scratch: &mut Scratch) -> Self {
        let width = texts.len();
        let mut sentence = Self { tokens: Vec::new(), grams: Vec::new(), counts: Vec::new(), sizes: Vec::new() };
        let Scratch { words, table, ids, grams, .. } = scratch;

        // Bytes bound the number of tokens from above; splitting twice would cost more than a roomy table.
        words.reset(texts.iter().map(|text| text.as_ref().len()).sum::<usize>() / 2 + width);
        ids.clear();
        let mut ends = Vec::with_capacity(width);
        for (version, text) in texts.iter().enumerate() {
            let text = text.as_ref();
            for_each_token(text, unit, |token| {
                let hash = hash_text(token);
                let found = words.find(hash, |id| sentence.is_token(texts, id, hash, token));
                ids.push(found.unwrap_or_else(|slot| {
                    let id = sentence.tokens.len() as u32;
                    words.slots[slot] = id;
                    let start = token.as_ptr() as usize - text.as_ptr() as usize;
                    sentence.tokens.push(Token {
                        hash,
                        text: version as u32,
                        start: start as u32,
                        end: (start + token.len()) as u32,
                    });
                    id
                }));
            });
            ends.push(ids.len());
        }

        sentence.grams.extend((0..sentence.tokens.len() as u32).map(|token| Gram { parent: NONE, token }));
        sentence.counts.resize(sentence.tokens.len() * width, 0);
        grams.clear();
        grams.extend_from_slice(ids);
        table.reset(ids.len() * n.saturating_sub(1));
        let mut first = 0;
        for order in 1..=n {
            let mut start = 0;
            for (version, &end) in ends.iter().enumerate() {
                for at in start..(end + 1).saturating_sub(order).max(start) {
                    if order > 1 {
                        let gram = Gram { parent: grams[at], token: ids[at + order - 1] };
                        grams[at] = sentence.intern(table, gram, width);
                    }
                    sentence.counts[grams[at] as usize * width + version] += 1;
                }
                start = end;
            }
            sentence.push_sizes(first, width);
            first = sentence.grams.len();
        }
        sentence
    }

    fn is_token<T: AsRef<str>>(&self, texts: &[T], id: u32, hash: u64, text: &str) -> bool {
        let token = &self.tokens[id as usize];
        token.hash == hash && texts[token.text as usize].as_ref()[token.start as usize..token.end as usize] == *text
    }

    fn intern(&mut self, table: &mut Table, gram: Gram, width: usize) -> u32 {
        match table.find(gram.hash(), |id| self.grams[id as usize] == gram) {
            Ok(id) => id,
            Err(slot) => {
                let id = self.grams.len() as u32;
                table.slots[slot] = id;
                self.grams.push(gram);
                self.counts.resize(self.counts.len() + width, 0);
                id
            }
        }
    }

    /// The sums of one order that do not depend on a hypothesis; its n-grams are those from `first` on.
    fn push_sizes(&mut self, first: usize, width: usize) {
        let base = self.sizes.len();
        self.sizes.resize(base + sums_per_order(width), 0);
        let sizes = &mut self.sizes[base..];
        for row in self.counts[first * width..].chunks_exact(width) {
            sizes[0] += row[0];
            for (size, &r) in sizes[1..].chunks_exact_mut(3).zip(&row[1..]) {
                size[0] += r;
                size[1] += r.min(row[0]);
                size[2] += if r == 0 { row[0] } else { 0 };
            }
        }
    }

    fn count<T: AsRef<str>>(
        &self,
        texts: &[T],
        hypothesis: &str,
        n: usize,
        unit: Unit,
        scratch: &mut Scratch,
        out: &mut [i32],
    ) {
        let per_order = sums_per_order(texts.len());
        // Most sentences of most systems are left as they are.
        if hypothesis == texts[0].as_ref() {
            for (order, sizes) in self.sizes.chunks_exact(per_order).enumerate() {
                let sums =
                    |reference: usize| [sizes[2 + 3 * reference], sizes[2 + 3 * reference], sizes[3 + 3 * reference]];
                regions(sizes, sizes[0], sizes[0], sums, order, n, out);
            }
            return;
        }
        self.start(texts, hypothesis, unit, scratch);
        for (order, sizes) in self.sizes.chunks_exact(per_order).enumerate() {
            let length = self.overlap(order, texts.len(), scratch);
            let overlaps = &scratch.sums;
            let sums = |reference: usize| {
                [overlaps[1 + 3 * reference], overlaps[2 + 3 * reference], overlaps[3 + 3 * reference]]
            };
            regions(sizes, length, overlaps[0], sums, order, n, out);
        }
    }

    /// Numbers the tokens of a hypothesis.
    fn start<T: AsRef<str>>(&self, texts: &[T], hypothesis: &str, unit: Unit, scratch: &mut Scratch) {
        let Scratch { words, table, ids, grams, seen, .. } = scratch;
        self.index(words, table);
        ids.clear();
        for_each_token(hypothesis, unit, |token| {
            let hash = hash_text(token);
            ids.push(words.find(hash, |id| self.is_token(texts, id, hash, token)).unwrap_or(NONE));
        });
        grams.clear();
        grams.extend_from_slice(ids);
        seen.clear();
        seen.resize(self.grams.len(), 0);
    }

    /// The number of the hypothesis' n-grams of the next order (0 for unigrams). Leaves in `scratch.sums` |S∩H|, then
    /// per reference |R∩H|, |S∩R∩H| and the n-grams of S∩H that R lacks altogether.
    fn overlap(&self, order: usize, width: usize, scratch: &mut Scratch) -> u32 {
        let Scratch { table, ids, grams, seen, sums, .. } = scratch;
        sums.clear();
        sums.resize(sums_per_order(width), 0);
        let length = ids.len().saturating_sub(order);
        for at in 0..length {
            if order > 0 {
                let gram = Gram { parent: grams[at], token: ids[at + order] };
                grams[at] = if gram.parent == NONE || gram.token == NONE {
                    NONE
                } else {
                    table.find(gram.hash(), |id| self.grams[id as usize] == gram).unwrap_or(NONE)
                };
            }
            if grams[at] == NONE {
                continue;
            }
            let gram = grams[at] as usize;
            let before = seen[gram];
            seen[gram] += 1;
            let row = &self.counts[gram * width..(gram + 1) * width];
            let in_source = u32::from(before < row[0]);
            sums[0] += in_source;
            for (sum, &r) in sums[1..].chunks_exact_mut(3).zip(&row[1..]) {
                let in_reference = u32::from(before < r);
                sum[0] += in_reference;
                sum[1] += in_source & in_reference;
                sum[2] += in_source & u32::from(r == 0);
            }
        }
        length as u32
    }

    /// Rebuilds the look-up tables: quicker, and far smaller, than keeping one for every sentence.
    fn index(&self, words: &mut Table, table: &mut Table) {
        words.reset(self.tokens.len());
        for (id, token) in self.tokens.iter().enumerate() {
            if let Err(slot) = words.find(token.hash, |_| false) {
                words.slots[slot] = id as u32;
            }
        }
        table.reset(self.grams.len() - self.tokens.len());
        for (id, gram) in self.grams.iter().enumerate().skip(self.tokens.len()) {
            if let Err(slot) = table.find(gram.hash(), |_| false) {
                table.slots[slot] = id as u32;
            }
        }
    }
}

/// One number of the source or hypothesis, and three for each reference.
fn sums_per_order(width: usize) -> usize {
    1 + 3 * (width - 1)
}

/// Writes the row of one order for every reference: the regions by inclusion and exclusion from the `sizes` of that
/// order, |H|, |S∩H| and, per reference, |R∩H|, |S∩R∩H| and the n-grams of S∩H that R lacks altogether.
fn regions(sizes: &[u32], h: u32, sh: u32, sums: impl Fn(usize) -> [u32; 3], order: usize, n: usize, out: &mut [i32]) {
    let s = sizes[0];
    for (reference, size) in sizes[1..].chunks_exact(3).enumerate() {
        let [r, sr] = [size[0], size[1]];
        let [rh, srh, absent] = sums(reference);
        let row = [srh, s + srh - sr - sh, rh - srh, sr - srh, h + srh - sh - rh, sh - srh, r + srh - sr - rh, absent];
        let at = (reference * n + order) * COLUMNS.len();
        for (cell, region) in out[at..].iter_mut().zip(row) {
            *cell = region as i32;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn count(source: &str, reference: &str, hypothesis: &str, n: usize, unit: Unit) -> Vec<i32> {
        NgramTable::new(vec![vec![source, reference]], n, unit, 1).count(&[hypothesis], 1)
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
        let texts: Vec<Vec<String>> =
            (0..2000).map(|i| vec![format!("a b {i} c"), format!("a {i} c d"), format!("b {i}")]).collect();
        let hypotheses: Vec<String> = (0..2000).map(|i| format!("a b {} c d", i / 2)).collect();
        let one = NgramTable::new(texts.clone(), 4, Unit::Word, 1).count(&hypotheses, 1);
        let four = NgramTable::new(texts, 4, Unit::Word, 4).count(&hypotheses, 4);
        assert_eq!(one, four);
    }
}
