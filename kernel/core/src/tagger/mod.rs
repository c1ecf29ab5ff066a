//! The builtin English annotator: Penn tags, dependency labels, heads of auxiliaries and lemmas of tokenised text.
//!
//! Two averaged perceptrons over hashed features (Collins 2002): the first chooses the tag of a token by the words
//! around it, the second its dependency label by words and tags. No decision depends on an earlier one, so each is made
//! when it is read. Lemmas come from rules and a list of base forms. The model is data: `research/train_tagger.py` writes it
//! and documents the training.

pub mod annotator;
pub mod batch;
pub mod context;
pub mod features;
pub mod lemmas;
mod possible;
pub mod profile;
pub mod read;
pub mod session;
pub mod vocabulary;
pub mod weights;
pub mod word;
