//! Numbered strings.

use std::hash::{BuildHasher, Hasher};

use foldhash::fast::RandomState;
use hashbrown::HashTable;

/// Distinct strings in order of first appearance, in one buffer.
#[derive(Clone, Debug)]
pub struct Strings {
    text: String,
    /// String n is `text[ends[n]..ends[n + 1]]`.
    ends: Vec<usize>,
    /// The number of each string.
    numbers: HashTable<u32>,
    /// Randomly seeded, so that no text can cause many collisions.
    hasher: RandomState,
}

impl Default for Strings {
    fn default() -> Self {
        Self { text: String::new(), ends: vec![0], numbers: HashTable::new(), hasher: RandomState::default() }
    }
}

/// The string with this number, in the buffer of [`Strings`].
#[inline]
fn string<'a>(buffer: &'a str, ends: &[usize], number: u32) -> &'a str {
    &buffer[ends[number as usize]..ends[number as usize + 1]]
}

#[inline]
fn hash(hasher: &RandomState, text: &str) -> u64 {
    let mut hasher = hasher.build_hasher();
    hasher.write(text.as_bytes());
    hasher.finish()
}

impl Strings {
    /// Removes all strings. O(capacity) unless there are none.
    pub fn clear(&mut self) {
        if !self.is_empty() {
            self.text.clear();
            self.ends.truncate(1);
            self.numbers.clear();
        }
    }

    /// The number of a string, which is added if it is new.
    pub fn intern(&mut self, text: &str) -> u32 {
        let hash_of = |text: &str| hash(&self.hasher, text);
        let hash = hash_of(text);
        if let Some(&number) = self.numbers.find(hash, |&number| self.get(number) == text) {
            return number;
        }
        let number = self.len() as u32;
        self.text.push_str(text);
        self.ends.push(self.text.len());
        self.numbers.insert_unique(hash, number, |&number| hash_of(string(&self.text, &self.ends, number)));
        number
    }

    /// The number of a string, if it is known.
    pub fn number(&self, text: &str) -> Option<u32> {
        self.numbers.find(hash(&self.hasher, text), |&number| self.get(number) == text).copied()
    }

    #[inline]
    pub fn get(&self, number: u32) -> &str {
        string(&self.text, &self.ends, number)
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
        self.text.len() + 8 * self.ends.len() + self.numbers.allocation_size()
    }
}

#[cfg(test)]
mod tests {
    use foldhash::HashSet;

    use super::*;

    #[test]
    fn strings_keep_their_numbers_while_the_table_grows() {
        let texts: Vec<String> = (0..1000).map(|number| "é".repeat(number % 7) + &number.to_string()).collect();
        let mut strings = Strings::default();
        for round in 0..2 {
            for (number, text) in texts.iter().enumerate() {
                assert_eq!(strings.number(text).is_some(), round > 0);
                assert_eq!(strings.intern(text), number as u32);
            }
        }
        assert_eq!((strings.len(), strings.number(""), strings.intern("")), (1000, None, 1000));
        assert!(strings.iter().zip(&texts).all(|(string, text)| string == text));
    }

    /// Strings of 48 bytes with the same hash under rustc-hash 2, which has no seed: the last block cancels the state
    /// after the first one.
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
        let hasher = RandomState::default();
        let hashes: HashSet<u64> = colliding(20_000).iter().map(|text| hash(&hasher, text)).collect();
        assert_eq!(hashes.len(), 20_000);
    }

    #[test]
    fn numbers_do_not_depend_on_the_seed() {
        let (mut first, mut second) = (Strings::default(), Strings::default());
        assert_ne!(hash(&first.hasher, "a"), hash(&second.hasher, "a"), "seeds");
        for text in colliding(300).iter().rev() {
            assert_eq!(first.intern(text), second.intern(text));
        }
        assert!(first.iter().eq(second.iter()));
    }
}
