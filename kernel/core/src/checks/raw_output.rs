//! Detection of raw output of language models: chatter, refusals, reasoning, statements that nothing is wrong, markup,
//! changed case, truncated or long lines.

use foldhash::HashMap;
use memchr::memchr3;

use crate::checks::characters::ends_a_word;
use crate::checks::overlap::LineDifference;
use crate::text::words::{common_prefix, is_space, words};
use crate::text::Text;

/// Maximum number of characters from a preamble to its colon.
const PREAMBLE_LENGTH: usize = 160;
/// Minimum number of bytes that a truncated line lacks, and of characters at its end that the source contains.
const MIN_LACKING: usize = 10;
const TAIL_LENGTH: usize = 5;
/// Half the number of bytes by which a long line exceeds twice its source.
const LONG_MARGIN: usize = 20;
/// Minimum number of letters for a finding about case.
const MIN_LETTERS: usize = 4;
/// Maximum number of bytes after the name of a tag.
const TAG_LENGTH: usize = 80;
/// Kinds of phrases in a statement that nothing is wrong: states, names of changes, negations, other words.
const STATEMENT_KINDS: [&str; 4] = ["fine", "change", "negation", "filler"];
/// Number of words of a source that are more than an acknowledgement, such as "OK".
const MIN_WORDS: usize = 4;
/// Number of characters by which words of a statement and of a source are compared.
const STEM_LENGTH: usize = 5;

/// A set of marks.
pub type MarkBits = u16;

