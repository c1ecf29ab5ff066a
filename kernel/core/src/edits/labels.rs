//! Labels of annotations of any language: classes of universal POS tags.

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
