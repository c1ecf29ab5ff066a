//! Numbered strings.

use std::hash::BuildHasher;

use rustc_hash::FxBuildHasher;

/// Distinct strings in order of first appearance, in one buffer.
#[derive(Clone, Debug)]
pub struct Strings {
    text: String,
    /// String n is `text[ends[n]..ends[n + 1]]`.
    ends: Vec<usize>,
    /// A power of two of places, at most half of them taken: part of the hash, and the number of the string plus one.
    slots: Vec<(u32, u32)>,
}

impl Default for Strings {
    fn default() -> Self {
        Self { text: String::new(), ends: vec![0], slots: vec![(0, 0); 16] }
    }
}

impl Strings {
    /// The number of a string, which is added if it is new.
    pub fn intern(&mut self, text: &str) -> u32 {
        let hash = FxBuildHasher.hash_one(text);
        let slot = match self.find(text, hash) {
            Ok(number) => return number,
            Err(slot) => slot,
        };
        let number = self.len() as u32;
        self.text.push_str(text);
        self.ends.push(self.text.len());
        self.slots[slot] = (part(hash), number + 1);
        if self.slots.len() < 2 * self.len() {
            self.grow();
        }
        number
    }

    /// The number of a string, if it is known.
    pub fn place(&self, text: &str) -> Option<u32> {
        self.find(text, FxBuildHasher.hash_one(text)).ok()
    }

    /// The number of a string, or the slot for it.
    #[inline]
    fn find(&self, text: &str, hash: u64) -> Result<u32, usize> {
        let last = self.slots.len() - 1;
        let mut slot = hash as usize & last;
        loop {
            match self.slots[slot] {
                (_, 0) => return Err(slot),
                (own, number) if own == part(hash) && self.get(number - 1) == text => return Ok(number - 1),
                _ => slot = (slot + 1) & last,
            }
        }
    }

    fn grow(&mut self) {
        let last = 2 * self.slots.len() - 1;
        self.slots = vec![(0, 0); last + 1];
        for number in 0..self.len() as u32 {
            let hash = FxBuildHasher.hash_one(self.get(number));
            let mut slot = hash as usize & last;
            while self.slots[slot].1 != 0 {
                slot = (slot + 1) & last;
            }
            self.slots[slot] = (part(hash), number + 1);
        }
    }

    #[inline]
    pub fn get(&self, number: u32) -> &str {
        &self.text[self.ends[number as usize]..self.ends[number as usize + 1]]
    }

    pub fn len(&self) -> usize {
        self.ends.len() - 1
    }

    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }

    pub fn iter(&self) -> impl Iterator<Item = &str> + '_ {
        self.ends.windows(2).map(|ends| &self.text[ends[0]..ends[1]])
    }

    /// Approximate size in bytes.
    pub fn bytes(&self) -> usize {
        self.text.len() + 8 * (self.ends.len() + self.slots.len())
    }
}

/// The bits of a hash that are compared before the string.
#[inline]
fn part(hash: u64) -> u32 {
    (hash >> 32) as u32
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn strings_keep_their_numbers_while_the_table_grows() {
        let texts: Vec<String> = (0..1000).map(|number| "é".repeat(number % 7) + &number.to_string()).collect();
        let mut strings = Strings::default();
        for round in 0..2 {
            for (number, text) in texts.iter().enumerate() {
                assert_eq!(strings.place(text).is_some(), round > 0);
                assert_eq!(strings.intern(text), number as u32);
            }
        }
        assert_eq!((strings.len(), strings.place(""), strings.intern("")), (1000, None, 1000));
        assert!(strings.iter().zip(&texts).all(|(own, text)| own == text));
    }
}
