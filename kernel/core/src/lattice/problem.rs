//! Input of the path algorithms: a sentence pair as token numbers, gold edits with the same numbers, and a deadline.

use std::time::Instant;

use foldhash::HashMap;

use crate::edits::columns::{alternatives, EditRow};
use crate::interrupt;
use crate::text::strings::Strings;
use crate::text::words::words;

/// One edit of the hypothesis: replaces source tokens `start..end` by hypothesis tokens `from..to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct LatticeEdit {
    pub start: u32,
    pub end: u32,
    pub from: u32,
    pub to: u32,
}

/// Why a sentence has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// More entries than the limit.
    TooManyEntries,
    Timeout,
    /// The sentence would take too much memory or time.
    TooLong,
    /// The caller asked to stop.
    Interrupted,
}

/// A deadline. Its check also checks for interrupts.
#[derive(Clone, Copy)]
pub struct Clock(pub Option<Instant>);

impl Clock {
    pub fn check(self) -> Result<(), Stop> {
        interrupt::check_interrupt_sometimes().map_err(|_| Stop::Interrupted)?;
        match self.0 {
            Some(end) if Instant::now() >= end => Err(Stop::Timeout),
            _ => Ok(()),
        }
    }
}

/// Number of a token in one sentence pair; equal numbers are equal texts.
pub type TokenId = u32;

/// Stands for a token outside the pair.
const UNKNOWN_TOKEN: TokenId = TokenId::MAX;

/// Source and hypothesis as token numbers, with the texts of tokens.
pub struct TokenPair<'a> {
    pub source: Vec<TokenId>,
    pub hypothesis: Vec<TokenId>,
    texts: Vec<&'a str>,
    numbers: HashMap<&'a str, TokenId>,
}

impl<'a> TokenPair<'a> {
    pub fn new(source: &'a str, hypothesis: &'a str) -> Self {
        let mut texts = Vec::new();
        let mut numbers = HashMap::with_capacity_and_hasher(64, Default::default());
        let mut encode = |text: &'a str| {
            let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
            for word in words(text) {
                tokens.push(*numbers.entry(word).or_insert_with(|| {
                    texts.push(word);
                    texts.len() as TokenId - 1
                }));
            }
            tokens
        };
        let (source, hypothesis) = (encode(source), encode(hypothesis));
        Self { source, hypothesis, texts, numbers }
    }

    /// The tokens of a correction. Corrections and hypotheses are equal if they are with one blank between tokens, so a
    /// correction with other white space never matches.
    fn tokens_of(&self, correction: &str) -> Vec<TokenId> {
        if correction.is_empty() {
            return Vec::new();
        }
        correction.split(' ').map(|piece| self.numbers.get(piece).copied().unwrap_or(UNKNOWN_TOKEN)).collect()
    }

    /// The hypothesis tokens of an edit.
    pub fn text(&self, edit: LatticeEdit) -> &[TokenId] {
        &self.hypothesis[edit.from as usize..edit.to as usize]
    }

    /// The hypothesis tokens of an edit, joined by one blank.
    pub fn string(&self, edit: LatticeEdit) -> String {
        let words: Vec<&str> = self.text(edit).iter().map(|&token| self.texts[token as usize]).collect();
        words.join(" ")
    }

    /// Whether the two sides of an edit are equal except for blanks and case.
    pub fn is_blank_or_case(&self, edit: LatticeEdit) -> bool {
        let source = &self.source[edit.start as usize..edit.end as usize];
        self.letters(source) == self.letters(self.text(edit))
    }

    fn letters(&self, tokens: &[TokenId]) -> String {
        tokens.iter().map(|&token| self.texts[token as usize].to_lowercase()).collect()
    }
}

/// A gold edit with token numbers of one pair.
pub struct GoldTarget {
    pub start: u32,
    pub end: u32,
    pub alternatives: Vec<Vec<TokenId>>,
}

