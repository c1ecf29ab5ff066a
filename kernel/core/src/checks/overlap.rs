//! The overlap of the lines of two texts.
//!
//! A system changes little of a line. Equal runs of tokens are therefore skipped first, which changes neither the
//! intersection nor the difference of the multisets and leaves few tokens to sort.

use foldhash::HashMap;
use memchr::{memchr, memrchr};

use crate::edits::lexicon::{is_alphabetic, lower, WordList};
use crate::text::words::{common_prefix, common_suffix, words};
use crate::text::Text;

/// Sums over the lines of a source and another text.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Compared {
    /// Empty lines whose source has words.
    pub emptied: u64,
    /// Lines with enough tokens; and of these, lines that share less than half of them: Dice < 1/2, that is
    /// 4 |A ∩ B| < |A| + |B| for the multisets of lower-case tokens.
    pub told: u64,
    pub unlike: u64,
    /// Removed tokens outside the word list that satisfy `is_lower_word`, and added ones.
    pub removed: u64,
    pub added: u64,
}

/// Minimum number of tokens on the longer side of a line.
const TOKENS: usize = 4;

/// Whether words are in the list, as far as it is known.
type Known<'a> = HashMap<&'a str, bool>;

/// Compares the lines of a source with the lines of other texts. Words of a text are looked up until `most` are
/// counted, to the end of that line. O(bytes), a sort of the tokens of a line that differ, and one search in the list
/// for each distinct one.
pub fn compare(source: &Text, others: &[(&Text, u64)], list: &WordList) -> Vec<Compared> {
    let mut known = Known::default();
    others.iter().map(|&(other, most)| compare_one(source, other, most, list, &mut known)).collect()
}

fn compare_one<'a>(source: &'a Text, other: &'a Text, most: u64, list: &WordList, known: &mut Known<'a>) -> Compared {
    let mut sums = Compared::default();
    for at in 0..source.len() {
        let (one, other) = (source.line(at), other.line(at));
        if one == other {
            sums.told += u64::from(words(one).take(TOKENS).count() == TOKENS);
            continue;
        }
        let different = Different::of(one, other);
        sums.emptied += u64::from(words(other).next().is_none() && words(one).next().is_some());
        if let Some(unlike) = different.unlike() {
            sums.told += 1;
            sums.unlike += u64::from(unlike);
        }
        if sums.removed + sums.added < most {
            let is_known = |token| *known.entry(token).or_insert_with(|| list.contains(token));
            let (removed, added) = different.unknown(is_known);
            sums.removed += removed;
            sums.added += added;
        }
    }
    sums
}

