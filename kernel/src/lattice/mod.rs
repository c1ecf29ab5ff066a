//! MaxMatch: the hypothesis is read as the sequence of edits that agrees most with the gold edits
//! (Dahlmeier and Ng, NAACL 2012), with the choices among equals that the official scorer makes.
//!
//! A node (i, j) stands for i source and j hypothesis tokens consumed. The basic arcs ([`basic`]) are those of
//! all cheapest paths of two Levenshtein tables; compound arcs join basic ones as long as at most
//! `max_unchanged` of the joined tokens are unchanged. Arcs that equal a gold edit are rewarded, the others
//! cost their length and a little more, and the cheapest path gives the edits ([`exact`]). On degenerate text
//! the compound arcs explode; past [`views::ENTRY_LIMIT`] of them the path is searched without building any
//! ([`search`]).
//!
//! Cost of a sentence of n source and m hypothesis tokens: O(n·m) time and bytes for the tables, then
//! O(entries × passes) for the exact path, at most `ENTRY_LIMIT` entries, or the cost of the search. Past the
//! bounds [`basic::MOST_CELLS`], [`basic::MOST_NODES`], [`search::MOST_SLOTS`] and [`search::MOST_INSERTIONS`] a sentence
//! is refused.

mod basic;
pub mod count;
mod exact;
mod insertions;
pub mod problem;
mod search;
pub mod views;

#[cfg(test)]
mod tests;
