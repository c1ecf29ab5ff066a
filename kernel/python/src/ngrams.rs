use numpy::PyArray4;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;

use crate::arrays::{check_number, column, named, shaped, Ints};
use crate::interrupt::detached;
use crate::order::SentenceError;
use crate::text::PyText;
use geceval_core::ngrams::{NgramRow, NgramTable, Refused, Unit};

/// The n-grams of sources and references that can be compared with hypotheses.
#[pyclass(frozen, name = "NgramTable", module = "geceval._kernel")]
pub struct PyNgramTable(NgramTable);

/// Columns sentence, reference, order, region, weight and text, and the strings that text indexes.
type Rows<'py> = ([Ints<'py>; 6], Vec<String>);

/// The exception with (message, sentence, hint), or with a message about all sentences.
fn refusal(Refused { message, hint, sentence }: Refused) -> PyErr {
    match sentence {
        Some(sentence) => SentenceError::new_err((message, sentence, hint)),
        None => PyValueError::new_err(message),
    }
}

#[pymethods]
impl PyNgramTable {
    #[new]
    #[pyo3(signature = (source, references, n, unit, threads = 0, *, keep = true))]
    fn new(
        py: Python<'_>,
        source: &PyText,
        references: Vec<PyRef<'_, PyText>>,
        n: usize,
        unit: &str,
        threads: usize,
        keep: bool,
    ) -> PyResult<Self> {
        let unit = named("unit", unit, &[("word", Unit::Word), ("char", Unit::Char), ("grapheme", Unit::Grapheme)])?;
        let source = source.0.clone();
        let references: Vec<_> = references.iter().map(|reference| reference.0.clone()).collect();
        references.iter().try_for_each(|reference| check_number(reference.len(), "references", source.len()))?;
        let table = detached(py, || NgramTable::new(source, references, n, unit, keep, threads))?;
        table.map(Self).map_err(refusal)
    }

    #[pyo3(signature = (hypotheses, threads = 0, *, absent = true))]
    fn count<'py>(
        &self,
        py: Python<'py>,
        hypotheses: &PyText,
        threads: usize,
        absent: bool,
    ) -> PyResult<Bound<'py, PyArray4<i32>>> {
        self.check(hypotheses)?;
        let counts = detached(py, || self.0.count(&hypotheses.0, absent, threads))?.map_err(refusal)?;
        shaped(py, self.0.shape(absent), counts)
    }

    #[pyo3(signature = (hypotheses, threads = 0))]
    fn evidence<'py>(&self, py: Python<'py>, hypotheses: &PyText, threads: usize) -> PyResult<Rows<'py>> {
        self.check(hypotheses)?;
        let found = detached(py, || self.0.evidence(&hypotheses.0, threads))?.map_err(refusal)?;
        let column = |of: fn(&NgramRow) -> u32| column(py, &found.rows, |row| of(row) as i32);
        let columns = [
            column(|row| row.sentence),
            column(|row| row.reference),
            column(|row| row.order),
            column(|row| row.region),
            column(|row| row.weight),
            column(|row| row.text),
        ];
        Ok((columns, found.strings.iter().map(String::from).collect()))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }
}

impl PyNgramTable {
    fn check(&self, hypotheses: &PyText) -> PyResult<()> {
        check_number(hypotheses.0.len(), "hypotheses", self.0.len())?;
        self.0.check(Some(&hypotheses.0)).map_err(refusal)
    }
}
