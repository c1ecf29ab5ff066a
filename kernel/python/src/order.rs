//! Ordered edits for Python.

use pyo3::create_exception;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{check_number, column, longs, Longs};
use crate::columns::PyEdits;
use crate::interrupt::detached;
use crate::text::PyText;
use geceval_core::edits::order::{self, Fault, Kind};

create_exception!(geceval._kernel, EditError, PyValueError);
create_exception!(geceval._kernel, SentenceError, PyValueError);

type Places<'py> = (Longs<'py>, Longs<'py>);

/// The exception with (sentence, version, edit, kind).
pub fn fault_error(fault: Fault) -> PyErr {
    let kind = match fault.kind {
        Kind::Outside => "outside",
        Kind::Overlap => "overlap",
    };
    EditError::new_err((fault.sentence, fault.version, fault.edit, kind))
}

#[pyfunction]
#[pyo3(signature = (source, edits, threads = 0))]
pub fn in_order<'py>(py: Python<'py>, source: &PyText, edits: &PyEdits, threads: usize) -> PyResult<Places<'py>> {
    let (source, edits) = (&source.0, &edits.0);
    check_number(edits.sentences(), "sentences with edits", source.len())?;
    let found =
        detached(py, || order::in_order(&order::lengths(source, threads), edits, threads))?.map_err(fault_error)?;
    Ok((longs(py, &found.offsets), column(py, &found.places, |&place| place.into())))
}
