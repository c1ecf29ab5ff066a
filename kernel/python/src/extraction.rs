//! Extraction and types of edits, and the tagger.

use std::sync::{Arc, Mutex};

use geceval_core::edits::batch::{Batch, SentencePair, TokenColumns};
use geceval_core::edits::english::stemmer;
use geceval_core::edits::extractor::{Extractor, ExtractorTools};
use geceval_core::edits::labels;
use geceval_core::edits::lexicon::{self, WordList};
use geceval_core::edits::pair::Settings;
use geceval_core::tagger::model::{Model, Profile, ProfileRule};
use geceval_core::tagger::session::{columns, SentenceMemo, Session};
use geceval_core::text::strings::Strings;
use geceval_core::text::Text;
use numpy::PyReadonlyArray1;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::PyString;

use crate::choices::{MergingName, RuleSetName, TagSetName};
use crate::prelude::*;

/// The columns of `geceval.edits.annotation.Annotated`, with its field names.
#[derive(FromPyObject)]
pub struct PyAnnotated<'py> {
    strings: Vec<String>,
    offsets: PyReadonlyArray1<'py, i64>,
    form: PyReadonlyArray1<'py, i32>,
    lemma: PyReadonlyArray1<'py, i32>,
    pos: PyReadonlyArray1<'py, i32>,
    tag: PyReadonlyArray1<'py, i32>,
    dep: PyReadonlyArray1<'py, i32>,
    head: PyReadonlyArray1<'py, i32>,
}

/// Annotated sentences, each with the lemmas of its strings if the rules need them.
type PyBatches<'py> = Vec<(PyAnnotated<'py>, Vec<[String; 3]>)>;

fn batch(py: Python<'_>, parts: &PyBatches, words: &PyWordList) -> PyResult<Batch> {
    let mut batch = Batch::new(Arc::clone(&words.0));
    for (part, bases) in parts {
        let (strings, offsets) = (&part.strings, part.offsets.as_slice()?);
        let columns = TokenColumns {
            form: part.form.as_slice()?,
            lemma: part.lemma.as_slice()?,
            pos: part.pos.as_slice()?,
            tag: part.tag.as_slice()?,
            dep: part.dep.as_slice()?,
            head: part.head.as_slice()?,
        };
        detached(py, || batch.add(strings, bases, offsets, columns))?;
    }
    Ok(batch)
}

/// The word list of the spelling rule.
#[pyclass(frozen, name = "WordList", module = "geceval._kernel")]
pub struct PyWordList(pub Arc<WordList>);

#[pymethods]
impl PyWordList {
    #[new]
    fn new(words: &Bound<'_, PyAny>) -> PyResult<Self> {
        let words = words.try_iter()?.map(|word| word?.extract::<PyBackedStr>());
        Ok(Self(Arc::new(WordList::new(words.collect::<PyResult<Vec<_>>>()?))))
    }

    #[staticmethod]
    fn partial(words: &Bound<'_, PyAny>) -> PyResult<Self> {
        let words = words.try_iter()?.map(|word| word?.extract::<PyBackedStr>());
        Ok(Self(Arc::new(WordList::partial(words.collect::<PyResult<Vec<_>>>()?))))
    }

    #[staticmethod]
    fn english() -> Self {
        Self(Arc::new(WordList::english()))
    }

    fn __contains__(&self, word: &str) -> bool {
        self.0.contains(word)
    }
}

/// A tagging model with the rules of a profile.
#[pyclass(frozen, name = "Tagger", module = "geceval._kernel")]
pub struct PyTagger {
    pub model: Arc<Model>,
    pub profile: Arc<Profile>,
    /// A session with the words of earlier calls of `token`, unless another thread uses it.
    session: Mutex<Option<Session>>,
}

#[pymethods]
impl PyTagger {
    #[new]
    fn new(py: Python<'_>, vocabulary: &[u8], weights: &[u8], rules: Vec<[String; 5]>, spacy: u8) -> PyResult<Self> {
        let model = detached(py, || Model::read(vocabulary, weights))?;
        let rule = |[tags, forms, labels, pos, lemma]: [String; 5]| ProfileRule { tags, forms, labels, pos, lemma };
        let profile = Profile::new(rules.into_iter().map(rule).collect(), spacy >= 3);
        Ok(Self { model: Arc::new(model), profile: Arc::new(profile), session: Mutex::default() })
    }

    fn bases(&self, words: Vec<String>) -> Vec<[String; 3]> {
        words.iter().map(|word| self.model.vocabulary.lexicon.bases(word)).collect()
    }

