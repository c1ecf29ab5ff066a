//! The distinct tokens and n-grams of a sentence.
//!
//! An n-gram is the (n-1)-gram that it extends (its parent) and one more token. Most n-grams have only one extension:
//! the first extension is stored with the parent and found without a table, others are in a table.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::RandomState;
use hashbrown::hash_table::Entry;
use hashbrown::HashTable;

use super::tokens::ByteSpan;

/// Stands for the id of a missing token or n-gram.
pub const NONE: u32 = u32::MAX;

/// A distinct token: the position of its text.
#[derive(Clone, Copy)]
pub struct DistinctToken {
    pub version: u32,
    pub span: ByteSpan,
}

impl DistinctToken {
    /// Its text in UTF-8, from the texts of the versions.
    #[inline]
    pub fn bytes<'a>(&self, text_of: &impl Fn(u32) -> &'a str) -> &'a [u8] {
        &text_of(self.version).as_bytes()[self.span.start as usize..self.span.end as usize]
    }
}

/// An n-gram: its parent (NONE for a unigram), its last token, and the first n-gram that extends it (or NONE).
#[derive(Clone, Copy)]
pub struct Ngram {
    pub parent: u32,
    pub token: u32,
    child: u32,
}

impl Ngram {
    fn new(parent: u32, token: u32) -> Self {
        Self { parent, token, child: NONE }
    }

    #[inline]
    fn extends(&self, parent: u32, token: u32) -> bool {
        self.parent == parent && self.token == token
    }
}

/// The hash of a token. O(bytes).
#[inline]
pub fn token_hash(hasher: &RandomState, token: &[u8]) -> u64 {
    let mut hasher = hasher.build_hasher();
    hasher.write(token);
    hasher.finish()
}

#[inline]
fn extension_hash(hasher: &RandomState, parent: u32, token: u32) -> u64 {
    let mut hasher = hasher.build_hasher();
    hasher.write_u64(u64::from(parent) << 32 | u64::from(token));
    hasher.finish()
}

/// The distinct tokens and n-grams of a sentence, with a table that finds them. Unigrams have the ids of their tokens.
#[derive(Clone, Copy)]
pub struct NgramLookup<'a> {
    pub tokens: &'a [DistinctToken],
    pub ngrams: &'a [Ngram],
    /// The unigrams, and the n-grams that are not the first extension of their parent.
    pub ids: &'a HashTable<u32>,
    pub hasher: &'a RandomState,
}

impl NgramLookup<'_> {
    /// The id of a token, if it is known. Expected O(bytes).
    #[inline]
    pub fn token<'a>(&self, text_of: &impl Fn(u32) -> &'a str, token: &[u8]) -> Option<u32> {
        let is_same = |&id: &u32| {
            self.tokens.get(id as usize).is_some_and(|distinct_token| distinct_token.bytes(text_of) == token)
        };
        self.ids.find(token_hash(self.hasher, token), is_same).copied()
    }

    /// The id of the n-gram that extends `parent` by `token`, if it is known. Expected O(1).
    #[inline]
    pub fn extension(&self, parent: u32, token: u32) -> Option<u32> {
        let child = self.ngrams[parent as usize].child;
        if child == NONE {
            return None;
        }
        if self.ngrams[child as usize].token == token {
            return Some(child);
        }
        let is_same = |&id: &u32| self.ngrams[id as usize].extends(parent, token);
        self.ids.find(extension_hash(self.hasher, parent, token), is_same).copied()
    }
}

/// Growing index of distinct tokens and n-grams, in order of first appearance.
#[derive(Default)]
pub struct NgramIndex {
    pub tokens: Vec<DistinctToken>,
    pub ngrams: Vec<Ngram>,
    pub ids: HashTable<u32>,
    /// Randomly seeded, so that no text can cause many collisions.
    pub hasher: RandomState,
}

impl NgramIndex {
    /// Empties the index for a sentence of about this number of tokens.
    pub fn clear(&mut self, expected_tokens: usize) {
        self.tokens.clear();
        self.ngrams.clear();
        self.ids.clear();
        // The time to empty a table depends on its capacity.
        self.ids.shrink_to(8 * (expected_tokens + 64), |_| 0);
        self.ids.reserve(expected_tokens, |_| 0);
    }