macro_rules! line_marks {
    ($($(#[$description:meta])* $mark:ident = $name:literal,)+) => {
        /// What is suspicious about a line, compared with its source.
        #[derive(Clone, Copy, Debug, PartialEq, Eq)]
        pub enum LineMark {
            $($(#[$description])* $mark,)+
        }

        /// The names of the marks, in the order of their bits.
        pub const LINE_MARKS: &[&str] = &[$($name),+];
    };
}

line_marks! {
    /// A preamble or a label begins it.
    Chatter = "chatter",
    Refusal = "refusals",
    /// An explanation follows the correction.
    Explanation = "explanations",
    /// A prompt begins it.
    Prompt = "prompts",
    /// It is in quotes or fences.
    Wrapped = "wrapped",
    Markdown = "markdown",
    Capitals = "capitals",
    LowerCase = "lowercase",
    Truncated = "truncated",
    Long = "long",
    /// It is not tokenised.
    Raw = "raw",
    /// It is empty, and its source is not.
    Blank = "blank",
    /// It contains the reasoning of a model.
    Reasoning = "reasoning",
    /// It begins with a statement that nothing is wrong.
    Unchanged = "unchanged",
    /// It is not empty, and its source is.
    Filled = "filled",
}

impl LineMark {
    pub const fn bit(self) -> MarkBits {
        1 << self as MarkBits
    }

    fn bit_if(self, holds: bool) -> MarkBits {
        if holds {
            self.bit()
        } else {
            0
        }
    }
}

/// Phrases of several kinds, as a trie: node 0 is the empty text.
#[derive(Debug)]
pub struct Phrases {
    /// The node of a longer text, by node and next character.
    children: HashMap<(usize, char), usize>,
    /// The kinds of the phrases that end at each node.
    kinds: Vec<Vec<String>>,
}

impl Phrases {
    /// Rows: kind, and phrases separated by `|`. O(bytes).
    pub fn new(rows: Vec<(String, String)>) -> Self {
        let (mut children, mut kinds) = (HashMap::default(), vec![Vec::new()]);
        for (kind, phrases) in rows {
            for phrase in phrases.split('|') {
                let node = folded(phrase).fold(0, |node, (_, c)| {
                    *children.entry((node, c)).or_insert_with(|| {
                        kinds.push(Vec::new());
                        kinds.len() - 1
                    })
                });
                kinds[node].push(kind.clone());
            }
        }
        kinds[0].clear();
        Self { children, kinds }
    }

    /// Kind and length, without blanks, of the phrases at the beginning of a text, and the text after them. Shorter
    /// phrases come first.
    fn phrases_at<'a>(&'a self, text: &'a str) -> impl Iterator<Item = (&'a str, usize, &'a str)> + 'a {
        let nodes = folded(text).scan((0, 0), |(node, length), (end, c)| {
            *node = *self.children.get(&(*node, c))?;
            *length += c.len_utf8();
            Some((*node, *length, end, c))
        });
        nodes.flat_map(move |(node, length, end, c)| {
            let following = &text[end..];
            let splits_a_word = || c.is_lowercase() && following.starts_with(char::is_alphanumeric);
            let kinds = &self.kinds[node];
            let kinds = if kinds.is_empty() || splits_a_word() { &[][..] } else { kinds };
            kinds.iter().map(move |kind| (&**kind, length, following))
        })
    }

    /// The bits of the phrases in a line that its source lacks. O(bytes), and the phrases with the same beginning.
    fn bits(&self, source: &str, line: &str) -> MarkBits {
        let (source, line) = (source.trim_start_matches(is_mark), line.trim_start_matches(is_mark));
        let begin_alike = source.bytes().zip(line.bytes()).take(MIN_LETTERS).all(|(a, b)| a == b);
        let mut bits = 0;
        for (kind, length, following) in self.phrases_at(if begin_alike { "" } else { line }) {
            let mark = match kind {
                "label" if following.trim_start_matches(is_mark).starts_with(is_colon) => LineMark::Chatter,
                "preamble"
                    if following.chars().take(PREAMBLE_LENGTH).any(is_colon) && colons(line) > colons(source) =>
                {
                    LineMark::Chatter
                }
                "refusal" if is_other_sentence(source, line) => LineMark::Refusal,
                "prompt" if line.len() >= source.len() + length => LineMark::Prompt,
                _ => continue,
            };
            let is_same = |(source_kind, source_length, _)| (source_kind, source_length) == (kind, length);
            bits |= mark.bit_if(!self.phrases_at(source).any(is_same));
        }
        let is_longer = |length| line.len() >= source.len() + length;
        let explains = |(start, _): (usize, char)| {
            let is_new = |following: &str| !source.contains(&line[start..line.len() - following.len()]);
            let is_explanation =
                |(kind, length, following)| kind == "explanation" && is_longer(length) && is_new(following);
            !line[..start].ends_with(char::is_alphanumeric) && self.phrases_at(&line[start..]).any(is_explanation)
        };
        let is_explained = is_longer(MIN_LACKING) && line.char_indices().skip(1).any(explains);
        bits | LineMark::Explanation.bit_if(is_explained)
            | LineMark::Reasoning.bit_if(self.has_reasoning(line) && !self.has_reasoning(source))
            | LineMark::Unchanged.bit_if(self.after_statement(source, line).is_some())
    }

    /// Whether a line has a tag of reasoning, such as `<think>` or `</think>`. O(bytes).
    fn has_reasoning(&self, line: &str) -> bool {
        line.match_indices('<').any(|(start, _)| {
            let name = line[start + 1..].trim_start_matches(is_space);
            let name = name.strip_prefix('/').unwrap_or(name);
            self.phrases_at(name).any(|(kind, _, following)| {
                kind == "reasoning" && following.bytes().take(TAG_LENGTH).any(|b| b == b'>')
            })
        })
    }

    /// The number of bytes after a statement that nothing is wrong at the beginning of a line, such as "No changes
    /// needed."; None without a statement, and if the source contains it too. O(bytes).
    pub fn after_statement(&self, source: &str, line: &str) -> Option<usize> {
        let start = line.trim_start_matches(|c: char| !c.is_alphanumeric());
        let acknowledges =
            |(kind, _, after): (_, _, &str)| kind == "acknowledgement" && !after.contains(char::is_alphanumeric);
        if self.phrases_at(start).any(acknowledges) && words(source).nth(MIN_WORDS).is_some() {
            return Some(0);
        }
        let (mut remaining, mut kinds, mut stems, mut end) = (start, 0, Vec::new(), None);
        loop {
            let numbered = |(kind, _, after)| Some((STATEMENT_KINDS.iter().position(|&name| name == kind)?, after));
            let longest =
                self.phrases_at(remaining).filter_map(numbered).min_by_key(|&(_, after): &(_, &str)| after.len());
            let Some((kind, after)) = longest else { break };
            kinds |= 1 << kind;
            if kind < 2 {
                stems.push(
                    folded(&remaining[..remaining.len() - after.len()])
                        .map(|(_, c)| c)
                        .take(STEM_LENGTH)
                        .collect::<String>(),
                );
            }
            remaining = after.trim_start_matches(|c: char| !c.is_alphanumeric());
            let gap = &after[..after.len() - remaining.len()];
            let ends = gap.len() == after.len() || gap.contains(BREAKS) || gap.trim() == "-";
            if ends && (kinds & 0b111 == 1 || kinds & 0b110 == 0b110) {
                let is_gap = |c| c == '-' || BREAKS.contains(&c) || CLOSING.contains(&c) || is_space(c);
                end = Some(after.trim_start_matches(is_gap).len());
            }
        }
        let end = end?;
        let statement = line.trim_matches(|c| is_mark(c) || BREAKS.contains(&c)).as_bytes();
        let source_bytes = source.as_bytes();
        let front = common_prefix(source_bytes, statement);
        let back = source_bytes.iter().rev().zip(statement.iter().rev()).take_while(|(a, b)| a == b).count();
        let plain = |text| folded(text).map(|(_, c)| c).collect::<String>();
        let starts: Vec<_> = words(source).map(|word| plain(word.trim_start_matches(is_mark))).collect();
        let plain_source = plain(source);
        // Other scripts than Latin may have no blanks between words.
        let in_source = |stem: &String| match stem.is_ascii() {
            true => starts.iter().any(|word| word.starts_with(stem)),
            false => plain_source.contains(stem),
        };
        let is_similar = 2 * (front + back) >= statement.len() && end == 0;
        // A short statement may share a word with a long source by chance.
        let is_comparable = end > 0 || source_bytes.len() <= 3 * statement.len();
        let is_repeated = is_similar || (is_comparable && stems.iter().all(in_source));
        (!is_repeated).then_some(end)
    }
}

/// The number of lines with the same words in both texts, and other lines with their marks. Missing lines are left out.
/// O(bytes).
pub fn odd_lines(source: &Text, text: &Text, phrases: &Phrases) -> (usize, Vec<(usize, MarkBits)>) {
    let (mut equal, mut odd) = (0, Vec::new());
    for number in 0..source.len() {
        let [Some(source_line), Some(line)] = [source, text].map(|text| text.get(number)) else { continue };
        let [source_line, line] = [source_line, line].map(|line| line.trim_matches(is_space));
        if source_line == line || has_same_words(source_line, line) {
            equal += 1;
        } else {
            let phrase_bits = phrases.bits(source_line, line);
            let form_bits = form_bits(source_line, line, phrase_bits > 0);
            odd.push((number, phrase_bits | form_bits | one_sided_bits(source_line, line)));
        }
    }
    odd.retain(|&(_, bits)| bits > 0);
    (equal, odd)
}

fn one_sided_bits(source: &str, line: &str) -> MarkBits {
    LineMark::Blank.bit_if(line.is_empty() && !source.is_empty())
        | LineMark::Filled.bit_if(source.is_empty() && !line.is_empty())
}

fn has_same_words(source: &str, line: &str) -> bool {
    let [a, b] = [source, line].map(str::as_bytes);
    let front = common_prefix(a, b);
    let different = a.get(front).zip(b.get(front));
    // Different visible characters are in different words.
    !different.is_some_and(|(a, b)| a.is_ascii_graphic() && b.is_ascii_graphic()) && words(source).eq(words(line))
}

/// The lines that end in a mark attached to a word. O(lines).
pub fn raw_lines(text: &Text) -> Vec<usize> {
    (0..text.len()).filter(|&number| ends_glued(text.line(number).trim_end_matches(is_space))).collect()
}

/// The marks of the form of a line that its source lacks: quotes, Markdown, case, lengths and ends. `has_phrase`: lengths
/// and ends are not examined. O(bytes).
fn form_bits(source: &str, line: &str, has_phrase: bool) -> MarkBits {
    let is_marked = memchr3(b'`', b'*', b'_', line.as_bytes()).is_some();
    let has_more = |marks, number| is_marked && line.matches(marks).count() >= source.matches(marks).count() + number;
    let quoted = |line: &str| [line.starts_with(QUOTES), line.len() > 2 && line.ends_with(QUOTES)];
    let is_wrapped = has_more("```", 1) || (quoted(line) == [true; 2] && quoted(source) == [false; 2]);
    let is_markdown = has_more("**", 2) || has_more("__", 2) || (line.starts_with('#') && !source.contains('#'));
    let marks = LineMark::Wrapped.bit_if(is_wrapped)
        | LineMark::Markdown.bit_if(is_markdown)
        | LineMark::Capitals.bit_if(is_recased(source, line, char::is_uppercase, char::is_lowercase))
        | LineMark::LowerCase.bit_if(is_recased(source, line, char::is_lowercase, char::is_uppercase));
    if has_phrase {
        return marks;
    }
    let is_long = !source.is_empty() && line.len() >= 2 * (source.len() + LONG_MARGIN);
    let is_raw = ends_glued(line) && !ends_glued(source) && source.ends_with(ENDS);
    marks
        | LineMark::Truncated.bit_if(is_truncated(source, line))
        | LineMark::Long.bit_if(is_long)
        | LineMark::Raw.bit_if(is_raw)
}

/// Whether a line lost all letters of a case: at least two, or the first capital of its source.
fn is_recased(source: &str, line: &str, case: fn(char) -> bool, lost: fn(char) -> bool) -> bool {
    let first = |line| words(line).next().unwrap_or_default();
    !line.contains(lost)
        && line.matches(case).nth(MIN_LETTERS - 1).is_some()
        && source.contains(char::is_lowercase)
        && (source.matches(lost).nth(1).is_some()
            || (first(source) != first(line) && first(source).to_lowercase() == first(line)))
}

/// Whether a line is shorter than its source, lacks its last mark, and ends like an earlier part of it.
fn is_truncated(source: &str, line: &str) -> bool {
    let tail = |(position, _): (usize, char)| source.find(&line[position..]);
    line.len() + MIN_LACKING <= source.len()
        && !source.ends_with(char::is_alphanumeric)
        && line.ends_with(|c: char| c.is_alphanumeric() || c == ',')
        && line
            .char_indices()
            .nth_back(TAIL_LENGTH - 1)
            .and_then(tail)
            .is_some_and(|position| position + MIN_LACKING <= source.len())
}

/// Whether a line shares less than half of its words with its source, and little of its end.
fn is_other_sentence(source: &str, line: &str) -> bool {
    let common_end = source.bytes().rev().zip(line.bytes().rev()).take_while(|(a, b)| a == b).count();
    4 * common_end < source.len() && LineDifference::of(source, line).unlike() != Some(false)
}

const ENDS: [char; 3] = ['.', '!', '?'];
/// Characters that end a statement, and marks that may follow them.
const BREAKS: [char; 11] = ['.', '!', '?', ':', '\n', '。', '！', '？', '：', '—', '–'];
const CLOSING: [char; 9] = ['"', '\'', '”', '’', ')', ']', '*', '_', '`'];

fn ends_glued(line: &str) -> bool {
    line.ends_with(ENDS) && ends_a_word(line)
}

const QUOTES: [char; 17] = ['"', '\'', '`', '“', '”', '„', '«', '»', '‘', '’', '‚', '「', '」', '『', '』', '‹', '›'];

/// Whether a character may precede or follow a phrase: markup, quotes and blanks.
fn is_mark(c: char) -> bool {
    matches!(c, '*' | '_' | '#' | '>' | '(' | '[' | '{' | ' ' | '-' | '•' | '✅' | '🔹') || QUOTES.contains(&c)
}

fn is_colon(c: char) -> bool {
    matches!(c, ':' | '\u{FF1A}')
}

fn colons(line: &str) -> usize {
    line.matches(is_colon).count()
}

/// The characters of a text without white space, in lower case and with ASCII for full-width characters and
/// apostrophes, with the positions after them.
fn folded(text: &str) -> impl Iterator<Item = (usize, char)> + '_ {
    let plain = |c: char| match c {
        '\0'..='\x7f' => c.to_ascii_lowercase(),
        '’' => '\'',
        '\u{FF01}'..='\u{FF5E}' => char::from_u32(c as u32 - 0xFEE0).unwrap_or(c),
        _ => c.to_lowercase().next().unwrap_or(c),
    };
    text.char_indices().filter(|(_, c)| !is_space(*c)).map(move |(start, c)| (start + c.len_utf8(), plain(c)))
}

#[cfg(test)]
mod tests {
    use super::*;

    const CHATTER: MarkBits = LineMark::Chatter.bit();
    const REFUSAL: MarkBits = LineMark::Refusal.bit();
    const EXPLANATION: MarkBits = LineMark::Explanation.bit();
    const PROMPT: MarkBits = LineMark::Prompt.bit();
    const WRAPPED: MarkBits = LineMark::Wrapped.bit();
    const MARKDOWN: MarkBits = LineMark::Markdown.bit();
    const CAPITALS: MarkBits = LineMark::Capitals.bit();
    const LOWER: MarkBits = LineMark::LowerCase.bit();
    const CUT: MarkBits = LineMark::Truncated.bit();
    const LONG: MarkBits = LineMark::Long.bit();
    const RAW: MarkBits = LineMark::Raw.bit();
    const BLANK: MarkBits = LineMark::Blank.bit();
    const REASONING: MarkBits = LineMark::Reasoning.bit();
    const UNCHANGED: MarkBits = LineMark::Unchanged.bit();
    const FILLED: MarkBits = LineMark::Filled.bit();

    #[test]
    fn each_mark_has_its_own_bit_and_name() {
        assert_eq!(LineMark::Filled as usize + 1, LINE_MARKS.len());
        assert!(LINE_MARKS.len() <= MarkBits::BITS as usize);
        assert_eq!(LINE_MARKS[LineMark::Raw as usize], "raw");
    }

    fn phrases() -> Phrases {
        let phrases = [
            ("label", "corrected"),
            ("preamble", "sure"),
            ("refusal", "i'm sorry"),
            ("refusal", "很抱歉"),
            ("explanation", "note:"),
            ("prompt", "correct the grammar"),
            ("reasoning", "think"),
            ("fine", "correct"),
            ("change", "changes"),
            ("negation", "no|0"),
            ("filler", "the sentence|is|needed"),
        ];
        Phrases::new(phrases.map(|(kind, phrase)| (kind.into(), phrase.into())).into())
    }

    fn bits(source: &str, line: &str) -> MarkBits {
        let (equal, odd) = odd_lines(&Text::new([Some(source)]), &Text::new([Some(line)]), &phrases());
        assert!(equal + odd.len() < 2);
        odd.first().map_or(0, |&(_, bits)| bits)
    }

    #[test]
    fn phrases_at_the_beginning_that_the_source_lacks() {
        let source = "Cats is nice , I say to all of you .";
        let correction = "Cats are nice , I say to all of you .";
        for (line, expected) in [
            (correction.into(), 0),
            (format!("Corrected: {correction}"), CHATTER),
            (format!("**Corrected :** {correction}"), CHATTER | MARKDOWN),
            (format!("Sure! Here is it: {correction}"), CHATTER),
            (format!("Surely: {correction}"), 0),
            (format!("Sure {correction}"), 0),
            (format!("Correct the grammar. {correction}"), PROMPT),
            (format!("{correction} (Note: I made it plural.)"), EXPLANATION),
            ("I’m sorry, but I cannot do that".into(), REFUSAL),
            ("I 'm sorry , but I can not do that".into(), REFUSAL),
            ("很抱歉,我无法回答".into(), REFUSAL),
            ("I'm sorry that cats is nice , I say to all of you .".into(), 0),
        ] {
            assert_eq!(bits(source, &line), expected, "{line}");
            assert_eq!(bits(&line, &line), 0);
        }
        assert_eq!(bits("I'm sorry about it", "I'm sorry, no"), 0);
    }

    #[test]
    fn text_after_a_statement_that_nothing_is_wrong() {
        for (source, line, rest) in [
            ("Cats sleep .", "The sentence is correct.", Some("")),
            ("Cats sleep .", "**No changes needed**", Some("")),
            ("Cats sleep .", "0 changes: \"Cats sleep.\"", Some("Cats sleep.\"")),
            ("Cats sleep .", "The sentence is correct. Cats sleep", Some("Cats sleep")),
            ("Cats sleep .", "The sentence is no correct", None),
            ("Cats sleep .", "Changes needed", None),
            ("Cats sleep .", "No changes of cats", None),
            ("Cats changes as the weather gets cold and wet and dark and windy .", "No changes needed.", Some("")),
            ("No changes are needed .", "No changes needed.", None),
            ("", "", None),
        ] {
            assert_eq!(phrases().after_statement(source, line), rest.map(str::len), "{line}");
        }
        assert_eq!(bits("Cats sleep .", "No changes needed ."), UNCHANGED);
        assert_eq!(bits("Cats sleep .", "<think> no </think> Cats sleep ."), REASONING);
        assert_eq!(bits("Cats sleep < thinking .", "Cats sleep < think ."), 0);
    }

    #[test]
    fn forms_of_raw_output_that_the_source_lacks() {
        let source = "The cat of John sit on a mat , and it sleep .";
        for (line, expected) in [
            ("\"The cat of John sits on a mat , and it sleeps .\"", WRAPPED),
            ("```The cat of John sits on a mat , and it sleeps .```", WRAPPED),
            ("The cat of John **sits** on a mat , and it sleeps .", MARKDOWN),
            ("# The cat of John sits on a mat , and it sleeps .", MARKDOWN),
            ("THE CAT OF JOHN SITS ON A MAT , AND IT SLEEPS .", CAPITALS),
            ("the cat of john sits on a mat , and it sleeps .", LOWER),
            ("The cat of John sits on a m", CUT),
            ("The cat of John sits on a mat , and it sleeps.", RAW),
            ("The cat of John", CUT),
            ("", BLANK),
            ("  The cat  of John sit on a mat , and it sleep .", 0),
        ] {
            assert_eq!(bits(source, line), expected, "{line}");
        }
        assert_eq!(bits("A .", &"A b c d e f g h .".repeat(9)), LONG);
        assert_eq!(bits("GO HOME NOW", "go home now"), 0);
        assert_eq!(bits(" ", &"Cats sleep all day . ".repeat(9)), FILLED);
    }

    #[test]
    fn one_sided_lines_are_empty_in_one_text_only() {
        let source = Text::new([Some("Cats sleep ."), Some(" "), Some(""), Some("Dogs bark ."), Some("")]);
        let text = Text::new([Some("\t"), Some("Birds sing ."), Some(" "), None, None]);
        assert_eq!(odd_lines(&source, &text, &phrases()), (1, vec![(0, BLANK), (1, FILLED)]));
    }
}
