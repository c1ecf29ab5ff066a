//! The builtin English annotator: Penn tags, dependency labels, heads of auxiliaries and lemmas of tokenised text.
//!
//! Two averaged perceptrons over hashed features run from left to right: the first chooses the tag of each token, the
//! second, which uses all tags, its dependency label (Collins 2002, greedy). Lemmas come from rules and a list of base
//! forms. The model is data: `tools/train_tagger.py` writes it and documents the training.

pub mod annotator;
pub mod batch;
pub mod context;
pub mod features;
mod hash;
pub mod lemmas;
pub mod model;
mod possible;
pub mod profile;
pub mod read;
pub mod session;
pub mod strings;
pub mod vocabulary;
pub mod weights;
pub mod word;
