//! Reading M2.
//!
//! Lines that are empty or white space separate blocks. A block has an `S` line and then `A` lines, and `I` lines in
//! some files. In ChERRANT's dialect a `T` line, the text of an answer in one of its alignments, precedes the `A` lines
//! of that alignment. A second `S` line in one block is a fault, or, as in the official scorer, each sentence of the
//! block gets the edits that fit it.

use std::borrow::Cow;

use crate::edits::columns::EditRow;
use crate::edits::m2::blocks::{BlockExtras, BlockHead, Blocks, BlocksBuilder, EditLine, TargetLine};
use crate::edits::m2::fit;
use crate::error::Error;
use crate::interrupt;
use crate::text::words::is_space;
use crate::text::Text;

/// The fault of a line, and two numbers for its message (see faults.tsv).
pub type FaultKind = (&'static str, usize, usize);

#[derive(Clone, Debug, PartialEq, Eq)]
pub struct LineFault {
    pub line: u64,
    /// Number of complete blocks before the block of this line.
    pub blocks: usize,
    pub kind: FaultKind,
    /// The line, or the faulty field.
    pub text: String,
}

/// Maximum number of characters of a line in a fault; messages print less.
const MAX_FAULT_LENGTH: usize = 64;

/// Position of a piece of a file, and how to read it.
#[derive(Clone, Copy, Debug)]
pub struct FilePiece {
    /// The number of its first line.
    pub line: u64,
    /// Whether nothing follows it.
    pub last: bool,
    /// Whether several `S` lines in one block share its edits, as in the official scorer; else they are faults.
    pub shared: bool,
}

/// The blocks of a piece of a file, which begins and ends between two blocks, and the faults in line order. Faulty
/// lines are skipped, except those with separators in excess (see `LISTED` in blocks.py). A line ends with `\n` after any number of `\r`; a byte order mark in line 1 is skipped.
/// Cost: O(bytes), and O(edits · sentences) for blocks of several sentences.
pub fn parse(data: &[u8], path: Option<&str>, piece: FilePiece) -> Result<(Blocks, Vec<LineFault>), Error> {
    let mut reader = M2Reader::new(path, piece.shared);
    for (number, raw) in (piece.line..).zip(data.split_inclusive(|&byte| byte == b'\n')) {
        interrupt::check_interrupt_sometimes()?;
        let line = reader.decoded(raw, number);
        if line.chars().all(is_space) {
            reader.end_group(true);
        } else {
            reader.read_line(line, number);
        }
    }
    reader.end_group(!piece.last);
    Ok((reader.builder.finish(Text::new(reader.sources.iter().map(Some))), reader.faults))
}

/// Reads the lines between two empty ones.
struct M2Reader<'a> {
    builder: BlocksBuilder,
    sources: Vec<Cow<'a, str>>,
    faults: Vec<LineFault>,
    /// The numbers of the `S` lines of the group; their texts are at the end of `sources`.
    heads: Vec<u64>,
    lines: Vec<EditLine>,
    extras: BlockExtras,
    shared: bool,
}

impl<'a> M2Reader<'a> {
    fn new(path: Option<&str>, shared: bool) -> Self {
        Self {
            builder: BlocksBuilder::new(vec![path.map(str::to_string)]),
            sources: Vec::new(),
            faults: Vec::new(),
            heads: Vec::new(),
            lines: Vec::new(),
            extras: BlockExtras::default(),
            shared,
        }
    }

    fn fault(&mut self, line: u64, kind: FaultKind, text: &str) {
        let text = text.chars().take(MAX_FAULT_LENGTH).collect();
        self.faults.push(LineFault { line, blocks: self.builder.len(), kind, text });
    }

