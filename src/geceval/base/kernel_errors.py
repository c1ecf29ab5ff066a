"""Words for the errors of the kernel, which have data only."""

from __future__ import annotations

from geceval._kernel import KernelError

_NOT_UTF_8 = "not UTF-8: byte 0x{byte:02x} at byte offset {offset}"
_EDIT = "sentence {sentence}, version {version} (counted from 0): the edit {edit}"
_VERSIONS = "sentence {number}, of {tokens} tokens in all versions"

#: Messages by the kind of an error, with its data; ``number`` is the number of the sentence, counted from 1.
_MESSAGES = {
    "arguments": "{message}",
    "edit-outside": f"{_EDIT} lies outside the sentence",
    "edit-overlap": f"{_EDIT} overlaps another",
    "edit-tokens": "more than {limit} tokens inside edits",
    "line-memory": "not enough memory for the line",
    "long-line": "the line is longer than 1 GiB",
    "ngram-counts": "n is {n}: the counts of {sentences} sentences do not fit in 4 GiB",
    "ngram-memory": f"{_VERSIONS} ({{references}} references), with n {{n}}: its n-grams do not fit in memory",
    "ngrams": f"{_VERSIONS}, with n {{n}}: more than {{limit}} n-grams at once",
    "no-reference": "sentence {sentence} has no reference",
    "nul": "NUL byte at byte offset {offset}",
    "pair": (
        "sentence {number}: a pair of sentences of {source} and {target} tokens is too long to align, "
        "more than {limit} pairs of tokens of up to 64 letters: {beginning}"
    ),
    "utf-8-continuation": f"{_NOT_UTF_8} (invalid continuation byte)",
    "utf-8-end": f"{_NOT_UTF_8} (unexpected end of data)",
    "utf-8-start": f"{_NOT_UTF_8} (invalid start byte)",
}
_HINTS = dict.fromkeys(("edit-tokens", "ngrams", "pair"), "is a line end missing?") | {
    "ngram-memory": "more memory, fewer references or a smaller n"
}


def kernel_message(error: KernelError) -> str:
    """Return the message of an error, in one line."""
    number = None if error.sentence is None else error.sentence + 1
    return _MESSAGES[error.kind].format(number=number, **error.data)


def kernel_hint(error: KernelError) -> str | None:
    """Return how to fix an error, if it is known."""
    return _HINTS.get(error.kind)


def is_not_utf_8(error: KernelError) -> bool:
    """Return whether an error is a byte that is not UTF-8, as in text of another encoding."""
    return error.kind.startswith("utf-8")
