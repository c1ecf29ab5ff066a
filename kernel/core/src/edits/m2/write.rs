//! Writing M2.

use std::fmt::Write;

use crate::edits::m2::blocks::{Blocks, Line, Rest, Target};
use crate::interrupt;

impl Blocks {
    /// The blocks as M2, with an empty line between two, and after the last one if it is `ended`. A well-formed file
    /// that was read is written byte for byte. Cost: O(bytes).
    pub fn written(&self) -> String {
        let mut out = String::new();
        for block in 0..self.len() {
            interrupt::tick();
            if block > 0 {
                out.push('\n');
            }
            self.write_block(block, &mut out);
        }
        if self.heads.last().is_some_and(|head| head.ended) {
            out.push('\n');
        }
        out
    }

    fn write_block(&self, block: usize, out: &mut String) {
        out.push_str("S ");
        out.push_str(self.source.line(block));
        out.push('\n');
        let lines = self.lines_of(block);
        let Some(Rest { notes, targets }) = self.rest_of(block) else {
            return lines.iter().for_each(|line| self.write_line(line, out));
        };
        for note in notes {
            out.push_str(note);
            out.push('\n');
        }
        // The edits follow the `T` line of their answer and alignment, the last one of several; other edits, such as
        // the noop for removed ones, follow the first `T` line of their answer.
        let place = |line: &Line| {
            let is_of = |target: &Target| target.annotator == line.annotator;
            let aligned = |target: &Target| is_of(target) && target.alignment.unwrap_or(0) == line.alignment;
            targets.iter().rposition(aligned).or_else(|| targets.iter().position(is_of))
        };
        let places: Vec<Option<usize>> = lines.iter().map(place).collect();
        let write_at = |at: Option<usize>, out: &mut String| {
            let own = lines.iter().zip(&places).filter(|(_, place)| **place == at);
            own.for_each(|(line, _)| self.write_line(line, out));
        };
        write_at(None, out);
        for (at, Target { annotator, alignment, text }) in targets.iter().enumerate() {
            let aligned = alignment.map(|alignment| format!("-A{alignment}")).unwrap_or_default();
            writeln!(out, "T{annotator}{aligned} {text}").expect("memory");
            write_at(Some(at), out);
        }
    }

    fn write_line(&self, line: &Line, out: &mut String) {
        let text = |place| self.edits.strings.get(place);
        let (required, comment) = self.pair(line);
        let (row, annotator) = (line.row, line.annotator);
        let (kind, correction) = (text(row.kind), text(row.text));
        writeln!(out, "A {} {}|||{kind}|||{correction}|||{required}|||{comment}|||{annotator}", row.start, row.end)
            .expect("memory");
    }
}
