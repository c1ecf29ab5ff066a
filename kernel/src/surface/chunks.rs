//! The Python surface of the chunk partition.

use numpy::ndarray::{Array2, ShapeError};
use numpy::{Element, IntoPyArray, PyArray1, PyArray2, PyReadonlyArray1};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::chunks::{self, Edits, Sequences};

type Columns<'py> = (PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i32>);
type EditColumns<'py> =
    (usize, PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i32>, PyReadonlyArray1<'py, i32>, Columns<'py>);
type ChunkColumns<'py> = (
    Bound<'py, PyArray1<i64>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray1<i32>>,
    Bound<'py, PyArray2<bool>>,
    Bound<'py, PyArray2<i32>>,
    Bound<'py, PyArray2<bool>>,
);

fn sequences<'a>((offsets, ids): &'a Columns) -> PyResult<Sequences<'a>> {
    Ok(Sequences { offsets: offsets.as_slice()?, ids: ids.as_slice()? })
}

fn edits<'a>((width, of, start, end, text): &'a EditColumns) -> PyResult<Edits<'a>> {
    Ok(Edits {
        width: *width,
        of: of.as_slice()?,
        start: start.as_slice()?,
        end: end.as_slice()?,
        text: sequences(text)?,
    })
}

fn table<T: Element>(py: Python<'_>, width: usize, cells: Vec<T>) -> PyResult<Bound<'_, PyArray2<T>>> {
    let rows = cells.len().checked_div(width).unwrap_or(0);
    let table = Array2::from_shape_vec((rows, width), cells)
        .map_err(|error: ShapeError| PyValueError::new_err(error.to_string()))?;
    Ok(table.into_pyarray(py))
}

#[pyfunction]
pub fn partition<'py>(
    py: Python<'py>,
    source: Columns<'py>,
    hypothesis: EditColumns<'py>,
    references: EditColumns<'py>,
    distance: i32,
) -> PyResult<ChunkColumns<'py>> {
    let (source, hypothesis, references) = (sequences(&source)?, edits(&hypothesis)?, edits(&references)?);
    let width = references.width;
    let chunks =
        py.detach(|| chunks::partition(source, hypothesis, references, distance)).map_err(PyValueError::new_err)?;
    Ok((
        chunks.offsets.into_pyarray(py),
        chunks.start.into_pyarray(py),
        chunks.end.into_pyarray(py),
        table(py, 1 + width, chunks.changed)?,
        table(py, 1 + width, chunks.length)?,
        table(py, width, chunks.same)?,
    ))
}
