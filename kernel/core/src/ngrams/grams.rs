//! The numbered n-grams of the versions of a sentence.
//!
//! An n-gram is the (n-1)-gram that it extends (its parent) and one more token. Most n-grams have only one extension:
//! the first extension is stored with the parent and found without a table, others are in a table.

use std::collections::TryReserveError;
use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use foldhash::fast::RandomState;

use super::shared::{shared, Shared, Span};
use super::table::{find, Table, NONE};
use super::tokens::{for_each_token, Unit};

/// Memory for more n-grams than this is reserved before they are numbered, so that its lack is an error.
const MANY: usize = 1 << 20;

/// A distinct token: its hash, and the position of its text (version and byte).
#[derive(Clone, Copy)]
pub struct Token {
    pub hash: u32,
    pub version: u32,
    pub span: Span,
}

impl Token {
    /// Its text, from the texts of the versions.
    #[inline]
    pub fn text<'a>(&self, version: &impl Fn(u32) -> &'a str) -> &'a str {
        &version(self.version)[self.span.start as usize..self.span.end as usize]
    }
}

/// An n-gram: its parent (NONE for a unigram), its last token, and the first n-gram that extends it (or NONE).
#[derive(Clone, Copy)]
pub struct Gram {
    pub parent: u32,
    pub token: u32,
    pub child: u32,
}

/// The hash of a token. O(bytes).
#[inline]
pub fn token_hash(hasher: &RandomState, token: &str) -> u32 {
    let mut hasher = hasher.build_hasher();
    hasher.write(token.as_bytes());
    hasher.finish() as u32
}

#[inline]
fn gram_hash(hasher: &RandomState, parent: u32, token: u32) -> u32 {
    let mut hasher = hasher.build_hasher();
    hasher.write_u64(u64::from(parent) << 32 | u64::from(token));
    hasher.finish() as u32
}

/// The look-up tables: the distinct tokens and n-grams of a sentence. Unigrams have the numbers of their tokens; the
/// n-grams of each order follow the ones of the previous order.
#[derive(Clone, Copy)]
pub struct Index<'a> {
    pub tokens: &'a [Token],
    pub grams: &'a [Gram],
    pub words: &'a [u32],
    pub further: &'a [u32],
    pub hasher: &'a RandomState,
}

impl Index<'_> {
    /// The number of a token, or the free slot for it.
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
        find(self.further, gram_hash(self.hasher, parent, token), |id| {
            let gram = &self.grams[id as usize];
            gram.parent == parent && gram.token == token
        })
    }
}

/// A version's range among the tokens of all versions, and how many tokens at its ends it shares with the source.
#[derive(Clone, Copy, Default)]
struct Version {
    start: usize,
    tokens: usize,
    prefix: usize,
    suffix: usize,
}

/// The starts of a version's n-grams of one order: all of them, and the ones within tokens shared with the source.
pub struct Starts {
    pub all: usize,
    pub prefix: usize,
    pub suffix: usize,
}

impl Starts {
    pub fn new(order: usize, tokens: usize, prefix: usize, suffix: usize) -> Self {
        let starts = |tokens: usize| (tokens + 1).saturating_sub(order);
        Self { all: starts(tokens), prefix: starts(prefix), suffix: starts(suffix) }
    }

    /// The starts outside the shared tokens.
    pub fn own(&self) -> Range<usize> {
        self.prefix..self.all - self.suffix
    }
}

/// The n-grams of the versions of one sentence, in memory reused for all sentences.
#[derive(Default)]
pub struct Grams {
    pub tokens: Vec<Token>,
    pub grams: Vec<Gram>,
    /// The n-grams of order k + 1 are the ones before `orders[k]`, after order k. May end before order n.
    pub orders: Vec<usize>,
    pub words: Table,
    pub further: Table,
    /// Its seed is random, so that no choice of tokens makes the tables slow.
    pub hasher: RandomState,
    /// The positions of the tokens of the source.
    pub spans: Vec<Span>,
    versions: Vec<Version>,
    /// The tokens of all versions.
    ids: Vec<u32>,
    /// The n-grams that start at these tokens, order by order.
    places: Vec<u32>,
}

