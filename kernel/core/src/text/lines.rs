//! Splits bytes into lines as they arrive, so that files need not be in memory as a whole.
//!
//! Only `\n`, `\r\n` and `\r` end a line; a byte order mark at the start is dropped; the last line end may be missing.
//! The bytes must be UTF-8 without NUL.
//!
//! Cost: O(bytes), and the memory of lines not yet taken.

use std::mem;

use memchr::memchr3_iter;

use super::{Buffer, Text};
use crate::error::Error;

/// Maximum length of a line in bytes, since positions in a line have 32 bits.
const LONGEST: usize = 1 << 30;

/// Splits the bytes of one file, pushed in portions, into lines.
#[derive(Debug)]
pub struct LineCutter {
    text: String,
    /// Ready line i is `text[ends[i]..ends[i + 1]]`; the rest is the beginning of the next line.
    ends: Vec<usize>,
    /// The first bytes of a character that the last portion split.
    half: Vec<u8>,
    /// Number of bytes read, without the ones in `half`, and number of lines that they end.
    offset: u64,
    lines: u64,
    after_return: bool,
}

impl Default for LineCutter {
    fn default() -> Self {
        let (text, ends, half) = (String::new(), vec![0], Vec::new());
        Self { text, ends, half, offset: 0, lines: 0, after_return: false }
    }
}

impl LineCutter {
    /// The number of lines that can be taken.
    pub fn ready(&self) -> usize {
        self.ends.len() - 1
    }

    /// Adds the next bytes of the file. O(bytes).
    pub fn push(&mut self, data: &[u8]) -> Result<(), Error> {
        if self.half.is_empty() {
            return self.decode(data);
        }
        let mut bytes = mem::take(&mut self.half);
        bytes.extend_from_slice(data);
        self.decode(&bytes)
    }

    /// Marks the end of the bytes.
    pub fn finish(&mut self) -> Result<(), Error> {
        if let Some(&byte) = self.half.first() {
            return Err(self.fault(0, byte, "unexpected end of data"));
        }
        let is_unended = self.text.len() > self.ends[self.ready()];
        if is_unended {
            self.end_line()
        } else {
            Ok(())
        }
    }

    /// The next lines, at most `most`. O(ready bytes).
    pub fn take(&mut self, most: usize) -> Text {
        let lines = most.min(self.ready());
        let end = self.ends[lines];
        let later_text = self.text.split_off(end);
        let later_ends = self.ends[lines..].iter().map(|later_end| later_end - end).collect();
        self.ends.truncate(lines + 1);
        let text = mem::replace(&mut self.text, later_text);
        Text::of(Buffer { text, ends: mem::replace(&mut self.ends, later_ends), absent: Vec::new() })
    }

    fn decode(&mut self, data: &[u8]) -> Result<(), Error> {
        let (valid, invalid) = match std::str::from_utf8(data) {
            Ok(text) => (text, None),
            Err(error) => {
                let valid = std::str::from_utf8(&data[..error.valid_up_to()]).unwrap_or_default();
                (valid, Some((error.valid_up_to(), error.error_len())))
            }
        };
        self.cut(valid)?;
        match invalid {
            Some((at, None)) => self.half.extend_from_slice(&data[at..]),
            Some((at, Some(_))) => {
                let is_utf16 =
                    self.offset == 0 && [[0xff, 0xfe], [0xfe, 0xff]].iter().any(|mark| data.starts_with(mark));
                let (line, offset, byte) = (self.lines + 1, self.offset, data[at]);
                return Err(Error::Bytes { line, offset, byte, reason: reason(byte), is_utf16 });
            }
            None => {}
        }
        Ok(())
    }

    fn cut(&mut self, text: &str) -> Result<(), Error> {
        let text = match text.strip_prefix('\u{feff}') {
            Some(rest) if self.offset == 0 => {
                self.offset = '\u{feff}'.len_utf8() as u64;
                rest
            }
            _ => text,
        };
        let bytes = text.as_bytes();
        let mut start = usize::from(self.after_return && bytes.first() == Some(&b'\n'));
        self.after_return &= bytes.is_empty();
        self.text.try_reserve(bytes.len()).map_err(|_| self.memory())?;
        for at in memchr3_iter(b'\n', b'\r', 0, bytes) {
            if at < start {
                continue; // the second half of a line end
            }
            if bytes[at] == 0 {
                return Err(self.fault(at, 0, "NUL"));
            }
            self.text.push_str(&text[start..at]);
            self.end_line()?;
            start = at + 1;
            if bytes[at] == b'\r' {
                self.after_return = start == bytes.len();
                start += usize::from(bytes.get(start) == Some(&b'\n'));
            }
        }
        self.text.push_str(&text[start..]);
        self.offset += bytes.len() as u64;
        if self.text.len() - self.ends[self.ready()] > LONGEST {
            return Err(Error::LongLine { line: self.lines + 1 });
        }
        Ok(())
    }

    fn end_line(&mut self) -> Result<(), Error> {
        self.ends.try_reserve(1).map_err(|_| self.memory())?;
        self.ends.push(self.text.len());
        self.lines += 1;
        Ok(())
    }

    fn memory(&self) -> Error {
        Error::LineMemory { line: self.lines + 1 }
    }

    fn fault(&self, at: usize, byte: u8, reason: &'static str) -> Error {
        let (line, offset) = (self.lines + 1, self.offset + at as u64);
        Error::Bytes { line, offset, byte, reason, is_utf16: false }
    }
}

/// The fault of UTF-8 that ends at a byte, in Python's words.
fn reason(byte: u8) -> &'static str {
    match byte {
        0xC2..=0xF4 => "invalid continuation byte",
        _ => "invalid start byte",
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
    fn line_ends_and_characters_may_be_cut_anywhere() {
        let data = "\u{feff}a é\r\n\rb\u{2028}👨\n\nlast".as_bytes();
        let expected = ["a é", "", "b\u{2028}👨", "", "last"];
        assert_eq!(lines(&[data]).unwrap(), expected);
        for at in 0..data.len() {
            assert_eq!(lines(&[&data[..at], &data[at..]]).unwrap(), expected, "cut at {at}");
        }
        let bytes: Vec<&[u8]> = data.chunks(1).collect();
        assert_eq!(lines(&bytes).unwrap(), expected);
        assert_eq!(lines(&[b""]).unwrap(), [""; 0]);
        assert_eq!(lines(&[b"\n"]).unwrap(), [""]);
    }

    #[test]
    fn faults_are_located() {
        let fault = |line, offset, byte, reason| Err(Error::Bytes { line, offset, byte, reason, is_utf16: false });
        assert_eq!(lines(&[b"good\nb\xe4d\n"]), fault(2, 6, 0xe4, "invalid continuation byte"));
        assert_eq!(lines(&[b"\xef\xbb\xbfgood\r", b"\nb\xff"]), fault(2, 10, 0xff, "invalid start byte"));
        assert_eq!(lines(&[b"a\nb\xc3"]), fault(2, 3, 0xc3, "unexpected end of data"));
        assert_eq!(lines(&[b"a\r", b"b\0c\n"]), fault(2, 3, 0, "NUL"));
    }

    #[test]
    fn lines_are_taken_as_they_come() {
        let mut cutter = LineCutter::default();
        cutter.push(b"a\nb\nc").unwrap();
        assert_eq!(cutter.ready(), 2);
        assert_eq!(cutter.take(1), Text::new([Some("a")]));
        cutter.push(b"d\n").unwrap();
        assert_eq!(cutter.take(9), Text::new([Some("b"), Some("cd")]));
        assert_eq!(cutter.take(9).len(), 0);
    }
}
