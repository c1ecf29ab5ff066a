//! Multisets of n-grams: how a hypothesis overlaps with a source and its references.
//!
//! For every sentence, reference and order 1..=n the eight numbers of [`COLUMNS`] are counted: the seven
//! regions of the Venn diagram of source S, reference R and hypothesis H (multiset cardinalities, Koyama
//! et al. 2024), and the part of "under-delete" whose n-grams the reference lacks altogether (the penalty of
//! the GLEU scorer). All of them follow from six sums over n-grams x,
//! `|S|, |R|, |H|, |S∩R|, |S∩H|, |R∩H|, |S∩R∩H|`, by inclusion and exclusion; only those that involve
//! the hypothesis are counted per system.
//!
//! Where several hypotheses are to come, the n-grams of sources and references are kept; a single one is counted with
//! them, sentence by sentence, in memory of one sentence.
//!
//! Cost: keeping is O(tokens of source and references × n), counting O(tokens of the hypothesis × n × references), with
//! those of source and references where they are not kept, both expected time; memory O(tokens of source and references
//! × n × references) where they are kept. No line is special.

mod evidence;
mod grams;
mod shared;
mod table;
mod tokens;
mod window;

use std::ops::Range;

pub use self::evidence::{NgramEvidence, NgramRow};
use self::grams::{Gram, Grams, Index, Starts, Token};
use self::shared::{shared, Shared, Span};
use self::table::NONE;
pub use self::tokens::Unit;
use self::tokens::{for_each_token, hash};
use self::window::narrow;
use crate::parallel;
use crate::text::Text;

/// What is counted for one order, in this order: true keep, true delete, true insert, over-delete,
/// over-insert, under-delete, under-insert, and under-delete of n-grams that the reference lacks altogether.
pub const COLUMNS: [&str; 8] = ["tk", "td", "ti", "od", "oi", "ud", "ui", "ud_absent"];

/// Sentences whose n-grams share their memory.
const RUN: usize = 256;

/// The most bytes of counts there may be at a time.
const MOST: usize = 1 << 32;

/// N-grams of all versions of a sentence that are counted at once, at most; each takes some 40 bytes.
const MOST_GRAMS: usize = 1 << 26;

/// Sources and references, ready to be compared with any number of hypotheses.
pub struct NgramTable {
    /// The source, then the references. A missing line counts as an empty one.
    texts: Vec<Text>,
    n: usize,
    unit: Unit,
    /// Their n-grams, if they are kept.
    runs: Vec<Run>,
}

/// Where the parts of a sentence end in the columns of its run.
#[derive(Clone, Copy, Default)]
struct Ends {
    tokens: usize,
    grams: usize,
    words: usize,
    further: usize,
    orders: usize,
    spans: usize,
    places: usize,
}

/// The n-grams of consecutive sentences in columns.
#[derive(Default)]
struct Run {
    ends: Vec<Ends>,
    tokens: Vec<Token>,
    grams: Vec<Gram>,
    words: Vec<u32>,
    further: Vec<u32>,
    /// Where the n-grams of each order end.
    orders: Vec<usize>,
    /// Where the tokens of the source stand, and the n-grams that start at them, order after order.
    spans: Vec<Span>,
    places: Vec<u32>,
    /// For each sentence `counts[version × n-grams + n-gram]`.
    counts: Vec<i32>,
    /// For each sentence and order |S|, then per reference |R|, |S∩R| and the part of S that R lacks altogether.
    sizes: Vec<i32>,
}

/// A sentence of a run: see [`Run`] and [`Grams`].
#[derive(Clone, Copy)]
struct Sentence<'a> {
    index: Index<'a>,
    orders: &'a [usize],
    spans: &'a [Span],
    places: &'a [u32],
    counts: &'a [i32],
}

impl Sentence<'_> {
    /// How often a version has the n-grams.
    fn counts_of(&self, version: usize) -> &[i32] {
        let grams = self.index.grams.len();
        &self.counts[version * grams..(version + 1) * grams]
    }

    /// The n-grams of an order (from 0 on).
    fn grams_of(&self, order: usize) -> Range<usize> {
        let end = |order: usize| self.orders.get(order).or(self.orders.last()).copied().unwrap_or(0);
        order.checked_sub(1).map_or(0, end)..end(order)
    }

    /// The n-grams of an order that start at the tokens of the source.
    fn of_source(&self, order: usize) -> &[u32] {
        &self.places[order * self.spans.len()..][..self.spans.len()]
    }
}

