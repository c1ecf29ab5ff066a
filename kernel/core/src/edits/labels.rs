//! Labels of annotations: classes of universal POS tags, ClearNLP's dependency labels and categories of Penn tags.

/// Classes of a universal POS tag, as bits.
pub mod pos {
    pub const ADJ: u8 = 1;
    pub const ADV: u8 = 2;
    pub const AUX: u8 = 4;
    pub const DET: u8 = 8;
    pub const NOUN: u8 = 16;
    pub const PART: u8 = 32;
    pub const PUNCT: u8 = 64;
    pub const VERB: u8 = 128;
    /// The open classes of the alignment's costs.
    pub const OPEN: u8 = ADJ | ADV | NOUN | VERB;
}

/// The classes of a universal POS tag.
pub fn pos_class(label: &str) -> u8 {
    match label {
        "ADJ" => pos::ADJ,
        "ADV" => pos::ADV,
        "AUX" => pos::AUX,
        "DET" => pos::DET,
        "NOUN" => pos::NOUN,
        "PART" => pos::PART,
        "PUNCT" => pos::PUNCT,
        "VERB" => pos::VERB,
        _ => 0,
    }
}

/// A dependency label; labels that the rules treat alike share a variant.
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
    pub fn from_label(label: &str) -> Dep {
        let with_category = LABELS.iter().find(|(name, _)| *name == label);
        if let Some(&(label, category)) = with_category {
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
