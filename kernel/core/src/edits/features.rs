//! Types of replaced words from their features (`Case=Gen|Number=Sing`), by the rows of `feature_types.tsv`.

use std::sync::OnceLock;

/// A part of speech of a row that stands for any.
const ANY: &str = "*";

/// A word of a replacement.
pub struct FeaturedWord<'a> {
    pub pos: &'a str,
    pub lemma: u32,
    /// `Case=Gen|Number=Sing`; other texts have no features.
    pub features: &'a str,
}

impl<'a> FeaturedWord<'a> {
    fn features(&self) -> impl Iterator<Item = (&'a str, &'a str)> {
        self.features.split('|').filter_map(|feature| feature.split_once('='))
    }

    fn value(&self, name: &str) -> Option<&'a str> {
        self.features().find(|(key, _)| *key == name).map(|(_, value)| value)
    }
}

#[derive(Debug, PartialEq, Eq)]
enum Lemma {
    Same,
    Other,
    Any,
}

#[derive(Debug, PartialEq, Eq)]
enum How {
    First,
    Marked,
    All,
    Exactly,
    None,
}

#[derive(Debug, PartialEq, Eq)]
struct Row {
    pos: &'static str,
    lemma: Lemma,
    how: How,
    features: Vec<&'static str>,
    /// The type for each set of features that differ, as bits; empty for none.
    types: Vec<String>,
}

impl Row {
    fn new(pos: &'static str, lemma: &str, how: &str, features: &'static str) -> Self {
        let pairs: Vec<(&str, &str)> = features.split(' ').filter_map(|pair| pair.split_once('=')).collect();
        let how = match how {
            "first" => How::First,
            "marked" => How::Marked,
            "all" => How::All,
            "exactly" => How::Exactly,
            _ => How::None,
        };
        let lemma = match lemma {
            "same" => Lemma::Same,
            "other" => Lemma::Other,
            _ => Lemma::Any,
        };
        let type_of = |bits: usize| {
            let mut names = pairs.iter().enumerate().filter(|(k, _)| bits >> k & 1 == 1).map(|(_, (_, name))| *name);
            match how {
                How::None => pos.to_owned(),
                _ if bits == 0 => String::new(),
                How::Exactly => names.next_back().unwrap_or_default().to_owned(),
                _ => std::iter::once(pos).chain(names).collect::<Vec<_>>().join(":"),
            }
        };
        let types = (0..1 << pairs.len()).map(type_of).collect();
        Row { pos, lemma, how, features: pairs.iter().map(|(name, _)| *name).collect(), types }
    }

    fn is_for(&self, o: &FeaturedWord, c: &FeaturedWord) -> bool {
        (self.pos == ANY || (self.pos == o.pos && self.pos == c.pos))
            && match self.lemma {
                Lemma::Same => o.lemma == c.lemma,
                Lemma::Other => o.lemma != c.lemma,
                Lemma::Any => true,
            }
    }

    /// The features of the row that differ, as bits; 0 if they give no type.
    fn differing(&self, o: &FeaturedWord, c: &FeaturedWord) -> usize {
        let may_lack = matches!(self.how, How::Marked | How::Exactly);
        let differs = |name: &str| {
            let (s, t) = (o.value(name), c.value(name));
            s != t && (may_lack || (s.is_some() && t.is_some()))
        };
        let differing = self.features.iter().enumerate().filter(|(_, name)| differs(name)).map(|(k, _)| 1 << k);
        match self.how {
            How::First | How::Marked => differing.min().unwrap_or(0),
            How::All => differing.sum(),
            How::None => 0,
            How::Exactly => {
                let all = o.features().chain(c.features());
                let no_others = all.filter(|(name, _)| differs(name)).all(|(name, _)| self.features.contains(&name));
                let bits: usize = differing.sum();
                if no_others && bits + 1 == self.types.len() {
                    bits
                } else {
                    0
                }
            }
        }
    }
}

/// The types of a tag set.
#[derive(Debug, PartialEq, Eq)]
pub struct FeatureTypes {
    name: &'static str,
    rows: Vec<Row>,
}

