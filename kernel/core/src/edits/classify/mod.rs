//! The type of an edit: an operation and a category. The tag set determines the category: English's, the universal POS,
//! or the category that forms and lemmas show in any language.

pub mod universal;

use std::fmt;

use crate::edits::annotated::{Sentence, Span};
use crate::edits::english;
use crate::edits::rules::{only, Side, TagSet};

/// The type of an edit: `M:`, `U:` or `R:` and a category, `M`, `U` or `R` without a category, or `UNK` if nothing
/// changes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Type<'a> {
    operation: &'static str,
    category: &'a str,
    /// The part after the category, such as `:INFL`.
    detail: &'static str,
}

const UNKNOWN: Type<'static> = Type { operation: "", category: "UNK", detail: "" };

impl fmt::Display for Type<'_> {
    fn fmt(&self, out: &mut fmt::Formatter) -> fmt::Result {
        let operation = self.operation;
        out.write_str(if self.category.is_empty() { operation.trim_end_matches(':') } else { operation })?;
        out.write_str(self.category)?;
        out.write_str(self.detail)
    }
}

/// The type of the edit `span` between two sentences.
///
/// Cost: O(length of the edit + length of the sentences), and O(a b) for the characters of a word pair.
pub fn classify<'a>(source: &Sentence<'a>, target: &Sentence<'a>, span: &Span, types: TagSet) -> Type<'a> {
    let mut o = Side { sentence: *source, span: span.source.clone() };
    let mut c = Side { sentence: *target, span: span.target.clone() };
    if o.forms_equal(&c) {
        return UNKNOWN;
    }
    // Last tokens that differ only in case are ignored: [Doctor -> The doctor], [, since -> . Since].
    while !o.is_empty() && !c.is_empty() && o.len() + c.len() > 2 && source.lower(o.last()) == target.lower(c.last()) {
        o = o.without_last();
        c = c.without_last();
    }
    let (operation, (category, detail)) = match (o.is_empty(), c.is_empty()) {
        (true, true) => return UNKNOWN,
        (true, false) => ("M:", (one_sided(&c, types), "")),
        (false, true) => ("U:", (one_sided(&o, types), "")),
        (false, false) => ("R:", two_sided(&o, &c, types)),
    };
    Type { operation, category, detail }
}

fn one_sided<'a>(side: &Side<'a>, types: TagSet) -> &'a str {
    match types {
        TagSet::Errant3 | TagSet::Errant2 => english::one_sided(side),
        TagSet::Generic | TagSet::Universal => shared_pos(side, None),
        TagSet::Operation => "",
    }
}

fn two_sided<'a>(o: &Side<'a>, c: &Side<'a>, types: TagSet) -> (&'a str, &'static str) {
    if types != TagSet::Operation && o.letters().eq(c.letters()) {
        return ("ORTH", if types == TagSet::Universal { universal::spelt_apart(o, c) } else { "" });
    }
    if is_reordering(o, c) {
        return ("WO", "");
    }
    match types {
        TagSet::Errant3 | TagSet::Errant2 => (english::two_sided(o, c, types), ""),
        TagSet::Generic => (shared_pos(o, Some(c)), ""),
        TagSet::Operation => ("", ""),
        TagSet::Universal => universal::two_sided(o, c).unwrap_or_else(|| (shared_pos(o, Some(c)), "")),
    }
}

fn is_reordering(o: &Side, c: &Side) -> bool {
    let (mut o, mut c) = (o.lowers(), c.lowers());
    o.sort_unstable();
    c.sort_unstable();
    o == c
}

/// The universal POS that all words have.
fn shared_pos<'a>(side: &Side<'a>, other: Option<&Side<'a>>) -> &'a str {
    let pos = |side: &Side<'a>| {
        let sentence = side.sentence;
        side.span.clone().map(move |t| sentence.pos_text(t))
    };
    let category = only(pos(side).chain(other.into_iter().flat_map(pos)));
    category.filter(|pos| !pos.is_empty()).unwrap_or("OTHER")
}
