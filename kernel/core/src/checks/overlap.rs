//! The overlap of the lines of two texts.
//!
//! Systems change little of a line, so equal sequences of tokens are skipped first. This changes neither intersection
//! nor difference of the multisets, and leaves few tokens to sort.

use std::ops::Range;

use foldhash::HashMap;
use memchr::{memchr, memrchr};

use crate::edits::lexicon::{is_alphabetic, lower, WordList};
use crate::text::words::{common_prefix, common_suffix, words, words_within};
use crate::text::Text;

/// Sums over the lines of a source and another text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct LineOverlap {
    /// Empty lines whose source has words.
    pub emptied: u64,
    /// Lines with enough tokens, and how many of them share less than half of their tokens: Dice < 1/2, that is
    /// 4 |A ∩ B| < |A| + |B| for the multisets of lower-case tokens.
    pub comparable: u64,
    pub unlike: u64,
    /// Removed and added tokens that satisfy `is_lower_word` and are not in the word list.
    pub removed: u64,
    pub added: u64,
}

/// Minimum number of tokens of the longer line for a comparison.
const MIN_TOKENS: usize = 4;

/// Cached results of look-ups in the word list.
type KnownWords<'a> = HashMap<&'a str, bool>;

/// Compares the lines of a source with the lines of texts. Words of a text are looked up until its limit of unknown
/// words is reached, to the end of that line. O(bytes), a sort of the differing tokens of each line, and one look-up
/// per distinct one.
pub fn compare(source: &Text, texts: &[(&Text, u64)], list: &WordList) -> Vec<LineOverlap> {
    let mut known_words = KnownWords::default();
    texts.iter().map(|&(text, limit)| compare_text(source, text, limit, list, &mut known_words)).collect()
}

fn compare_text<'a>(
    source: &'a Text,
    text: &'a Text,
    limit: u64,
    list: &WordList,
    known_words: &mut KnownWords<'a>,
) -> LineOverlap {
    let mut sums = LineOverlap::default();
    for number in 0..source.len() {
        let (source_line, line) = (source.line(number), text.line(number));
        if source_line == line {
            sums.comparable += u64::from(words(line).take(MIN_TOKENS).count() == MIN_TOKENS);
            continue;
        }
        let difference = LineDifference::of(source_line, line);
        sums.emptied += u64::from(words(line).next().is_none() && words(source_line).next().is_some());
        if let Some(unlike) = difference.unlike() {
            sums.comparable += 1;
            sums.unlike += u64::from(unlike);
        }
        if sums.removed + sums.added < limit {
            let is_known = |token| *known_words.entry(token).or_insert_with(|| list.contains(token));
            let (removed, added) = difference.unknown(is_known);
            sums.removed += removed;
            sums.added += added;
        }
    }
    sums
}

/// The runs of at least `least` consecutive lines that are unlike their source. O(bytes): of other lines, one in
/// `least` is compared.
pub fn unlike_runs(source: &Text, text: &Text, least: usize) -> Vec<Range<usize>> {
    let is_unlike = |&number: &usize| is_unlike(source.line(number), text.line(number));
    let (mut runs, mut first) = (Vec::new(), 0);
    // A run that begins at the line `first` or after it has one of the lines that are compared.
    while first + least <= source.len() {
        let compared = first + least - 1;
        let start = (first..=compared).rev().take_while(is_unlike).last();
        first = match start {
            None => compared + 1,
            Some(start) => {
                let stop = (compared + 1..source.len()).find(|line| !is_unlike(line)).unwrap_or(source.len());
                runs.extend((stop - start >= least).then_some(start..stop));
                stop + 1
            }
        };
    }
    runs
}

/// Whether two lines share less than half of their tokens, and have enough of them.
fn is_unlike(source: &str, line: &str) -> bool {
    let (front, back) = common_ends(source.as_bytes(), line.as_bytes());
    let ends = [&source[..front], &source[source.len() - back..]];
    let at_ends: usize = ends.map(|end| *words_within(end).start()).iter().sum();
    let middles = [source, line].map(|line| &line[front..line.len() - back]);
    let between: usize = middles.map(|middle| *words_within(middle).end()).iter().sum();
    // Most pairs share half of their tokens at their ends, or with some that are matched.
    let sufficient = between.saturating_sub(2 * at_ends).div_ceil(4);
    sufficient > 0
        && match_in_order(&middles.map(tokens_of), sufficient, |_, _| ()) < sufficient
        && LineDifference::of(source, line).unlike() == Some(true)
}