impl FeatureTypes {
    /// The types of a tag set of the table.
    pub fn named(name: &str) -> Option<&'static FeatureTypes> {
        static SETS: OnceLock<Vec<FeatureTypes>> = OnceLock::new();
        SETS.get_or_init(|| read(include_str!("feature_types.tsv"))).iter().find(|set| set.name == name)
    }

    /// The type of a word that replaces another one, or `None` if no row gives one.
    ///
    /// Cost: O(rows · features).
    pub fn category(&'static self, o: &FeaturedWord, c: &FeaturedWord) -> Option<&'static str> {
        let rows = self.rows.iter().filter(|row| row.is_for(o, c));
        rows.map(|row| &*row.types[row.differing(o, c)]).find(|category| !category.is_empty())
    }
}

fn read(table: &'static str) -> Vec<FeatureTypes> {
    let mut sets: Vec<FeatureTypes> = Vec::new();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let [name, parts_of_speech, lemma, how, features] = line.split('\t').collect::<Vec<_>>()[..] else { continue };
        if sets.last().is_none_or(|set| set.name != name) {
            sets.push(FeatureTypes { name, rows: Vec::new() });
        }
        let rows = parts_of_speech.split(' ').map(|pos| Row::new(pos, lemma, how, features));
        if let Some(set) = sets.last_mut() {
            set.rows.extend(rows);
        }
    }
    sets
}

#[cfg(test)]
mod tests {
    use super::*;

    fn category(set: &str, pos: &str, lemmas: [u32; 2], features: [&str; 2]) -> Option<&'static str> {
        let [o, c] = [0, 1].map(|k| FeaturedWord { pos, lemma: lemmas[k], features: features[k] });
        FeatureTypes::named(set)?.category(&o, &c)
    }

    #[test]
    fn every_line_of_the_table_is_a_row() {
        let lines = include_str!("feature_types.tsv").lines().filter(|line| !line.starts_with('#'));
        for line in lines {
            assert_eq!(line.split('\t').count(), 5, "{line}");
        }
        assert!(FeatureTypes::named("russian").is_some() && FeatureTypes::named("english").is_none());
    }

    #[test]
    fn rows_are_tried_in_their_order() {
        let same = [1, 1];
        let of = |pos, features| category("russian", pos, same, features);
        assert_eq!(of("NOUN", ["Case=Nom|Number=Sing", "Case=Gen|Number=Sing"]), Some("NOUN:CASE"));
        assert_eq!(of("NOUN", ["Case=Nom|Number=Sing", "Case=Gen|Number=Plur"]), Some("NOUN:NUM:CASE"));
        assert_eq!(of("NOUN", ["Case=Nom", "Case=Nom"]), None);
        assert_eq!(of("ADJ", ["Degree=Pos|Case=Nom", "Degree=Cmp"]), Some("ADJ:COMP_FORM"));
        assert_eq!(of("ADJ", ["Degree=Pos|Variant=Short", "Degree=Pos|Case=Nom"]), Some("ADJ:FULL/SHORT"));
        assert_eq!(of("VERB", ["Tense=Past|Aspect=Imp", "Tense=Pres|Aspect=Perf"]), Some("VERB:TENSE"));
        assert_eq!(of("VERB", ["Mood=Ind|Number=Sing", "Number=Plur"]), Some("VERB:NUM"));
        let aspects = ["Aspect=Imp|Tense=Past", "Aspect=Perf|Tense=Past"];
        assert_eq!(category("russian", "VERB", [1, 2], aspects), Some("VERB:ASPECT"));
        assert_eq!(category("russian", "VERB", [1, 2], [aspects[0], "Aspect=Perf|Tense=Pres"]), None);
        assert_eq!(category("russian", "NOUN", [1, 2], ["Case=Nom", "Case=Gen"]), None);
        assert_eq!(of("PRON", ["Case=Nom", "Case=Gen"]), Some("PRON"));
    }

    #[test]
    fn exactly_the_features_of_a_row_differ() {
        let of = |features| category("korean", "NOUN", [1, 2], features);
        assert_eq!(of(["NOUN=a", "NOUN=a|PARTICLE=b"]), Some("PARTICLE"));
        assert_eq!(of(["VERB=a|ENDING=b", "VERB=c|ENDING=d"]), Some("CONJUGATION"));
        assert_eq!(of(["VERB=a|ENDING=b", "VERB=a|ENDING=d"]), Some("ENDING"));
        assert_eq!(of(["NOUN=a|PARTICLE=b", "NOUN=c|PARTICLE=d"]), None);
        assert_eq!(of(["NOUN=a", "NOUN=a"]), None);
        assert_eq!(of(["", "no features"]), None);
    }
}
