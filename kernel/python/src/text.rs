//! Lines of text: reading, preparation and comparison.

use geceval_core::edits::align::{distance, lines};
use geceval_core::text::lines::LineCutter;
use geceval_core::text::{tokenise, Text};
use numpy::PyReadonlyArray1;
use pyo3::pybacked::PyBackedStr;
use pyo3::types::{PySlice, PyString};

use crate::choices::{FormName, TokeniserName};
use crate::prelude::*;

/// A sequence of strings in one buffer, with None for missing lines.
#[pyclass(frozen, sequence, name = "Text", module = "geceval._kernel")]
pub struct PyText(pub Text);

fn lines_of(lines: &Bound<'_, PyAny>) -> PyResult<Text> {
    let strings = lines.try_iter()?.map(|line| line?.extract::<Option<PyBackedStr>>());
    Ok(Text::new(strings.collect::<PyResult<Vec<_>>>()?))
}

#[pymethods]
impl PyText {
    #[new]
    fn new(lines: &Bound<'_, PyAny>) -> PyResult<Self> {
        match lines.cast::<PyText>() {
            Ok(text) => Ok(Self(text.get().0.clone())),
            Err(_) => lines_of(lines).map(Self),
        }
    }

    fn __len__(&self) -> usize {
        self.0.len()
    }

    fn __getitem__<'py>(&self, py: Python<'py>, key: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let length = self.0.len() as isize;
        if let Ok(slice) = key.cast::<PySlice>() {
            let bounds = slice.indices(length)?;
            let indices = (0..bounds.slicelength).map(|k| (bounds.start + k as isize * bounds.step) as usize);
            let (start, stop) = (bounds.start as usize, bounds.stop.max(bounds.start) as usize);
            let is_run = bounds.step == 1;
            let lines =
                if is_run { self.0.slice(start..stop) } else { Text::new(indices.map(|index| self.0.get(index))) };
            return Ok(Py::new(py, Self(lines))?.into_bound(py).into_any());
        }
        let index: isize = key.extract()?;
        let index = if index < 0 { index + length } else { index };
        if !(0..length).contains(&index) {
            return Err(PyIndexError::new_err("line index out of range"));
        }
        Ok(self.0.get(index as usize).into_pyobject(py)?)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        match other.cast::<PyText>() {
            Ok(other) => self.0 == other.get().0,
            Err(_) if other.cast::<PyString>().is_ok() => false,
            Err(_) => lines_of(other).is_ok_and(|other| self.0 == other),
        }
    }

    fn __repr__(&self) -> String {
        let first_lines: Vec<String> = self.0.iter().take(3).map(|line| format!("{line:?}")).collect();
        format!(
            "<Text of {} lines: {}{}>",
            self.0.len(),
            first_lines.join(", "),
            if self.0.len() > 3 { ", …" } else { "" }
        )
    }

    fn __getnewargs__(&self) -> (Vec<Option<&str>>,) {
        (self.0.iter().collect(),)
    }

    /// The lines between offsets in UTF-8, as an Arrow array has them; `valid` is false for missing ones.
    #[staticmethod]
    fn from_arrow(
        data: PyReadonlyArray1<'_, u8>,
        offsets: PyReadonlyArray1<'_, i64>,
        valid: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<Self> {
        let (data, offsets) = (data.as_slice()?, offsets.as_slice()?);
        let valid = valid.as_ref().map(|valid| valid.as_slice()).transpose()?;
        let lines =
            Text::from_offsets(data, offsets, |number| valid.is_some_and(|valid| valid.get(number) == Some(&false)));
        Ok(Self(lines.ok_or_else(|| PyValueError::new_err("the offsets do not divide UTF-8"))?))
    }

    /// The lines of several texts.
    #[staticmethod]
    fn joined(texts: Vec<PyRef<'_, PyText>>) -> Self {
        Self(Text::concatenated(&texts.iter().map(|text| &text.0).collect::<Vec<_>>()))
    }

    /// Whether a line contains one of three bytes of ASCII.
    fn contains_any(&self, bytes: [u8; 3]) -> bool {
        self.0.contains_any(bytes)
    }

    /// Numbers of the lines that start with one of some characters or that are one of some lines, blanks aside.
    fn lines_like(&self, py: Python<'_>, starts: Vec<char>, lines: Vec<PyBackedStr>) -> Vec<usize> {
        let is_alike = |line: &str| line.starts_with(&*starts) || lines.iter().any(|like| **like == *line.trim());
        py.detach(|| (0..self.0.len()).filter(|&number| self.0.get(number).is_some_and(is_alike)).collect())
    }

    /// Numbers of the lines of at most some characters.
    fn short_lines(&self, py: Python<'_>, most: usize) -> Vec<usize> {
        let is_short = |line: &str| line.len() <= 4 * most && line.chars().count() <= most;
        py.detach(|| (0..self.0.len()).filter(|&number| self.0.get(number).is_some_and(is_short)).collect())
    }

    /// Whether no line is missing.
    #[getter]
    fn complete(&self) -> bool {
        self.0.is_complete()
    }

    /// Numbers of the lines whose words differ from another text of the same length.
    fn differing(&self, py: Python<'_>, other: &PyText) -> PyResult<Vec<usize>> {
        fail_if(self.0.len() != other.0.len(), "the texts differ in length")?;
        Ok(py.detach(|| self.0.differing(&other.0).collect()))
    }

    /// Whether no line is missing in one of two texts of the same length, and no line has other words.
    fn has_words_of(&self, py: Python<'_>, other: &PyText) -> PyResult<bool> {
        fail_if(self.0.len() != other.0.len(), "the texts differ in length")?;
        let are_complete = self.0.is_complete() && other.0.is_complete();
        Ok(are_complete && py.detach(|| self.0.differing(&other.0).next().is_none()))
    }

    /// A 128-bit hash of the lines, seeded in each process.
    fn fingerprint(&self, py: Python<'_>) -> u128 {
        py.detach(|| self.0.fingerprint())
    }
}