    /// Only the decisions that the token requires are made.
    fn token(&self, tokens: Vec<PyBackedStr>, index: usize) -> PyResult<(String, &str, &str)> {
        fail_if(index >= tokens.len(), "the token is outside of its sentence")?;
        // A locked session is not waited for: a process forked while it is locked would wait forever.
        let idle = self.session.try_lock().ok().and_then(|mut session| session.take());
        let mut session = idle.unwrap_or_else(|| Session::new(Arc::clone(&self.model), Arc::clone(&self.profile)));
        let _ = session.refresh(); // no numbers are in use
        let mut memo = SentenceMemo::default();
        session.read_tokens(tokens.iter().map(|token| &**token), &mut memo);
        let annotation = session.annotation(&memo, None);
        let pos = &self.profile.parts[annotation.pos(index) as usize];
        let tag = &self.model.vocabulary.tags[annotation.tag(index) as usize];
        let lemma = annotation.lemma_text(index);
        if let Ok(mut idle) = self.session.try_lock() {
            *idle = Some(session);
        }
        Ok((lemma, pos, tag))
    }

    fn annotate(&self, py: Python<'_>, sentences: &Bound<'_, PyAny>, threads: usize) -> PyResult<Dict> {
        let mut strings = Strings::default();
        let (mut ids, mut offsets) = (Vec::new(), vec![0]);
        for sentence in sentences.try_iter()? {
            for token in sentence?.try_iter()? {
                ids.push(strings.intern(token?.cast::<PyString>()?.to_str()?));
            }
            offsets.push(ids.len());
        }
        let columns = detached(py, || columns(&self.model, &self.profile, strings, &ids, &offsets, threads))?;
        Ok(dict!(
            py,
            "strings": columns.strings,
            "offsets": longs(py, &offsets),
            "form": array(py, columns.form),
            "lemma": array(py, columns.lemma),
            "pos": array(py, columns.pos),
            "tag": array(py, columns.tag),
            "dep": array(py, columns.dep),
            "head": array(py, columns.head),
        ))
    }
}

/// Merging, whether the alignment is plain, rules, and types.
type SettingsTuple = (MergingName, bool, RuleSetName, TagSetName);

fn settings_of((merging, plain, rules, types): SettingsTuple) -> Settings {
    Settings { merging: merging.0, plain, rules: rules.0, types: types.0 }
}

/// Extracts edits from text with the builtin annotator.
#[pyclass(frozen, name = "Extractor", module = "geceval._kernel")]
pub struct PyExtractor(Extractor);

#[pymethods]
impl PyExtractor {
    #[new]
    fn new(tagger: &PyTagger, words: &PyWordList, settings: SettingsTuple) -> Self {
        let (model, profile) = (Arc::clone(&tagger.model), Arc::clone(&tagger.profile));
        let settings = settings_of(settings);
        Self(Extractor::new(ExtractorTools { model, profile, words: Arc::clone(&words.0), settings }))
    }

    fn extract(
        &self,
        py: Python<'_>,
        source: &PyText,
        targets: Vec<PyRef<'_, PyText>>,
        threads: usize,
    ) -> PyResult<Vec<PyEdits>> {
        let targets: Vec<Text> = targets.iter().map(|target| target.0.clone()).collect();
        fail_if(!source.0.is_complete(), "a line of the source is missing")?;
        targets.iter().try_for_each(|target| check_number(target.len(), "targets", source.0.len()))?;
        let edits = detached(py, || self.0.extract(&source.0, &targets, threads))?;
        Ok(edits.into_iter().map(|edits| PyEdits(Arc::new(edits))).collect())
    }
}

#[pyfunction]
pub fn extract_annotated(
    py: Python<'_>,
    parts: PyBatches<'_>,
    words: &PyWordList,
    pairs: Vec<Vec<SentencePair>>,
    settings: SettingsTuple,
    threads: usize,
) -> PyResult<Vec<PyEdits>> {
    let (batch, settings) = (batch(py, &parts, words)?, settings_of(settings));
    let edits_of = |pairs: &Vec<_>| detached(py, || batch.extract(pairs, settings, threads));
    pairs.iter().map(|pairs| Ok(PyEdits(Arc::new(edits_of(pairs)?)))).collect()
}

#[pyfunction]
pub fn classify_annotated(
    py: Python<'_>,
    parts: PyBatches<'_>,
    words: &PyWordList,
    edits: Vec<[i64; 6]>,
    types: TagSetName,
) -> PyResult<Vec<String>> {
    let batch = batch(py, &parts, words)?;
    detached(py, || batch.types(&edits, types.0))
}

/// Whether a string is alphabetic, whether it begins with a capital, and its lower case, as in Python.
#[pyfunction]
pub fn letters(text: &str) -> (bool, bool, String) {
    (lexicon::is_alphabetic(text), lexicon::is_capital(text), lexicon::lower(text).into_owned())
}

#[pyfunction]
pub fn lancaster_stem(word: &str) -> String {
    stemmer::stem(word)
}

#[pyfunction]
pub fn penn_category(tag: &str) -> Option<&'static str> {
    labels::penn_category(tag)
}
