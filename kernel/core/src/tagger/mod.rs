//! The builtin English annotator: Penn tags, dependency labels, heads of auxiliaries and lemmas of tokenised text.
//!
//! Two averaged perceptrons over hashed features (Collins 2002): the first chooses the tag of a token by the words
//! around it, the second its dependency label by words and tags. Decisions are independent and computed lazily. Lemmas
//! come from rules and a list of base forms. `research/train_tagger.py` trains the model.

pub mod annotator;
pub mod features;
pub mod lemmas;
pub mod model;
pub mod read;
pub mod session;
