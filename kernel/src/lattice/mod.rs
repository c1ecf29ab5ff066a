//! MaxMatch: reads the hypothesis as the sequence of edits that agrees most with the gold edits (Dahlmeier and Ng,
//! NAACL 2012), with the official scorer's choices between equal sequences.
//!
//! A node (i, j) means that i source and j hypothesis tokens are consumed. The basic arcs ([`basic`]) come from all
//! cheapest paths of two Levenshtein tables. Compound arcs join basic ones as long as at most `max_unchanged` of the
//! joined tokens are unchanged. Arcs that equal a gold edit are rewarded, the others cost their length and a small
//! amount, and the cheapest path gives the edits ([`exact`]). On degenerate text the number of compound arcs explodes;
//! above [`views::ENTRY_LIMIT`] the path is searched without building them ([`search`]).
//!
//! Cost of a sentence of n source and m hypothesis tokens: O(n·m) time and bytes for the tables, then O(entries ×
//! passes) for the exact path, with at most `ENTRY_LIMIT` entries, or the cost of the search. A sentence beyond
//! [`basic::MOST_CELLS`], [`basic::MOST_NODES`], [`search::MOST_SLOTS`] or [`search::MOST_INSERTIONS`] is refused.

mod basic;
pub mod count;
mod exact;
mod insertions;
pub mod problem;
mod search;
pub mod views;

#[cfg(test)]
mod tests;