impl GoldTarget {
    pub fn matches(&self, start: u32, end: u32, text: &[TokenId]) -> bool {
        (self.start, self.end) == (start, end) && self.alternatives.iter().any(|tokens| tokens == text)
    }
}

/// One annotator's gold edits in file order, and the edits that start at each token.
pub struct GoldTargets {
    pub list: Vec<GoldTarget>,
    /// `starts[s]`: the indices in `list` of the edits that start at source token s, in order.
    pub starts: Vec<Vec<u32>>,
}

impl GoldTargets {
    /// Negative offsets become too large; offsets beyond the sentence never match.
    pub fn new(rows: &[&EditRow], strings: &Strings, pair: &TokenPair) -> Self {
        let mut starts = vec![Vec::new(); pair.source.len() + 1];
        let mut list = Vec::with_capacity(rows.len());
        for row in rows {
            let (start, end) = (row.start as u32, row.end as u32);
            if let Some(starting) = starts.get_mut(start as usize) {
                starting.push(list.len() as u32);
            }
            let alternatives = alternatives(strings.get(row.text)).map(|text| pair.tokens_of(text)).collect();
            list.push(GoldTarget { start, end, alternatives });
        }
        Self { list, starts }
    }

    /// The edits on source tokens `start..end`, in file order.
    pub fn targets_on(&self, start: u32, end: u32) -> impl DoubleEndedIterator<Item = &GoldTarget> {
        let targets = self.starts[start as usize].iter().map(|&number| &self.list[number as usize]);
        targets.filter(move |target| target.end == end)
    }

    pub fn matches(&self, start: u32, end: u32, text: &[TokenId]) -> bool {
        self.targets_on(start, end).any(|target| target.matches(start, end, text))
    }
}

/// Calls `visit(entry, span, is_matched)` for the entries of one insertion point in the arc list, from both ends
/// alternately; an entry may be visited twice. `span_of(entry)` are the hypothesis tokens `from..to` that it inserts,
/// and entries have the order of (from, to). After a match, the entries up to the one that continues it are unmatched.
/// Cost: O(entries × gold insertions).
pub fn match_insertions(
    entries: usize,
    span_of: impl Fn(usize) -> (u32, u32),
    gold: &[&GoldTarget],
    hypothesis: &[TokenId],
    clock: Clock,
    mut visit: impl FnMut(usize, (u32, u32), bool),
) -> Result<(), Stop> {
    let (mut left, mut right) = (0, entries);
    let (mut first, mut last) = (0, gold.len());
    let mut is_left = true;
    while left < right {
        if (left + right) % (1 << 14) == 0 {
            clock.check()?;
        }
        let entry = if is_left { left } else { right - 1 };
        // Both ends meet at the last entry; the official scorer visits it from the left.
        is_left = entry == left;
        let (from, to) = span_of(entry);
        let text = &hypothesis[from as usize..to as usize];
        let is_match = |number: &usize| gold[*number].alternatives.iter().any(|tokens| tokens == text);
        let matched = if is_left { (first..last).find(is_match) } else { (first..last).rev().find(is_match) };
        visit(entry, (from, to), matched.is_some());
        if is_left {
            left += 1;
        } else {
            right -= 1;
        }
        let Some(number) = matched else {
            is_left = !is_left;
            continue;
        };
        if is_left {
            first = number + 1;
            let continues = |entry: &usize| span_of(*entry).0 == to;
            let next = (left..entries).find(continues).unwrap_or(entries);
            (left..next).for_each(|entry| visit(entry, span_of(entry), false));
            left = next;
        } else {
            last = number;
            let continues = |entry: &usize| span_of(*entry).1 == from;
            let next = (0..right).rev().find(continues).map_or(0, |entry| entry + 1);
            (next..right).rev().for_each(|entry| visit(entry, span_of(entry), false));
            right = next;
        }
    }
    Ok(())
}
