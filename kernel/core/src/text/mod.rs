//! Lines of text in one buffer, which threads read without Python.

pub mod lines;
pub mod normal_forms;
pub mod strings;
pub mod tokenise;
pub mod words;

use std::hash::{BuildHasher, Hasher, RandomState};
use std::ops::Range;
use std::sync::{Arc, OnceLock};

use memchr::memchr3;

use crate::error::Error;
use crate::parallel;

/// Lines that several [`Text`]s share.
#[derive(Debug, PartialEq, Eq)]
struct Buffer {
    text: String,
    /// Line i is `text[ends[i]..ends[i + 1]]`.
    ends: Vec<usize>,
    /// Indices of missing lines, ascending; their text is empty.
    absent: Vec<usize>,
}

impl Default for Buffer {
    fn default() -> Self {
        Self { text: String::new(), ends: vec![0], absent: Vec::new() }
    }
}

/// Lines of text, some of which may be missing. Clones and slices share the buffer: O(1).
#[derive(Clone, Debug, Default)]
pub struct Text {
    buffer: Arc<Buffer>,
    lines: Range<usize>,
}

impl Text {
    /// Cost: O(bytes). `None` is a missing line.
    pub fn new<T: AsRef<str>>(lines: impl IntoIterator<Item = Option<T>>) -> Self {
        let mut buffer = Buffer::default();
        for (number, line) in lines.into_iter().enumerate() {
            match line {
                Some(line) => buffer.text.push_str(line.as_ref()),
                None => buffer.absent.push(number),
            }
            buffer.ends.push(buffer.text.len());
        }
        Self::from_buffer(buffer)
    }

    fn from_buffer(buffer: Buffer) -> Self {
        let lines = 0..buffer.ends.len() - 1;
        Self { buffer: Arc::new(buffer), lines }
    }

    pub fn len(&self) -> usize {
        self.lines.len()
    }

    pub fn is_empty(&self) -> bool {
        self.lines.is_empty()
    }

    /// A line; empty if it is missing. O(1).
    #[inline]
    pub fn line(&self, number: usize) -> &str {
        let index = self.lines.start + number;
        &self.buffer.text[self.buffer.ends[index]..self.buffer.ends[index + 1]]
    }

    /// A line unless it is missing. O(log of the missing lines).
    #[inline]
    pub fn get(&self, number: usize) -> Option<&str> {
        let absent = &self.buffer.absent;
        let is_missing = !absent.is_empty() && absent.binary_search(&(self.lines.start + number)).is_ok();
        (!is_missing).then(|| self.line(number))
    }

