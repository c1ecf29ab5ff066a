//! The Lancaster stemmer: Chris D. Paice, "Another stemmer", SIGIR Forum 24.3 (1990), pages 56-61.

/// A rule removes `remove` characters from a word that ends in `ending`, appends `append` and, unless it is the last
/// one for the word, restarts the rules.
struct Rule {
    ending: &'static str,
    /// Whether the rule requires a word that no rule has changed.
    intact: bool,
    remove: usize,
    append: &'static str,
    last: bool,
}

const fn on(ending: &'static str, remove: usize, append: &'static str) -> Rule {
    let (intact, last) = (false, false);
    Rule { ending, intact, remove, append, last }
}

const fn end(ending: &'static str, remove: usize, append: &'static str) -> Rule {
    Rule { last: true, ..on(ending, remove, append) }
}

const fn intact(rule: Rule) -> Rule {
    Rule { intact: true, ..rule }
}

/// Rules grouped by last letter; the first match applies.
#[rustfmt::skip]
const RULES: [Rule; 115] = [
    intact(end("ia", 2, "")), intact(end("a", 1, "")),
    end("bb", 1, ""),
    end("ytic", 3, "s"), on("ic", 2, ""), on("nc", 1, "t"),
    end("dd", 1, ""), on("ied", 3, "y"), end("ceed", 2, "ss"), end("eed", 1, ""), on("ed", 2, ""), on("hood", 4, ""),
    on("e", 1, ""),
    end("lief", 1, "v"), on("if", 2, ""),
    on("ing", 3, ""), end("iag", 3, "y"), on("ag", 2, ""), end("gg", 1, ""),
    intact(end("th", 2, "")), end("guish", 5, "ct"), on("ish", 3, ""),
    intact(end("i", 1, "")), on("i", 1, "y"),
    end("ij", 1, "d"), end("fuj", 1, "s"), end("uj", 1, "d"), end("oj", 1, "d"), end("hej", 1, "r"),
    end("verj", 1, "t"), end("misj", 2, "t"), end("nj", 1, "d"), end("j", 1, "s"),
    end("ifiabl", 6, ""), end("iabl", 4, "y"), on("abl", 3, ""), end("ibl", 3, ""), on("bil", 2, "l"),
    end("cl", 1, ""), end("iful", 4, "y"), on("ful", 3, ""), end("ul", 2, ""), on("ial", 3, ""), on("ual", 3, ""),
    on("al", 2, ""), end("ll", 1, ""),
    end("ium", 3, ""), intact(end("um", 2, "")), on("ism", 3, ""), end("mm", 1, ""),
    on("sion", 4, "j"), end("xion", 4, "ct"), on("ion", 3, ""), on("ian", 3, ""), on("an", 2, ""), end("een", 0, ""),
    on("en", 2, ""), end("nn", 1, ""),
    on("ship", 4, ""), end("pp", 1, ""),
    on("er", 2, ""), end("ear", 0, ""), end("ar", 2, ""), on("or", 2, ""), on("ur", 2, ""), end("rr", 1, ""),
    on("tr", 1, ""), on("ier", 3, "y"),
    on("ies", 3, "y"), end("sis", 2, ""), on("is", 2, ""), on("ness", 4, ""), end("ss", 0, ""), on("ous", 3, ""),
    intact(end("us", 2, "")), intact(on("s", 1, "")), end("s", 0, ""),
    end("plicat", 4, "y"), on("at", 2, ""), on("ment", 4, ""), on("ent", 3, ""), on("ant", 3, ""),
    end("ript", 2, "b"), end("orpt", 2, "b"), end("duct", 1, ""), end("sumpt", 2, ""), end("cept", 2, "iv"),
    end("olut", 2, "v"), end("sist", 0, ""), on("ist", 3, ""), end("tt", 1, ""),
    end("iqu", 3, ""), end("ogu", 1, ""),
    on("siv", 3, "j"), end("eiv", 0, ""), on("iv", 2, ""),
    on("bly", 1, ""), on("ily", 3, "y"), end("ply", 0, ""), on("ly", 2, ""), end("ogy", 1, ""), end("phy", 1, ""),
    end("omy", 1, ""), end("opy", 1, ""), on("ity", 3, ""), on("ety", 3, ""), end("lty", 2, ""), end("istry", 5, ""),
    on("ary", 3, ""), on("ory", 3, ""), end("ify", 3, ""), on("ncy", 2, "t"), on("acy", 3, ""),
    on("iz", 2, ""), end("yz", 1, "s"),
];

/// The stem of a lower-case word. The last letter of its first run of letters selects the rules, and must also be its
/// last character. Cost: O(rules) per round; a round removes a character or is among the last.
pub fn stem(word: &str) -> String {
    let mut stem: Vec<char> = word.chars().collect();
    let mut is_intact = true;
    while let Some(rule) = rule_for(&stem, is_intact) {
        stem.truncate(stem.len() - rule.remove);
        stem.extend(rule.append.chars());
        is_intact = stem.iter().copied().eq(word.chars());
        if rule.last {
            break;
        }
    }
    stem.into_iter().collect()
}

fn rule_for(stem: &[char], is_intact: bool) -> Option<&'static Rule> {
    let letters = stem.iter().take_while(|c| c.is_alphabetic()).count();
    if letters == 0 || stem[letters - 1] != stem[stem.len() - 1] {
        return None;
    }
    RULES.iter().find(|rule| (is_intact || !rule.intact) && ends_in(stem, rule.ending) && leaves_a_stem(stem, rule))
}

fn ends_in(stem: &[char], ending: &str) -> bool {
    let mut characters = stem.iter().rev();
    ending.chars().rev().all(|expected| characters.next() == Some(&expected))
}

/// Whether enough is left: two characters after a vowel; three, with a vowel in second or third place, after a
/// consonant.
fn leaves_a_stem(stem: &[char], rule: &Rule) -> bool {
    let is_vowel = |c: &char| "aeiouy".contains(*c);
    let left = stem.len() - rule.remove;
    if is_vowel(&stem[0]) {
        left >= 2
    } else {
        left >= 3 && stem[1..3].iter().any(is_vowel)
    }
}

#[cfg(test)]
mod tests {
    use super::stem;

    #[test]
    fn examples_of_the_paper_and_its_conditions() {
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
