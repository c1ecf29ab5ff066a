//! Incremental splitting of bytes into lines, so that files need not fit in memory.
//!
//! Only `\n`, `\r\n` and `\r` end a line. A byte order mark at the start is dropped. The last line end may be missing.
//! The bytes must be UTF-8 without NUL.
//!
//! Cost: O(bytes), and the memory of lines not yet taken.

use std::mem;

use memchr::memchr3_iter;

use super::{Buffer, Text};
use crate::error::{ByteFault, Error};

/// Maximum length of a line in bytes, since positions in a line have 32 bits.
const MAX_LINE_BYTES: usize = 1 << 30;

/// Splits the bytes of one file, pushed in portions, into lines.
#[derive(Debug)]
pub struct LineCutter {
    text: String,
    /// Ready line i is `text[ends[i]..ends[i + 1]]`; the text after them is the beginning of the next line.
    ends: Vec<usize>,
    /// The first bytes of a character that was split between two portions.
    partial_character: Vec<u8>,
    /// Numbers of bytes and of line ends read, without `partial_character`.
    offset: u64,
    lines: u64,
    is_after_return: bool,
}

impl Default for LineCutter {
    fn default() -> Self {
        let (text, ends, partial_character) = (String::new(), vec![0], Vec::new());
        Self { text, ends, partial_character, offset: 0, lines: 0, is_after_return: false }
    }
}

impl LineCutter {
    /// The number of lines that can be taken.
    pub fn ready(&self) -> usize {
        self.ends.len() - 1
    }

    /// Adds the next bytes of the file. O(bytes).
    pub fn push(&mut self, data: &[u8]) -> Result<(), Error> {
        if self.partial_character.is_empty() {
            return self.decode(data);
        }
        let mut bytes = mem::take(&mut self.partial_character);
        bytes.extend_from_slice(data);
        self.decode(&bytes)
    }

    /// Marks the end of the bytes.
    pub fn finish(&mut self) -> Result<(), Error> {
        if let Some(&byte) = self.partial_character.first() {
            return Err(self.byte_error(0, byte, ByteFault::End));
        }
        let is_unended = self.text.len() > self.ends[self.ready()];
        if is_unended {
            self.end_line()
        } else {
            Ok(())
        }
    }

    /// Takes at most `limit` lines. O(ready bytes).
    pub fn take(&mut self, limit: usize) -> Text {
        let lines = limit.min(self.ready());
        let end = self.ends[lines];
        let later_text = self.text.split_off(end);
        let later_ends = self.ends[lines..].iter().map(|later_end| later_end - end).collect();
        self.ends.truncate(lines + 1);
        let text = mem::replace(&mut self.text, later_text);
        Text::from_buffer(Buffer { text, ends: mem::replace(&mut self.ends, later_ends), absent: Vec::new() })
    }

    fn decode(&mut self, data: &[u8]) -> Result<(), Error> {
        let (valid, invalid) = match std::str::from_utf8(data) {
            Ok(text) => (text, None),
            Err(error) => {
                let valid = std::str::from_utf8(&data[..error.valid_up_to()]).unwrap_or_default();
                (valid, Some((error.valid_up_to(), error.error_len())))
            }
        };
        self.split(valid)?;
        match invalid {
            Some((position, None)) => self.partial_character.extend_from_slice(&data[position..]),
            Some((position, Some(_))) => {
                let byte = data[position];
                return Err(self.byte_error(0, byte, fault(byte)));
            }
            None => {}
        }
        Ok(())
    }