    /// A line without its end; invalid UTF-8 and NUL are replaced, so that the blocks can be written and read again.
    fn decoded(&mut self, raw: &'a [u8], number: u64) -> Cow<'a, str> {
        let mut text = match std::str::from_utf8(raw) {
            Ok(text) => Cow::Borrowed(text),
            Err(error) => {
                let offset = error.valid_up_to();
                self.fault(number, ("not utf-8", raw[offset].into(), offset), "");
                String::from_utf8_lossy(raw)
            }
        };
        if raw.contains(&0) {
            let offset = raw.iter().take_while(|&&byte| byte != 0).count();
            self.fault(number, ("nul", offset, 0), "");
            text = Cow::Owned(text.replace('\0', "\u{fffd}"));
        }
        match text {
            Cow::Borrowed(text) => Cow::Borrowed(without_line_end(text, number)),
            Cow::Owned(text) => Cow::Owned(without_line_end(&text, number).to_string()),
        }
    }

    fn read_line(&mut self, text: Cow<'a, str>, number: u64) {
        if &*text == "S" || text.starts_with("S ") {
            if !self.shared && !self.heads.is_empty() {
                self.fault(number, ("second source", 0, 0), &text);
                self.end_group(false);
            }
            self.heads.push(number);
            self.sources.push(match text {
                Cow::Borrowed(text) => Cow::Borrowed(text.get(2..).unwrap_or_default()),
                Cow::Owned(text) => Cow::Owned(text.get(2..).unwrap_or_default().to_string()),
            });
        } else if self.heads.is_empty() {
            self.fault(number, ("no source", 0, 0), &text);
        } else if text.starts_with("A ") {
            self.read_edit(&text, number);
        } else if text.starts_with("I ") {
            self.extras.notes.push(text.into_owned());
        } else if let Some(target) = parse_target(&text) {
            self.report_early_lines(number);
            self.read_target(target, &text, number);
        } else {
            self.fault(number, ("no edit", 0, 0), &text);
        }
    }

    /// Reports lines above the first `T` line, which belong to no answer, in line order with other faults.
    fn report_early_lines(&mut self, target: u64) {
        if !self.extras.targets.is_empty() {
            return;
        }
        for line in std::mem::take(&mut self.lines) {
            let (blocks, kind) = (self.builder.len(), ("early", target as usize, 0));
            let position = self.faults.partition_point(|fault| fault.line <= line.number);
            self.faults.insert(position, LineFault { line: line.number, blocks, kind, text: String::new() });
        }
    }

    fn read_target(&mut self, target: TargetLine, text: &str, number: u64) {
        let is_same = |line: &TargetLine| (line.annotator, line.alignment) == (target.annotator, target.alignment);
        if self.extras.targets.iter().any(is_same) {
            return self.fault(number, ("twice", 0, 0), text);
        }
        self.extras.targets.push(target);
    }

    fn read_edit(&mut self, text: &str, number: u64) {
        let (mut fields, mut remaining) = ([""; 4], text);
        for (number_of_field, field) in fields.iter_mut().enumerate() {
            let Some(separator) = find_separator(remaining) else {
                return self.fault(number, ("fields", number_of_field + 1, 0), text);
            };
            (*field, remaining) = (&remaining[..separator], &remaining[separator + 3..]);
        }
        let [span, kind, correction, required] = fields;
        let Some(mut last_separator) = find_separator(remaining) else {
            return self.fault(number, ("fields", 5, 0), text);
        };
        let mut number_of_fields = 6;
        while let Some(distance) = find_separator(&remaining[last_separator + 3..]) {
            last_separator += 3 + distance;
            number_of_fields += 1;
        }
        let (comment, annotator_field) = (&remaining[..last_separator], &remaining[last_separator + 3..]);
        let Some((start, end)) = parse_span(span) else {
            return self.fault(number, ("span", 0, 0), span);
        };
        let Some(annotator) = parse_number(annotator_field.trim_matches(' ')) else {
            return self.fault(number, ("annotator", 0, 0), annotator_field);
        };
        if number_of_fields > 6 {
            self.fault(number, ("more fields", number_of_fields, 0), text);
        } else if [required, comment].iter().any(|field| field.starts_with('|')) {
            self.fault(number, ("bar", 0, 0), text);
        } else if correction.contains("||") && correction.split("||").any(|text| text.chars().all(is_space)) {
            self.fault(number, ("empty alternative", 0, 0), correction);
        }
        let answer = self.extras.targets.last().map(|target| (target.annotator, target.alignment.unwrap_or(0)));
        let (target_annotator, alignment) = answer.unwrap_or((annotator, 0));
        if target_annotator != annotator {
            return self.fault(number, ("answer", target_annotator as usize, 0), text);
        }
        let (kind, text) = (self.builder.intern(kind), self.builder.intern_correction(correction));
        let fields = self.builder.fields(required, comment);
        self.lines.push(EditLine { row: EditRow { start, end, kind, text }, fields, annotator, alignment, number });
    }

    /// Adds a block for every `S` line of the group; the last one is `ended` by an empty line.
    fn end_group(&mut self, ended: bool) {
        let (heads, lines) = (std::mem::take(&mut self.heads), std::mem::take(&mut self.lines));
        let extras = std::mem::take(&mut self.extras);
        let count = heads.len();
        let first = self.sources.len() - count;
        let shared = (count > 1).then(|| fit::share_lines(&self.sources[first..], &lines, &mut self.builder));
        for (number, &line) in heads.iter().enumerate() {
            let head_lines = shared.as_ref().map_or(&lines, |shared| &shared[number]);
            self.builder.push(
                BlockHead { line, ended: ended && number + 1 == count, path: 0 },
                head_lines,
                extras.clone(),
            );
        }
    }
}

/// The line without line end and byte order mark.
fn without_line_end(text: &str, number: u64) -> &str {
    let text = if number == 1 { text.strip_prefix('\u{feff}').unwrap_or(text) } else { text };
    text.strip_suffix('\n').unwrap_or(text).trim_end_matches('\r')
}

/// The position of the first separator of fields.
fn find_separator(text: &str) -> Option<usize> {
    text.as_bytes().windows(3).position(|bytes| bytes == b"|||")
}

/// `A start end`, with any number of blanks between and after.
fn parse_span(span: &str) -> Option<(i32, i32)> {
    let (start, end) = span.strip_prefix("A ")?.trim_matches(' ').split_once(' ')?;
    let signed = |text: &str| match text.strip_prefix('-') {
        Some(digits) => parse_number(digits).map(|number| -number),
        None => parse_number(text),
    };
    Some((signed(start)?, signed(end.trim_start_matches(' '))?))
}

/// `T0-A1 TEXT` or, without an alignment, `T0 REMARK`.
fn parse_target(line: &str) -> Option<TargetLine> {
    let (name, text) = line.strip_prefix('T')?.split_once(' ').unwrap_or((&line[1..], ""));
    let (annotator, alignment) = match name.split_once("-A") {
        Some((annotator, alignment)) => (annotator, Some(parse_number(alignment)?)),
        None => (name, None),
    };
    Some(TargetLine { annotator: parse_number(annotator)?, alignment, text: text.to_string() })
}

/// One to nine digits.
fn parse_number(text: &str) -> Option<i32> {
    let digits = (1..=9).contains(&text.len()) && text.bytes().all(|byte| byte.is_ascii_digit());
    digits.then(|| text.parse().ok()).flatten()
}
