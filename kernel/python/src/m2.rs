//! M2 blocks for Python: parsed from bytes or converted from objects, and back.

use std::sync::Arc;

use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyIndexError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::arrays::{column, refuse_if, Longs};
use crate::columns::PyEdits;
use crate::interrupt::detached;
use crate::order::fault_error;
use crate::text::PyText;
use geceval_core::edits::columns::Row;
use geceval_core::edits::m2::blocks::{Blocks, Builder, Head, Line, Rest, Target};
use geceval_core::edits::m2::merging;
use geceval_core::edits::m2::parse::{parse, Fault, Piece};
use geceval_core::edits::order;
use geceval_core::text::Text;

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
type EditRow<'a> = (i32, i32, &'a str, &'a str, &'a str, &'a str, i32, Option<u64>, i32);
/// Annotator, alignment, text.
type TargetRow<'a> = (i32, Option<i32>, &'a str);
/// Source, edits, notes, ended, path, line, targets.
type BlockRow<'a> = (&'a str, Vec<EditRow<'a>>, &'a [String], bool, Option<&'a str>, Option<u64>, Vec<TargetRow<'a>>);
/// Line, complete blocks before it, kind, two numbers, text.
type FaultTuple = (u64, usize, &'static str, usize, usize, String);

#[pyclass(frozen, name = "BlockTable", module = "geceval._kernel")]
pub struct PyBlocks {
    blocks: Blocks,
}

fn nonzero(line: u64) -> Option<u64> {
    (line > 0).then_some(line)
}

/// Adds a block and returns its source.
fn push(builder: &mut Builder, block: PyBlock) -> PyBackedStr {
    let line = |edit: &PyEdit| {
        let texts: Vec<&str> = edit.corrections.iter().map(|text| &**text).collect();
        let (kind, text) = (builder.intern(&edit.kind), builder.intern(&texts.join("||")));
        Line {
            row: Row { start: edit.start, end: edit.end, kind, text },
            fields: builder.fields(&edit.required, &edit.comment),
            annotator: edit.annotator,
            alignment: edit.alignment,
            number: edit.line.unwrap_or(0),
        }
    };
    let lines: Vec<Line> = block.edits.iter().map(line).collect();
    let path = builder.path(block.path.as_deref());
    let target = |PyTarget { annotator, alignment, text }| Target { annotator, alignment, text };
    let rest = Rest { notes: block.notes, targets: block.targets.into_iter().map(target).collect() };
    builder.push(Head { line: block.line.unwrap_or(0), ended: block.ended, path }, &lines, rest);
    block.source
}

/// The blocks of tables, of which there is one at least, with equal numbers of blocks.
fn of_same_length<'a>(tables: &'a [Bound<'_, PyBlocks>]) -> PyResult<Vec<&'a Blocks>> {
    let files: Vec<&Blocks> = tables.iter().map(|table| &table.get().blocks).collect();
    let unequal = files.is_empty() || files.iter().any(|file| file.len() != files[0].len());
    refuse_if(unequal, "tables with equal numbers of blocks are required")?;
    Ok(files)
}

#[pymethods]
impl PyBlocks {
    #[new]
    fn new(blocks: &Bound<'_, PyAny>) -> PyResult<Self> {
        let mut builder = Builder::new(Vec::new());
        let mut sources = Vec::new();
        for block in blocks.try_iter()? {
            sources.push(Some(push(&mut builder, block?.extract()?)));
        }
        Ok(Self { blocks: builder.finish(Text::new(sources)) })
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
    ) -> PyResult<(Self, Vec<FaultTuple>)> {
        let (blocks, faults) = detached(py, || parse(data, path, Piece { line, last, shared }))?;
        let tuple = |fault: Fault| {
            let (kind, first, second) = fault.kind;
            (fault.line, fault.blocks, kind, first, second, fault.text)
        };
        Ok((Self { blocks }, faults.into_iter().map(tuple).collect()))
    }

    /// The blocks of several tables, by (annotator, number in the result) of each.
    #[staticmethod]
    fn merged(py: Python<'_>, tables: Vec<Bound<'_, Self>>, numbers: Vec<Vec<(i32, i32)>>) -> PyResult<Self> {
        refuse_if(numbers.len() != tables.len(), "annotators of each table are required")?;
        let files = of_same_length(&tables)?;
        Ok(Self { blocks: detached(py, || merging::merged(&files, &numbers))? })
    }

    /// The edits that enough tables have, up to the first faulty block.
    #[staticmethod]
    fn voted(py: Python<'_>, tables: Vec<Bound<'_, Self>>, least: usize) -> PyResult<Self> {
        let files = of_same_length(&tables)?;
        Ok(Self { blocks: detached(py, || merging::voted(&files, least))? })
    }

    fn __len__(&self) -> usize {
        self.blocks.len()
    }

    fn block(&self, at: usize) -> PyResult<BlockRow<'_>> {
        let blocks = &self.blocks;
        let head = blocks.heads.get(at).ok_or_else(|| PyIndexError::new_err("block index out of range"))?;
        let text = |place| blocks.edits.strings.get(place);
        let edit = |line: &Line| {
            let Row { start, end, kind, text: correction } = line.row;
            let (required, comment) = blocks.pair(line);
            let (kind, correction) = (text(kind), text(correction));
            (start, end, kind, correction, required, comment, line.annotator, nonzero(line.number), line.alignment)
        };
        let edits = blocks.lines_of(at).iter().map(edit).collect();
        let path = blocks.paths[head.path as usize].as_deref();
        let (notes, targets) = blocks.rest_of(at).map_or_else(Default::default, |Rest { notes, targets }| {
            let target = targets.iter().map(|target| (target.annotator, target.alignment, &*target.text));
            (&notes[..], target.collect())
        });
        Ok((blocks.source.line(at), edits, notes, head.ended, path, nonzero(head.line), targets))
    }

    /// The existing blocks start..stop.
    fn slice(&self, py: Python<'_>, start: usize, stop: usize) -> PyResult<Self> {
        if start > stop || stop > self.blocks.len() {
            return Err(PyIndexError::new_err("block index out of range"));
        }
        Ok(Self { blocks: py.detach(|| self.blocks.slice(start..stop)) })
    }

    #[getter]
    fn source(&self) -> PyText {
        PyText(self.blocks.source.clone())
    }

    #[getter]
    fn edits(&self) -> PyEdits {
        PyEdits(Arc::clone(&self.blocks.edits))
    }

    /// The `I` lines of all blocks.
    #[getter]
    fn notes(&self) -> Vec<&str> {
        self.blocks.notes()
    }

    /// The first block with `T` lines, as ChERRANT writes them.
    #[getter]
    fn first_target(&self) -> Option<usize> {
        self.blocks.first_target()
    }

    /// The existing blocks at these places.
    fn at(&self, py: Python<'_>, places: Vec<usize>) -> PyResult<Self> {
        if places.iter().any(|&place| place >= self.blocks.len()) {
            return Err(PyIndexError::new_err("block index out of range"));
        }
        Ok(Self { blocks: detached(py, || self.blocks.at(&places))? })
    }

    /// The blocks with only the lines of these annotators.
    fn of_annotators(&self, py: Python<'_>, annotators: Vec<i32>) -> PyResult<Self> {
        Ok(Self { blocks: detached(py, || self.blocks.of_annotators(&annotators))? })
    }

    /// The edits that `keep` selects by index; an annotator who loses all edits keeps a noop.
    fn kept(&self, py: Python<'_>, keep: PyReadonlyArray1<'_, bool>) -> PyResult<Self> {
        let keep = keep.as_slice()?;
        refuse_if(keep.len() != self.blocks.edits.rows.len(), "a bool for each edit is required")?;
        Ok(Self { blocks: detached(py, || self.blocks.kept(keep))? })
    }

    /// The blocks with the edits of each annotator by position.
    fn sorted(&self, py: Python<'_>) -> PyResult<Self> {
        Ok(Self { blocks: detached(py, || self.blocks.sorted())? })
    }

    /// The number of tokens of each sentence.
    fn lengths<'py>(&self, py: Python<'py>) -> Longs<'py> {
        column(py, &py.detach(|| order::lengths(&self.blocks.source, 1)), |&length| length.into())
    }

    /// The blocks as M2.
    fn written(&self, py: Python<'_>) -> PyResult<String> {
        detached(py, || self.blocks.written())
    }

    /// The sentences as an annotator corrects them; without a line as the first one does (`missing` "fallback"),
    /// unchanged ("plain") or missing.
    #[pyo3(signature = (annotator, missing, alignment = 0))]
    fn corrected(&self, py: Python<'_>, annotator: i32, missing: &str, alignment: i32) -> PyResult<PyText> {
        let blocks = &self.blocks;
        let other = |block| match missing {
            "fallback" => Some(Some(blocks.edits.versions_of(block).start)),
            "plain" => Some(None),
            _ => None,
        };
        let pick = |block| blocks.by(block, annotator).map(Some).or_else(|| other(block));
        py.detach(|| blocks.corrected(alignment, pick)).map(PyText).map_err(fault_error)
    }

    /// The sentences as the annotator in this place corrects them, missing in blocks with fewer.
    fn version(&self, py: Python<'_>, place: usize) -> PyResult<PyText> {
        let pick = |block| self.blocks.edits.versions_of(block).nth(place).map(Some);
        py.detach(|| self.blocks.corrected(0, pick)).map(PyText).map_err(fault_error)
    }
}
