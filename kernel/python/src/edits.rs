//! Extraction and types of edits, for Python.

use std::sync::Arc;

use numpy::PyReadonlyArray1;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::pybacked::PyBackedStr;

use crate::arrays::{check_number, named, refuse_if};
use crate::columns::PyEdits;
use crate::interrupt::detached;
use crate::order::SentenceError;
use crate::tagger::PyTagger;
use crate::text::PyText;
use geceval_core::edits::align::MOST_CELLS;
use geceval_core::edits::annotated::Span;
use geceval_core::edits::batch::{Batch, Columns, Pair};
use geceval_core::edits::extractor::{Extractor, Tools};
use geceval_core::edits::lexicon::{self, WordList};
use geceval_core::edits::merge::Merging;
use geceval_core::edits::pair::{Settings, TooLong};
use geceval_core::edits::rules::{RuleSet, TagSet};
use geceval_core::text::Text;

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

fn batch(parts: &PyBatches, words: &PyWordList) -> PyResult<Batch> {
    let mut batch = Batch::new(Arc::clone(&words.0));
    for (part, bases) in parts {
        let columns = Columns {
            form: part.form.as_slice()?,
            lemma: part.lemma.as_slice()?,
            pos: part.pos.as_slice()?,
            tag: part.tag.as_slice()?,
            dep: part.dep.as_slice()?,
            head: part.head.as_slice()?,
        };
        let offsets = part.offsets.as_slice()?;
        refuse_if(!columns.fit(offsets, part.strings.len()), "the columns of an annotator are inconsistent")?;
        batch.add(&part.strings, bases, offsets, columns);
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
    fn english() -> Self {
        Self(Arc::new(WordList::english()))
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __contains__(&self, word: &str) -> bool {
        self.0.contains(word)
    }
}

fn tag_set(types: &str) -> PyResult<TagSet> {
    let known = [
        ("errant-3", TagSet::Errant3),
        ("errant-2.0", TagSet::Errant2),
        ("generic", TagSet::Generic),
        ("universal", TagSet::Universal),
        ("operation", TagSet::Operation),
    ];
    named("types", types, &known)
}

fn settings(merging: &str, plain: bool, rules: &str, types: &str) -> PyResult<Settings> {
    let strategies = [
        ("rules", Merging::Rules),
        ("all-split", Merging::AllSplit),
        ("all-merge", Merging::AllMerge),
        ("all-equal", Merging::AllEqual),
    ];
    let sets = [
        ("errant-3", RuleSet::Errant3),
        ("errant-2.0", RuleSet::Errant2),
        ("generic", RuleSet::Generic),
        ("czech", RuleSet::Czech),
        ("chinese", RuleSet::Chinese),
    ];
    let (merging, rules) = (named("merging", merging, &strategies)?, named("rules", rules, &sets)?);
    Ok(Settings { merging, plain, rules, types: tag_set(types)? })
}

/// The exception with (message, sentence).
fn too_long(found: TooLong) -> PyErr {
    let TooLong { sentence, lengths: [source, target], beginning } = found;
    let number = sentence + 1;
    let message = format!(
        "sentence {number}: a pair of sentences of {source} and {target} tokens is too long to align, \
         more than {MOST_CELLS} pairs of tokens: {beginning}"
    );
    SentenceError::new_err((message, sentence))
}

/// Extracts edits from text with the builtin annotator.
#[pyclass(frozen, name = "Extractor", module = "geceval._kernel")]
pub struct PyExtractor(Extractor);

#[pymethods]
impl PyExtractor {
    #[new]
    fn new(tagger: &PyTagger, words: &PyWordList, rules: &str, merging: &str, plain: bool) -> PyResult<Self> {
        let (model, profile) = (Arc::clone(&tagger.model), Arc::clone(&tagger.profile));
        let (words, settings) = (Arc::clone(&words.0), settings(merging, plain, rules, rules)?);
        Ok(Self(Extractor::new(Tools { model, profile, words, settings })))
    }

    #[pyo3(signature = (source, targets, threads = 0))]
    fn extract(
        &self,
        py: Python<'_>,
        source: &PyText,
        targets: Vec<PyRef<'_, PyText>>,
        threads: usize,
    ) -> PyResult<Vec<PyEdits>> {
        let targets: Vec<Text> = targets.iter().map(|target| target.0.clone()).collect();
        refuse_if(!source.0.is_complete(), "a line of the source is missing")?;
        targets.iter().try_for_each(|target| check_number(target.len(), "targets", source.0.len()))?;
        let edits = detached(py, || self.0.extract(&source.0, &targets, threads))?.map_err(too_long)?;
        Ok(edits.into_iter().map(|edits| PyEdits(Arc::new(edits))).collect())
    }
}

#[pyfunction]
#[pyo3(signature = (parts, words, pairs, merging, plain, rules, types, threads = 0))]
#[expect(clippy::too_many_arguments, reason = "Python passes them by name")]
pub fn extract_annotated(
    py: Python<'_>,
    parts: PyBatches<'_>,
    words: &PyWordList,
    pairs: Vec<Pair>,
    merging: &str,
    plain: bool,
    rules: &str,
    types: &str,
    threads: usize,
) -> PyResult<PyEdits> {
    let settings = settings(merging, plain, rules, types)?;
    let batch = batch(&parts, words)?;
    let is_unknown = |&(source, target): &(usize, usize)| source != target && source.max(target) >= batch.len();
    refuse_if(pairs.iter().flatten().any(is_unknown), "a pair contains an unknown sentence")?;
    let edits = detached(py, || batch.extract(&pairs, settings, threads))?;
    edits.map(|edits| PyEdits(Arc::new(edits))).map_err(too_long)
}

#[pyfunction]
pub fn classify_annotated(
    py: Python<'_>,
    parts: PyBatches<'_>,
    words: &PyWordList,
    edits: Vec<[i64; 6]>,
    types: &str,
) -> PyResult<Vec<String>> {
    let types = tag_set(types)?;
    let batch = batch(&parts, words)?;
    let fits = |s: i64, start: i64, end: i64| {
        (0..batch.len() as i64).contains(&s) && 0 <= start && start <= end && end <= batch.tokens(s as usize) as i64
    };
    let unfit =
        edits.iter().find(|&&[s, t, start, end, c_start, c_end]| !(fits(s, start, end) && fits(t, c_start, c_end)));
    if let Some([_, _, start, end, c_start, c_end]) = unfit {
        let message = format!("the edit {start} {end} -> {c_start} {c_end} does not fit its sentences");
        return Err(PyValueError::new_err(message));
    }
    let span = |edit: [i64; 6]| {
        let [s, t, start, end, c_start, c_end] = edit.map(|place| place as usize);
        (s, t, Span { source: start..end, target: c_start..c_end })
    };
    let edits: Vec<_> = edits.into_iter().map(span).collect();
    detached(py, || batch.types(&edits, types))
}

/// Whether a string is alphabetic, whether it begins with a capital, and its lower case, as in Python.
#[pyfunction]
pub fn letters(text: &str) -> (bool, bool, String) {
    (lexicon::is_alphabetic(text), lexicon::is_capital(text), lexicon::lower(text).into_owned())
}

#[pyfunction]
pub fn penn_category(tag: &str) -> Option<&'static str> {
    geceval_core::edits::english::labels::penn_category(tag)
}
