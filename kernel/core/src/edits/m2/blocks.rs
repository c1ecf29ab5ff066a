//! The blocks of M2 files in columns: sources, edits by annotator, and the data needed to write the file unchanged.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use foldhash::HashMap;

use crate::edits::columns::{EditColumns, EditRow, DELETE, NOOP};
use crate::error::Error;
use crate::interrupt;
use crate::text::normal_forms::has_single_blanks;
use crate::text::strings::Strings;
use crate::text::words::words;
use crate::text::Text;

/// Default values of the required and the comment field, which no scorer reads.
const DEFAULT_FIELDS: (&str, &str) = ("REQUIRED", DELETE);

/// Indices of the required and the comment field in the table of unread fields.
pub type Fields = [u32; 2];

/// One `A` line; strings are indices of the builder's tables.
#[derive(Clone, Copy, Debug)]
pub struct EditLine {
    pub row: EditRow,
    pub fields: Fields,
    pub annotator: i32,
    /// The alignment of the annotator's answer (ChERRANT); 0 with one alignment.
    pub alignment: i32,
    /// The line of the file; 0: none.
    pub number: u64,
}

/// A `T` line of ChERRANT: the text of an answer, before the edits of one of its alignments.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct TargetLine {
    pub annotator: i32,
    /// None: the answer changes nothing, or marks the sentence as impossible to correct.
    pub alignment: Option<i32>,
    pub text: String,
}

/// `I` and `T` lines of a block.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct BlockExtras {
    /// `I` lines.
    pub notes: Vec<String>,
    pub targets: Vec<TargetLine>,
}

/// Position of a block in its file.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct BlockHead {
    /// The number of its `S` line; 0: none.
    pub line: u64,
    /// Whether an empty line follows.
    pub ended: bool,
    /// Index of its file in `paths`.
    pub path: u32,
}

/// The blocks. The edits of a block, including noops, are grouped by annotator, in the order of the annotators' first
/// lines; a block without `A` lines has the annotator 0.
#[derive(Clone, Debug, Default)]
pub struct Blocks {
    pub source: Text,
    pub edits: Arc<EditColumns>,
    pub heads: Vec<BlockHead>,
    pub paths: Vec<Option<String>>,
    /// Extras by block, without empty ones.
    extras: BTreeMap<usize, BlockExtras>,
    /// Index of each edit among the lines of its block in the file.
    position: Vec<u32>,
    /// Alignment of the annotator's answer, of each edit.
    pub alignment: Vec<i32>,
    /// Line number of each edit in the file; 0: none.
    number: Vec<u64>,
    /// Required and comment field of each edit, as indices of `unread`.
    fields: Vec<Fields>,
    unread: Strings,
}

impl Blocks {
    pub fn len(&self) -> usize {
        self.heads.len()
    }

    /// The indices of a block's edits in the columns.
    pub fn rows_of(&self, block: usize) -> Range<usize> {
        let versions = self.edits.versions_of(block);
        self.edits.offsets[versions.start]..self.edits.offsets[versions.end]
    }

    /// A block's `A` lines in file order. O(edits).
    pub fn lines_of(&self, block: usize) -> Vec<EditLine> {
        let rows = self.rows_of(block);
        let mut lines = vec![None; rows.len()];
        for version in self.edits.versions_of(block) {
            for row in self.edits.offsets[version]..self.edits.offsets[version + 1] {
                lines[self.position[row] as usize] = Some(self.line(version, row));
            }
        }
        lines.into_iter().flatten().collect()
    }

    /// Line `row` of a version in the columns.
    pub fn line(&self, version: usize, row: usize) -> EditLine {
        EditLine {
            row: self.edits.rows[row],
            fields: self.fields[row],
            annotator: self.edits.annotator[version],
            alignment: self.alignment[row],
            number: self.number[row],
        }
    }

