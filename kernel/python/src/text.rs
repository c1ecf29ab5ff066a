//! Lines of text for Python: a sequence of strings in one buffer, with None for missing lines.

use numpy::PyReadonlyArray1;
use pyo3::exceptions::{PyIndexError, PyValueError};
use pyo3::prelude::*;
use pyo3::types::{PyList, PySlice, PyString, PyTuple};

use crate::arrays::refuse_if;
use geceval_core::text::Text;

#[pyclass(frozen, sequence, name = "Text", module = "geceval._kernel")]
pub struct PyText(pub Text);

fn lines_of(lines: &Bound<'_, PyAny>) -> PyResult<Text> {
    let mut found = Vec::new();
    for line in lines.try_iter()? {
        let line = line?;
        found.push(if line.is_none() { None } else { Some(line.cast_into::<PyString>()?) });
    }
    let found = found.iter().map(|line| line.as_ref().map(|line| line.to_str()).transpose());
    Ok(Text::new(found.collect::<PyResult<Vec<_>>>()?))
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

    fn __getitem__<'py>(&self, py: Python<'py>, at: &Bound<'py, PyAny>) -> PyResult<Bound<'py, PyAny>> {
        let length = self.0.len() as isize;
        if let Ok(slice) = at.cast::<PySlice>() {
            let found = slice.indices(length)?;
            if found.step == 1 {
                let (start, stop) = (found.start as usize, found.stop.max(found.start) as usize);
                return Ok(Py::new(py, Self(self.0.slice(start..stop)))?.into_bound(py).into_any());
            }
            let places = (0..found.slicelength).map(|k| (found.start + k as isize * found.step) as usize);
            let picked = Text::new(places.map(|place| self.0.get(place)));
            return Ok(Py::new(py, Self(picked))?.into_bound(py).into_any());
        }
        let place: isize = at.extract()?;
        let place = if place < 0 { place + length } else { place };
        if !(0..length).contains(&place) {
            return Err(PyIndexError::new_err("line index out of range"));
        }
        Ok(self.0.get(place as usize).into_pyobject(py)?)
    }

    fn __eq__(&self, other: &Bound<'_, PyAny>) -> bool {
        match other.cast::<PyText>() {
            Ok(other) => self.0 == other.get().0,
            Err(_) if other.cast::<PyString>().is_ok() => false,
            Err(_) => lines_of(other).is_ok_and(|other| self.0 == other),
        }
    }

    fn __repr__(&self) -> String {
        let shown: Vec<String> = self.0.iter().take(3).map(|line| format!("{line:?}")).collect();
        format!("<Text of {} lines: {}{}>", self.0.len(), shown.join(", "), if self.0.len() > 3 { ", …" } else { "" })
    }

    fn __reduce__<'py>(slf: &Bound<'py, Self>) -> PyResult<(Bound<'py, PyAny>, Bound<'py, PyTuple>)> {
        let lines = PyList::new(slf.py(), slf.get().0.iter())?;
        Ok((slf.get_type().into_any(), PyTuple::new(slf.py(), [lines])?))
    }

    /// The lines between offsets in UTF-8, as an Arrow array has them; `valid` is false for missing ones.
    #[staticmethod]
    #[pyo3(signature = (data, offsets, valid = None))]
    fn from_arrow(
        data: PyReadonlyArray1<'_, u8>,
        offsets: PyReadonlyArray1<'_, i64>,
        valid: Option<PyReadonlyArray1<'_, bool>>,
    ) -> PyResult<Self> {
        let (data, offsets) = (data.as_slice()?, offsets.as_slice()?);
        let valid = valid.as_ref().map(|valid| valid.as_slice()).transpose()?;
        let lines = Text::between(data, offsets, |at| valid.is_some_and(|valid| valid.get(at) == Some(&false)));
        Ok(Self(lines.ok_or_else(|| PyValueError::new_err("the offsets do not divide UTF-8"))?))
    }

    /// The lines of several texts.
    #[staticmethod]
    fn joined(texts: Vec<PyRef<'_, PyText>>) -> Self {
        Self(Text::joined(&texts.iter().map(|text| &text.0).collect::<Vec<_>>()))
    }

    /// Whether a line contains one of three bytes of ASCII.
    fn contains_any(&self, bytes: [u8; 3]) -> bool {
        self.0.contains_any(bytes)
    }

    /// Whether no line is missing.
    #[getter]
    fn complete(&self) -> bool {
        self.0.is_complete()
    }

    /// The places where the words of the lines differ from another text of the same length.
    fn differing(&self, py: Python<'_>, other: &PyText) -> PyResult<Vec<usize>> {
        refuse_if(self.0.len() != other.0.len(), "the texts differ in length")?;
        Ok(py.detach(|| self.0.differing(&other.0)))
    }

    /// A 128-bit hash of the lines.
    fn fingerprint(&self, py: Python<'_>) -> u128 {
        py.detach(|| self.0.fingerprint())
    }
}
