//! The tagger, for Python.

use std::sync::Arc;

use numpy::IntoPyArray;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::types::PyString;

use crate::arrays::{longs, Ints, Longs};
use crate::interrupt::detached;
use geceval_core::tagger::batch::columns;
use geceval_core::tagger::model::Model;
use geceval_core::tagger::profile::{Profile, Rule};
use geceval_core::text::strings::Strings;

/// A tagging model with the rules of a profile.
#[pyclass(frozen, name = "Tagger", module = "geceval._kernel")]
pub struct PyTagger {
    pub model: Arc<Model>,
    pub profile: Arc<Profile>,
}

#[pymethods]
impl PyTagger {
    #[new]
    fn new(vocabulary: &[u8], weights: &[u8], rules: Vec<[String; 5]>, spacy: u8) -> PyResult<Self> {
        let model = Model::read(vocabulary, weights).map_err(PyValueError::new_err)?;
        let rule = |[tags, forms, labels, pos, lemma]: [String; 5]| Rule { tags, forms, labels, pos, lemma };
        let profile = Profile::new(rules.into_iter().map(rule).collect(), spacy >= 3);
        Ok(Self { model: Arc::new(model), profile: Arc::new(profile) })
    }

    fn bases(&self, words: Vec<String>) -> Vec<[String; 3]> {
        words.iter().map(|word| self.model.vocabulary.lexicon.bases(word)).collect()
    }

    #[pyo3(signature = (sentences, threads = 0))]
    fn annotate<'py>(
        &self,
        py: Python<'py>,
        sentences: &Bound<'py, PyAny>,
        threads: usize,
    ) -> PyResult<(Vec<String>, Longs<'py>, [Ints<'py>; 6])> {
        let mut strings = Strings::default();
        let (mut ids, mut offsets) = (Vec::new(), vec![0]);
        for sentence in sentences.try_iter()? {
            for token in sentence?.try_iter()? {
                ids.push(strings.intern(token?.cast::<PyString>()?.to_str()?));
            }
            offsets.push(ids.len());
        }
        let found = detached(py, || columns(&self.model, &self.profile, strings, &ids, &offsets, threads))?;
        let arrays = [found.form, found.lemma, found.pos, found.tag, found.dep, found.head];
        Ok((found.strings, longs(py, &offsets), arrays.map(|column| column.into_pyarray(py))))
    }
}
