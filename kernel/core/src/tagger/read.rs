//! Reading of a model: little-endian numbers, short strings, and sorted tables of front-coded words.
//! Every read is checked, so that a damaged file causes an error and not a panic.

use crate::error::Error;

/// The remaining bytes of a model.
pub struct ModelReader<'a> {
    bytes: &'a [u8],
}

impl<'a> ModelReader<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes }
    }

    pub fn is_empty(&self) -> bool {
        self.bytes.is_empty()
    }

    pub fn take(&mut self, count: usize) -> Result<&'a [u8], Error> {
        if count > self.bytes.len() {
            return Err(Error::Model("the tagger's model ends too early".into()));
        }
        let (head, tail) = self.bytes.split_at(count);
        self.bytes = tail;
        Ok(head)
    }

    pub fn u8(&mut self) -> Result<u8, Error> {
        Ok(self.take(1)?[0])
    }

    pub fn u16(&mut self) -> Result<u16, Error> {
        let bytes = self.take(2)?;
        Ok(u16::from_le_bytes([bytes[0], bytes[1]]))
    }

    pub fn u32(&mut self) -> Result<u32, Error> {
        let bytes = self.take(4)?;
        Ok(u32::from_le_bytes([bytes[0], bytes[1], bytes[2], bytes[3]]))
    }

    pub fn u64(&mut self) -> Result<u64, Error> {
        Ok(u64::from(self.u32()?) | u64::from(self.u32()?) << 32)
    }

    /// A string of at most 255 bytes, preceded by its length.
    pub fn string(&mut self) -> Result<String, Error> {
        let length = self.u8()? as usize;
        utf8(self.take(length)?.to_vec())
    }

    /// At most 255 strings, preceded by their number.
    pub fn names(&mut self) -> Result<Vec<String>, Error> {
        (0..self.u8()?).map(|_| self.string()).collect()
    }
}

fn utf8(bytes: Vec<u8>) -> Result<String, Error> {
    String::from_utf8(bytes).map_err(|_| Error::Model("the tagger's model contains invalid UTF-8".into()))
}

/// Sorted distinct words in one string; the index of a word is its rank.
pub struct RankedWords {
    text: String,
    ends: Vec<u32>,
}

impl RankedWords {
    /// Front-coded: each word is the number of bytes that it shares with the previous word, and its other bytes.
    pub fn read(reader: &mut ModelReader) -> Result<Self, Error> {
        let count = reader.u32()? as usize;
        let (mut bytes, mut ends) = (Vec::new(), Vec::new());
        let mut start = 0;
        for _ in 0..count {
            let shared = reader.u8()? as usize;
            let length = reader.u8()? as usize;
            let suffix = reader.take(length)?;
            let end = bytes.len();
            if start + shared > end {
                return Err(Error::Model("a word of the tagger's model shares too many bytes".into()));
            }
            bytes.extend_from_within(start..start + shared);
            bytes.extend_from_slice(suffix);
            start = end;
            ends.push(bytes.len() as u32);
        }
        let text = utf8(bytes)?;
        if ends.iter().any(|&end| !text.is_char_boundary(end as usize)) {
            return Err(Error::Model("the tagger's model splits a character".into()));
        }
        Ok(Self { text, ends })
    }

    pub fn len(&self) -> usize {
        self.ends.len()
    }

    fn word(&self, rank: usize) -> &str {
        let start = if rank == 0 { 0 } else { self.ends[rank - 1] };
        &self.text[start as usize..self.ends[rank] as usize]
    }

    /// The rank of a word, or None. O(log n) comparisons.
    pub fn find(&self, word: &str) -> Option<usize> {
        let (mut low, mut high) = (0, self.len());
        while low < high {
            let middle = (low + high) / 2;
            match self.word(middle).cmp(word) {
                std::cmp::Ordering::Less => low = middle + 1,
                std::cmp::Ordering::Greater => high = middle,
                std::cmp::Ordering::Equal => return Some(middle),
            }
        }
        None
    }
}
