//! The Python surface of the kernel, and nothing else: arguments in, arrays out, the GIL released
//! while counting. What is counted lives in the modules.

pub mod alignment;
pub mod classify;
pub mod columns;
pub mod distance;
pub mod edits;
pub mod merge;
pub mod ngrams;
mod parallel;
mod replacement;
pub mod stemmer;
pub mod tagger;

use pyo3::prelude::*;

#[pymodule(gil_used = false)]
mod _kernel {
    use numpy::ndarray::{Array2, Array4};
    use numpy::{IntoPyArray, PyArray1, PyArray2, PyArray4, PyReadonlyArray1};
    use pyo3::exceptions::PyValueError;
    use pyo3::prelude::*;
    use pyo3::pybacked::PyBackedStr;
    use pyo3::types::PyString;

    use crate::classify::Scheme;
    use crate::columns::{Batch, Columns, Lexicon, Span};
    use crate::edits::{self, Settings};
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

    /// The columns of `geceval.annotation.tokens.Annotated`, as its fields are named.
    #[derive(FromPyObject)]
    struct PyAnnotated<'py> {
        offsets: PyReadonlyArray1<'py, i64>,
        form: PyReadonlyArray1<'py, i32>,
        lemma: PyReadonlyArray1<'py, i32>,
        pos: PyReadonlyArray1<'py, i32>,
        tag: PyReadonlyArray1<'py, i32>,
        dep: PyReadonlyArray1<'py, i32>,
        head: PyReadonlyArray1<'py, i32>,
    }

    impl PyAnnotated<'_> {
        fn columns(&self) -> PyResult<Columns<'_>> {
            Ok(Columns {
                offsets: self.offsets.as_slice()?,
                form: self.form.as_slice()?,
                lemma: self.lemma.as_slice()?,
                pos: self.pos.as_slice()?,
                tag: self.tag.as_slice()?,
                dep: self.dep.as_slice()?,
                head: self.head.as_slice()?,
            })
        }
    }

    /// Edits of each pair (-1: the pair is too long to align), spans, types.
    type PyEdits<'py> = (Vec<i64>, Bound<'py, PyArray2<i32>>, Vec<String>);

    fn scheme(generic: bool) -> Scheme {
        if generic {
            Scheme::Generic
        } else {
            Scheme::English
        }
    }

    /// The fields of `geceval.annotation.extract.Lexicon`.
    #[derive(FromPyObject)]
    struct PyLexicon<'py> {
        strings: Vec<String>,
        lower: PyReadonlyArray1<'py, i32>,
        flags: PyReadonlyArray1<'py, u8>,
    }

    impl PyLexicon<'_> {
        fn lexicon(self) -> PyResult<Lexicon> {
            let (lower, flags) = (self.lower.as_slice()?, self.flags.as_slice()?);
            Ok(Lexicon::new(self.strings, lower, flags))
        }
    }

    /// Spans [E, 4] as int32: source start and end, target start and end.
    fn spans_array<'py>(
        py: Python<'py>,
        spans: impl Iterator<Item = Span>,
    ) -> PyResult<Bound<'py, PyArray2<i32>>> {
        let flat: Vec<i32> = spans
            .flat_map(|Span { source, target }| {
                [source.start, source.end, target.start, target.end].map(|end| end as i32)
            })
            .collect();
        let array = Array2::from_shape_vec((flat.len() / 4, 4), flat)
            .map_err(|error| PyValueError::new_err(error.to_string()))?;
        Ok(array.into_pyarray(py))
    }

    #[pyfunction]
    #[pyo3(signature = (annotated, lexicon, pairs, merging, plain, generic, threads = 0))]
    #[allow(clippy::too_many_arguments)]
    fn extract_edits<'py>(
        py: Python<'py>,
        annotated: PyAnnotated<'py>,
        lexicon: PyLexicon<'py>,
        pairs: Vec<(usize, usize)>,
        merging: &str,
        plain: bool,
        generic: bool,
        threads: usize,
    ) -> PyResult<PyEdits<'py>> {
        let settings = Settings {
            merging: merging.parse().map_err(PyValueError::new_err)?,
            plain,
            scheme: scheme(generic),
        };
        let columns = annotated.columns()?;
        let lexicon = lexicon.lexicon()?;
        let batch = Batch { lexicon, columns };
        let edits = py.detach(|| edits::extract(&batch, &pairs, settings, threads));
        let counts = edits
            .iter()
            .map(|edits| edits.as_ref().map_or(-1, |edits| edits.len() as i64))
            .collect();
        let (spans, types): (Vec<_>, Vec<_>) = edits.into_iter().flatten().flatten().unzip();
        Ok((counts, spans_array(py, spans.into_iter())?, types))
    }

    #[pyfunction]
    fn classify_edits<'py>(
        py: Python<'py>,
        annotated: PyAnnotated<'py>,
        lexicon: PyLexicon<'py>,
        edits: Vec<[usize; 6]>,
        generic: bool,
    ) -> PyResult<Vec<String>> {
        let columns = annotated.columns()?;
        let lexicon = lexicon.lexicon()?;
        let batch = Batch { lexicon, columns };
        let edits: Vec<_> = edits
            .into_iter()
            .map(|[s, t, start, end, c_start, c_end]| {
                let (source, target) = (start..end, c_start..c_end);
                (s, t, Span { source, target })
            })
            .collect();
        Ok(py.detach(|| edits::types(&batch, &edits, scheme(generic))))
    }

    #[pyfunction]
    fn penn_category(tag: &str) -> Option<&'static str> {
        crate::classify::penn_category(tag)
    }

    #[pyfunction]
    fn lancaster_stem(word: &str) -> String {
        crate::stemmer::stem(word)
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
            let rule = |(tag, form, pos, lemma)| Rule {
                tag,
                form,
                pos,
                lemma,
            };
            Ok(Self {
                model,
                profile: Profile::new(rules.into_iter().map(rule).collect()),
            })
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
            let arrays = [
                found.form,
                found.lemma,
                found.pos,
                found.tag,
                found.dep,
                found.head,
            ];
            Ok((
                found.strings,
                offsets.into_pyarray(py),
                arrays.map(|column| column.into_pyarray(py)),
            ))
        }
    }
}
