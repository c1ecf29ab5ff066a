//! Open-addressing tables from hashes to the numbers of entries stored elsewhere.

use std::collections::TryReserveError;

/// The number of no entry.
pub const NONE: u32 = u32::MAX;

/// The number of the entry that `same` accepts, or the free slot for it. A free slot must exist, and the number of
/// slots must be a power of two. Expected O(1).
#[inline]
pub fn find(slots: &[u32], hash: u32, same: impl Fn(u32) -> bool) -> Result<u32, usize> {
    let mask = slots.len() - 1;
    let mut slot = hash as usize & mask;
    loop {
        match slots[slot] {
            NONE => return Err(slot),
            entry if same(entry) => return Ok(entry),
            _ => slot = (slot + 1) & mask,
        }
    }
}

fn slots_for(entries: usize) -> usize {
    (2 * entries + 2).next_power_of_two()
}

/// A growing table that is never more than half full; its memory is reused.
#[derive(Default)]
pub struct Table {
    pub slots: Vec<u32>,
    entries: usize,
    spare: Vec<u32>,
}

impl Table {
    /// Empties the table and reserves slots for the expected number of entries.
    pub fn clear(&mut self, expected: usize) {
        self.entries = 0;
        self.slots.clear();
        self.slots.resize(slots_for(expected), NONE);
    }

    /// Reserves the memory that [`Self::clear`] needs for this number of entries.
    pub fn reserve(&mut self, expected: usize) -> Result<(), TryReserveError> {
        self.slots.clear();
        self.slots.try_reserve_exact(slots_for(expected))
    }

    /// Stores an entry in the free slot that `find` returned; `hash_of` returns the hash of any entry, including this
    /// one.
    #[inline]
    pub fn insert(&mut self, slot: usize, entry: u32, hash_of: impl Fn(u32) -> u32) {
        self.slots[slot] = entry;
        self.entries += 1;
        if 2 * self.entries >= self.slots.len() {
            self.grow(hash_of);
        }
    }

    fn grow(&mut self, hash_of: impl Fn(u32) -> u32) {
        std::mem::swap(&mut self.slots, &mut self.spare);
        self.slots.clear();
        self.slots.resize(4 * self.spare.len(), NONE);
        for &entry in self.spare.iter().filter(|&&entry| entry != NONE) {
            if let Err(slot) = find(&self.slots, hash_of(entry), |_| false) {
                self.slots[slot] = entry;
            }
        }
    }
}
