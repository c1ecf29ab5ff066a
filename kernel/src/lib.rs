//! The Python surface of the kernel, and nothing else: arguments in, arrays out, the GIL released
//! while counting. What is counted lives in the modules.

pub mod chunks;
pub mod ngrams;
mod parallel;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _kernel {
    use numpy::ndarray::Array2;
    use numpy::ndarray::Array4;
    use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray4, PyReadonlyArray1};
    use pyo3::exceptions::PyValueError;
    use pyo3::prelude::*;
    use pyo3::pybacked::PyBackedStr;

    use crate::chunks::{self, Edits, Sequences};
    use crate::ngrams::{NgramTable, Unit};

    /// The n-grams of sources and references, ready to be compared with hypotheses.
    #[pyclass(frozen, name = "NgramTable", module = "geceval._kernel")]
    struct PyNgramTable(NgramTable<PyBackedStr>);

    #[pymethods]
    impl PyNgramTable {
        #[new]
        #[pyo3(signature = (texts, n, unit, threads = 0))]
        fn new(
            py: Python<'_>,
            texts: Vec<Vec<PyBackedStr>>,
            n: usize,
            unit: &str,
            threads: usize,
        ) -> PyResult<Self> {
            let unit = match unit {
                "word" => Unit::Word,
                "char" => Unit::Char,
                "grapheme" => Unit::Grapheme,
                _ => return Err(PyValueError::new_err(format!("unknown unit {unit:?}"))),
            };
            let lengths = texts.first().map_or(1, Vec::len);
            if lengths == 0 || texts.iter().any(|texts| texts.len() != lengths) {
                return Err(PyValueError::new_err(
                    "every sentence needs a source and the same number of references",
                ));
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
            let counts = Array4::from_shape_vec(self.0.shape(), counts)
                .map_err(|error| PyValueError::new_err(error.to_string()))?;
            Ok(counts.into_pyarray(py))
        }

        fn __len__(&self) -> usize {
            self.0.len()
        }
    }

    type Columns<'py> = (PyReadonlyArray1<'py, i64>, PyReadonlyArray1<'py, i32>);
    type EditColumns<'py> = (
        usize,
        PyReadonlyArray1<'py, i64>,
        PyReadonlyArray1<'py, i32>,
        PyReadonlyArray1<'py, i32>,
        Columns<'py>,
    );
    type ChunkColumns<'py> = (
        Bound<'py, PyArray1<i64>>,
        Bound<'py, PyArray1<i32>>,
        Bound<'py, PyArray1<i32>>,
        Bound<'py, PyArray2<bool>>,
        Bound<'py, PyArray2<i32>>,
        Bound<'py, PyArray2<bool>>,
    );

    fn sequences<'a>((offsets, ids): &'a Columns) -> PyResult<Sequences<'a>> {
        Ok(Sequences {
            offsets: offsets.as_slice()?,
            ids: ids.as_slice()?,
        })
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

    #[pyfunction]
    fn partition<'py>(
        py: Python<'py>,
        source: Columns<'py>,
        hypothesis: EditColumns<'py>,
        references: EditColumns<'py>,
        distance: i32,
    ) -> PyResult<ChunkColumns<'py>> {
        let (source, hypothesis, references) =
            (sequences(&source)?, edits(&hypothesis)?, edits(&references)?);
        let wide = references.width;
        let chunks = py
            .detach(|| chunks::partition(source, hypothesis, references, distance))
            .map_err(PyValueError::new_err)?;
        let rows = chunks.start.len();
        let shaped = |error: numpy::ndarray::ShapeError| PyValueError::new_err(error.to_string());
        Ok((
            chunks.offsets.into_pyarray(py),
            chunks.start.into_pyarray(py),
            chunks.end.into_pyarray(py),
            Array2::from_shape_vec((rows, 1 + wide), chunks.changed)
                .map_err(shaped)?
                .into_pyarray(py),
            Array2::from_shape_vec((rows, 1 + wide), chunks.length)
                .map_err(shaped)?
                .into_pyarray(py),
            Array2::from_shape_vec((rows, wide), chunks.same)
                .map_err(shaped)?
                .into_pyarray(py),
        ))
    }
}
