//! MaxMatch: reads the hypothesis as the sequence of edits that agrees most with the gold edits (Dahlmeier and Ng,
//! NAACL 2012), with the official scorer's choices between equal sequences.
//!
//! A node (i, j) means that i source and j hypothesis tokens are consumed. The basic arcs ([`basic`]) come from all
//! cheapest paths of two Levenshtein tables. Compound arcs join basic ones as long as at most `max_unchanged` of the
//! joined tokens are unchanged. Arcs that equal a gold edit are rewarded, the others cost their length and a small
//! amount, and the cheapest path gives the edits ([`exact`]). On degenerate text the number of compound arcs explodes;
//! above [`count::ENTRY_LIMIT`] the path is searched without building them ([`search`]).
//!
//! Cost of a sentence of n source and m hypothesis tokens: O(n·m) time and bytes for the tables, then O(entries ×
//! passes) for the exact path, with at most `ENTRY_LIMIT` entries, or the cost of the search. A sentence beyond
//! [`basic::MAX_CELLS`], [`basic::MAX_NODES`], [`search::MAX_SLOTS`] or [`search::MAX_INSERTIONS`] is refused.

mod basic;
pub mod count;
mod exact;
pub mod problem;
mod search;

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use crate::edits::columns::EditColumns;
    use crate::lattice::basic::{Lattice, PathProblem};
    use crate::lattice::count::{LatticeOptions, LatticeTask, ENTRY_LIMIT};
    use crate::lattice::exact;
    use crate::lattice::problem::{Clock, Stop, TokenPair};
    use crate::lattice::search;
    use crate::random::Xoshiro256;
    use crate::text::Text;

    /// Limits of entries with which the path is always found by the exact algorithm, or always searched.
    const EXACT: usize = usize::MAX;
    const SEARCH: usize = 0;

    type Edits<'a> = &'a [(i32, i32, &'a str)];

    fn options(entry_limit: usize) -> LatticeOptions {
        LatticeOptions { max_unchanged: 2, ignore_whitespace_casing: false, timeout: None, entry_limit }
    }

    fn counts(source: &str, hypothesis: &str, edits: Edits, options: &LatticeOptions) -> Vec<i32> {
        let mut gold = EditColumns::default();
        for (start, end, text) in edits {
            gold.push(*start, *end, "X", text);
        }
        gold.end_version(0);
        gold.end_sentence();
        let [source, hypothesis] = [source, hypothesis].map(|line| Text::new([Some(line)]));
        LatticeTask { source: &source, gold: &gold, options: *options }.count(&hypothesis, 1, false).unwrap().1
    }

    #[test]
    fn counts_of_a_worked_example() {
        let edits: Edits = &[(3, 4, "on"), (4, 4, "the||a")];
        for limit in [ENTRY_LIMIT, EXACT, SEARCH] {
            let counts = counts("The cat sat at mat .", "A cat sat on the mat .", edits, &options(limit));
            assert_eq!(counts, [2, 3, 2, 0]);
        }
    }

    #[test]
    fn equal_sentences_have_no_edits_even_if_gold_says_so() {
        assert_eq!(counts("a b", "a b", &[(0, 1, "a")], &options(ENTRY_LIMIT)), [0, 0, 1, 0]);
    }

    #[test]
    fn blanks_and_case_are_ignored_if_requested() {
        let ignore = LatticeOptions { ignore_whitespace_casing: true, ..options(ENTRY_LIMIT) };
        let edits: Edits = &[(0, 2, "Everybody")];
        assert_eq!(counts("every body sat", "Everybody sat", edits, &ignore), [0, 0, 1, 0]);
        assert_eq!(counts("every body sat", "Everybody sat", edits, &options(ENTRY_LIMIT)), [1, 1, 1, 0]);
    }

    #[test]
    fn a_timeout_is_reported() {
        let late = LatticeOptions { timeout: Some(Duration::ZERO), ..options(ENTRY_LIMIT) };
        assert_eq!(counts("a b", "b c", &[(0, 1, "x")], &late), [0, 0, 1, 1]);
    }

    #[test]
    fn the_search_is_used_above_the_limit_of_entries() {
        let source = "a b c d e f g h ".repeat(12);
        let hypothesis = "a b c d e f g h ".repeat(50) + "x";
        let pair = TokenPair::new(&source, &hypothesis);
        let lattice = Lattice::new(&pair.source, &pair.hypothesis, Clock(None)).unwrap();
        let problem = PathProblem { pair: &pair, lattice: &lattice, max_unchanged: 2, clock: Clock(None) };
        let exact = exact::paths(problem, &[], ENTRY_LIMIT, &mut Default::default());
        assert_eq!(exact.unwrap_err(), Stop::TooManyEntries);
        let edits: Edits = &[(3, 3, "x")];
        let (auto, search) = (options(ENTRY_LIMIT), options(SEARCH));
        assert_eq!(counts(&source, &hypothesis, edits, &auto), counts(&source, &hypothesis, edits, &search));
    }

    #[test]
    fn insertions_of_search_and_arc_list_are_equal() {
        let pair = TokenPair::new("a b", "a x y a z b b x");
        let lattice = Lattice::new(&pair.source, &pair.hypothesis, Clock(None)).unwrap();
        let problem = PathProblem { pair: &pair, lattice: &lattice, max_unchanged: 2, clock: Clock(None) };
        let entries = exact::insertion_spans(problem);
        for (point, expected) in entries.iter().enumerate() {
            let spans = search::insertion_spans(&lattice, point as u32);
            assert_eq!(&spans, expected, "before token {point}");
        }
        assert!(entries.iter().map(Vec::len).max().unwrap() > 5);
    }

    #[test]
    fn equal_paths_may_differ_if_a_gold_edit_changes_nothing() {
        let counted = |edits, limit| counts("b a b a a a", "a a b a b", edits, &options(limit));
        let edits: Edits = &[(1, 3, "a"), (2, 3, "b")];
        assert_eq!(counted(edits, EXACT), [1, 3, 2, 0]);
        assert_eq!(counted(edits, SEARCH), [0, 2, 2, 0]);
        assert_eq!(counted(&edits[..1], EXACT), counted(&edits[..1], SEARCH));
    }

    #[test]
    fn equal_paths_are_decided_by_fewest_edits() {
        let cases: [(&str, &str, Edits, [i32; 3]); 4] = [
            ("c", "a a", &[(1, 1, "a"), (1, 1, "c c"), (1, 1, "a"), (1, 1, "a"), (0, 0, "a")], [3, 3, 5]),
            ("c a", "a a c b", &[(2, 2, "b"), (1, 1, "a"), (2, 2, "c")], [1, 4, 3]),
            ("a", "b a b a a b", &[(0, 0, "a b"), (0, 0, "a"), (1, 1, "b")], [2, 4, 3]),
            ("a", "b c c b c c", &[(0, 0, "b b"), (0, 0, "b c"), (0, 0, "c c"), (1, 1, "c")], [2, 4, 4]),
        ];
        for (source, hypothesis, edits, expected) in cases {
            for limit in [EXACT, SEARCH] {
                assert_eq!(counts(source, hypothesis, edits, &options(limit))[..3], expected, "{source}: {hypothesis}");
            }
        }
    }

    #[test]
    fn the_search_is_exact_except_for_ties() {
        let mut random = Xoshiro256::new(0);
        for max_unchanged in [0, 1, 2, 5] {
            let (mut different, mut correct) = (0, 0);
            for number in 0..1500 {
                let words = [3, 6, 10][number % 3];
                let mut below = |n: usize| random.below(n as u64) as usize;
                let source: Vec<char> = (0..below(2 * words + 1)).map(|_| (b'a' + below(words) as u8).into()).collect();
                let mut hypothesis = source.clone();
                for _ in 0..=below(5) {
                    let start = below(hypothesis.len() + 1);
                    let repeated: Vec<char> = hypothesis[start..].iter().take(3).copied().collect();
                    let change = [vec![(b'a' + below(words) as u8).into()], Vec::new(), repeated.repeat(2)];
                    let end = hypothesis.len().min(start + below(3));
                    hypothesis.splice(start..end, change[below(3)].clone());
                }
                let gold: Vec<(i32, i32, String)> = (0..below(4))
                    .map(|_| {
                        let start = below(source.len() + 1);
                        let end = source.len().min(start + below(3));
                        let text =
                            (0..usize::from(start == end) + below(2)).map(|_| (b'a' + below(words) as u8).into());
                        (start as i32, end as i32, spaced(&text.collect::<Vec<char>>()))
                    })
                    .collect();
                let edits: Vec<_> = gold.iter().map(|(start, end, text)| (*start, *end, text.as_str())).collect();
                let counted = |entry_limit| {
                    let options = LatticeOptions { max_unchanged, ..options(entry_limit) };
                    counts(&spaced(&source), &spaced(&hypothesis), &edits, &options)
                };
                let (exact, search) = (counted(EXACT), counted(SEARCH));
                assert_eq!(exact[2..], search[2..]);
                different += i32::from(exact != search);
                correct += exact[0];
            }
            assert!(different <= 15 && correct > 100, "{max_unchanged}: {different} of 1500 differ, {correct} correct");
        }
    }

    fn spaced(tokens: &[char]) -> String {
        tokens.iter().map(char::to_string).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn sentences_beyond_the_limits_are_too_long() {
        let repeated = |word: &str, times: usize| word.repeat(times);
        let auto = options(ENTRY_LIMIT);
        let too_long =
            |source: &str, hypothesis: &str, edits| assert_eq!(counts(source, hypothesis, edits, &auto)[3], 2);
        too_long(&repeated("a ", 60_000), &repeated("b ", 60_000), &[]);
        too_long(&repeated("a ", 3_200), &repeated("b ", 3_200), &[]);
        too_long("", &repeated("b ", 30_000), &[(0, 0, "x")]);
        let many = LatticeOptions { max_unchanged: u32::MAX, entry_limit: SEARCH, ..auto };
        assert_eq!(counts(&repeated("a ", 200), &repeated("b ", 200), &[], &many)[3], 2);
    }

    #[test]
    fn results_do_not_depend_on_previous_sentences() {
        let repeats = ["a b c d e f g h ".repeat(12), "a b c d e f g h ".repeat(50) + "x"];
        let source = Text::new([Some(repeats[0].as_str()), Some("The cat sat at mat ."), Some(&repeats[0])]);
        let hypothesis = Text::new([Some(repeats[1].as_str()), Some("A cat sat on the mat ."), Some(&repeats[1])]);
        let mut gold = EditColumns::default();
        for _ in 0..3 {
            gold.push(3, 4, "X", "on");
            gold.end_version(0);
            gold.end_sentence();
        }
        let task = LatticeTask { source: &source, gold: &gold, options: options(ENTRY_LIMIT) };
        let (_, counts, _) = task.count(&hypothesis, 1, false).unwrap();
        assert_eq!(counts[4..8], [1, 3, 1, 0]);
        assert_eq!(counts[..4], counts[8..]);
    }
}
