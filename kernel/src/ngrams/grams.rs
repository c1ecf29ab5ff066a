//! The n-grams of a few versions of a sentence, numbered, and how often each version has them.
//!
//! An n-gram is the (n-1)-gram it extends (its parent) and one more token. Most n-grams are extended in one way only: the
//! first extension is kept with the parent, so that it is found without a table; further ones are found in a table.

use std::ops::Range;

use super::table::{find, Table, NONE};
use super::tokens::{for_each_token, hash, mixed, Unit};

/// A distinct token: its hash, and where its text stands (in which version, at which bytes).
#[derive(Clone, Copy)]
pub struct Token {
    pub hash: u32,
    pub version: u32,
    pub start: u32,
    pub end: u32,
}

impl Token {
    /// Its text, given those of the versions.
    #[inline]
    pub fn text<'a>(&self, version: &impl Fn(u32) -> &'a str) -> &'a str {
        &version(self.version)[self.start as usize..self.end as usize]
    }
}

/// An n-gram: its parent (NONE for a unigram), its last token, and the first n-gram that extends it (NONE: no one).
#[derive(Clone, Copy)]
pub struct Gram {
    pub parent: u32,
    pub token: u32,
    pub child: u32,
}

#[inline]
fn gram_hash(parent: u32, token: u32) -> u32 {
    mixed(u64::from(parent) << 32 | u64::from(token))
}

/// What is looked up: the distinct tokens and n-grams of a sentence with their tables. Unigrams have their tokens'
/// numbers; the n-grams of each order follow on those of the order before.
#[derive(Clone, Copy)]
pub struct Index<'a> {
    pub tokens: &'a [Token],
    pub grams: &'a [Gram],
    pub words: &'a [u32],
    pub further: &'a [u32],
}

impl Index<'_> {
    /// The number of a token, or the free slot where it belongs.
    #[inline]
    pub fn token<'a>(&self, version: &impl Fn(u32) -> &'a str, text: &str, hash: u32) -> Result<u32, usize> {
        find(self.words, hash, |id| {
            let token = &self.tokens[id as usize];
            token.hash == hash && token.text(version) == text
        })
    }

    /// The number of the n-gram that extends `parent` by `token`. Expected O(1).
    #[inline]
    pub fn extension(&self, parent: u32, token: u32) -> Result<u32, usize> {
        let child = self.grams[parent as usize].child;
        if child == NONE {
            return Err(0); // the first extension needs no slot
        }
        if self.grams[child as usize].token == token {
            return Ok(child);
        }
        find(self.further, gram_hash(parent, token), |id| {
            let gram = &self.grams[id as usize];
            gram.parent == parent && gram.token == token
        })
    }
}

/// The n-grams of the versions of one sentence. Made anew for sentence after sentence in the same memory.
#[derive(Default)]
pub struct Grams {
    pub tokens: Vec<Token>,
    pub grams: Vec<Gram>,
    /// `counts[gram × versions + version]`.
    pub counts: Vec<u32>,
    /// The grams of order k + 1 are those before `orders[k]`, from those of order k on. May end before order n.
    pub orders: Vec<usize>,
    pub words: Table,
    pub further: Table,
    ids: Vec<u32>,
    places: Vec<u32>,
    ends: Vec<usize>,
}

impl Grams {
    pub fn index(&self) -> Index<'_> {
        Index { tokens: &self.tokens, grams: &self.grams, words: &self.words.slots, further: &self.further.slots }
    }

    /// Numbers and counts the n-grams of orders 1..=n. Expected O(tokens × n).
    pub fn read(&mut self, texts: &[&str], n: usize, unit: Unit) {
        self.number_tokens(texts, unit);
        let width = texts.len();
        self.grams.clear();
        self.grams.extend((0..self.tokens.len() as u32).map(|token| Gram { parent: NONE, token, child: NONE }));
        self.counts.clear();
        self.counts.resize(self.grams.len() * width, 0);
        self.further.clear(self.tokens.len());
        self.orders.clear();
        self.places.clear();
        self.places.extend_from_slice(&self.ids);
        for order in 1..=n {
            let first = self.orders.last().copied().unwrap_or(0);
            let mut start = 0;
            for version in 0..width {
                let end = self.ends[version];
                self.count_order(order, version, start..(end + 1).saturating_sub(order), width);
                start = end;
            }
            if self.grams.len() == first {
                break;
            }
            self.orders.push(self.grams.len());
        }
    }

    /// Counts the n-grams of an order that start at the tokens `starts` of a version.
    fn count_order(&mut self, order: usize, version: usize, starts: Range<usize>, width: usize) {
        for at in starts {
            if order > 1 {
                self.places[at] = self.extend(self.places[at], self.ids[at + order - 1], width);
            }
            self.counts[self.places[at] as usize * width + version] += 1;
        }
    }

    fn number_tokens(&mut self, texts: &[&str], unit: Unit) {
        // A guess: words are five bytes long and more, and versions resemble each other.
        self.words.clear(texts.iter().map(|text| text.len()).max().unwrap_or(0) / 4);
        self.tokens.clear();
        self.ids.clear();
        self.ends.clear();
        for (version, &text) in texts.iter().enumerate() {
            for_each_token(text, unit, |token| {
                let hash = hash(token);
                let found = self.index().token(&|version| texts[version as usize], token, hash);
                self.ids.push(found.unwrap_or_else(|slot| {
                    let id = self.tokens.len() as u32;
                    let start = (token.as_ptr() as usize - text.as_ptr() as usize) as u32;
                    let end = start + token.len() as u32;
                    self.tokens.push(Token { hash, version: version as u32, start, end });
                    self.words.insert(slot, id, |id| self.tokens[id as usize].hash);
                    id
                }));
            });
            self.ends.push(self.ids.len());
        }
    }

    #[inline]
    fn extend(&mut self, parent: u32, token: u32, width: usize) -> u32 {
        let found = self.index().extension(parent, token);
        found.unwrap_or_else(|slot| {
            let id = self.grams.len() as u32;
            self.grams.push(Gram { parent, token, child: NONE });
            self.counts.resize(self.counts.len() + width, 0);
            let first = &mut self.grams[parent as usize].child;
            if *first == NONE {
                *first = id;
            } else {
                let grams = &self.grams;
                self.further.insert(slot, id, |id| {
                    let gram = &grams[id as usize];
                    gram_hash(gram.parent, gram.token)
                });
            }
            id
        })
    }
}
