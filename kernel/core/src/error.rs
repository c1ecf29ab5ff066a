//! Errors of the kernel: data, for which `geceval.base.kernel_errors` has the words.

use std::collections::TryReserveError;
use std::fmt;

/// Sentences, versions and edits count from 0.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The caller asked to stop, see [`crate::interrupt`].
    Interrupted,
    /// The named results do not fit in memory.
    Memory(&'static str),
    /// Invalid or inconsistent arguments, with a message for developers.
    Arguments(String),
    /// An edit of a version of a sentence cannot be applied.
    Edit { sentence: usize, version: usize, edit: usize, misfit: Misfit },
    /// The edits of a sentence contain more than `limit` tokens, too many to compare them one by one.
    EditTokens { sentence: usize, limit: usize },
    /// Two sentences have more than `limit` pairs of tokens, too many to align; `beginning` has the first source
    /// tokens.
    Pair { sentence: usize, tokens: [usize; 2], limit: usize, beginning: String },
    /// The n-gram counts of a system are too many.
    NgramCounts { sentences: usize, n: usize },
    /// The versions of a sentence have more than `limit` n-grams.
    Ngrams { sentence: usize, tokens: usize, n: usize, limit: usize },
    /// The n-grams of the versions of a sentence do not fit in memory.
    NgramMemory { sentence: usize, tokens: usize, references: usize, n: usize },
    /// A sentence has no reference to choose.
    NoReference { sentence: usize },
    /// A byte of a line (from 1) is not text in UTF-8; its offset in the file is from 0.
    Bytes { line: u64, offset: u64, byte: u8, fault: ByteFault },
    /// A line (from 1) is too long.
    LongLine { line: u64 },
    /// The lines up to this one (from 1) do not fit in memory.
    LineMemory { line: u64 },
    /// A damaged model of the tagger, with a message for developers.
    Model(String),
}

/// Why a byte is not text in UTF-8.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ByteFault {
    Nul,
    /// It starts no character.
    Start,
    /// Another byte than the next ones continues its character.
    Continuation,
    /// The data end within its character.
    End,
}

/// Why an edit cannot be applied.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Misfit {
    /// It lies outside its sentence, or ends before it starts.
    Outside,
    /// It overlaps an edit of the same version.
    Overlap,
}

impl Error {
    /// Err: [`Self::Arguments`] with the message unless `are_valid`.
    pub fn check_arguments(are_valid: bool, message: impl ToString) -> Result<(), Self> {
        are_valid.then_some(()).ok_or_else(|| Self::Arguments(message.to_string()))
    }
}

/// For developers.
impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Arguments(message) | Self::Model(message) => out.write_str(message),
            data => write!(out, "{data:?}"),
        }
    }
}

impl From<TryReserveError> for Error {
    fn from(_: TryReserveError) -> Self {
        Self::Memory("the results")
    }
}

/// A vector of zeros. Err: not enough memory.
pub fn zeros<T: Clone + Default>(length: usize) -> Result<Vec<T>, Error> {
    let mut values = Vec::new();
    values.try_reserve_exact(length)?;
    values.resize(length, T::default());
    Ok(values)
}

impl std::error::Error for Error {}