impl Grams {
    pub fn index(&self) -> Index<'_> {
        let (words, further) = (&self.words.slots, &self.further.slots);
        Index { tokens: &self.tokens, grams: &self.grams, words, further, hasher: &self.hasher }
    }

    /// The n-grams of an order (from 0) that start at the tokens of the source.
    pub fn of_source(&self, order: usize) -> &[u32] {
        &self.places[order * self.ids.len()..][..self.spans.len()]
    }

    /// The n-grams of an order (from 0) in a version, in the order of the text.
    pub fn occurrences(&self, version: usize, order: usize) -> &[u32] {
        let Version { start, tokens, .. } = self.versions[version];
        let size = if order < self.orders.len() { tokens.saturating_sub(order) } else { 0 };
        self.places.get(order * self.ids.len() + start..).map_or(&[], |places| &places[..size])
    }

    /// The number of n-grams of an order (from 0) in a version.
    pub fn size(&self, version: usize, order: usize) -> i32 {
        self.versions[version].tokens.saturating_sub(order) as i32
    }

    /// Numbers the n-grams of orders 1..=n. Expected O(tokens × n), also in memory. Err: not enough memory.
    pub fn read(&mut self, texts: &[&str], n: usize, unit: Unit) -> Result<(), TryReserveError> {
        // An estimate: words have at least five bytes, and versions are similar.
        let mut expected = texts.iter().map(|text| text.len()).max().unwrap_or(0) / 4;
        let mut more = 0;
        if texts.iter().map(|text| text.len()).sum::<usize>().saturating_mul(n) > MANY {
            expected = 0;
            texts.iter().for_each(|text| for_each_token(text, unit, |_| expected += 1));
            more = expected * n;
            self.reserve(expected, more)?;
        }
        self.words.clear(expected);
        self.number_tokens(texts, unit);
        self.grams.clear();
        self.grams.extend((0..self.tokens.len() as u32).map(|token| Gram { parent: NONE, token, child: NONE }));
        self.further.clear(more.max(self.tokens.len()));
        self.places.clear();
        self.places.extend_from_slice(&self.ids);
        self.orders.clear();
        for order in 1..=n {
            let known = self.orders.last().copied().unwrap_or(0);
            if order > 1 {
                self.places.resize(order * self.ids.len(), NONE);
                (0..texts.len()).for_each(|version| self.extend_version(version, order));
            }
            if self.grams.len() == known {
                break;
            }
            self.orders.push(self.grams.len());
        }
        Ok(())
    }

    /// Reserves the memory for at most this number of tokens and n-grams.
    fn reserve(&mut self, tokens: usize, grams: usize) -> Result<(), TryReserveError> {
        reserve(&mut self.tokens, tokens)?;
        reserve(&mut self.spans, tokens)?;
        reserve(&mut self.ids, tokens)?;
        reserve(&mut self.places, grams)?;
        reserve(&mut self.grams, grams)?;
        self.words.reserve(tokens)?;
        self.further.reserve(grams)
    }

    fn number_tokens(&mut self, texts: &[&str], unit: Unit) {
        self.tokens.clear();
        self.ids.clear();
        self.spans.clear();
        self.versions.clear();
        for (version, &text) in texts.iter().enumerate() {
            let start = self.ids.len();
            let Shared { prefix, suffix, middle } = shared(texts[0], &self.spans, text, unit);
            self.ids.extend_from_within(..prefix);
            for_each_token(&text[middle], unit, |token| self.number_token(texts, version, token));
            self.ids.extend_from_within(self.spans.len() - suffix..self.spans.len());
            let tokens = self.ids.len() - start;
            let (prefix, suffix) = if version == 0 { (0, 0) } else { (prefix, suffix) };
            self.versions.push(Version { start, tokens, prefix, suffix });
        }
    }

    #[inline]
    fn number_token(&mut self, texts: &[&str], version: usize, token: &str) {
        let hash = token_hash(&self.hasher, token);
        let start = (token.as_ptr() as usize - texts[version].as_ptr() as usize) as u32;
        let span = Span { start, end: start + token.len() as u32 };
        let found = self.index().token(&|version| texts[version as usize], token, hash);
        let id = found.unwrap_or_else(|slot| {
            let id = self.tokens.len() as u32;
            self.tokens.push(Token { hash, version: version as u32, span });
            self.words.insert(slot, id, |id| self.tokens[id as usize].hash);
            id
        });
        self.ids.push(id);
        if version == 0 {
            self.spans.push(span);
        }
    }

    /// Extends a version's n-grams of the previous order by one token.
    fn extend_version(&mut self, version: usize, order: usize) {
        let Version { start, tokens, prefix, suffix } = self.versions[version];
        let [before, base] = [(order - 2) * self.ids.len(), (order - 1) * self.ids.len()];
        let starts = Starts::new(order, tokens, prefix, suffix);
        let own = starts.own();
        for at in start + own.start..start + own.end {
            self.places[base + at] = self.extension(self.places[before + at], self.ids[at + order - 1]);
        }
        self.places.copy_within(base..base + starts.prefix, base + start);
        let end = base + (self.spans.len() + 1).saturating_sub(order);
        self.places.copy_within(end - starts.suffix..end, base + start + own.end);
    }

    #[inline]
    fn extension(&mut self, parent: u32, token: u32) -> u32 {
        let found = self.index().extension(parent, token);
        found.unwrap_or_else(|slot| {
            let id = self.grams.len() as u32;
            self.grams.push(Gram { parent, token, child: NONE });
            let first = &mut self.grams[parent as usize].child;
            if *first == NONE {
                *first = id;
            } else {
                let (grams, hasher) = (&self.grams, &self.hasher);
                self.further.insert(slot, id, |id| {
                    let gram = &grams[id as usize];
                    gram_hash(hasher, gram.parent, gram.token)
                });
            }
            id
        })
    }
}