    /// Reserves the memory of an empty index for at most these numbers of entries. None: not enough memory.
    pub fn reserve(&mut self, tokens: usize, ngrams: usize) -> Option<()> {
        self.tokens.try_reserve_exact(tokens).ok()?;
        self.ngrams.try_reserve_exact(ngrams).ok()?;
        self.ids.try_reserve(ngrams, |_| 0).ok()
    }

    /// The id of a token with this text, which is added if it is new. Expected O(bytes). All tokens are added before
    /// n-grams of higher orders.
    #[inline]
    pub fn add_token<'a>(&mut self, text_of: &impl Fn(u32) -> &'a str, token: DistinctToken) -> u32 {
        let bytes = token.bytes(text_of);
        let Self { tokens, ngrams, ids, hasher } = self;
        let bytes_of = |id: &u32| tokens[*id as usize].bytes(text_of);
        let hash_of = |id: &u32| token_hash(hasher, bytes_of(id));
        match ids.entry(token_hash(hasher, bytes), |id| bytes_of(id) == bytes, hash_of) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let id = tokens.len() as u32;
                entry.insert(id);
                tokens.push(token);
                ngrams.push(Ngram::new(NONE, id));
                id
            }
        }
    }

    /// The id of the n-gram that extends `parent` by `token`, which is added if it is new. Expected O(1).
    #[inline]
    pub fn add_extension<'a>(&mut self, text_of: &impl Fn(u32) -> &'a str, parent: u32, token: u32) -> u32 {
        let id = self.ngrams.len() as u32;
        let child = self.ngrams[parent as usize].child;
        if child == NONE {
            self.ngrams[parent as usize].child = id;
        } else if self.ngrams[child as usize].token == token {
            return child;
        } else {
            let Self { tokens, ngrams, ids, hasher } = self;
            let is_same = |&id: &u32| ngrams[id as usize].extends(parent, token);
            let hash_of = |&id: &u32| match ngrams[id as usize] {
                Ngram { parent: NONE, token, .. } => token_hash(hasher, tokens[token as usize].bytes(text_of)),
                Ngram { parent, token, .. } => extension_hash(hasher, parent, token),
            };
            match ids.entry(extension_hash(hasher, parent, token), is_same, hash_of) {
                Entry::Occupied(entry) => return *entry.get(),
                Entry::Vacant(entry) => entry.insert(id),
            };
        }
        self.ngrams.push(Ngram::new(parent, token));
        id
    }
}

#[cfg(test)]
mod tests {
    use foldhash::HashSet;

    use super::*;

    const FACTOR: u64 = 0x9E37_79B9_7F4A_7C15;

    /// Tokens of 16 bytes whose hashes were equal before hashes had a seed: the second half of a token cancels the
    /// effect of the first.
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
    fn tokens_that_collide_without_a_seed_have_different_hashes() {
        let hasher = RandomState::default();
        let hashes: HashSet<u64> = colliding(3000).iter().map(|token| token_hash(&hasher, token.as_bytes())).collect();
        assert_eq!(hashes.len(), 3000);
    }

    #[test]
    fn ngrams_that_collide_without_a_seed_have_different_hashes() {
        // Before hashes had a seed, these pairs of 700 tokens had one of 256 hashes of 16 bits.
        let mixed = |first: u64, second: u64| {
            let product = u128::from((first << 32 | second) ^ 0x2545_F491_4F6C_DD1D) * u128::from(FACTOR);
            let folded = product as u64 ^ (product >> 64) as u64;
            ((folded >> 32) as u32 ^ folded as u32) as u16
        };
        let pairs = (0..700).flat_map(|first| (0..700).map(move |second| [first, second]));
        let pairs: Vec<_> = pairs.filter(|&[first, second]| mixed(first, second) < 256).collect();
        let hasher = RandomState::default();
        let hash = |&[parent, token]: &[u64; 2]| extension_hash(&hasher, parent as u32, token as u32) as u16;
        let hashes: HashSet<u16> = pairs.iter().map(hash).collect();
        assert!(pairs.len() > 1800 && hashes.len() > 1500);
    }

    #[test]
    fn an_index_for_few_tokens_has_little_capacity() {
        let mut index = NgramIndex::default();
        index.clear(100_000);
        assert!(index.ids.capacity() >= 100_000);
        index.clear(10);
        assert!(index.ids.capacity() < 4096);
    }
}
