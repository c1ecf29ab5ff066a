//! Writing M2.

use std::fmt::Write;

use crate::edits::m2::blocks::{BlockExtras, Blocks, EditLine, TargetLine};
use crate::edits::m2::parse::{parse, FilePiece};
use crate::error::Error;
use crate::interrupt;

impl Blocks {
    /// The blocks as M2, with an empty line between two, and after the last one if it is `ended`. Well-formed files are
    /// written as they were read, with single blanks in corrections. Cost: O(bytes).
    pub fn written(&self) -> Result<String, Error> {
        let mut out = String::new();
        for block in 0..self.len() {
            interrupt::check_interrupt_sometimes()?;
            if block > 0 {
                out.push('\n');
            }
            self.write_block(block, &mut out);
        }
        if self.heads.last().is_some_and(|head| head.ended) {
            out.push('\n');
        }
        Ok(out)
    }

    /// The first block that is another one after it is written and read, such as one with `|||` in a field.
    /// Cost: O(bytes + edits · log edits).
    pub fn first_altered(&self) -> Result<Option<usize>, Error> {
        let (read, _) = parse(self.written()?.as_bytes(), None, FilePiece { line: 1, last: true, shared: false })?;
        Ok((0..self.len()).find(|&block| block >= read.len() || self.contents(block) != read.contents(block)))
    }

    /// The source, the lines and the further lines of a block. Writing may reorder `A` lines among `T` lines.
    fn contents(&self, block: usize) -> impl PartialEq + '_ {
        let contents_of = |line: &EditLine| {
            let text = |id| self.edits.strings.get(id);
            let EditLine { row, annotator, alignment, .. } = *line;
            let span = (row.start, row.end, annotator, alignment);
            (span, text(row.kind), text(row.text), self.required_and_comment(line))
        };
        let mut lines: Vec<_> = self.lines_of(block).iter().map(contents_of).collect();
        lines.sort_unstable();
        (self.source.line(block), lines, self.extras_of(block))
    }

    fn write_block(&self, block: usize, out: &mut String) {
        out.push_str("S ");
        out.push_str(self.source.line(block));
        out.push('\n');
        let lines = self.lines_of(block);
        let Some(BlockExtras { notes, targets }) = self.extras_of(block) else {
            return lines.iter().for_each(|line| self.write_line(line, out));
        };
        for note in notes {
            out.push_str(note);
            out.push('\n');
        }
        // The edits follow the `T` line of their answer and alignment, the last one of several; other edits, such as
        // the noop for removed ones, follow the first `T` line of their answer.
        let target_number_of = |line: &EditLine| {
            let is_same_annotator = |target: &TargetLine| target.annotator == line.annotator;
            let aligned =
                |target: &TargetLine| is_same_annotator(target) && target.alignment.unwrap_or(0) == line.alignment;
            targets.iter().rposition(aligned).or_else(|| targets.iter().position(is_same_annotator))
        };
        let target_numbers: Vec<Option<usize>> = lines.iter().map(target_number_of).collect();
        let write_at = |number: Option<usize>, out: &mut String| {
            let target_lines = lines.iter().zip(&target_numbers).filter(|(_, target_number)| **target_number == number);
            target_lines.for_each(|(line, _)| self.write_line(line, out));
        };
        write_at(None, out);
        for (number, TargetLine { annotator, alignment, text }) in targets.iter().enumerate() {
            let aligned = alignment.map(|alignment| format!("-A{alignment}")).unwrap_or_default();
            writeln!(out, "T{annotator}{aligned} {text}").expect("memory");
            write_at(Some(number), out);
        }
    }

    fn write_line(&self, line: &EditLine, out: &mut String) {
        let text = |id| self.edits.strings.get(id);
        let (required, comment) = self.required_and_comment(line);
        let (row, annotator) = (line.row, line.annotator);
        let (kind, correction) = (text(row.kind), text(row.text));
        writeln!(out, "A {} {}|||{kind}|||{correction}|||{required}|||{comment}|||{annotator}", row.start, row.end)
            .expect("memory");
    }
}
