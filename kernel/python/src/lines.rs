//! Splitting bytes into lines, for Python.

use std::sync::{Mutex, PoisonError};

use pyo3::prelude::*;
use pyo3::types::PyBytes;

use crate::text::PyText;
use geceval_core::text::lines::{Fault, LineCutter};

/// (line, byte offset, byte, reason) of bytes that are not text.
type Found = Option<(u64, u64, u8, &'static str)>;

fn found(result: Result<(), Fault>) -> Found {
    match result {
        Ok(()) => None,
        Err(Fault::Byte { line, offset, byte, reason }) => Some((line, offset, byte, reason)),
        Err(Fault::Long { line }) => Some((line, 0, 0, "long")),
        Err(Fault::Memory { line }) => Some((line, 0, 0, "memory")),
    }
}

#[pyclass(frozen, name = "LineCutter", module = "geceval._kernel")]
#[derive(Default)]
pub struct PyLineCutter(Mutex<LineCutter>);

impl PyLineCutter {
    fn with<T: Send>(&self, py: Python<'_>, work: impl FnOnce(&mut LineCutter) -> T + Send) -> T {
        py.detach(|| work(&mut self.0.lock().unwrap_or_else(PoisonError::into_inner)))
    }
}

#[pymethods]
impl PyLineCutter {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn push(&self, data: &Bound<'_, PyBytes>) -> Found {
        let bytes = data.as_bytes();
        self.with(data.py(), |cutter| found(cutter.push(bytes)))
    }

    fn finish(&self, py: Python<'_>) -> Found {
        self.with(py, |cutter| found(cutter.finish()))
    }

    #[getter]
    fn ready(&self, py: Python<'_>) -> usize {
        self.with(py, |cutter| cutter.ready())
    }

    fn take(&self, py: Python<'_>, most: usize) -> PyText {
        PyText(self.with(py, |cutter| cutter.take(most)))
    }
}
