//! The n-grams of sources and references, and the counts of hypotheses.

use geceval_core::ngrams::{NgramRow, NgramTable};
use numpy::PyArray4;

use crate::choices::UnitName;
use crate::prelude::*;

/// The n-grams of sources and references that can be compared with hypotheses.
#[pyclass(frozen, name = "NgramTable", module = "geceval._kernel")]
pub struct PyNgramTable(NgramTable);

#[pymethods]
impl PyNgramTable {
    #[new]
    fn new(
        py: Python<'_>,
        source: &PyText,
        references: Vec<PyRef<'_, PyText>>,
        n: usize,
        unit: UnitName,
        threads: usize,
        keep: bool,
    ) -> PyResult<Self> {
        let source = source.0.clone();
        let references: Vec<_> = references.iter().map(|reference| reference.0.clone()).collect();
        references.iter().try_for_each(|reference| check_number(reference.len(), "references", source.len()))?;
        detached(py, || NgramTable::new(source, references, n, unit.0, keep, threads)).map(Self)
    }

    fn count(&self, py: Python<'_>, hypotheses: &PyText, threads: usize, absent: bool) -> PyResult<Py<PyArray4<i32>>> {
        check_number(hypotheses.0.len(), "hypotheses", self.0.len())?;
        let counts = detached(py, || self.0.count(&hypotheses.0, absent, threads))?;
        shaped(py, self.0.shape(absent), counts)
    }

    #[pyo3(signature = (hypotheses, threads, longest = None))]
    fn evidence(&self, py: Python<'_>, hypotheses: &PyText, threads: usize, longest: Option<usize>) -> PyResult<Dict> {
        check_number(hypotheses.0.len(), "hypotheses", self.0.len())?;
        let evidence = detached(py, || self.0.evidence(&hypotheses.0, longest, threads))?;
        let column = |of: fn(&NgramRow) -> u32| column(py, &evidence.rows, |row| of(row) as i32);
        Ok(dict!(
            py,
            "sentence": column(|row| row.sentence),
            "reference": column(|row| row.reference),
            "order": column(|row| row.order),
            "region": column(|row| row.region),
            "weight": column(|row| row.weight),
            "text": column(|row| row.text),
            "strings": owned([&evidence.strings]),
        ))
    }
}