/// The tokens in which two lines differ; some may be equal, in another order.
pub struct Different<'a> {
    /// The common beginning and end of the lines; their tokens are counted only as far as needed.
    ends: [&'a str; 2],
    /// Number of tokens between these ends, of which this number follow each other in both, and the others.
    between: [usize; 2],
    matched: usize,
    left: [Vec<&'a str>; 2],
}

impl<'a> Different<'a> {
    /// O(bytes).
    pub fn of(one: &'a str, other: &'a str) -> Self {
        let (front, back) = ends(one.as_bytes(), other.as_bytes());
        let all = [one, other].map(|line| {
            let middle = &line[front..line.len() - back];
            let mut tokens = Vec::with_capacity(middle.len().div_ceil(2)); // which do not grow
            tokens.extend(words(middle));
            tokens
        });
        let (matched, left) = without_those_in_turn(&all);
        let ends = [&one[..front], &one[one.len() - back..]];
        Self { ends, between: [all[0].len(), all[1].len()], matched, left }
    }

    /// Whether the lines share less than half of their tokens; None for too few tokens.
    pub fn unlike(&self) -> Option<bool> {
        let [a, b] = self.between;
        // As many tokens at the ends as follow each other between them are enough.
        let enough = (a + b).saturating_sub(4 * self.matched).div_ceil(2);
        let ends = self.ends.into_iter().flat_map(words).take(enough.max(TOKENS)).count();
        let least = (2 * ends + a + b).div_ceil(4);
        (ends + a.max(b) >= TOKENS).then(|| ends < enough && ends + self.matched + self.shared() < least)
    }

    /// The size of the intersection of the remaining tokens in lower case.
    fn shared(&self) -> usize {
        let [one, other] = &self.left;
        let lowered = |tokens: &[&'a str]| tokens.iter().map(|token| lower(token)).collect();
        let mut common = 0;
        merged(lowered(one), lowered(other), |_, left, right| common += usize::from(left && right));
        common
    }

    /// The numbers of unknown tokens that are removed and added.
    fn unknown(&self, mut is_known: impl FnMut(&'a str) -> bool) -> (u64, u64) {
        let (mut removed, mut added) = (0, 0);
        let mut counted = |tokens: &[&'a str]| -> Vec<&'a str> {
            tokens.iter().copied().filter(|token| is_lower_word(token) && !is_known(token)).collect()
        };
        merged(counted(&self.left[0]), counted(&self.left[1]), |_, left, right| {
            removed += u64::from(left && !right);
            added += u64::from(right && !left);
        });
        (removed, added)
    }
}

/// Numbers of bytes that two lines share at their beginning and end, up to blanks, so that no token is split.
fn ends(one: &[u8], other: &[u8]) -> (usize, usize) {
    let front = memrchr(b' ', &one[..common_prefix(one, other)]).map_or(0, |at| at + 1);
    let back = common_suffix(&one[front..], &other[front..]);
    (front, memchr(b' ', &one[one.len() - back..]).map_or(0, |at| back - at))
}

/// Maximum distance of the next equal token.
const AHEAD: usize = 3;

/// The number of tokens found in the same order in both lists, and the other tokens.
fn without_those_in_turn<'a>([one, other]: &[Vec<&'a str>; 2]) -> (usize, [Vec<&'a str>; 2]) {
    let (mut matched, mut i, mut j) = (0, 0, 0);
    let mut left = [Vec::new(), Vec::new()];
    while i < one.len() && j < other.len() {
        if one[i] == other[j] {
            (matched, i, j) = (matched + 1, i + 1, j + 1);
            continue;
        }
        let skip = (1..=AHEAD).find_map(|ahead| {
            let met = |a: usize, b: usize| one.get(a).is_some_and(|token| other.get(b) == Some(token));
            if met(i + ahead, j) {
                Some((ahead, 0))
            } else if met(i, j + ahead) {
                Some((0, ahead))
            } else {
                None
            }
        });
        let (own, their) = skip.unwrap_or((1, 1));
        left[0].extend_from_slice(&one[i..i + own]);
        left[1].extend_from_slice(&other[j..j + their]);
        let met = usize::from(skip.is_some());
        (matched, i, j) = (matched + met, i + own + met, j + their + met);
    }
    left[0].extend_from_slice(&one[i..]);
    left[1].extend_from_slice(&other[j..]);
    (matched, left)
}

/// Calls `each(token, in one, in other)` for every token of two multisets; tokens in both only once.
fn merged<T: Ord>(mut one: Vec<T>, mut other: Vec<T>, mut each: impl FnMut(T, bool, bool)) {
    one.sort_unstable();
    other.sort_unstable();
    let (mut a, mut b) = (one.into_iter().peekable(), other.into_iter().peekable());
    loop {
        let (left, right) = match (a.peek(), b.peek()) {
            (None, None) => return,
            (Some(x), Some(y)) => (x <= y, y <= x),
            (x, y) => (x.is_some(), y.is_some()),
        };
        let first = if left { a.next() } else { None };
        let second = if right { b.next() } else { None };
        if let Some(token) = first.or(second) {
            each(token, left, right);
        }
    }
}

/// Whether a token consists of at least three letters, the first one in lower case.
pub fn is_lower_word(token: &str) -> bool {
    token.chars().next().is_some_and(char::is_lowercase) && token.chars().nth(2).is_some() && is_alphabetic(token)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn compared(one: &str, other: &str, list: &[&str]) -> Compared {
        let text = |line| Text::new([Some(line)]);
        compare(&text(one), &[(&text(other), 99)], &WordList::new(list))[0]
    }

    #[test]
    fn lines_share_half_of_their_tokens_or_not() {
        let told = |one, other| (compared(one, other, &[]).told, compared(one, other, &[]).unlike);
        assert_eq!(told("a b c", "x y z"), (0, 0));
        assert_eq!(told("a b c", "a b c"), (0, 0));
        assert_eq!(told("a b c d", "a b c d"), (1, 0));
        assert_eq!(told("a b c d", "A x B y"), (1, 0));
        assert_eq!(told("a b c d", "a x y z"), (1, 1));
        assert_eq!(told("a b c d", ""), (1, 1));
        assert_eq!(told("a a a a b", "a c d e"), (1, 1));
        assert_eq!(told("x a\u{3000}b c y", "x a\u{3000}d c y"), (1, 0));
    }

    #[test]
    fn ends_are_cut_at_blanks() {
        for (one, other, rest) in [
            ("a b c", "a x c", ["b", "x"]),
            ("ab c", "ac c", ["ab", "ac"]),
            ("a a", "a a a", ["a", "a a"]),
            ("ab", "b", ["ab", "b"]),
            ("", "a", ["", "a"]),
            ("é b", "è b", ["é", "è"]),
            ("a long beginning x and a long end", "a long beginning y and a long end", ["x", "y"]),
        ] {
            let (front, back) = ends(one.as_bytes(), other.as_bytes());
            assert_eq!([one, other].map(|line| line[front..line.len() - back].trim()), rest, "{one:?} {other:?}");
        }
    }

    #[test]
    fn what_follows_in_both_is_left_out() {
        for (one, other, matched, left) in [
            ("a b c", "a x c", 2, ["b", "x"]),
            ("a b c", "a b b c", 3, ["", "b"]),
            ("a b", "c d e f a b", 0, ["a b", "c d e f a b"]),
            ("a b", "c d e a b", 2, ["", "c d e"]),
        ] {
            let (found, rest) = without_those_in_turn(&[words(one).collect(), words(other).collect()]);
            assert_eq!((found, rest.map(|tokens| tokens.join(" "))), (matched, left.map(String::from)));
        }
    }

    #[test]
    fn unknown_words_go_and_come() {
        let changes = |one, other| {
            let found = compared(one, other, &["house", "the"]);
            (found.removed, found.added)
        };
        assert_eq!(changes("teh huose xx Huose ab1", "the house yy Xxxx abc"), (2, 1));
        assert_eq!(changes("teh teh a", "a teh b"), (1, 0));
    }
}