/// The tokens in which two lines differ; some may be equal but in another order.
pub struct LineDifference<'a> {
    /// Common beginning and end of the lines, whose tokens are counted lazily.
    ends: [&'a str; 2],
    /// Numbers of tokens between these ends, number of matched tokens among them, and the other tokens.
    between: [usize; 2],
    matched: usize,
    unmatched: [Vec<&'a str>; 2],
}

impl<'a> LineDifference<'a> {
    /// O(bytes).
    pub fn of(source: &'a str, line: &'a str) -> Self {
        let (front, back) = common_ends(source.as_bytes(), line.as_bytes());
        let tokens = [source, line].map(|line| tokens_of(&line[front..line.len() - back]));
        let mut unmatched = [Vec::new(), Vec::new()];
        let matched = match_in_order(&tokens, usize::MAX, |in_source, in_line| {
            unmatched[0].extend_from_slice(in_source);
            unmatched[1].extend_from_slice(in_line);
        });
        let ends = [&source[..front], &source[source.len() - back..]];
        Self { ends, between: [tokens[0].len(), tokens[1].len()], matched, unmatched }
    }

    /// Whether the lines share less than half of their tokens; None for too few tokens.
    pub fn unlike(&self) -> Option<bool> {
        let [a, b] = self.between;
        // With this number of tokens at the ends, the lines share half of their tokens.
        let sufficient = (a + b).saturating_sub(4 * self.matched).div_ceil(2);
        let ends = self.ends.into_iter().flat_map(words).take(sufficient.max(MIN_TOKENS)).count();
        let half = (2 * ends + a + b).div_ceil(4);
        (ends + a.max(b) >= MIN_TOKENS).then(|| ends < sufficient && ends + self.matched + self.shared() < half)
    }

    /// The size of the intersection of the unmatched tokens in lower case.
    fn shared(&self) -> usize {
        let lowered = |tokens: &[&'a str]| tokens.iter().map(|token| lower(token)).collect();
        let mut shared = 0;
        let [source, line] = &self.unmatched;
        merge(lowered(source), lowered(line), |in_source, in_line| shared += usize::from(in_source && in_line));
        shared
    }

    /// The numbers of unknown tokens that are removed and added.
    fn unknown(&self, mut is_known: impl FnMut(&'a str) -> bool) -> (u64, u64) {
        let (mut removed, mut added) = (0, 0);
        let mut unknown = |tokens: &[&'a str]| -> Vec<&'a str> {
            tokens.iter().copied().filter(|token| is_lower_word(token) && !is_known(token)).collect()
        };
        let [source, line] = &self.unmatched;
        merge(unknown(source), unknown(line), |in_source, in_line| {
            removed += u64::from(!in_line);
            added += u64::from(!in_source);
        });
        (removed, added)
    }
}

/// Numbers of bytes that two lines share at their beginning and end, up to blanks, so that no token is split.
fn common_ends(source: &[u8], line: &[u8]) -> (usize, usize) {
    let front = memrchr(b' ', &source[..common_prefix(source, line)]).map_or(0, |blank| blank + 1);
    let back = common_suffix(&source[front..], &line[front..]);
    (front, memchr(b' ', &source[source.len() - back..]).map_or(0, |blank| back - blank))
}

/// Maximum number of tokens skipped to the next equal token.
const MAX_SKIP: usize = 3;

fn tokens_of(text: &str) -> Vec<&str> {
    let mut tokens = Vec::with_capacity(text.len().div_ceil(2));
    tokens.extend(words(text));
    tokens
}

/// The number of tokens matched in the same order in both lists, up to `sufficient`. `skip` is called with the others
/// before these.
fn match_in_order<'a>(
    [source, line]: &[Vec<&'a str>; 2],
    sufficient: usize,
    mut skip: impl FnMut(&[&'a str], &[&'a str]),
) -> usize {
    let (mut matched, mut i, mut j) = (0, 0, 0);
    while i < source.len() && j < line.len() {
        if source[i] == line[j] {
            (matched, i, j) = (matched + 1, i + 1, j + 1);
            if matched == sufficient {
                return matched;
            }
            continue;
        }
        let is_match = |i: usize, j: usize| source.get(i).is_some_and(|token| line.get(j) == Some(token));
        let skipped = (1..=MAX_SKIP).find_map(|ahead| {
            let to_source = is_match(i + ahead, j).then_some((ahead, 0));
            to_source.or_else(|| is_match(i, j + ahead).then_some((0, ahead)))
        });
        let (in_source, in_line) = skipped.unwrap_or((1, 1));
        skip(&source[i..i + in_source], &line[j..j + in_line]);
        (i, j) = (i + in_source, j + in_line);
    }
    skip(&source[i..], &line[j..]);
    matched
}

/// Calls `visit(in source, in line)` for every token of two multisets; once for tokens in both.
fn merge<T: Ord>(mut source: Vec<T>, mut line: Vec<T>, mut visit: impl FnMut(bool, bool)) {
    source.sort_unstable();
    line.sort_unstable();
    let (mut source, mut line) = (source.iter().peekable(), line.iter().peekable());
    loop {
        let (in_source, in_line) = match (source.peek(), line.peek()) {
            (None, None) => return,
            (Some(first), Some(second)) => (first <= second, second <= first),
            (first, second) => (first.is_some(), second.is_some()),
        };
        visit(in_source, in_line);
        source.next_if(|_| in_source);
        line.next_if(|_| in_line);
    }
}

/// Whether a token consists of at least three letters, the first one in lower case.
pub fn is_lower_word(token: &str) -> bool {
    token.chars().next().is_some_and(char::is_lowercase) && token.chars().nth(2).is_some() && is_alphabetic(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(source: &str, line: &str, list: &[&str]) -> LineOverlap {
        let text = |line| Text::new([Some(line)]);
        compare(&text(source), &[(&text(line), 99)], &WordList::new(list))[0]
    }

    #[test]
    fn runs_of_unlike_lines_are_found_wherever_they_are() {
        for pattern in 0..1 << 11_u32 {
            let is_unlike = |line: u32| pattern >> line & 1 == 1;
            let text = |same: &'static str, other: &'static str| {
                Text::new((0..11).map(|line| Some(if is_unlike(line) { other } else { same })))
            };
            let (source, text) = (text("a b c d e", "p q r s t"), text("a b x d e", "v w x y z"));
            let mut runs: Vec<Range<usize>> = Vec::new();
            for line in (0..11).filter(|&line| is_unlike(line)).map(|line| line as usize) {
                match runs.last_mut().filter(|run| run.end == line) {
                    Some(run) => run.end += 1,
                    None => runs.push(line..line + 1),
                }
            }
            runs.retain(|run| run.len() >= 3);
            assert_eq!(unlike_runs(&source, &text, 3), runs, "{pattern:b}");
        }
    }

    #[test]
    fn lines_share_half_of_their_tokens_or_not() {
        let comparable_and_unlike =
            |source, line| (compared(source, line, &[]).comparable, compared(source, line, &[]).unlike);
        assert_eq!(comparable_and_unlike("a b c", "x y z"), (0, 0));
        assert_eq!(comparable_and_unlike("a b c", "a b c"), (0, 0));
        assert_eq!(comparable_and_unlike("a b c d", "a b c d"), (1, 0));
        assert_eq!(comparable_and_unlike("a b c d", "A x B y"), (1, 0));
        assert_eq!(comparable_and_unlike("a b c d", "a x y z"), (1, 1));
        assert_eq!(comparable_and_unlike("a b c d", ""), (1, 1));
        assert_eq!(comparable_and_unlike("a a a a b", "a c d e"), (1, 1));
        assert_eq!(comparable_and_unlike("x a\u{3000}b c y", "x a\u{3000}d c y"), (1, 0));
    }

    #[test]
    fn ends_are_cut_at_blanks() {
        for (source, line, rest) in [
            ("a b c", "a x c", ["b", "x"]),
            ("ab c", "ac c", ["ab", "ac"]),
            ("a a", "a a a", ["a", "a a"]),
            ("ab", "b", ["ab", "b"]),
            ("", "a", ["", "a"]),
            ("é b", "è b", ["é", "è"]),
            ("a long beginning x and a long end", "a long beginning y and a long end", ["x", "y"]),
        ] {
            let (front, back) = common_ends(source.as_bytes(), line.as_bytes());
            assert_eq!([source, line].map(|line| line[front..line.len() - back].trim()), rest, "{source:?} {line:?}");
        }
    }

    #[test]
    fn tokens_in_the_same_order_are_matched() {
        for (source, line, matched, unmatched) in [
            ("a b c", "a x c", 2, ["b", "x"]),
            ("a b c", "a b b c", 3, ["", "b"]),
            ("a b", "c d e f a b", 0, ["a b", "c d e f a b"]),
            ("a b", "c d e a b", 2, ["", "c d e"]),
        ] {
            let tokens = [source, line].map(tokens_of);
            let mut skipped = [Vec::new(), Vec::new()];
            let count = match_in_order(&tokens, usize::MAX, |in_source, in_line| {
                skipped[0].extend_from_slice(in_source);
                skipped[1].extend_from_slice(in_line);
            });
            assert_eq!((count, skipped.map(|tokens| tokens.join(" "))), (matched, unmatched.map(String::from)));
            assert_eq!(match_in_order(&tokens, 1, |_, _| ()), matched.min(1));
        }
    }

    #[test]
    fn removed_and_added_unknown_words_are_counted() {
        let changes = |source, line| {
            let overlap = compared(source, line, &["house", "the"]);
            (overlap.removed, overlap.added)
        };
        assert_eq!(changes("teh huose xx Huose ab1", "the house yy Xxxx abc"), (2, 1));
        assert_eq!(changes("teh teh a", "a teh b"), (1, 0));
    }
}
