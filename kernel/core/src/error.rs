//! Errors of the kernel.

use std::fmt;

/// Sentences, versions and edits count from 0; messages about texts count sentences from 1.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Error {
    /// The caller asked to stop, see [`crate::interrupt`].
    Interrupted,
    /// The named results do not fit in memory.
    Memory(&'static str),
    /// Invalid or inconsistent arguments, with a message.
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
    /// A byte is NUL or not UTF-8. Lines count from 1; `is_utf16`: the file looks like UTF-16.
    Bytes { line: u64, offset: u64, byte: u8, reason: &'static str, is_utf16: bool },
    /// A line (from 1) is too long.
    LongLine { line: u64 },
    /// The lines up to this one (from 1) do not fit in memory.
    LineMemory { line: u64 },
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

    /// The sentence with the error.
    pub fn sentence(&self) -> Option<usize> {
        match *self {
            Self::Edit { sentence, .. }
            | Self::EditTokens { sentence, .. }
            | Self::Pair { sentence, .. }
            | Self::Ngrams { sentence, .. }
            | Self::NgramMemory { sentence, .. }
            | Self::NoReference { sentence } => Some(sentence),
            _ => None,
        }
    }

    /// The version with the invalid edit.
    pub fn version(&self) -> Option<usize> {
        match *self {
            Self::Edit { version, .. } => Some(version),
            _ => None,
        }
    }

    /// The line of the file, counted from 1.
    pub fn line(&self) -> Option<u64> {
        match *self {
            Self::Bytes { line, .. } | Self::LongLine { line } | Self::LineMemory { line } => Some(line),
            _ => None,
        }
    }

    /// A suggestion for the user.
    pub fn hint(&self) -> Option<&'static str> {
        match self {
            Self::EditTokens { .. } | Self::Pair { .. } | Self::Ngrams { .. } => Some("is a line end missing?"),
            Self::NgramMemory { .. } => Some("more memory, fewer references or a smaller n"),
            Self::Bytes { byte: 0, .. } => None,
            Self::Bytes { is_utf16: true, .. } => {
                Some("this looks like UTF-16; convert it with: iconv -f UTF-16 -t UTF-8")
            }
            Self::Bytes { .. } => Some("convert the file, for example with: iconv -f CP1252 -t UTF-8"),
            _ => None,
        }
    }
}

impl fmt::Display for Error {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        match self {
            Self::Interrupted => write!(out, "interrupted"),
            Self::Arguments(message) => out.write_str(message),
            Self::Memory(results) => write!(out, "{results} do not fit into memory"),
            Self::Edit { sentence, version, edit, misfit } => {
                let reason = match misfit {
                    Misfit::Outside => "lies outside the sentence",
                    Misfit::Overlap => "overlaps another",
                };
                write!(out, "sentence {sentence}, version {version} (counted from 0): the edit {edit} {reason}")
            }
            Self::EditTokens { limit, .. } => write!(out, "more than {limit} tokens inside edits"),
            Self::Pair { sentence, tokens: [source, target], limit, beginning } => write!(
                out,
                "sentence {}: a pair of sentences of {source} and {target} tokens is too long to align, \
                 more than {limit} pairs of tokens of up to 64 letters: {beginning}",
                sentence + 1
            ),
            Self::NgramCounts { sentences, n } => {
                write!(out, "n is {n}: the counts of {sentences} sentences do not fit in 4 GiB")
            }
            Self::Ngrams { sentence, tokens, n, limit } => write!(
                out,
                "sentence {}, of {tokens} tokens in all versions, with n {n}: more than {limit} n-grams at once",
                sentence + 1
            ),
            Self::NgramMemory { sentence, tokens, references, n } => write!(
                out,
                "sentence {}, of {tokens} tokens in all versions ({references} references), with n {n}: its n-grams \
                 do not fit in memory",
                sentence + 1
            ),
            Self::NoReference { sentence } => write!(out, "sentence {sentence} has no reference"),
            Self::Bytes { offset, byte: 0, .. } => write!(out, "NUL byte at byte offset {offset}"),
            Self::Bytes { offset, byte, reason, .. } => {
                write!(out, "not UTF-8: byte 0x{byte:02x} at byte offset {offset} ({reason})")
            }
            Self::LongLine { .. } => write!(out, "the line is longer than 1 GiB"),
            Self::LineMemory { .. } => write!(out, "not enough memory for the line"),
        }
    }
}

impl std::error::Error for Error {}
