//! Labels of English annotations: Penn tags and ClearNLP's dependency labels.

/// A dependency label, as far as the rules distinguish labels.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dep {
    Aux,
    AuxPass,
    /// Another label that begins with "aux".
    AuxOther,
    /// A label with its own category.
    Category {
        label: &'static str,
        category: &'static str,
    },
    /// Subject or object of a verb or a preposition.
    Argument,
    Poss,
    Other,
}

const LABELS: [(&str, &str); 7] = [
    ("acomp", "ADJ"),
    ("amod", "ADJ"),
    ("advmod", "ADV"),
    ("det", "DET"),
    ("prep", "PREP"),
    ("prt", "PART"),
    ("punct", "PUNCT"),
];

impl Dep {
    pub fn of(label: &str) -> Dep {
        let known = LABELS.iter().find(|(name, _)| *name == label);
        if let Some(&(label, category)) = known {
            return Dep::Category { label, category };
        }
        match label {
            "aux" => Dep::Aux,
            "auxpass" => Dep::AuxPass,
            "nsubj" | "nsubjpass" | "dobj" | "pobj" => Dep::Argument,
            "poss" => Dep::Poss,
            _ if label.starts_with("aux") => Dep::AuxOther,
            _ => Dep::Other,
        }
    }

    /// Whether the label begins with "aux".
    pub fn is_auxiliary(self) -> bool {
        matches!(self, Dep::Aux | Dep::AuxPass | Dep::AuxOther)
    }

    /// Whether the label is "aux" or "auxpass".
    pub fn is_plain_auxiliary(self) -> bool {
        matches!(self, Dep::Aux | Dep::AuxPass)
    }
}

/// The category of a Penn tag; `None` for other tags.
pub fn penn_category(tag: &str) -> Option<&'static str> {
    Some(match tag {
        "JJ" | "JJR" | "JJS" | "AFX" => "ADJ",
        "RB" | "RBR" | "RBS" | "WRB" => "ADV",
        "CC" => "CONJ",
        "DT" | "PDT" | "PRP$" | "WDT" | "WP$" => "DET",
        "UH" => "INTJ",
        "NN" | "NNS" | "NNP" | "NNPS" => "NOUN",
        "CD" => "NUM",
        "POS" | "RP" | "TO" => "PART",
        "IN" => "PREP",
        "PRP" | "EX" | "WP" => "PRON",
        "''" | "``" | "\"\"" | "," | "." | ":" | "-LRB-" | "-RRB-" | "HYPH" => "PUNCT",
        "SP" | "_SP" => "SPACE",
        "#" | "$" | "SYM" => "SYM",
        "MD" | "VB" | "VBD" | "VBG" | "VBN" | "VBP" | "VBZ" | "BES" | "HVS" => "VERB",
        "ADD" | "FW" | "GW" | "LS" | "NFP" | "NIL" | "XX" => "X",
        _ => return None,
    })
}