fn reserve<T>(column: &mut Vec<T>, length: usize) -> Result<(), TryReserveError> {
    column.try_reserve_exact(length.saturating_sub(column.len()))
}

#[cfg(test)]
mod tests {
    use super::*;

    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

    /// The longest search in a table.
    fn longest(slots: &[u32]) -> usize {
        slots.split(|&slot| slot == NONE).map(<[_]>::len).max().unwrap_or(0)
    }

    /// Tokens of 16 bytes whose hashes were equal before hashes had a seed: a state was mixed with 8 bytes at a time,
    /// and the second half of a token cancels what its first half did.
    fn colliding(count: usize) -> Vec<String> {
        let token = |number: u64| {
            let first = format!("{number:08}");
            let word = u64::from_le_bytes(*first.as_bytes().first_chunk().unwrap());
            let state = (16_u64.rotate_left(23) ^ word).wrapping_mul(FACTOR);
            let second = ((state ^ state >> 31).rotate_left(23) ^ 0x4242_4242_4242_4242).to_le_bytes();
            second.iter().all(u8::is_ascii_graphic).then(|| first + &second.map(char::from).iter().collect::<String>())
        };
        (0..).filter_map(token).take(count).collect()
    }

    #[test]
    fn tokens_that_collide_without_a_seed_are_spread() {
        let text = colliding(3000).join(" ");
        let mut grams = Grams::default();
        grams.read(&[&text], 1, Unit::Word).unwrap();
        assert_eq!(grams.tokens.len(), 3000);
        assert!(longest(&grams.words.slots) < 300);
    }

    #[test]
    fn ngrams_that_collide_without_a_seed_are_spread() {
        // Before hashes had a seed, these pairs of 700 tokens had one of 256 hashes of 16 bits.
        let mixed = |first: u64, second: u64| {
            let product = u128::from((first << 32 | second) ^ 0x2545_F491_4F6C_DD1D) * u128::from(FACTOR);
            let folded = product as u64 ^ (product >> 64) as u64;
            ((folded >> 32) as u32 ^ folded as u32) as u16
        };
        let pairs = (0..700).flat_map(|first| (0..700).map(move |second| [first, second]));
        let pairs = pairs.filter(|&[first, second]| mixed(first, second) < 256);
        let text: Vec<String> = (0..700).chain(pairs.flatten()).map(|token| format!("t{token}")).collect();
        assert!(text.len() > 4000);
        let mut grams = Grams::default();
        grams.read(&[&text.join(" ")], 2, Unit::Word).unwrap();
        assert!(longest(&grams.further.slots) < 300);
    }
}
