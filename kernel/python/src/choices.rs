//! Enums of the core as arguments, given in Python by name.

use geceval_core::edits::compare::{Mode, Size};
use geceval_core::edits::features::FeatureTypes;
use geceval_core::edits::m2::fit::Missing;
use geceval_core::edits::merge::Merging;
use geceval_core::edits::rules::{RuleSet, TagSet};
use geceval_core::ngrams::TokenUnit;
use geceval_core::resampling::WeightScheme;
use geceval_core::scores::running::{ComparedF, TieCounts};
use geceval_core::text::normal_forms::NormalForm;
use geceval_core::text::tokenise::TokenRules;
use pyo3::exceptions::PyValueError;
use pyo3::prelude::*;
use pyo3::Borrowed;

macro_rules! choices {
    ($($argument:ident($choice:ty) = $what:literal: $($name:literal => $value:ident),+;)+) => {$(
        #[derive(Clone, Copy)]
        pub struct $argument(pub $choice);

        impl FromPyObject<'_, '_> for $argument {
            type Error = PyErr;

            fn extract(name: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
                let choice = match &*name.extract::<String>()? {
                    $($name => <$choice>::$value,)+
                    unknown => {
                        let names = [$($name),+].join(", ");
                        return Err(PyValueError::new_err(format!("{} is one of {names}, not {unknown}", $what)));
                    }
                };
                Ok(Self(choice))
            }
        }
    )+};
}

choices! {
    ComparedName(ComparedF) = "of": "sums" => OfSums, "ratios" => OfRatios;
    FormName(NormalForm) = "form": "nfc" => Nfc, "nfd" => Nfd, "nfkc" => Nfkc, "nfkd" => Nfkd, "quotes" => Quotes,
        "dashes" => Dashes, "ellipses" => Ellipses, "words" => Words, "blanks" => Blanks;
    MergingName(Merging) = "merging": "rules" => Rules, "all-split" => AllSplit, "all-merge" => AllMerge,
        "all-equal" => AllEqual;
    MissingName(Missing) = "missing": "fallback" => Fallback, "plain" => Plain, "absent" => Absent;
    ModeName(Mode) = "mode": "cs" => Correction, "cse" => Typed, "ds" => Span, "dt" => Token;
    RuleSetName(RuleSet) = "rules": "errant-3" => Errant3, "errant-2.0" => Errant2, "generic" => Generic,
        "czech" => Czech, "chinese" => Chinese;
    SizeName(Size) = "size": "all" => All, "single" => Single, "multi" => Multi;
    TiesName(TieCounts) = "ties_of": "totals" => Totals, "sentence" => Sentence;
    TokeniserName(TokenRules) = "rules": "english" => English, "treebank" => Treebank, "char" => Char,
        "grapheme" => Grapheme;
    UnitName(TokenUnit) = "unit": "word" => Word, "char" => Char, "grapheme" => Grapheme;
    WeightsName(WeightScheme) = "kind": "poisson" => Poisson, "swap" => Swap, "labelling" => Labelling;
}

/// A tag set by name; the others are those of the table of features.
#[derive(Clone, Copy)]
pub struct TagSetName(pub TagSet);

impl FromPyObject<'_, '_> for TagSetName {
    type Error = PyErr;

    fn extract(name: Borrowed<'_, '_, PyAny>) -> PyResult<Self> {
        let types = match &*name.extract::<String>()? {
            "errant-3" => TagSet::Errant3,
            "errant-2.0" => TagSet::Errant2,
            "generic" => TagSet::Generic,
            "operation" => TagSet::Operation,
            "universal" => TagSet::Universal(None),
            other => match FeatureTypes::named(other) {
                None => return Err(PyValueError::new_err(format!("unknown types: {other}"))),
                features => TagSet::Universal(features),
            },
        };
        Ok(Self(types))
    }
}
