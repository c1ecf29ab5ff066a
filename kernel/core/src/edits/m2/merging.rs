//! Merging of M2 files of the same sentences, and voting on their edits.

use foldhash::HashMap;

use crate::edits::columns::EditRow;
use crate::edits::m2::blocks::{BlockExtras, BlockHead, Blocks, BlocksBuilder, EditLine, TargetLine};
use crate::error::Error;
use crate::interrupt;
use crate::text::words::words;

/// ChERRANT's text of an answer without changes.
const NO_ERROR: &str = "没有错误";

fn check_lengths(files: &[&Blocks]) -> Result<(), Error> {
    let are_equal = files.first().is_some_and(|first| files.iter().all(|file| file.len() == first.len()));
    Error::check_arguments(are_equal, "tables with equal numbers of blocks are required")
}

/// The lines of all files. `numbers[f]` has pairs of an annotator of file f and its number in the result; an annotator
/// without a line in a block gets a noop. Blocks keep their `T` lines if all files have some. Err: no file, or files
/// with different numbers of blocks. Cost: O(edits · annotators of a file).
pub fn merged(files: &[&Blocks], numbers: &[Vec<(i32, i32)>]) -> Result<Blocks, Error> {
    Error::check_arguments(numbers.len() == files.len(), "annotators of each table are required")?;
    check_lengths(files)?;
    let mut builder = BlocksBuilder::new(files[0].paths.clone());
    for block in 0..files[0].len() {
        interrupt::check_interrupt_sometimes()?;
        let extras_by_file: Vec<BlockExtras> =
            files.iter().map(|file| file.extras_of(block).cloned().unwrap_or_default()).collect();
        let has_targets = extras_by_file.iter().all(|extras| !extras.targets.is_empty());
        let (mut lines, mut targets) = (Vec::new(), Vec::new());
        for ((file, extras), numbers) in files.iter().zip(&extras_by_file).zip(numbers) {
            let file_lines = file.lines_of(block);
            for &(annotator, number) in numbers {
                let counts_before = (lines.len(), targets.len());
                let annotator_lines = file_lines.iter().filter(|line| line.annotator == annotator);
                lines.extend(
                    annotator_lines.map(|line| EditLine { annotator: number, ..file.moved_to(line, &mut builder) }),
                );
                if lines.len() == counts_before.0 {
                    lines.push(builder.noop(number));
                }
                let answers = extras.targets.iter().filter(|target| target.annotator == annotator && has_targets);
                targets.extend(answers.map(|target| TargetLine { annotator: number, ..target.clone() }));
                if targets.len() == counts_before.1 && has_targets {
                    targets.push(TargetLine { annotator: number, alignment: None, text: NO_ERROR.to_string() });
                }
            }
        }
        let notes = extras_by_file.into_iter().flat_map(|extras| extras.notes).collect();
        builder.push(BlockHead { ended: true, ..files[0].heads[block] }, &lines, BlockExtras { notes, targets });
    }
    Ok(builder.finish(files[0].source.clone()))
}

/// An edit of the first file that has it, and all files that have it.
struct Candidate {
    file: usize,
    version: usize,
    row: usize,
    span: (i32, i32),
    voters: Vec<usize>,
}

impl Candidate {
    /// Whether two edits overlap or have the same span, and no file has both.
    fn excludes(&self, other: &Self) -> bool {
        let overlap = self.span.0 < other.span.1 && other.span.0 < self.span.1;
        (overlap || self.span == other.span) && !self.voters.iter().any(|voter| other.voters.contains(voter))
    }
}

/// The edits that at least `threshold` files have, by annotator 0. Of edits that exclude each other, the one in more
/// files is kept, then the one of an earlier file, then the first one. Stops before the first block that has several
/// annotators in a file, or invalid edits. Err: as [`merged`]. Cost: O(bytes + edits · log edits), and O(edits²) of a
/// block.
pub fn voted(files: &[&Blocks], threshold: usize) -> Result<Blocks, Error> {
    check_lengths(files)?;
    let mut builder = BlocksBuilder::new(files[0].paths.clone());
    for block in 0..files[0].len() {
        interrupt::check_interrupt_sometimes()?;
        let Some(mut candidates) = candidates(files, block) else { break };
        candidates.retain(|candidate| candidate.voters.len() >= threshold);
        candidates.sort_by_key(|candidate| std::cmp::Reverse(candidate.voters.len()));
        let mut elected: Vec<Candidate> = Vec::new();
        for candidate in candidates {
            if !elected.iter().any(|stronger| candidate.excludes(stronger)) {
                elected.push(candidate);
            }
        }
        elected.sort_by_key(|candidate| candidate.span);
        let line = |candidate| first_alternative(files, candidate, &mut builder);
        let mut lines: Vec<EditLine> = elected.iter().map(line).collect();
        if lines.is_empty() {
            lines.push(builder.noop(0));
        }
        builder.push(BlockHead { ended: true, ..files[0].heads[block] }, &lines, BlockExtras::default());
    }
    let source = files[0].source.slice(0..builder.len());
    Ok(builder.finish(source))
}

/// The different edits of all files, in order of appearance; edits are the same if their spans and first alternatives
/// are. None: a file has several annotators, or edits that cannot be made.
fn candidates(files: &[&Blocks], block: usize) -> Option<Vec<Candidate>> {
    let mut candidates: Vec<Candidate> = Vec::new();
    let mut numbers: HashMap<((i32, i32), Vec<&str>), usize> = HashMap::default();
    for (file, blocks) in files.iter().enumerate() {
        let versions = blocks.edits.versions_of(block);
        let version = versions.start;
        let rows = blocks.ordered(version, blocks.length(block), 0).ok().filter(|_| versions.len() == 1)?;
        for row in rows {
            let row = row as usize;
            let edit = &blocks.edits.rows[row];
            let span = (edit.start, edit.end);
            let correction = words(blocks.edits.correction(edit)).collect();
            let number = *numbers.entry((span, correction)).or_insert(candidates.len());
            if number == candidates.len() {
                candidates.push(Candidate { file, version, row, span, voters: Vec::new() });
            }
            let voters = &mut candidates[number].voters;
            if voters.last() != Some(&file) {
                voters.push(file);
            }
        }
    }
    Some(candidates)
}

/// The edit as annotator 0's, with its first alternative only.
fn first_alternative(files: &[&Blocks], edit: &Candidate, builder: &mut BlocksBuilder) -> EditLine {
    let blocks = files[edit.file];
    let line = blocks.line(edit.version, edit.row);
    let text = blocks.edits.strings.get(line.row.text).split("||").next().unwrap_or_default();
    let renamed_line = blocks.moved_to(&line, builder);
    EditLine { row: EditRow { text: builder.intern(text), ..renamed_line.row }, annotator: 0, ..renamed_line }
}
