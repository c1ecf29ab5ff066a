//! Annotated sentences as the rules see them: columns of ids of a lexicon's strings.

use std::ops::Range;

use crate::edits::labels::Dep;
use crate::edits::lexicon::Lexicon;

/// Columns over tokens: `form`, `lemma`, `pos` (universal), `tag`, `dep` are ids of a lexicon's strings, `head` is the
/// place of a token's head in its sentence.
#[derive(Clone, Default)]
pub struct Columns {
    pub form: Vec<u32>,
    pub lemma: Vec<u32>,
    pub pos: Vec<u32>,
    pub tag: Vec<u32>,
    pub dep: Vec<u32>,
    pub head: Vec<u32>,
}

impl Columns {
    /// The tokens `span`, those of one sentence, with the lexicon of their ids.
    pub fn sentence<'a>(&'a self, span: Range<usize>, lexicon: &'a Lexicon) -> Sentence<'a> {
        Sentence {
            lexicon,
            form: &self.form[span.clone()],
            lemma: &self.lemma[span.clone()],
            pos: &self.pos[span.clone()],
            tag: &self.tag[span.clone()],
            dep: &self.dep[span.clone()],
            head: &self.head[span],
        }
    }

    /// Takes all tokens away; the memory stays.
    pub fn clear(&mut self) {
        for column in [&mut self.form, &mut self.lemma, &mut self.pos, &mut self.tag, &mut self.dep, &mut self.head] {
            column.clear();
        }
    }
}

/// One annotated sentence. Tokens are asked about by index.
#[derive(Clone, Copy)]
pub struct Sentence<'a> {
    pub lexicon: &'a Lexicon,
    form: &'a [u32],
    lemma: &'a [u32],
    pos: &'a [u32],
    tag: &'a [u32],
    dep: &'a [u32],
    head: &'a [u32],
}

impl<'a> Sentence<'a> {
    pub fn len(&self) -> usize {
        self.form.len()
    }

    pub fn is_empty(&self) -> bool {
        self.form.is_empty()
    }

    pub fn form(&self, t: usize) -> u32 {
        self.form[t]
    }

    pub fn text(&self, t: usize) -> &'a str {
        self.lexicon.text(self.form[t])
    }

    pub fn chars(&self, t: usize) -> &'a [u32] {
        self.lexicon.chars(self.form[t])
    }

    /// Id of the lower-cased form.
    pub fn lower(&self, t: usize) -> u32 {
        self.lexicon.lower(self.form[t])
    }

    pub fn lower_text(&self, t: usize) -> &'a str {
        self.lexicon.text(self.lower(t))
    }

    pub fn lower_chars(&self, t: usize) -> &'a [u32] {
        self.lexicon.chars(self.lower(t))
    }

    /// Bytes of the lower-cased form without apostrophes and hyphens.
    pub fn bare_length(&self, t: usize) -> u32 {
        self.lexicon.bare_length(self.lower(t))
    }

    /// Ids of the lower-cased form and of what it is a form of, as a noun, a verb, an adjective.
    pub fn bases(&self, t: usize) -> impl Iterator<Item = u32> + 'a {
        let lower = self.lower(t);
        std::iter::once(lower).chain(self.lexicon.bases(lower).iter().copied())
    }

    pub fn lemma(&self, t: usize) -> u32 {
        self.lemma[t]
    }

    pub fn pos(&self, t: usize) -> u32 {
        self.pos[t]
    }

    pub fn pos_text(&self, t: usize) -> &'a str {
        self.lexicon.text(self.pos[t])
    }

    pub fn pos_class(&self, t: usize) -> u8 {
        self.lexicon.pos_class(self.pos[t])
    }

    pub fn tag(&self, t: usize) -> &'a str {
        self.lexicon.text(self.tag[t])
    }

    /// The category of the token's Penn tag.
    pub fn category(&self, t: usize) -> &'static str {
        self.lexicon.category(self.tag[t])
    }

    pub fn dep(&self, t: usize) -> Dep {
        self.lexicon.dep(self.dep[t])
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
