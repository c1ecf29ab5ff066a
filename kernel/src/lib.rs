//! The Python surface of the kernel, and nothing else: arguments in, arrays out, the GIL released
//! while counting. What is counted lives in the modules.

pub mod ngrams;
mod parallel;
pub mod tagger;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _kernel {
    use numpy::ndarray::Array4;
    use numpy::{IntoPyArray, PyArray1, PyArray4};
    use pyo3::exceptions::PyValueError;
    use pyo3::prelude::*;
    use pyo3::pybacked::PyBackedStr;
    use pyo3::types::PyString;

    use crate::ngrams::{NgramTable, Unit};
    use crate::tagger::batch::{columns, Profile, Rule, Table};
    use crate::tagger::Model;

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

    type Ids<'py> = Bound<'py, PyArray1<i32>>;

    /// A tagging model with the rules of a profile.
    #[pyclass(frozen, name = "Tagger", module = "geceval._kernel")]
    struct PyTagger {
        model: Model,
        profile: Profile,
    }

    #[pymethods]
    impl PyTagger {
        #[new]
        fn new(model: &[u8], rules: Vec<(String, String, String, String)>) -> PyResult<Self> {
            let model = Model::read(model).map_err(PyValueError::new_err)?;
            let rule = |(tag, form, pos, lemma)| Rule { tag, form, pos, lemma };
            Ok(Self { model, profile: Profile::new(rules.into_iter().map(rule).collect()) })
        }

        #[allow(clippy::type_complexity)]
        #[pyo3(signature = (sentences, threads = 0))]
        fn annotate<'py>(
            &self,
            py: Python<'py>,
            sentences: &Bound<'py, PyAny>,
            threads: usize,
        ) -> PyResult<(Vec<String>, Bound<'py, PyArray1<i64>>, [Ids<'py>; 6])> {
            let mut table = Table::default();
            let (mut ids, mut offsets) = (Vec::new(), vec![0]);
            for sentence in sentences.try_iter()? {
                for token in sentence?.try_iter()? {
                    ids.push(table.intern(token?.cast::<PyString>()?.to_str()?));
                }
                offsets.push(ids.len());
            }
            let found = py.detach(|| columns(&self.model, &self.profile, table, &ids, &offsets, threads));
            let offsets: Vec<i64> = offsets.into_iter().map(|offset| offset as i64).collect();
            let arrays = [found.form, found.lemma, found.pos, found.tag, found.dep, found.head];
            Ok((found.strings, offsets.into_pyarray(py), arrays.map(|column| column.into_pyarray(py))))
        }
    }
}