    fn split(&mut self, text: &str) -> Result<(), Error> {
        let text = match text.strip_prefix('\u{feff}') {
            Some(text) if self.offset == 0 => {
                self.offset = '\u{feff}'.len_utf8() as u64;
                text
            }
            _ => text,
        };
        let bytes = text.as_bytes();
        let mut start = usize::from(self.is_after_return && bytes.first() == Some(&b'\n'));
        self.is_after_return &= bytes.is_empty();
        self.text.try_reserve(bytes.len()).map_err(|_| self.out_of_memory())?;
        for position in memchr3_iter(b'\n', b'\r', 0, bytes) {
            if position < start {
                continue; // the `\n` of `\r\n`
            }
            if bytes[position] == 0 {
                return Err(self.byte_error(position, 0, ByteFault::Nul));
            }
            self.text.push_str(&text[start..position]);
            self.end_line()?;
            start = position + 1;
            if bytes[position] == b'\r' {
                self.is_after_return = start == bytes.len();
                start += usize::from(bytes.get(start) == Some(&b'\n'));
            }
        }
        self.text.push_str(&text[start..]);
        self.offset += bytes.len() as u64;
        if self.text.len() - self.ends[self.ready()] > MAX_LINE_BYTES {
            return Err(Error::LongLine { line: self.lines + 1 });
        }
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), Error> {
        self.ends.try_reserve(1).map_err(|_| self.out_of_memory())?;
        self.ends.push(self.text.len());
        self.lines += 1;
        Ok(())
    }

    fn out_of_memory(&self) -> Error {
        Error::LineMemory { line: self.lines + 1 }
    }

    fn byte_error(&self, position: usize, byte: u8, fault: ByteFault) -> Error {
        Error::Bytes { line: self.lines + 1, offset: self.offset + position as u64, byte, fault }
    }
}

/// The fault of an invalid byte of UTF-8, as Python describes it.
fn fault(byte: u8) -> ByteFault {
    match byte {
        0xC2..=0xF4 => ByteFault::Continuation,
        _ => ByteFault::Start,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn lines(portions: &[&[u8]]) -> Result<Vec<String>, Error> {
        let mut cutter = LineCutter::default();
        for portion in portions {
            cutter.push(portion)?;
        }
        cutter.finish()?;
        let text = cutter.take(usize::MAX);
        Ok(text.iter().map(|line| line.unwrap_or_default().to_string()).collect())
    }

    #[test]
    fn portions_may_split_line_ends_and_characters() {
        let data = "\u{feff}a é\r\n\rb\u{2028}👨\n\nlast".as_bytes();
        let expected = ["a é", "", "b\u{2028}👨", "", "last"];
        assert_eq!(lines(&[data]).unwrap(), expected);
        for position in 0..data.len() {
            assert_eq!(lines(&[&data[..position], &data[position..]]).unwrap(), expected, "cut at {position}");
        }
        let bytes: Vec<&[u8]> = data.chunks(1).collect();
        assert_eq!(lines(&bytes).unwrap(), expected);
        assert_eq!(lines(&[b""]).unwrap(), [""; 0]);
        assert_eq!(lines(&[b"\n"]).unwrap(), [""]);
    }

    #[test]
    fn invalid_bytes_are_located() {
        let byte_error = |line, offset, byte, fault| Err(Error::Bytes { line, offset, byte, fault });
        assert_eq!(lines(&[b"good\nb\xe4d\n"]), byte_error(2, 6, 0xe4, ByteFault::Continuation));
        assert_eq!(lines(&[b"\xef\xbb\xbfgood\r", b"\nb\xff"]), byte_error(2, 10, 0xff, ByteFault::Start));
        assert_eq!(lines(&[b"a\nb\xc3"]), byte_error(2, 3, 0xc3, ByteFault::End));
        assert_eq!(lines(&[b"a\r", b"b\0c\n"]), byte_error(2, 3, 0, ByteFault::Nul));
    }

    #[test]
    fn lines_are_taken_before_the_end_of_the_file() {
        let mut cutter = LineCutter::default();
        cutter.push(b"a\nb\nc").unwrap();
        assert_eq!(cutter.ready(), 2);
        assert_eq!(cutter.take(1), Text::new([Some("a")]));
        cutter.push(b"d\n").unwrap();
        assert_eq!(cutter.take(9), Text::new([Some("b"), Some("cd")]));
        assert_eq!(cutter.take(9).len(), 0);
    }
}