#[pyclass(name = "LineCutter", module = "geceval._kernel")]
#[derive(Default)]
pub struct PyLineCutter(LineCutter);

#[pymethods]
impl PyLineCutter {
    #[new]
    fn new() -> Self {
        Self::default()
    }

    fn push(&mut self, py: Python<'_>, data: &[u8]) -> PyResult<()> {
        detached(py, || self.0.push(data))
    }

    fn finish(&mut self, py: Python<'_>) -> PyResult<()> {
        detached(py, || self.0.finish())
    }

    #[getter]
    fn ready(&self) -> usize {
        self.0.ready()
    }

    fn take(&mut self, py: Python<'_>, most: usize) -> PyText {
        PyText(py.detach(|| self.0.take(most)))
    }
}

/// The lines of a text with a blank between tokens.
#[pyfunction]
pub fn tokenised(py: Python<'_>, text: &PyText, rules: TokeniserName, threads: usize) -> PyResult<PyText> {
    detached(py, || tokenise::tokenised(&text.0, rules.0, threads)).map(PyText)
}

/// The lines of a text in a form.
#[pyfunction]
pub fn normalised(py: Python<'_>, text: &PyText, form: FormName, threads: usize) -> PyResult<PyText> {
    detached(py, || form.0.apply(&text.0, threads)).map(PyText)
}

/// [S]: the number of inserted and deleted code points between the lines of two texts.
#[pyfunction]
pub fn indel_distances(py: Python<'_>, left: &PyText, right: &PyText, threads: usize) -> PyResult<Column<i64>> {
    fail_if(left.0.len() != right.0.len(), "the texts differ in length")?;
    Ok(array(py, detached(py, || distance::indel_distances(&left.0, &right.0, threads))?))
}

/// A text divided into the lines of a source, with numbers of affected lines; None if the texts share too little.
#[pyfunction]
pub fn divided_lines(py: Python<'_>, source: &PyText, text: &PyText) -> PyResult<Option<Dict>> {
    let Some(divided) = detached(py, || lines::divide(&source.0, &text.0))? else { return Ok(None) };
    Ok(Some(dict!(
        py,
        "lines": PyText(divided.lines),
        "merged": divided.merged,
        "split": divided.split,
        "lost": divided.lost,
        "doubtful": divided.doubtful,
        "word_share": divided.word_share,
    )))
}