impl NgramTable {
    /// Source and references must have the same length; `keep` their n-grams where several hypotheses will come.
    /// Errors: the counts of a system, or a sentence, are too large.
    pub fn new(
        source: Text,
        references: Vec<Text>,
        n: usize,
        unit: Unit,
        keep: bool,
        threads: usize,
    ) -> Result<Self, String> {
        let cells = [source.len(), references.len(), n, COLUMNS.len()];
        let bytes = cells.iter().try_fold(size_of::<i32>(), |bytes, &cells| bytes.checked_mul(cells));
        if bytes.is_none_or(|bytes| bytes > MOST) {
            return Err(format!("n is {n}: the counts of {} sentences do not fit in 4 GiB", source.len()));
        }
        let mut texts = vec![source];
        texts.extend(references);
        let table = Self { texts, n, unit, runs: Vec::new() };
        table.check(None)?;
        if !keep {
            return Ok(table);
        }
        let mut runs: Vec<Run> = (0..table.len().div_ceil(RUN)).map(|_| Run::default()).collect();
        parallel::few(&mut runs, 1, threads, |at, run| run[0] = table.run(at * RUN..table.len().min((at + 1) * RUN)));
        Ok(Self { runs, ..table })
    }

    /// Error: the versions of a sentence have more n-grams than are counted at once; says which. O(sentences), but for
    /// sentences of millions of bytes.
    pub fn check(&self, hypotheses: Option<&Text>) -> Result<(), String> {
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
                let message = "too many n-grams at once; is a line end missing?";
                return Err(format!("sentence {number}, of {tokens} tokens in all versions, with n {n}: {message}"));
            }
        }
        Ok(())
    }

    /// Length of the table, in sentences.
    pub fn len(&self) -> usize {
        self.texts[0].len()
    }

    /// Whether there is no sentence at all.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    /// The shape of what [`Self::count`] returns: sentences, references, orders, columns.
    pub fn shape(&self, absent: bool) -> [usize; 4] {
        [self.len(), self.texts.len() - 1, self.n, COLUMNS.len() - usize::from(!absent)]
    }

    /// Counts `[sentence][reference][order][column]` of one hypothesis for each sentence; the last column only if it is
    /// asked for (`absent`). Error: no memory for them.
    ///
    /// # Panics
    /// If there are not as many hypotheses as sentences; the caller checks.
    pub fn count(&self, hypotheses: &Text, absent: bool, threads: usize) -> Result<Vec<i32>, String> {
        assert_eq!(hypotheses.len(), self.len());
        let [sentences, references, n, columns] = self.shape(absent);
        let row = references * n * columns;
        let mut counts = Vec::new();
        counts.try_reserve_exact(sentences * row).map_err(|error| error.to_string())?;
        counts.resize(sentences * row, 0);
        if row > 0 && self.runs.is_empty() {
            parallel::chunks(&mut counts, row, threads, Together::default, |s, out, scratch| {
                scratch.texts.clear();
                scratch.texts.extend(self.texts.iter().chain([hypotheses]).map(|text| text.line(s)));
                scratch.count(self.unit, &mut Rows { n, columns, out });
            });
        } else if row > 0 {
            parallel::chunks(&mut counts, row, threads, Scratch::default, |s, out, scratch| {
                self.count_sentence(s, hypotheses.line(s), scratch, &mut Rows { n, columns, out });
            });
        }
        Ok(counts)
    }

    fn run(&self, sentences: Range<usize>) -> Run {
        let (mut run, mut grams) = (Run::default(), Grams::default());
        let mut texts = Vec::with_capacity(self.texts.len());
        let bytes = |s: usize| 1 + self.texts.iter().map(|text| text.line(s).len()).sum::<usize>();
        let all: usize = sentences.clone().map(bytes).sum();
        for s in sentences.clone() {
            texts.clear();
            texts.extend(self.texts.iter().map(|text| text.line(s)));
            grams.read(&texts, self.n, self.unit);
            run.push(&grams, texts.len(), self.n);
            if s == sentences.start {
                run.reserve(all / bytes(s));
            }
        }
        run
    }

    fn count_sentence(&self, s: usize, hypothesis: &str, scratch: &mut Scratch, rows: &mut Rows) {
        let run = &self.runs[s / RUN];
        let per_order = sums_per_order(self.texts.len());
        let sizes = &run.sizes[(s % RUN) * self.n * per_order..][..self.n * per_order];
        // Most sentences of most systems are left as they are.
        if hypothesis == self.texts[0].line(s) {
            for (order, sizes) in sizes.chunks_exact(per_order).enumerate() {
                let s = sizes[0];
                for (reference, size) in sizes[1..].chunks_exact(3).enumerate() {
                    let [r, sr, absent] = [size[0], size[1], size[2]];
                    rows.write(reference, order, Sums { s, r, h: s, sr, sh: s, rh: sr, srh: sr, absent });
                }
            }
            return;
        }
        let sentence = run.sentence(s % RUN, self.texts.len());
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
    }
}

