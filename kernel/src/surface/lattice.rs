use std::time::Duration;

use numpy::ndarray::Array3;
use numpy::{IntoPyArray, PyArray3};
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::lattice::{self, Gold, Method, Options, View};

/// Sources and the gold edits of their annotators, ready to be compared with hypotheses.
#[pyclass(frozen, module = "geceval._kernel")]
pub struct GoldTable {
    sources: Vec<PyBackedStr>,
    gold: Vec<Vec<Vec<Gold>>>,
    annotators: usize,
}

type GoldEdit = (usize, usize, Vec<String>);

#[pymethods]
impl GoldTable {
    #[new]
    fn new(sources: Vec<PyBackedStr>, gold: Vec<Vec<Vec<GoldEdit>>>) -> PyResult<Self> {
        if sources.len() != gold.len() {
            let message = format!("{} sources, gold edits of {} sentences", sources.len(), gold.len());
            return Err(PyValueError::new_err(message));
        }
        let convert = |(start, end, alternatives)| Gold { start, end, alternatives };
        let gold: Vec<Vec<Vec<Gold>>> = gold
            .into_iter()
            .map(|all| all.into_iter().map(|own| own.into_iter().map(convert).collect()).collect())
            .collect();
        let annotators = gold.iter().map(Vec::len).max().unwrap_or(0);
        Ok(Self { sources, gold, annotators })
    }

    #[pyo3(signature = (hypotheses, max_unchanged, ignore_whitespace_casing, timeout = None, method = "auto",
        threads = 0))]
    #[allow(clippy::too_many_arguments)]
    fn count<'py>(
        &self,
        py: Python<'py>,
        hypotheses: Vec<PyBackedStr>,
        max_unchanged: u32,
        ignore_whitespace_casing: bool,
        timeout: Option<f64>,
        method: &str,
        threads: usize,
    ) -> PyResult<Bound<'py, PyArray3<i32>>> {
        if hypotheses.len() != self.sources.len() {
            let (got, needed) = (hypotheses.len(), self.sources.len());
            return Err(PyValueError::new_err(format!("{got} hypotheses for {needed} sentences")));
        }
        let options = options(max_unchanged, ignore_whitespace_casing, timeout, method)?;
        let (sources, gold, annotators) = (&self.sources, &self.gold, self.annotators);
        let counts = py.detach(|| lattice::count(sources, &hypotheses, gold, annotators, &options, threads));
        let shape = (self.sources.len(), self.annotators, lattice::COLUMNS.len());
        let counts = Array3::from_shape_vec(shape, counts).map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(counts.into_pyarray(py))
    }

    /// (edits, matches) of every annotator, an edit being (start, end, from, to), or None if it took too long.
    #[pyo3(signature = (sentence, hypothesis, max_unchanged, ignore_whitespace_casing, timeout = None,
        method = "auto"))]
    #[allow(clippy::too_many_arguments, clippy::type_complexity)]
    fn views(
        &self,
        py: Python<'_>,
        sentence: usize,
        hypothesis: PyBackedStr,
        max_unchanged: u32,
        ignore_whitespace_casing: bool,
        timeout: Option<f64>,
        method: &str,
    ) -> PyResult<Option<Vec<(Vec<(u32, u32, u32, u32)>, Vec<(usize, usize)>)>>> {
        let options = options(max_unchanged, ignore_whitespace_casing, timeout, method)?;
        let (Some(source), Some(gold)) = (self.sources.get(sentence), self.gold.get(sentence)) else {
            return Err(PyValueError::new_err(format!("there is no sentence {sentence}")));
        };
        let plain = |view: View| {
            let edits = view.edits.iter().map(|edit| (edit.start, edit.end, edit.from, edit.to));
            (edits.collect(), view.matches)
        };
        let views = py.detach(|| lattice::views(source, &hypothesis, gold, &options));
        Ok(views.map(|views| views.into_iter().map(plain).collect()))
    }

    fn __len__(&self) -> usize {
        self.sources.len()
    }
}

fn options(
    max_unchanged: u32,
    ignore_whitespace_casing: bool,
    timeout: Option<f64>,
    method: &str,
) -> PyResult<Options> {
    let method = match method {
        "auto" => Method::Auto,
        "exact" => Method::Exact,
        "search" => Method::Search,
        _ => return Err(PyValueError::new_err(format!("unknown method {method:?}"))),
    };
    let timeout = timeout
        .map(Duration::try_from_secs_f64)
        .transpose()
        .map_err(|error| PyValueError::new_err(error.to_string()))?;
    Ok(Options { max_unchanged, ignore_whitespace_casing, timeout, method })
}
