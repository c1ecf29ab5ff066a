//! The Lancaster stemmer: Chris D. Paice, "Another stemmer", SIGIR Forum 24.3 (1990), pages 56-61.

use std::sync::LazyLock;

/// A rule removes `remove` characters from a word that ends in `ending`, appends `append` and, unless it is the last
/// one for the word, restarts the rules.
struct SuffixRule {
    ending: &'static str,
    remove: usize,
    append: &'static str,
    /// Whether the rule requires a word that no rule has changed.
    requires_intact: bool,
    is_last: bool,
}

/// Rules grouped by last letter; the first match applies.
static RULES: LazyLock<Vec<SuffixRule>> = LazyLock::new(|| {
    let lines = include_str!("lancaster.tsv").lines().filter(|line| !line.starts_with('#'));
    let rules = lines.map(|line| {
        let fields: Vec<&str> = line.split('\t').collect();
        let [ending, remove, append, marks] = fields[..] else { panic!("a rule has four fields: {line}") };
        let remove = remove.parse().expect("a number of characters");
        SuffixRule {
            ending,
            remove,
            append,
            requires_intact: marks.contains("intact"),
            is_last: marks.contains("last"),
        }
    });
    rules.collect()
});

/// The stem of a lower-case word. The last letter of its first run of letters selects the rules, and must also be its
/// last character. Cost: O(rules) per round; a round removes a character or is among the last.
pub fn stem(word: &str) -> String {
    let mut stem: Vec<char> = word.chars().collect();
    let mut is_intact = true;
    while let Some(rule) = rule_for(&stem, is_intact) {
        stem.truncate(stem.len() - rule.remove);
        stem.extend(rule.append.chars());
        is_intact = stem.iter().copied().eq(word.chars());
        if rule.is_last {
            break;
        }
    }
    stem.into_iter().collect()
}

fn rule_for(stem: &[char], is_intact: bool) -> Option<&'static SuffixRule> {
    let letters = stem.iter().take_while(|c| c.is_alphabetic()).count();
    if letters == 0 || stem[letters - 1] != stem[stem.len() - 1] {
        return None;
    }
    RULES
        .iter()
        .find(|rule| (is_intact || !rule.requires_intact) && ends_in(stem, rule.ending) && leaves_a_stem(stem, rule))
}

fn ends_in(stem: &[char], ending: &str) -> bool {
    let mut characters = stem.iter().rev();
    ending.chars().rev().all(|expected| characters.next() == Some(&expected))
}

/// Whether enough characters remain: two if the first is a vowel, else three with a vowel in second or third place.
fn leaves_a_stem(stem: &[char], rule: &SuffixRule) -> bool {
    let is_vowel = |c: &char| "aeiouy".contains(*c);
    let remaining = stem.len() - rule.remove;
    if is_vowel(&stem[0]) {
        remaining >= 2
    } else {
        remaining >= 3 && stem[1..3].iter().any(is_vowel)
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn stems_follow_the_rules_of_the_paper() {
        for (word, expected) in [
            ("maximum", "maxim"),
            ("presumably", "presum"),
            ("provision", "provid"),
            ("owed", "ow"),
            ("ear", "ear"),
            ("string", "string"),
            ("saying", "say"),
            ("", ""),
            ("'s", "'s"),
            ("don't", "don't"),
            ("re-use", "re-us"),
            ("x", "x"),
        ] {
            assert_eq!(stem(word), expected, "{word}");
        }
    }
}
