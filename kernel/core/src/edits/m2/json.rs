//! M2 as JSON Lines, whose form src/geceval/text/m2/m2_json.py describes.

use crate::edits::columns::{DELETE, NOOP};
use crate::edits::m2::blocks::{Blocks, EditLine, TargetLine};
use crate::error::Error;
use crate::interrupt;
use crate::text::words::words;

impl Blocks {
    /// The blocks as JSON Lines, written as Python's `json.dumps(…, ensure_ascii=False)`. Cost: O(bytes).
    pub fn json_lines(&self) -> Result<String, Error> {
        let mut out = String::new();
        for block in 0..self.len() {
            interrupt::check_interrupt_sometimes()?;
            out.push('{');
            self.write_members(block, &mut out);
            out.push_str("}\n");
        }
        Ok(out)
    }

    fn write_members(&self, block: usize, out: &mut String) {
        let (source, lines, extras) = (self.source.line(block), self.lines_of(block), self.extras_of(block));
        write_list(key("tokens", out), words(source), write_text);
        if !source.is_empty() && !source.split(' ').eq(words(source)) {
            write_text(key("source", out), source);
        }
        let runs = lines.chunk_by(|first, second| first.annotator == second.annotator);
        write_list(key("annotators", out), runs, |out, run| {
            out.push('{');
            write_number(key("annotator", out), run[0].annotator);
            let edits = if self.is_noop(run) { &[] } else { run };
            write_list(key("edits", out), edits, |out, line| self.write_edit(line, out));
            out.push('}');
        });
        if let Some(notes) = extras.map(|extras| &extras.notes).filter(|notes| !notes.is_empty()) {
            write_list(key("notes", out), notes, |out, note| write_text(out, note));
        }
        if let Some(targets) = extras.map(|extras| &extras.targets).filter(|targets| !targets.is_empty()) {
            write_list(key("targets", out), targets, write_target);
        }
    }

    /// Whether the lines of an annotator are the noop of M2.
    fn is_noop(&self, run: &[EditLine]) -> bool {
        let text = |id| self.edits.strings.get(id);
        let is_noop = |line: &EditLine| {
            let strings = (text(line.row.kind), text(line.row.text), self.required_and_comment(line));
            (line.row.start, line.row.end, line.alignment) == (-1, -1, 0)
                && strings == (NOOP, DELETE, ("REQUIRED", DELETE))
        };
        run.len() == 1 && is_noop(&run[0])
    }

    fn write_edit(&self, line: &EditLine, out: &mut String) {
        let (row, (required, comment)) = (line.row, self.required_and_comment(line));
        let [kind, written] = [row.kind, row.text].map(|id| self.edits.strings.get(id));
        let mut texts = written.split("||").map(|text| if text == DELETE { "" } else { text });
        out.push('{');
        write_number(key("start", out), row.start);
        write_number(key("end", out), row.end);
        write_text(key("type", out), kind);
        write_text(key("correction", out), texts.next().unwrap_or_default());
        let has_alternatives = written.contains("||");
        if has_alternatives {
            write_list(key("alternatives", out), texts, write_text);
        }
        // M2 writes an empty alternative as `-NONE-`, and an empty correction as nothing.
        if if has_alternatives { written.split("||").any(str::is_empty) } else { written == DELETE } {
            write_text(key("written", out), written);
        }
        write_text(key("required", out), required);
        write_text(key("comment", out), comment);
        if line.alignment != 0 {
            write_number(key("alignment", out), line.alignment);
        }
        out.push('}');
    }
}

fn write_target(out: &mut String, target: &TargetLine) {
    out.push('{');
    write_number(key("annotator", out), target.annotator);
    match target.alignment {
        Some(alignment) => write_number(key("alignment", out), alignment),
        None => key("alignment", out).push_str("null"),
    }
    write_text(key("text", out), &target.text);
    out.push('}');
}

/// Writes a key of the object that `out` ends in, and returns `out` for its value.
fn key<'a>(name: &str, out: &'a mut String) -> &'a mut String {
    out.push_str(if out.ends_with('{') { "\"" } else { ", \"" });
    out.push_str(name);
    out.push_str("\": ");
    out
}

fn write_list<T>(out: &mut String, items: impl IntoIterator<Item = T>, write: impl Fn(&mut String, T)) {
    out.push('[');
    for (number, item) in items.into_iter().enumerate() {
        out.push_str(if number > 0 { ", " } else { "" });
        write(out, item);
    }
    out.push(']');
}

fn write_number(out: &mut String, number: i32) {
    out.push_str(&number.to_string());
}

fn write_text(out: &mut String, text: &str) {
    out.push('"');
    if !text.bytes().any(|byte| byte < b' ' || byte == b'"' || byte == b'\\') {
        out.push_str(text); // most texts
    } else {
        text.chars().for_each(|c| match c {
            '"' | '\\' => out.extend(['\\', c]),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x08' => out.push_str("\\b"),
            '\x0c' => out.push_str("\\f"),
            '\0'..' ' => out.push_str(&format!("\\u{:04x}", u32::from(c))),
            _ => out.push(c),
        });
    }
    out.push('"');
}
