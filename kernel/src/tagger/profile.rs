//! Profiles: universal parts of speech of tags and forms, and lemmas that differ from the lexicon's.

use super::vocabulary::Vocabulary;

use rustc_hash::FxHashMap;

/// A rule for a tag (empty form) or for one lower-case form with that tag: its universal part of speech, and its lemma
/// unless it is empty.
pub struct Rule {
    pub tag: String,
    pub form: String,
    pub pos: String,
    pub lemma: String,
}

/// Rules by tag and form.
pub struct Profile {
    rules: FxHashMap<(String, String), (String, String)>,
}

impl Profile {
    pub fn new(rules: Vec<Rule>) -> Self {
        let rules = rules.into_iter().map(|rule| ((rule.tag, rule.form), (rule.pos, rule.lemma))).collect();
        Self { rules }
    }

    /// Part of speech and lemma ("" if none is prescribed) of a lower-case form with a tag.
    fn of(&self, tag: &str, lower: &str) -> (&str, &str) {
        let rule = |form: &str| self.rules.get(&(tag.to_string(), form.to_string()));
        rule(lower).or_else(|| rule("")).map_or(("", ""), |(pos, lemma)| (pos, lemma))
    }

    /// Lemma and part of speech of a form with a tag of the vocabulary.
    pub fn reading(&self, vocabulary: &Vocabulary, form: &str, tag: u8) -> (String, String) {
        let tag = vocabulary.tags[tag as usize].as_str();
        let (pos, prescribed) = self.of(tag, &form.to_lowercase());
        let lemma = if prescribed.is_empty() { vocabulary.lexicon.lemma(form, tag) } else { prescribed.to_string() };
        (lemma, pos.to_string())
    }
}
