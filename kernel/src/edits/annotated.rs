//! Annotated sentences as the rules see them: columns of string ids, and what is known of each string once.

use std::ops::Range;

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

/// A dependency label, as far as the rules tell labels apart.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Dep {
    Aux,
    AuxPass,
    /// Another label that begins with "aux".
    AuxOther,
    /// One of the labels that stand for a category of their own.
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
    fn of(label: &str) -> Dep {
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

    /// The label begins with "aux".
    pub fn is_auxiliary(self) -> bool {
        matches!(self, Dep::Aux | Dep::AuxPass | Dep::AuxOther)
    }

    /// The label is "aux" or "auxpass".
    pub fn is_plain_auxiliary(self) -> bool {
        matches!(self, Dep::Aux | Dep::AuxPass)
    }
}

fn pos_class(label: &str) -> u8 {
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

/// The strings of a batch, all distinct, with what the rules ask of each, found once.
pub struct Lexicon {
    pub text: Vec<String>,
    /// Code points of `text`.
    pub chars: Vec<Vec<u32>>,
    /// Id of the lower-cased string.
    pub lower: Vec<u32>,
    flags: Vec<u8>,
    /// Bytes of the string without apostrophes and hyphens.
    bare_length: Vec<u32>,
    pos_class: Vec<u8>,
    dep: Vec<Dep>,
    bases: Vec<[i32; 3]>,
}

impl Lexicon {
    const ALPHABETIC: u8 = 1;
    const CAPITAL: u8 = 2;
    const KNOWN: u8 = 4;

    /// `lower[v]` and `flags[v]` (bits: 1 all letters, 2 begins with a capital, 4 in the word list) belong to
    /// `text[v]`, and so do `bases[v]`, ids of its base forms as a noun, a verb, an adjective (none: empty). Cost:
    /// O(characters).
    pub fn new(text: Vec<String>, lower: &[i32], flags: &[u8], bases: Vec<[i32; 3]>) -> Lexicon {
        Lexicon {
            chars: text.iter().map(|t| t.chars().map(u32::from).collect()).collect(),
            lower: lower.iter().map(|&id| id as u32).collect(),
            flags: flags.to_vec(),
            bare_length: text.iter().map(|t| bare(t).count() as u32).collect(),
            pos_class: text.iter().map(|t| pos_class(t)).collect(),
            dep: text.iter().map(|t| Dep::of(t)).collect(),
            bases,
            text,
        }
    }

    /// All letters, as Python's `str.isalpha` has it.
    pub fn is_alphabetic(&self, id: u32) -> bool {
        self.flags[id as usize] & Self::ALPHABETIC != 0
    }

    /// Begins with an upper-case letter.
    pub fn is_capital(&self, id: u32) -> bool {
        self.flags[id as usize] & Self::CAPITAL != 0
    }

    /// The string or its lower case is in the word list.
    pub fn is_known(&self, id: u32) -> bool {
        self.flags[id as usize] & Self::KNOWN != 0
    }
}

/// The bytes of a string without apostrophes and hyphens.
pub fn bare(text: &str) -> impl Iterator<Item = u8> + '_ {
    text.bytes().filter(|byte| !matches!(byte, b'\'' | b'-'))
}

/// Columns over the tokens of all sentences of a batch; sentence s has the tokens `offsets[s]..offsets[s + 1]`.
#[derive(Clone, Copy)]
pub struct Columns<'a> {
    pub offsets: &'a [i64],
    pub form: &'a [i32],
    pub lemma: &'a [i32],
    pub pos: &'a [i32],
    pub tag: &'a [i32],
    pub dep: &'a [i32],
    pub head: &'a [i32],
}

/// Annotated sentences with their strings.
pub struct Batch<'a> {
    pub lexicon: Lexicon,
    pub columns: Columns<'a>,
}

impl Batch<'_> {
    /// Sentence `s`.
    pub fn sentence(&self, s: usize) -> Sentence<'_> {
        let columns = &self.columns;
        let span = columns.offsets[s] as usize..columns.offsets[s + 1] as usize;
        Sentence {
            lexicon: &self.lexicon,
            form: &columns.form[span.clone()],
            lemma: &columns.lemma[span.clone()],
            pos: &columns.pos[span.clone()],
            tag: &columns.tag[span.clone()],
            dep: &columns.dep[span.clone()],
            head: &columns.head[span],
        }
    }
}

/// One annotated sentence. Tokens are asked about by index.
#[derive(Clone, Copy)]
pub struct Sentence<'a> {
    pub lexicon: &'a Lexicon,
    form: &'a [i32],
    lemma: &'a [i32],
    pos: &'a [i32],
    tag: &'a [i32],
    dep: &'a [i32],
    head: &'a [i32],
}

impl<'a> Sentence<'a> {
    pub fn len(&self) -> usize {
        self.form.len()
    }

    pub fn is_empty(&self) -> bool {
        self.form.is_empty()
    }

    pub fn form(&self, t: usize) -> u32 {
        self.form[t] as u32
    }

    pub fn text(&self, t: usize) -> &'a str {
        &self.lexicon.text[self.form[t] as usize]
    }

    pub fn chars(&self, t: usize) -> &'a [u32] {
        &self.lexicon.chars[self.form[t] as usize]
    }

    /// Id of the lower-cased form.
    pub fn lower(&self, t: usize) -> u32 {
        self.lexicon.lower[self.form[t] as usize]
    }

    pub fn lower_text(&self, t: usize) -> &'a str {
        &self.lexicon.text[self.lower(t) as usize]
    }

    pub fn lower_chars(&self, t: usize) -> &'a [u32] {
        &self.lexicon.chars[self.lower(t) as usize]
    }

    /// Bytes of the lower-cased form without apostrophes and hyphens.
    pub fn bare_length(&self, t: usize) -> u32 {
        self.lexicon.bare_length[self.lower(t) as usize]
    }

    /// Ids of the lower-cased form and of what it is a form of, as a noun, a verb, an adjective.
    pub fn bases(&self, t: usize) -> impl Iterator<Item = u32> + 'a {
        let lower = self.lower(t);
        let bases = self.lexicon.bases.get(lower as usize);
        std::iter::once(lower).chain(bases.into_iter().flatten().map(|&base| base as u32))
    }

    pub fn lemma(&self, t: usize) -> i32 {
        self.lemma[t]
    }

    pub fn pos(&self, t: usize) -> i32 {
        self.pos[t]
    }

    pub fn pos_text(&self, t: usize) -> &'a str {
        &self.lexicon.text[self.pos[t] as usize]
    }

    pub fn pos_class(&self, t: usize) -> u8 {
        self.lexicon.pos_class[self.pos[t] as usize]
    }

    pub fn tag(&self, t: usize) -> &'a str {
        &self.lexicon.text[self.tag[t] as usize]
    }

    pub fn dep(&self, t: usize) -> Dep {
        self.lexicon.dep[self.dep[t] as usize]
    }

    /// "acomp" or "amod".
    pub fn modifies(&self, t: usize) -> bool {
        matches!(self.dep(t), Dep::Category { category: "ADJ", .. })
    }

    pub fn head(&self, t: usize) -> usize {
        self.head[t] as usize
    }

    /// The tokens whose head is `t`, from left to right.
    pub fn children(&self, t: usize) -> impl Iterator<Item = usize> + '_ {
        (0..self.len()).filter(move |&child| child != t && self.head(child) == t)
    }
}

/// A span of source tokens and the span of target tokens it became.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Span {
    pub source: Range<usize>,
    pub target: Range<usize>,
}
