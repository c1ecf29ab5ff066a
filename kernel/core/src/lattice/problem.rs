//! The problem: a pair of sentences as numbers, gold edits in the same numbers, and a deadline.

use std::time::Instant;

use foldhash::HashMap;

use crate::edits::columns::alternatives;
use crate::interrupt;
use crate::text::words::words;

/// One gold edit: source tokens `start..end` become one of the alternatives in `text`, as an M2 file writes them.
#[derive(Clone, Copy, Debug)]
pub struct Gold<'a> {
    pub start: i32,
    pub end: i32,
    pub text: &'a str,
}

/// One edit of the hypothesis: source tokens `start..end` became hypothesis tokens `from..to`.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Edit {
    pub start: u32,
    pub end: u32,
    pub from: u32,
    pub to: u32,
}

/// The reason why a sentence has no result.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Stop {
    /// The number of entries exceeds the limit.
    TooMany,
    /// Timeout.
    Late,
    /// The sentence would take too much memory or time.
    TooLong,
}

/// A deadline that is cheap to check often; checking it heeds interrupts.
#[derive(Clone, Copy)]
pub struct Clock(pub Option<Instant>);

impl Clock {
    pub fn check(self) -> Result<(), Stop> {
        interrupt::tick();
        match self.0 {
            Some(end) if Instant::now() >= end => Err(Stop::Late),
            _ => Ok(()),
        }
    }
}

/// A token of one sentence pair by number; equal numbers are equal texts.
pub type Token = u32;

/// A token outside the pair, which equals none.
const STRANGER: Token = Token::MAX;

/// Source and hypothesis as numbers, with the texts behind them.
pub struct Pair<'a> {
    pub source: Vec<Token>,
    pub hypothesis: Vec<Token>,
    texts: Vec<&'a str>,
    numbers: HashMap<&'a str, Token>,
}

impl<'a> Pair<'a> {
    pub fn new(source: &'a str, hypothesis: &'a str) -> Self {
        let mut texts = Vec::new();
        let mut numbers = HashMap::with_capacity_and_hasher(64, Default::default());
        let mut encode = |text: &'a str| {
            let mut tokens = Vec::with_capacity(text.len() / 4 + 1);
            for word in words(text) {
                tokens.push(*numbers.entry(word).or_insert_with(|| {
                    texts.push(word);
                    texts.len() as Token - 1
                }));
            }
            tokens
        };
        let (source, hypothesis) = (encode(source), encode(hypothesis));
        Self { source, hypothesis, texts, numbers }
    }

    /// A correction as the tokens of an equal hypothesis. Texts are compared as strings with one blank between tokens,
    /// so a correction with other white space equals nothing.
    fn tokens_of(&self, correction: &str) -> Vec<Token> {
        if correction.is_empty() {
            return Vec::new();
        }
        correction.split(' ').map(|piece| self.numbers.get(piece).copied().unwrap_or(STRANGER)).collect()
    }

    /// The hypothesis tokens of an edit.
    pub fn text(&self, edit: Edit) -> &[Token] {
        &self.hypothesis[edit.from as usize..edit.to as usize]
    }

    /// The hypothesis tokens of an edit, joined by one blank.
    pub fn string(&self, edit: Edit) -> String {
        let words: Vec<&str> = self.text(edit).iter().map(|&token| self.texts[token as usize]).collect();
        words.join(" ")
    }

    /// Whether the two sides of an edit are equal except for blanks and case.
    pub fn is_blank_or_case(&self, edit: Edit) -> bool {
        let source = &self.source[edit.start as usize..edit.end as usize];
        self.squeezed(source) == self.squeezed(self.text(edit))
    }

    fn squeezed(&self, tokens: &[Token]) -> String {
        tokens.iter().map(|&token| self.texts[token as usize].to_lowercase()).collect()
    }
}

/// A gold edit as numbers of one pair.
pub struct Target {
    pub start: u32,
    pub end: u32,
    pub alternatives: Vec<Vec<Token>>,
}

impl Target {
    pub fn matches(&self, start: u32, end: u32, text: &[Token]) -> bool {
        (self.start, self.end) == (start, end) && self.alternatives.iter().any(|tokens| tokens == text)
    }
}

/// One annotator's gold edits in file order, and the edits that start at each token.
pub struct Targets {
    pub list: Vec<Target>,
    /// `starts[s]`: the indices in `list` of the edits that start at source token s, in order.
    pub starts: Vec<Vec<u32>>,
}

impl Targets {
    /// Negative offsets become too large ones; like all offsets beyond the sentence, they never match.
    pub fn new(gold: &[Gold], pair: &Pair) -> Self {
        let mut starts = vec![Vec::new(); pair.source.len() + 1];
        let mut list = Vec::with_capacity(gold.len());
        for edit in gold {
            let (start, end) = (edit.start as u32, edit.end as u32);
            if let Some(here) = starts.get_mut(start as usize) {
                here.push(list.len() as u32);
            }
            let alternatives = alternatives(edit.text).map(|text| pair.tokens_of(text)).collect();
            list.push(Target { start, end, alternatives });
        }
        Self { list, starts }
    }

    /// The edits on source tokens `start..end`, in file order.
    pub fn on(&self, start: u32, end: u32) -> impl DoubleEndedIterator<Item = &Target> {
        let here = self.starts[start as usize].iter().map(|&place| &self.list[place as usize]);
        here.filter(move |target| target.end == end)
    }

    pub fn matches(&self, start: u32, end: u32, text: &[Token]) -> bool {
        self.on(start, end).any(|target| target.matches(start, end, text))
    }
}