/// The six sums over n-grams of an order, with |S∩R∩H|, and the n-grams of S∩H that R lacks altogether.
#[derive(Clone, Copy)]
struct Sums {
    s: i32,
    r: i32,
    h: i32,
    sr: i32,
    sh: i32,
    rh: i32,
    srh: i32,
    absent: i32,
}

/// Where the counts of a sentence go.
struct Rows<'a> {
    n: usize,
    columns: usize,
    out: &'a mut [i32],
}

impl Rows<'_> {
    /// Writes the row of a reference and order: the regions, by inclusion and exclusion.
    #[inline]
    fn write(&mut self, reference: usize, order: usize, sums: Sums) {
        let Sums { s, r, h, sr, sh, rh, srh, absent } = sums;
        let row = [srh, s + srh - sr - sh, rh - srh, sr - srh, h + srh - sh - rh, sh - srh, r + srh - sr - rh, absent];
        let at = (reference * self.n + order) * self.columns;
        self.out[at..at + self.columns].copy_from_slice(&row[..self.columns]);
    }
}

/// A sentence at work whose n-grams are not kept: source, references and hypothesis at once.
#[derive(Default)]
struct Together<'a> {
    texts: Vec<&'a str>,
    grams: Grams,
    /// What hypothesis and source share of each n-gram of an order.
    kept: Vec<i32>,
}

impl Together<'_> {
    /// What all versions have in common at both ends is kept whatever it is, so that only its number matters; but for
    /// the n-grams that a reference lacks altogether, for which all are looked at.
    fn count(&mut self, unit: Unit, rows: &mut Rows) {
        let absent = rows.columns == COLUMNS.len();
        let common = if absent { 0 } else { narrow(&mut self.texts, rows.n, unit) };
        self.grams.read(&self.texts, rows.n, unit);
        let hypothesis = self.texts.len() - 1;
        for order in 0..rows.n {
            let counts = |version: usize| self.grams.counts_of(version, order);
            let size = |version: usize| self.grams.size(version, order) + common;
            let (source, own) = (counts(0), counts(hypothesis));
            self.kept.clear();
            self.kept.extend(source.iter().zip(own).map(|(&s, &h)| s.min(h)));
            let (s, h, sh) = (size(0), size(hypothesis), common + self.kept.iter().sum::<i32>());
            for version in 1..hypothesis {
                let reference = counts(version);
                let [sr, rh, srh] = [source, own, &self.kept].map(|other| common + shared_sum(reference, other));
                let absent = if absent { absent_sum(&self.kept, reference) } else { 0 };
                rows.write(version - 1, order, Sums { s, r: size(version), h, sr, sh, rh, srh, absent });
            }
        }
    }
}

/// Makes room for so many times what a column holds.
fn grow<T>(column: &mut Vec<T>, times: usize) {
    column.reserve(column.len() * times);
}

impl Run {
    /// Makes room for so many sentences like those that are there.
    fn reserve(&mut self, times: usize) {
        grow(&mut self.ends, times);
        grow(&mut self.tokens, times);
        grow(&mut self.grams, times);
        grow(&mut self.words, times);
        grow(&mut self.further, times);
        grow(&mut self.orders, times);
        grow(&mut self.spans, times);
        grow(&mut self.places, times);
        grow(&mut self.counts, times);
        grow(&mut self.sizes, times);
    }

    fn push(&mut self, grams: &Grams, versions: usize, n: usize) {
        let index = grams.index();
        self.tokens.extend_from_slice(index.tokens);
        self.grams.extend_from_slice(index.grams);
        self.words.extend_from_slice(index.words);
        self.further.extend_from_slice(index.further);
        self.orders.extend_from_slice(&grams.orders);
        self.spans.extend_from_slice(&grams.spans);
        (0..grams.orders.len()).for_each(|order| self.places.extend_from_slice(grams.of_source(order)));
        self.counts.extend_from_slice(&grams.counts);
        self.ends.push(Ends {
            tokens: self.tokens.len(),
            grams: self.grams.len(),
            words: self.words.len(),
            further: self.further.len(),
            orders: self.orders.len(),
            spans: self.spans.len(),
            places: self.places.len(),
        });
        let mut sizes = std::mem::take(&mut self.sizes);
        let sentence = self.sentence(self.ends.len() - 1, versions);
        for order in 0..n {
            let own = sentence.grams_of(order);
            let source = &sentence.counts_of(0)[own.clone()];
            sizes.push(source.iter().sum());
            for version in 1..versions {
                let reference = &sentence.counts_of(version)[own.clone()];
                sizes.extend([reference.iter().sum(), shared_sum(source, reference), absent_sum(source, reference)]);
            }
        }
        self.sizes = sizes;
    }