    /// The missing lines. O(log of the missing lines of the buffer) for the first one.
    fn missing(&self) -> impl Iterator<Item = usize> + '_ {
        let first = self.buffer.absent.partition_point(|&number| number < self.lines.start);
        let numbers = self.buffer.absent[first..].iter().take_while(|&&number| number < self.lines.end);
        numbers.map(|number| number - self.lines.start)
    }

    /// Whether no line is missing. O(log of the missing lines).
    pub fn is_complete(&self) -> bool {
        self.missing().next().is_none()
    }

    /// The lines `range`, which must be within this text. O(1).
    pub fn slice(&self, range: Range<usize>) -> Self {
        assert!(range.start <= range.end && range.end <= self.len(), "a slice of lines lies in the text");
        let lines = self.lines.start + range.start..self.lines.start + range.end;
        Self { buffer: Arc::clone(&self.buffer), lines }
    }

    pub fn iter(&self) -> impl Iterator<Item = Option<&str>> + '_ {
        (0..self.len()).map(|number| self.get(number))
    }

    /// The indices of lines whose words differ, in order; both texts have the same length. O(bytes) for all.
    pub fn differing<'a>(&'a self, other: &'a Text) -> impl Iterator<Item = usize> + 'a {
        (0..self.len()).filter(|&number| {
            let (first, second) = (self.line(number), other.line(number));
            first != second && !words::words(first).eq(words::words(second))
        })
    }

    /// The lines of several texts. O(bytes); O(1) if all others are empty.
    pub fn concatenated(texts: &[&Text]) -> Self {
        let texts: Vec<&Text> = texts.iter().copied().filter(|text| !text.is_empty()).collect();
        if let [text] = texts[..] {
            return text.clone();
        }
        let mut buffer = Buffer::default();
        for text in texts {
            let (lines, start) = (buffer.ends.len() - 1, buffer.text.len());
            let ends = &text.buffer.ends[text.lines.start..=text.lines.end];
            buffer.absent.extend(text.missing().map(|number| lines + number));
            buffer.text.push_str(&text.buffer.text[ends[0]..ends[text.len()]]);
            buffer.ends.extend(ends[1..].iter().map(|end| start + end - ends[0]));
        }
        Self::from_buffer(buffer)
    }

    /// The lines between ascending offsets in UTF-8, as Arrow stores them; None for other offsets or bytes.
    ///
    /// Cost: O(bytes). Lines for which `is_missing` is true are missing.
    pub fn from_offsets(data: &[u8], offsets: &[i64], is_missing: impl Fn(usize) -> bool) -> Option<Self> {
        let ends: Vec<usize> = offsets.iter().map(|&offset| offset.try_into().ok()).collect::<Option<_>>()?;
        let first = *ends.first()?;
        let text = std::str::from_utf8(data.get(first..*ends.last()?)?).ok()?;
        let line_between = |(number, ends): (usize, &[usize])| {
            let line = text.get(ends[0].checked_sub(first)?..ends[1].checked_sub(first)?)?;
            Some((!is_missing(number)).then_some(line))
        };
        Some(Self::new(ends.windows(2).enumerate().map(line_between).collect::<Option<Vec<_>>>()?))
    }

    /// Whether a line contains one of these bytes. O(bytes).
    pub fn contains_any(&self, [a, b, c]: [u8; 3]) -> bool {
        let Range { start, end } = self.lines;
        let bytes = &self.buffer.text.as_bytes()[self.buffer.ends[start]..self.buffer.ends[end]];
        memchr3(a, b, c, bytes).is_some()
    }

    /// Replaces each line by the text that `append_line` appends for it; missing lines stay missing. O(bytes), and the
    /// appended text.
    pub fn map_lines(&self, threads: usize, append_line: impl Fn(&str, &mut String) + Sync) -> Result<Self, Error> {
        let blocks = parallel::map_blocks(self.len(), threads, |lines| {
            let mut text = String::new();
            let append = |number: usize| {
                if let Some(line) = self.get(number) {
                    append_line(line, &mut text);
                }
                text.len()
            };
            let ends: Vec<usize> = lines.map(append).collect();
            Ok((text, ends))
        })?;
        let mut buffer = Buffer { absent: self.missing().collect(), ..Buffer::default() };
        for (text, ends) in blocks {
            let start = buffer.text.len();
            buffer.ends.extend(ends.into_iter().map(|end| start + end));
            buffer.text.push_str(&text);
        }
        Ok(Self::from_buffer(buffer))
    }

    /// A 128-bit hash of the lines, with random seeds of the process: nobody can construct two texts with one hash, whose
    /// results a cache would exchange. O(bytes).
    pub fn fingerprint(&self) -> u128 {
        static SEEDS: OnceLock<[RandomState; 2]> = OnceLock::new();
        let seeds = SEEDS.get_or_init(|| [RandomState::new(), RandomState::new()]);
        let ends = &self.buffer.ends[self.lines.start..=self.lines.end];
        let bytes = &self.buffer.text.as_bytes()[ends[0]..ends[self.lines.len()]];
        let hash = |seed: &RandomState| {
            let mut hasher = seed.build_hasher();
            hasher.write_usize(self.lines.len());
            ends.windows(2).for_each(|line| hasher.write_usize(line[1] - line[0]));
            hasher.write(bytes);
            self.missing().for_each(|line| hasher.write_usize(line));
            u128::from(hasher.finish())
        };
        hash(&seeds[0]) << 64 | hash(&seeds[1])
    }
}

impl PartialEq for Text {
    fn eq(&self, other: &Self) -> bool {
        self.len() == other.len() && self.iter().eq(other.iter())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn slices_share_lines_of_the_text() {
        let text = Text::new([Some("a"), None, Some(""), Some("bc")]);
        assert_eq!(text.iter().collect::<Vec<_>>(), [Some("a"), None, Some(""), Some("bc")]);
        let part = text.slice(2..4);
        assert_eq!((part.len(), part.line(1), part.is_complete()), (2, "bc", true));
        assert!(!text.is_complete());
        assert_eq!(part, Text::new([Some(""), Some("bc")]));
        assert_eq!(part.fingerprint(), Text::new([Some(""), Some("bc")]).fingerprint());
        assert_ne!(part.fingerprint(), Text::new([None, Some("bc")]).fingerprint());
        assert!(Text::new([None::<&str>; 0]).is_empty());
        assert_eq!(
            Text::concatenated(&[&part, &text, &text.slice(0..1)]).iter().collect::<Vec<_>>(),
            [Some(""), Some("bc"), Some("a"), None, Some(""), Some("bc"), Some("a")]
        );
    }
}
