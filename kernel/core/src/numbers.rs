//! Numbers of either type of array, read as doubles.

use std::borrow::Cow;
use std::ops::Range;

/// Integers below 2^53 are exact doubles.
#[derive(Clone, Copy, Debug)]
pub enum Numbers<'a> {
    Integers(&'a [i64]),
    Doubles(&'a [f64]),
}

impl<'a> Numbers<'a> {
    pub fn len(&self) -> usize {
        match self {
            Self::Integers(values) => values.len(),
            Self::Doubles(values) => values.len(),
        }
    }

    /// These numbers as doubles; `buffer` receives them if they are integers.
    pub fn read<'b>(&self, range: Range<usize>, buffer: &'b mut Vec<f64>) -> &'b [f64]
    where
        'a: 'b,
    {
        match self {
            Self::Integers(values) => {
                buffer.clear();
                buffer.extend(values[range].iter().map(|&value| value as f64));
                buffer
            }
            Self::Doubles(values) => &values[range],
        }
    }

    /// All numbers as doubles.
    pub fn doubles(self) -> Cow<'a, [f64]> {
        match self {
            Self::Integers(values) => values.iter().map(|&value| value as f64).collect(),
            Self::Doubles(values) => values.into(),
        }
    }
}
