//! Numbered strings.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::RandomState;

/// Distinct strings in order of first appearance, in one buffer.
#[derive(Clone, Debug)]
pub struct Strings {
    text: String,
    /// String n is `text[ends[n]..ends[n + 1]]`.
    ends: Vec<usize>,
    /// A power of two of places, at most half of them taken: part of the hash, and the number of the string plus one.
    slots: Vec<(u32, u32)>,
    hasher: RandomState,
}

impl Default for Strings {
    fn default() -> Self {
        Self { text: String::new(), ends: vec![0], slots: vec![(0, 0); 16], hasher: RandomState::default() }
    }
}

impl Strings {
    /// The number of a string, which is added if it is new.
    pub fn intern(&mut self, text: &str) -> u32 {
        let hash = self.hash(text);
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
        self.find(text, self.hash(text)).ok()
    }

    #[inline]
    fn hash(&self, text: &str) -> u64 {
        let mut hasher = self.hasher.build_hasher();
        hasher.write(text.as_bytes());
        hasher.finish()
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
            let hash = self.hash(self.get(number));
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

    /// Strings of 48 bytes with the same hash under rustc-hash 2, which has no seed: the two words of the first block
    /// make a state that the last block cancels, and a factor of 0 ends every hash.
    fn colliding(count: usize) -> Vec<String> {
        let state = |text: &str| {
            let word = |at: usize| u128::from(u64::from_le_bytes(*text.as_bytes()[at..].first_chunk().unwrap()));
            let product = (word(0) ^ 0x243f_6a88_85a3_08d3) * (word(8) ^ 0xa409_3822_299f_31d0);
            (product as u64 ^ (product >> 64) as u64).to_le_bytes()
        };
        let firsts = (0..).map(|number| format!("{number:016}"));
        let first = firsts.into_iter().find(|first| state(first).iter().all(u8::is_ascii_graphic)).unwrap();
        let last: String = state(&first).map(char::from).iter().collect();
        (0..count).map(|number| format!("{first}{number:016}{last}........")).collect()
    }

    #[test]
    fn strings_that_collide_without_a_seed_are_spread() {
        let mut strings = Strings::default();
        colliding(20_000).iter().for_each(|text| {
            strings.intern(text);
        });
        let taken = strings.slots.split(|slot| slot.1 == 0).map(<[_]>::len);
        assert!(taken.max() < Some(500), "longest search");
    }

    #[test]
    fn numbers_do_not_depend_on_the_seed() {
        let (mut first, mut second) = (Strings::default(), Strings::default());
        assert_ne!(first.hash("a"), second.hash("a"), "seeds");
        for text in colliding(300).iter().rev() {
            assert_eq!(first.intern(text), second.intern(text));
        }
        assert!(first.iter().eq(second.iter()));
    }
}
