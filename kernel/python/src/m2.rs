//! M2 blocks: parsed from bytes or converted from objects, and back.

use std::sync::Arc;

use geceval_core::edits::columns::EditRow;
use geceval_core::edits::m2::blocks::{BlockExtras, BlockHead, Blocks, BlocksBuilder, EditLine, TargetLine};
use geceval_core::edits::m2::merging;
use geceval_core::edits::m2::parse::{parse, FilePiece, LineFault};
use geceval_core::edits::order;
use geceval_core::text::Text;
use numpy::PyReadonlyArray1;
use pyo3::pybacked::PyBackedStr;

use crate::choices::MissingName;
use crate::prelude::*;

/// The fields of `geceval.m2.Edit`.
#[derive(FromPyObject)]
struct PyEdit {
    start: i32,
    end: i32,
    #[pyo3(attribute("type"))]
    kind: PyBackedStr,
    corrections: Vec<PyBackedStr>,
    required: PyBackedStr,
    comment: PyBackedStr,
    annotator: i32,
    line: Option<u64>,
    alignment: i32,
}

/// The fields of `geceval.m2.Target`.
#[derive(FromPyObject)]
struct PyTarget {
    annotator: i32,
    alignment: Option<i32>,
    text: String,
}

/// The fields of `geceval.m2.Block`.
#[derive(FromPyObject)]
struct PyBlock {
    source: PyBackedStr,
    edits: Vec<PyEdit>,
    notes: Vec<String>,
    ended: bool,
    path: Option<PyBackedStr>,
    line: Option<u64>,
    targets: Vec<PyTarget>,
}

/// Start, end, type, text, required, comment, annotator, line, alignment.
type EditTuple<'a> = (i32, i32, &'a str, &'a str, &'a str, &'a str, i32, Option<u64>, i32);
/// Annotator, alignment, text.
type TargetRow<'a> = (i32, Option<i32>, &'a str);
/// Source, edits, notes, ended, path, line, targets.
type BlockRow<'a> = (&'a str, Vec<EditTuple<'a>>, &'a [String], bool, Option<&'a str>, Option<u64>, Vec<TargetRow<'a>>);

#[pyclass(frozen, name = "BlockTable", module = "geceval._kernel")]
pub struct PyBlocks(Blocks);

fn nonzero(line: u64) -> Option<u64> {
    (line > 0).then_some(line)
}

/// Adds a block and returns its source.
fn push(builder: &mut BlocksBuilder, block: PyBlock) -> PyBackedStr {
    let line = |edit: &PyEdit| {
        let texts: Vec<&str> = edit.corrections.iter().map(|text| &**text).collect();
        let (kind, text) = (builder.intern(&edit.kind), builder.intern_correction(&texts.join("||")));
        EditLine {
            row: EditRow { start: edit.start, end: edit.end, kind, text },
            fields: builder.fields(&edit.required, &edit.comment),
            annotator: edit.annotator,
            alignment: edit.alignment,
            number: edit.line.unwrap_or(0),
        }
    };
    let lines: Vec<EditLine> = block.edits.iter().map(line).collect();
    let path = builder.path(block.path.as_deref());
    let target = |PyTarget { annotator, alignment, text }| TargetLine { annotator, alignment, text };
    let extras = BlockExtras { notes: block.notes, targets: block.targets.into_iter().map(target).collect() };
    builder.push(BlockHead { line: block.line.unwrap_or(0), ended: block.ended, path }, &lines, extras);
    block.source
}

