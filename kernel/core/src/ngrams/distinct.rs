//! Numbers of the distinct n-grams of a sentence.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::RandomState;

/// Distinct n-grams of one order, in order of first appearance, in memory reused for all orders and sentences.
///
/// N-grams are compared token by token, so that no result depends on a hash.
#[derive(Default)]
pub struct DistinctNgrams {
    /// Randomly seeded, so that no text can cause many collisions.
    hasher: RandomState,
    order: usize,
    /// Open table: the generation of a slot (upper half), and a number. Slots of other generations are empty, so that a
    /// table need not be cleared.
    slots: Vec<u64>,
    generation: u32,
    /// The number of bits of a hash that are not part of its slot.
    shift: u32,
    mask: usize,
    /// The position where each n-gram appears first, then unused room for new n-grams.
    firsts: Vec<u32>,
    len: usize,
}

/// Number of slots per n-gram, at least.
const SLOTS_PER_NGRAM: usize = 4;

/// Minimum number of slots.
const MIN_SLOTS: usize = 256;

impl DistinctNgrams {
    /// Reserves memory for an order with this number of occurrences of n-grams. None: not enough memory.
    pub fn reserve(&mut self, occurrences: usize) -> Option<()> {
        self.firsts.try_reserve((occurrences + 1).saturating_sub(self.firsts.len())).ok()?;
        self.slots.try_reserve(slots_for(occurrences).saturating_sub(self.slots.len())).ok()
    }

    /// Writes the positions of all tokens that occur more than once, and of some others. O(tokens).
    pub fn find_repeated(&self, codes: &[u64], positions: &mut Vec<u32>) {
        let place = |code: u64| {
            let hash = hash(&self.hasher, &[code]);
            ((hash >> 61) as usize, 1_u64 << (hash >> 55 & 63))
        };
        let (mut seen, mut repeated) = ([0; 8], [0; 8]);
        for &code in codes {
            let (word, bit) = place(code);
            repeated[word] |= seen[word] & bit;
            seen[word] |= bit;
        }
        let is_repeated = |&(_, &code): &(u32, &u64)| {
            let (word, bit) = place(code);
            repeated[word] & bit != 0
        };
        positions.clear();
        positions.extend((0..).zip(codes).filter(is_repeated).map(|(position, _)| position));
    }

    /// Starts an order, with at most `occurrences` n-grams.
    pub fn start_order(&mut self, order: usize, occurrences: usize) {
        (self.order, self.len) = (order, 0);
        let slots = slots_for(occurrences);
        (self.shift, self.mask) = (u64::BITS - slots.trailing_zeros(), slots - 1);
        self.generation = self.generation.wrapping_add(1);
        if self.generation == 0 {
            self.slots.fill(0);
            self.generation = 1;
        }
        if self.slots.len() < slots {
            self.slots.resize(slots, 0);
        }
        if self.firsts.len() <= occurrences {
            self.firsts.resize(occurrences + 1, 0);
        }
    }

    /// The position where each n-gram appears first.
    pub fn firsts(&self) -> &[u32] {
        &self.firsts[..self.len]
    }

    /// Calls `add` with each item and the number of the n-gram that starts at its position in the codes; a new n-gram
    /// gets the next number. Expected O(order) for each.
    #[inline]
    pub fn number<T: Copy>(
        &mut self,
        codes: &[u64],
        items: impl IntoIterator<Item = T>,
        position: impl Fn(T) -> usize,
        add: impl FnMut(T, usize),
    ) {
        match self.order {
            1 => self.number_with(items, position, |position| ngram_at::<1>(codes, position), add),
            2 => self.number_with(items, position, |position| ngram_at::<2>(codes, position), add),
            3 => self.number_with(items, position, |position| ngram_at::<3>(codes, position), add),
            4 => self.number_with(items, position, |position| ngram_at::<4>(codes, position), add),
            order => self.number_with(items, position, |position| &codes[position..position + order], add),
        }
    }

    #[inline]
    fn number_with<T: Copy, N: AsRef<[u64]> + PartialEq>(
        &mut self,
        items: impl IntoIterator<Item = T>,
        position: impl Fn(T) -> usize,
        ngram_at: impl Fn(usize) -> N,
        mut add: impl FnMut(T, usize),
    ) {
        let Self { hasher, slots, generation, shift, mask, firsts, len, .. } = self;
        let (slots, firsts) = (&mut slots[..=*mask], &mut firsts[..]);
        let generation = u64::from(*generation);
        for item in items {
            let position = position(item);
            let ngram = ngram_at(position);
            let mut slot = (hash(hasher, ngram.as_ref()) >> *shift) as usize;
            // Whether a slot is empty cannot be predicted: a new n-gram is compared with itself.
            firsts[*len] = position as u32;
            let number = loop {
                let is_new = slots[slot] >> 32 != generation;
                let number = if is_new { *len } else { slots[slot] as u32 as usize };
                if ngram_at(firsts[number] as usize) == ngram {
                    slots[slot] = generation << 32 | number as u64;
                    *len += usize::from(is_new);
                    break number;
                }
                slot = (slot + 1) & *mask;
            };
            add(item, number);
        }
    }

    /// The number of the n-gram at a position of the codes, if it is known. Expected O(order).
    #[inline]
    pub fn get(&self, codes: &[u64], position: usize) -> Option<usize> {
        let ngram = &codes[position..position + self.order];
        let mut slot = (hash(&self.hasher, ngram) >> self.shift) as usize;
        loop {
            let number = self.slots[slot] ^ u64::from(self.generation) << 32;
            let first = *self.firsts().get(number as usize)? as usize;
            if codes[first..first + self.order] == *ngram {
                return Some(number as usize);
            }
            slot = (slot + 1) & self.mask;
        }
    }
}

#[inline]
fn hash(hasher: &RandomState, ngram: &[u64]) -> u64 {
    let mut hasher = hasher.build_hasher();
    ngram.iter().for_each(|&code| hasher.write_u64(code));
    hasher.finish()
}

/// The n-gram of an order at a position of the codes.
#[inline]
fn ngram_at<const ORDER: usize>(codes: &[u64], position: usize) -> &[u64; ORDER] {
    codes[position..].first_chunk().expect("an n-gram lies within the codes")
}

/// The size of a table for this number of n-grams: a power of two.
fn slots_for(ngrams: usize) -> usize {
    (SLOTS_PER_NGRAM * ngrams).next_power_of_two().max(MIN_SLOTS)
}

/// Grows a vector to this length, unless it is longer. None: not enough memory.
pub fn grow<T: Clone + Default>(values: &mut Vec<T>, length: usize) -> Option<()> {
    if values.len() < length {
        values.try_reserve(length - values.len()).ok()?;
        values.resize(length, T::default());
    }
    Some(())
}