    /// A line with its strings in a builder.
    pub fn moved_to(&self, line: &EditLine, builder: &mut BlocksBuilder) -> EditLine {
        let [kind, text] = [line.row.kind, line.row.text].map(|id| builder.intern(self.edits.strings.get(id)));
        let (required, comment) = self.required_and_comment(line);
        EditLine { row: EditRow { kind, text, ..line.row }, fields: builder.fields(required, comment), ..*line }
    }

    pub fn extras_of(&self, block: usize) -> Option<&BlockExtras> {
        self.extras.get(&block)
    }

    /// The `I` lines of all blocks.
    pub fn notes(&self) -> Vec<&str> {
        self.extras.values().flat_map(|extras| &extras.notes).map(String::as_str).collect()
    }

    /// The first block with `T` lines.
    pub fn first_target(&self) -> Option<usize> {
        self.extras.iter().find(|(_, extras)| !extras.targets.is_empty()).map(|(&block, _)| block)
    }

    /// The required and the comment field of a line.
    pub fn required_and_comment(&self, line: &EditLine) -> (&str, &str) {
        (self.unread.get(line.fields[0]), self.unread.get(line.fields[1]))
    }

    /// The blocks with these numbers, in this order. Err: a block does not exist. Cost: O(bytes + edits) of these
    /// blocks.
    pub fn select(&self, blocks: &[usize]) -> Result<Blocks, Error> {
        Error::check_arguments(blocks.iter().all(|&block| block < self.len()), "block index out of range")?;
        let source = Text::new(blocks.iter().map(|&block| self.source.get(block)));
        Ok(self.rebuilt(blocks.iter().copied(), |_, lines, extras, _| (lines, extras))?.finish(source))
    }

    /// The blocks with only the lines of these annotators. Cost: O(edits).
    pub fn of_annotators(&self, annotators: &[i32]) -> Result<Blocks, Error> {
        let builder = self.rebuilt(0..self.len(), |_, mut lines, mut extras, _| {
            lines.retain(|line| annotators.contains(&line.annotator));
            extras.targets.retain(|target| annotators.contains(&target.annotator));
            (lines, extras)
        })?;
        Ok(builder.finish(self.source.clone()))
    }

    /// The blocks with the edits of each annotator by position, edits of equal span in file order.
    /// Cost: O(edits · log edits).
    pub fn sorted(&self) -> Result<Blocks, Error> {
        let builder = self.rebuilt(0..self.len(), |_, lines, extras, _| {
            let mut lines: Vec<EditLine> =
                grouped_by_annotator(&lines).into_iter().map(|position| lines[position]).collect();
            let versions = lines.chunk_by_mut(|a, b| a.annotator == b.annotator);
            versions.for_each(|version| version.sort_by_key(|line| (line.row.start, line.row.end)));
            (lines, extras)
        })?;
        Ok(builder.finish(self.source.clone()))
    }

    /// A builder of the blocks with these numbers, with lines and extras replaced by `change(block, lines, extras,
    /// builder)`.
    pub fn rebuilt(
        &self,
        blocks: impl IntoIterator<Item = usize>,
        mut change: impl FnMut(usize, Vec<EditLine>, BlockExtras, &mut BlocksBuilder) -> (Vec<EditLine>, BlockExtras),
    ) -> Result<BlocksBuilder, Error> {
        let mut builder = BlocksBuilder::new(self.paths.clone());
        for block in blocks {
            interrupt::check_interrupt_sometimes()?;
            let lines = self.lines_of(block).iter().map(|line| self.moved_to(line, &mut builder)).collect();
            let extras = self.extras_of(block).cloned().unwrap_or_default();
            let (lines, extras) = change(block, lines, extras, &mut builder);
            builder.push(self.heads[block], &lines, extras);
        }
        Ok(builder)
    }

    /// The indices, in the columns, of a block's lines in file order.
    pub fn row_ids_of(&self, block: usize) -> Vec<usize> {
        let mut row_ids: Vec<usize> = self.rows_of(block).collect();
        row_ids.sort_by_key(|&row| self.position[row]);
        row_ids
    }
}