fn files<'a>(tables: &'a [Bound<'_, PyBlocks>]) -> Vec<&'a Blocks> {
    tables.iter().map(|table| &table.get().0).collect()
}

#[pymethods]
impl PyBlocks {
    #[new]
    fn new(blocks: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut builder = BlocksBuilder::new(Vec::new());
        let mut sources = Vec::new();
        for block in blocks.try_iter()? {
            sources.push(Some(push(&mut builder, block?.extract()?)));
        }
        Ok(Self(builder.finish(Text::new(sources))))
    }

    #[staticmethod]
    #[pyo3(signature = (data, path, line, last, shared = false))]
    fn parse(
        py: Python<'_>,
        data: &[u8],
        path: Option<&str>,
        line: u64,
        last: bool,
        shared: bool,
    ) -> PyResult<(Self, Vec<Dict>)> {
        let (blocks, faults) = detached(py, || parse(data, path, FilePiece { line, last, shared }))?;
        let fault = |LineFault { line, blocks, kind: (kind, first, second), text }| {
            let fault =
                dict!(py, "line": line, "blocks": blocks, "kind": kind, "first": first, "second": second, "text": text);
            Ok(fault)
        };
        Ok((Self(blocks), faults.into_iter().map(fault).collect::<PyResult<_>>()?))
    }

    /// The blocks of several tables, by (annotator, number in the result) of each.
    #[staticmethod]
    fn merged(py: Python<'_>, tables: Vec<Bound<'_, Self>>, numbers: Vec<Vec<(i32, i32)>>) -> PyResult<Self> {
        let files = files(&tables);
        detached(py, || merging::merged(&files, &numbers)).map(Self)
    }

    /// The edits of at least `least` tables, up to the first block with faults.
    #[staticmethod]
    fn voted(py: Python<'_>, tables: Vec<Bound<'_, Self>>, least: usize) -> PyResult<Self> {
        let files = files(&tables);
        detached(py, || merging::voted(&files, least)).map(Self)
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn block(&self, number: usize) -> PyResult<BlockRow<'_>> {
        let blocks = &self.0;
        let head = blocks.heads.get(number).ok_or_else(|| PyIndexError::new_err("block index out of range"))?;
        let text = |id| blocks.edits.strings.get(id);
        let edit = |line: &EditLine| {
            let EditRow { start, end, kind, text: correction } = line.row;
            let (required, comment) = blocks.required_and_comment(line);
            let (kind, correction) = (text(kind), text(correction));
            (start, end, kind, correction, required, comment, line.annotator, nonzero(line.number), line.alignment)
        };
        let edits = blocks.lines_of(number).iter().map(edit).collect();
        let path = blocks.paths[head.path as usize].as_deref();
        let (notes, targets) =
            blocks.extras_of(number).map_or_else(Default::default, |BlockExtras { notes, targets }| {
                let target = targets.iter().map(|target| (target.annotator, target.alignment, &*target.text));
                (&notes[..], target.collect())
            });
        Ok((blocks.source.line(number), edits, notes, head.ended, path, nonzero(head.line), targets))
    }

    #[getter]
    fn source(&self) -> PyText {
        PyText(self.0.source.clone())
    }

    #[getter]
    fn edits(&self) -> PyEdits {
        PyEdits(Arc::clone(&self.0.edits))
    }

    /// The `I` lines of all blocks.
    #[getter]
    fn notes(&self) -> Vec<&str> {
        self.0.notes()
    }

    /// The first block with `T` lines, as ChERRANT writes them.
    #[getter]
    fn first_target(&self) -> Option<usize> {
        self.0.first_target()
    }

    /// The blocks with these numbers.
    fn at(&self, py: Python<'_>, places: Vec<usize>) -> PyResult<Self> {
        detached(py, || self.0.select(&places)).map(Self)
    }

    /// The blocks with only the lines of these annotators.
    fn of_annotators(&self, py: Python<'_>, annotators: Vec<i32>) -> PyResult<Self> {
        detached(py, || self.0.of_annotators(&annotators)).map(Self)
    }

    /// The blocks with the edits that `keep` selects by index; an annotator who loses all edits gets a noop.
    fn kept(&self, py: Python<'_>, keep: PyReadonlyArray1<'_, bool>) -> PyResult<Self> {
        let keep = keep.as_slice()?;
        detached(py, || self.0.kept(keep)).map(Self)
    }

    /// The blocks with the edits of each annotator by position.
    fn sorted(&self, py: Python<'_>) -> PyResult<Self> {
        detached(py, || self.0.sorted()).map(Self)
    }

    /// The number of tokens of each sentence.
    fn lengths(&self, py: Python<'_>) -> PyResult<Column<i64>> {
        let lengths = detached(py, || order::sentence_lengths(&self.0.source, 1))?;
        Ok(column(py, &lengths, |&length| length.into()))
    }

    /// The blocks as M2.
    fn written(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || self.0.written())
    }

    /// The blocks as JSON Lines.
    fn json_lines(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || self.0.json_lines())
    }

    /// The first block that is another one after it is written and read.
    fn first_altered(&self, py: Python<'_>) -> PyResult<Option<usize>> {
        detached(py, || self.0.first_altered())
    }

    /// The sentences after an annotator's edits of one alignment; `missing` states how to correct sentences without a
    /// line of the annotator.
    #[pyo3(signature = (annotator, missing, alignment = 0))]
    fn corrected(&self, py: Python<'_>, annotator: i32, missing: MissingName, alignment: i32) -> PyResult<PyText> {
        detached(py, || self.0.corrected(annotator, missing.0, alignment)).map(PyText)
    }

    /// The sentences after the edits of the annotator with this number; missing in blocks with fewer annotators.
    fn version(&self, py: Python<'_>, place: usize) -> PyResult<PyText> {
        detached(py, || self.0.version(place)).map(PyText)
    }
}
