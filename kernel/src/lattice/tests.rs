use super::*;

fn gold(edits: &[(usize, usize, &[&str])]) -> Vec<Gold> {
    let gold = |&(start, end, alternatives): &(usize, usize, &[&str])| Gold {
        start,
        end,
        alternatives: alternatives.iter().map(|&text| text.into()).collect(),
    };
    edits.iter().map(gold).collect()
}

fn options(method: Method) -> Options {
    Options { max_unchanged: 2, ignore_whitespace_casing: false, timeout: None, method }
}

fn counts(source: &str, hypothesis: &str, own: Vec<Gold>, options: &Options) -> Vec<i32> {
    count(&[source], &[hypothesis], &[vec![own]], 1, options, 1)
}

#[test]
fn the_worked_example() {
    let own = gold(&[(3, 4, &["on"]), (4, 4, &["the", "a"])]);
    for method in [Method::Auto, Method::Exact, Method::Search] {
        let counts = counts("The cat sat at mat .", "A cat sat on the mat .", own.clone(), &options(method));
        assert_eq!(counts, [2, 3, 2, 0]);
    }
}

#[test]
fn equal_sentences_have_no_edits_even_if_gold_says_so() {
    assert_eq!(counts("a b", "a b", gold(&[(0, 1, &["a"])]), &options(Method::Auto)), [0, 0, 1, 0]);
}

#[test]
fn blanks_and_case_are_ignored_on_demand() {
    let ignore = Options { ignore_whitespace_casing: true, ..options(Method::Auto) };
    let own = gold(&[(0, 2, &["Everybody"])]);
    assert_eq!(counts("every body sat", "Everybody sat", own.clone(), &ignore), [0, 0, 1, 0]);
    assert_eq!(counts("every body sat", "Everybody sat", own, &options(Method::Auto)), [1, 1, 1, 0]);
}

#[test]
fn the_time_can_run_out() {
    let late = Options { timeout: Some(Duration::ZERO), ..options(Method::Auto) };
    assert_eq!(counts("a b", "b c", gold(&[(0, 1, &["x"])]), &late), [0, 0, 1, 1]);
}

#[test]
fn the_search_takes_over_past_the_limit() {
    let source = "a b c d e f g h ".repeat(12);
    let hypothesis = "a b c d e f g h ".repeat(50) + "x";
    let pair = Pair::new(&source, &hypothesis);
    let lattice = Lattice::new(&pair.source, &pair.hypothesis, Clock(None)).unwrap();
    let exact = exact::paths(&lattice, &pair, &[], 2, ENTRY_LIMIT, Clock(None));
    assert_eq!(exact.unwrap_err(), Stop::TooMany);
    let own = || gold(&[(3, 3, &["x"])]);
    let (auto, search) = (options(Method::Auto), options(Method::Search));
    assert_eq!(counts(&source, &hypothesis, own(), &auto), counts(&source, &hypothesis, own(), &search));
}

#[test]
fn insertion_entries_are_those_of_the_arc_list() {
    let pair = Pair::new("a b", "a x y a z b b x");
    let lattice = Lattice::new(&pair.source, &pair.hypothesis, Clock(None)).unwrap();
    let entries = exact::insertion_spans(&lattice, 2);
    for (point, expected) in entries.iter().enumerate() {
        let spans = search::insertion_spans(&lattice, point as u32);
        assert_eq!(&spans, expected, "before token {point}");
    }
    assert!(entries.iter().map(Vec::len).max().unwrap() > 5);
}