/// Builds blocks one after the other.
#[derive(Debug)]
pub struct BlocksBuilder {
    blocks: Blocks,
    edits: EditColumns,
}

impl BlocksBuilder {
    pub fn new(paths: Vec<Option<String>>) -> Self {
        Self { blocks: Blocks { paths, ..Blocks::default() }, edits: EditColumns::default() }
    }

    /// The number of blocks.
    pub fn len(&self) -> usize {
        self.blocks.heads.len()
    }

    /// The index of a type or a text.
    pub fn intern(&mut self, text: &str) -> u32 {
        self.edits.strings.intern(text)
    }

    /// The index of a correction, with one blank between tokens and none around alternatives.
    pub fn intern_correction(&mut self, text: &str) -> u32 {
        if has_single_blanks(text) && !text.contains(" ||") && !text.contains("|| ") {
            return self.intern(text);
        }
        let alternatives: Vec<String> =
            text.split("||").map(|text| words(text).collect::<Vec<_>>().join(" ")).collect();
        let joined = alternatives.join("||");
        // A bar next to a separator would be read as another field.
        let has_separator = |text: &str| text.contains("|||") || text.ends_with('|');
        self.intern(if has_separator(&joined) && !has_separator(text) { text } else { &joined })
    }

    pub fn is_noop(&self, row: &EditRow) -> bool {
        self.edits.is_noop(row)
    }

    /// The index of a file name, which is added unless it is the last block's.
    pub fn path(&mut self, path: Option<&str>) -> u32 {
        if self.blocks.paths.last().map(Option::as_deref) != Some(path) {
            self.blocks.paths.push(path.map(str::to_string));
        }
        self.blocks.paths.len() as u32 - 1
    }

    /// The indices of a required and a comment field.
    pub fn fields(&mut self, required: &str, comment: &str) -> Fields {
        [required, comment].map(|text| self.blocks.unread.intern(text))
    }

    /// A noop of an annotator.
    pub fn noop(&mut self, annotator: i32) -> EditLine {
        let (kind, text) = (self.intern(NOOP), self.intern(DELETE));
        let fields = self.fields(DEFAULT_FIELDS.0, DEFAULT_FIELDS.1);
        EditLine { row: EditRow { start: -1, end: -1, kind, text }, fields, annotator, alignment: 0, number: 0 }
    }

    /// Adds a block; `lines` are in file order. Cost: O(lines · log lines).
    pub fn push(&mut self, head: BlockHead, lines: &[EditLine], extras: BlockExtras) {
        if extras != BlockExtras::default() {
            self.blocks.extras.insert(self.blocks.heads.len(), extras);
        }
        self.blocks.heads.push(head);
        let mut annotator = lines.first().map_or(0, |line| line.annotator);
        for position in grouped_by_annotator(lines) {
            let line = &lines[position];
            if line.annotator != annotator {
                self.edits.end_version(annotator);
                annotator = line.annotator;
            }
            self.edits.rows.push(line.row);
            self.blocks.position.push(position as u32);
            self.blocks.alignment.push(line.alignment);
            self.blocks.number.push(line.number);
            self.blocks.fields.push(line.fields);
        }
        self.edits.end_version(annotator);
        self.edits.end_sentence();
    }

    /// The blocks, with their sources.
    pub fn finish(self, source: Text) -> Blocks {
        Blocks { source, edits: Arc::new(self.edits), ..self.blocks }
    }
}

/// The indices of the lines grouped by annotator, annotators in the order of their first lines.
fn grouped_by_annotator(lines: &[EditLine]) -> Vec<usize> {
    let mut positions: Vec<usize> = (0..lines.len()).collect();
    if lines.windows(2).any(|pair| pair[0].annotator != pair[1].annotator) {
        let mut ranks: HashMap<i32, usize> = HashMap::default();
        for line in lines {
            let next = ranks.len();
            ranks.entry(line.annotator).or_insert(next);
        }
        positions.sort_by_key(|&position| ranks[&lines[position].annotator]);
    }
    positions
}
