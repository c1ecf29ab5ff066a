//! Counts of the n-grams of hypotheses, compared with sources and references.

use geceval_core::ngrams::{NgramCorpus, NgramRow};
use geceval_core::text::Text;
use numpy::PyArray4;

use crate::choices::UnitName;
use crate::prelude::*;

/// The texts of a call. Err: ValueError if one has not as many lines as there are sentences.
fn texts(lines: &[PyRef<'_, PyText>], noun: &str, sentences: usize) -> PyResult<Vec<Text>> {
    lines.iter().try_for_each(|text| check_number(text.0.len(), noun, sentences))?;
    Ok(lines.iter().map(|text| text.0.clone()).collect())
}

/// Sources and references whose n-grams can be compared with those of hypotheses.
#[pyclass(frozen, name = "NgramCorpus", module = "geceval._kernel")]
pub struct PyNgramCorpus(NgramCorpus);

#[pymethods]
impl PyNgramCorpus {
    #[new]
    fn new(source: &PyText, references: Vec<PyRef<'_, PyText>>, n: usize, unit: UnitName) -> PyResult<Self> {
        let source = source.0.clone();
        let references = texts(&references, "references", source.len())?;
        Ok(Self(NgramCorpus { source, references, n, unit: unit.0 }))
    }

    fn count(
        &self,
        py: Python<'_>,
        hypotheses: Vec<PyRef<'_, PyText>>,
        threads: usize,
        absent: bool,
    ) -> PyResult<Vec<Py<PyArray4<i32>>>> {
        let hypotheses = texts(&hypotheses, "hypotheses", self.0.len())?;
        let counts = detached(py, || self.0.count(&hypotheses, absent, threads))?;
        counts.into_iter().map(|counts| shaped(py, self.0.shape(absent), counts)).collect()
    }

    fn best_sums(
        &self,
        py: Python<'_>,
        hypotheses: Vec<PyRef<'_, PyText>>,
        beta: f64,
        threads: usize,
    ) -> PyResult<Vec<Column<i64>>> {
        let hypotheses = texts(&hypotheses, "hypotheses", self.0.len())?;
        let sums = detached(py, || self.0.best_sums(&hypotheses, beta, threads))?;
        Ok(sums.into_iter().map(|sums| array(py, sums)).collect())
    }

    #[pyo3(signature = (hypothesis, threads, longest = None))]
    fn evidence(&self, py: Python<'_>, hypothesis: &PyText, threads: usize, longest: Option<usize>) -> PyResult<Dict> {
        check_number(hypothesis.0.len(), "hypotheses", self.0.len())?;
        let evidence = detached(py, || self.0.evidence(&hypothesis.0, longest, threads))?;
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
