use numpy::ndarray::Array4;
use numpy::{IntoPyArray, PyArray4};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::ngrams::{NgramTable, Unit};

/// The n-grams of sources and references, ready to be compared with hypotheses.
#[pyclass(frozen, name = "NgramTable", module = "geceval._kernel")]
pub struct PyNgramTable(NgramTable<PyBackedStr>);

#[pymethods]
impl PyNgramTable {
    #[new]
    #[pyo3(signature = (texts, n, unit, threads = 0))]
    fn new(py: Python<'_>, texts: Vec<Vec<PyBackedStr>>, n: usize, unit: &str, threads: usize) -> PyResult<Self> {
        let unit = match unit {
            "word" => Unit::Word,
            "char" => Unit::Char,
            "grapheme" => Unit::Grapheme,
            _ => return Err(PyValueError::new_err(format!("unknown unit {unit:?}"))),
        };
        let lengths = texts.first().map_or(1, Vec::len);
        if lengths == 0 || texts.iter().any(|texts| texts.len() != lengths) {
            return Err(PyValueError::new_err("every sentence needs a source and the same number of references"));
        }
        Ok(Self(py.detach(|| NgramTable::new(texts, n, unit, threads))))
    }

    #[pyo3(signature = (hypotheses, threads = 0))]
    fn count<'py>(
        &self,
        py: Python<'py>,
        hypotheses: Vec<PyBackedStr>,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray4<i32>>> {
        if hypotheses.len() != self.0.len() {
            return Err(PyValueError::new_err(format!(
                "{} hypotheses for {} sentences",
                hypotheses.len(),
                self.0.len()
            )));
        }
        let counts = py.detach(|| self.0.count(&hypotheses, threads));
        let counts =
            Array4::from_shape_vec(self.0.shape(), counts).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(counts.into_pyarray(py))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}