    /// A sentence of the run.
    fn sentence(&self, at: usize, versions: usize) -> Sentence<'_> {
        let start = at.checked_sub(1).map_or(Ends::default(), |before| self.ends[before]);
        let end = self.ends[at];
        let index = Index {
            tokens: &self.tokens[start.tokens..end.tokens],
            grams: &self.grams[start.grams..end.grams],
            words: &self.words[start.words..end.words],
            further: &self.further[start.further..end.further],
        };
        Sentence {
            index,
            orders: &self.orders[start.orders..end.orders],
            spans: &self.spans[start.spans..end.spans],
            places: &self.places[start.places..end.places],
            counts: &self.counts[start.grams * versions..end.grams * versions],
        }
    }
}

/// The number of n-grams that two multisets share.
#[inline]
fn shared_sum(a: &[i32], b: &[i32]) -> i32 {
    a.iter().zip(b).map(|(&a, &b)| a.min(b)).sum()
}

/// The number of n-grams that the second multiset lacks altogether.
#[inline]
fn absent_sum(a: &[i32], b: &[i32]) -> i32 {
    a.iter().zip(b).map(|(&a, &b)| if b == 0 { a } else { 0 }).sum()
}

/// The hypothesis at work, in memory that a thread uses again and again.
#[derive(Default)]
struct Scratch {
    prefix: usize,
    suffix: usize,
    ids: Vec<u32>,
    places: Vec<u32>,
    /// How often the hypothesis has each n-gram of the sentence, and what it shares with the source.
    seen: Vec<i32>,
    kept: Vec<i32>,
    sums: Vec<i32>,
}

impl Scratch {
    /// Numbers the tokens of a hypothesis.
    fn start<'a>(&mut self, sentence: Sentence, texts: impl Fn(u32) -> &'a str, hypothesis: &str, unit: Unit) {
        let Shared { prefix, suffix, middle } = shared(texts(0), sentence.spans, hypothesis, unit);
        let source = if sentence.spans.is_empty() { &[] } else { sentence.of_source(0) };
        (self.prefix, self.suffix) = (prefix, suffix);
        self.ids.clear();
        self.ids.extend_from_slice(&source[..prefix]);
        for_each_token(&hypothesis[middle], unit, |token| {
            self.ids.push(sentence.index.token(&texts, token, hash(token)).unwrap_or(NONE));
        });
        self.ids.extend_from_slice(&source[source.len() - suffix..]);
        self.places.clear();
        self.places.extend_from_slice(&self.ids);
        self.seen.clear();
        self.seen.resize(sentence.index.grams.len(), 0);
    }

    /// The number of the hypothesis' n-grams of the next order (0 for unigrams). Leaves in `sums` |S∩H|, then per
    /// reference |R∩H|, |S∩R∩H| and the n-grams of S∩H that R lacks altogether.
    fn overlap(&mut self, sentence: Sentence, versions: usize, order: usize) -> i32 {
        let length = self.ids.len().saturating_sub(order);
        let own = sentence.grams_of(order);
        if !own.is_empty() {
            self.extend(sentence, order);
            for &place in self.places[..length].iter().filter(|&&place| place != NONE) {
                self.seen[place as usize] += 1;
            }
        }
        let seen = &self.seen[own.clone()];
        self.kept.clear();
        self.kept.extend(sentence.counts_of(0)[own.clone()].iter().zip(seen).map(|(&s, &h)| s.min(h)));
        self.sums.clear();
        self.sums.push(self.kept.iter().sum());
        for version in 1..versions {
            let reference = &sentence.counts_of(version)[own.clone()];
            let [with, kept] = [shared_sum(reference, seen), shared_sum(reference, &self.kept)];
            self.sums.extend([with, kept, absent_sum(&self.kept, reference)]);
        }
        length as i32
    }

    /// Turns the n-grams of the order before into those of this order, from which they are taken where it shares them
    /// with the source.
    fn extend(&mut self, sentence: Sentence, order: usize) {
        if order == 0 {
            return;
        }
        let starts = Starts::new(order + 1, self.ids.len(), self.prefix, self.suffix);
        for at in starts.own() {
            let (parent, token) = (self.places[at], self.ids[at + order]);
            let known = parent != NONE && token != NONE;
            self.places[at] = if known { sentence.index.extension(parent, token).unwrap_or(NONE) } else { NONE };
        }
        let source = sentence.of_source(order);
        self.places[..starts.prefix].copy_from_slice(&source[..starts.prefix]);
        let end = source.len().saturating_sub(order);
        self.places[starts.own().end..starts.all].copy_from_slice(&source[end - starts.suffix..end]);
    }
}

/// One number of the source or hypothesis, and three for each reference.
fn sums_per_order(width: usize) -> usize {
    1 + 3 * (width - 1)
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
    fn too_large_an_n_is_refused() {
        assert!(NgramTable::new(text(&["a"; 99]), vec![text(&["a"; 99])], 1 << 30, Unit::Word, true, 1).is_err());
    }
}
