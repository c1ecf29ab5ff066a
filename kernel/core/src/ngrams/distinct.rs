//! Numbers of the distinct n-grams of a sentence.

use std::hash::{BuildHasher, Hasher};
use std::ops::Range;

use foldhash::fast::RandomState;

/// Distinct n-grams of one order, in order of first appearance, in memory reused for all orders and sentences.
///
/// N-grams are compared token by token, so that no result depends on a hash.
pub struct DistinctNgrams {
    /// Randomly seeded, so that no text can cause many collisions.
    hasher: RandomState,
    /// Secret odd factor of the hashes of n-grams.
    factor: u64,
    /// The hash of each token, and of the n-gram of the current order that starts at it.
    token_hashes: Vec<u64>,
    hashes: Vec<u64>,
    order: usize,
    /// Open table: the generation of a slot (upper half), and a number. Slots of other generations are empty, so that a
    /// table need not be cleared.
    slots: Vec<u64>,
    generation: u32,
    /// The number of bits of a hash that are not part of its slot.
    shift: u32,
    mask: usize,
    /// The position where each n-gram appears first.
    pub firsts: Vec<u32>,
}

/// Number of slots per n-gram, at least.
const SLOTS_PER_NGRAM: usize = 4;

/// Minimum number of slots.
const MIN_SLOTS: usize = 64;

impl Default for DistinctNgrams {
    fn default() -> Self {
        let hasher = RandomState::default();
        let factor = hash(&hasher, 0) | 1;
        Self {
            hasher,
            factor,
            token_hashes: Vec::new(),
            hashes: Vec::new(),
            order: 0,
            slots: Vec::new(),
            generation: 0,
            shift: 0,
            mask: 0,
            firsts: Vec::new(),
        }
    }
}

#[inline]
fn hash(hasher: &RandomState, code: u64) -> u64 {
    let mut hasher = hasher.build_hasher();
    hasher.write_u64(code);
    hasher.finish()
}

impl DistinctNgrams {
    /// Reserves memory for a sentence of this number of tokens in all versions. None: not enough memory.
    pub fn reserve(&mut self, tokens: usize) -> Option<()> {
        self.token_hashes.try_reserve(tokens).ok()?;
        self.hashes.try_reserve(tokens).ok()?;
        self.firsts.try_reserve(tokens).ok()?;
        self.slots.try_reserve(slots_for(tokens).saturating_sub(self.slots.len())).ok()
    }

    /// Starts a sentence. O(tokens).
    pub fn start(&mut self, codes: &[u64]) {
        self.token_hashes.clear();
        self.token_hashes.extend(codes.iter().map(|&code| hash(&self.hasher, code)));
        self.order = 0;
    }

    /// Writes the positions before `length` of all tokens that occur there more than once, and of some others. O(length).
    pub fn find_repeated(&self, length: usize, positions: &mut Vec<u32>) {
        let place = |hash: u64| ((hash >> 61) as usize, 1_u64 << (hash >> 55 & 63));
        let (mut seen, mut repeated) = ([0; 8], [0; 8]);
        for &hash in &self.token_hashes[..length] {
            let (word, bit) = place(hash);
            repeated[word] |= seen[word] & bit;
            seen[word] |= bit;
        }
        let hashes = (0..).zip(&self.token_hashes[..length]);
        let is_repeated = |&(_, &hash): &(u32, &u64)| {
            let (word, bit) = place(hash);
            repeated[word] & bit != 0
        };
        positions.clear();
        positions.extend(hashes.filter(is_repeated).map(|(position, _)| position));
    }

    /// Starts the next order, from unigrams on, with at most `expected` n-grams. O(tokens).
    pub fn start_order(&mut self, expected: usize) {
        self.order += 1;
        if self.order == 1 {
            self.hashes.clone_from(&self.token_hashes);
        } else {
            let Self { hashes, token_hashes, factor, .. } = self;
            let next = token_hashes[(self.order - 1).min(token_hashes.len())..].iter();
            hashes
                .iter_mut()
                .zip(next)
                .for_each(|(hash, &token)| *hash = hash.wrapping_mul(*factor).wrapping_add(token));
        }
        let slots = slots_for(expected);
        (self.shift, self.mask) = (u64::BITS - slots.trailing_zeros(), slots - 1);
        self.firsts.clear();
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill(0);
            self.generation = 1;
        }
        if self.slots.len() < slots {
            self.slots.resize(slots, 0);
        }
    }

    /// Calls `add` with the number of each n-gram that starts in a range of the codes; a new n-gram gets the next
    /// number. Expected O(order) for each.
    #[inline]
    pub fn number(&mut self, codes: &[u64], starts: Range<usize>, add: impl FnMut(usize)) {
        match self.order {
            1 => self.number_with(starts, |position| ngram_at::<1>(codes, position), add),
            2 => self.number_with(starts, |position| ngram_at::<2>(codes, position), add),
            3 => self.number_with(starts, |position| ngram_at::<3>(codes, position), add),
            4 => self.number_with(starts, |position| ngram_at::<4>(codes, position), add),
            order => self.number_with(starts, |position| &codes[position..position + order], add),
        }
    }

    #[inline]
    fn number_with<N: PartialEq>(
        &mut self,
        starts: Range<usize>,
        ngram_at: impl Fn(usize) -> N,
        mut add: impl FnMut(usize),
    ) {
        let Self { hashes, slots, generation, shift, mask, firsts, .. } = self;
        let (tag, shift, mask) = (u64::from(*generation) << 32, *shift, *mask);
        for (position, &hash) in starts.clone().zip(&hashes[starts]) {
            let ngram = ngram_at(position);
            let mut slot = (hash >> shift) as usize;
            let number = loop {
                let entry = slots[slot] ^ tag;
                if entry > u64::from(u32::MAX) {
                    slots[slot] = tag | firsts.len() as u64;
                    firsts.push(position as u32);
                    break firsts.len() - 1;
                }
                if ngram_at(firsts[entry as usize] as usize) == ngram {
                    break entry as usize;
                }
                slot = (slot + 1) & mask;
            };
            add(number);
        }
    }

    /// The number of the n-gram at a position of the codes, if it is known. Expected O(order).
    #[inline]
    pub fn get(&self, codes: &[u64], position: usize) -> Option<usize> {
        let ngram = &codes[position..position + self.order];
        let mut slot = (self.hashes[position] >> self.shift) as usize;
        loop {
            let number = self.slots[slot] ^ u64::from(self.generation) << 32;
            let first = *self.firsts.get(number as usize)? as usize;
            if codes[first..first + self.order] == *ngram {
                return Some(number as usize);
            }
            slot = (slot + 1) & self.mask;
        }
    }
}

/// The n-gram of an order at a position of the codes.
#[inline]
fn ngram_at<const ORDER: usize>(codes: &[u64], position: usize) -> Option<&[u64; ORDER]> {
    codes[position..].first_chunk()
}

/// The size of a table for this number of n-grams: a power of two.
fn slots_for(ngrams: usize) -> usize {
    (SLOTS_PER_NGRAM * ngrams).next_power_of_two().max(MIN_SLOTS)
}
