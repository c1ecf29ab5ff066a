//! Profiles: universal parts of speech and lemmas by tags, forms and labels, as in a release of spaCy.

use super::vocabulary::Vocabulary;

/// Tags, lower-case forms and labels to which a rule applies (separated by blanks; empty: all), and its universal part
/// of speech and lemma (empty: no change).
pub struct ProfileRule {
    pub tags: String,
    pub forms: String,
    pub labels: String,
    pub pos: String,
    pub lemma: String,
}

fn includes(names: &str, name: &str) -> bool {
    names.is_empty() || names.split(' ').any(|listed| listed == name)
}

/// Rules, of which later ones override earlier ones, and the release of the lemmatiser.
pub struct Profile {
    /// The distinct parts of speech; the first is the empty one of tags without a rule.
    pub parts: Vec<String>,
    rules: Vec<ProfileRule>,
    /// Whether lemmas depend on the part of speech, as in spaCy 3, and not on the tag only, as in spaCy 2.
    by_pos: bool,
}

impl Profile {
    /// Requires at most 255 parts of speech.
    pub fn new(rules: Vec<ProfileRule>, by_pos: bool) -> Self {
        let mut parts = vec![String::new()];
        for rule in &rules {
            if !parts.contains(&rule.pos) {
                parts.push(rule.pos.clone());
            }
        }
        Self { parts, rules, by_pos }
    }

    /// Whether a rule for a form with a tag depends on the label. O(rules).
    pub fn reads_label(&self, vocabulary: &Vocabulary, form: &str, tag: u8) -> bool {
        let (tag, lower) = (vocabulary.tags[tag as usize].as_str(), form.to_lowercase());
        let reads =
            |rule: &ProfileRule| !rule.labels.is_empty() && includes(&rule.tags, tag) && includes(&rule.forms, &lower);
        self.rules.iter().any(reads)
    }

    /// Lemma and index of the part of speech of a form with a tag and, if a rule reads it, a label. O(rules).
    pub fn reading(&self, vocabulary: &Vocabulary, form: &str, tag: u8, label: u8) -> (String, u8) {
        let (tag, lower) = (vocabulary.tags[tag as usize].as_str(), form.to_lowercase());
        let label = vocabulary.labels.get(label as usize).map_or("", String::as_str);
        let (mut pos, mut rule_lemma) = ("", "");
        for rule in &self.rules {
            if includes(&rule.tags, tag) && includes(&rule.forms, &lower) && includes(&rule.labels, label) {
                pos = if rule.pos.is_empty() { pos } else { &rule.pos };
                rule_lemma = if rule.lemma.is_empty() { rule_lemma } else { &rule.lemma };
            }
        }
        let lemma = match self.by_pos {
            _ if !rule_lemma.is_empty() => rule_lemma.to_string(),
            false => vocabulary.lexicon.lemma(form, tag),
            true => vocabulary.lexicon.lemma_by_pos(form, tag, pos),
        };
        let pos_index = self.parts.iter().position(|part| part == pos).expect("a rule's part of speech is listed");
        (lemma, pos_index as u8)
    }
}
