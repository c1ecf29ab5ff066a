"""What public scripts do with ERRANT's Python API, rewritten by their behaviour.

Each function takes an annotator of ``errant`` or of ``geceval.errant`` and pairs of texts, and returns plain values.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from typing import Any

Pairs = Sequence[tuple[str, str]]


def edits_of(annotator: Any, pair: tuple[str, str], **options: Any) -> tuple[Any, Any, list[Any]]:
    orig, cor = (annotator.parse(text) for text in pair)
    return orig, cor, annotator.annotate(orig, cor, **options)


def tuples_of_a_corrector(annotator: Any, pairs: Pairs) -> object:
    """Gramformer and its copies: align, merge, classify one by one; types without the operation."""
    found = []
    for pair in pairs:
        alignment = annotator.align(*map(annotator.parse, pair))
        edits = [annotator.classify(edit) for edit in annotator.merge(alignment)]
        found.append([(e.type[2:], e.o_str, e.o_start, e.o_end, e.c_str, e.c_start, e.c_end) for e in edits])
    return found


def marked_words(annotator: Any, pairs: Pairs) -> object:
    """Streamlit apps: tags around wrong words, an insertion beside its neighbour."""
    found = []
    for pair in pairs:
        orig, _, edits = edits_of(annotator, pair)
        words = [token.text for token in orig] or [""]
        for edit in reversed(edits):
            if edit.o_str == "":
                at = min(edit.o_start, len(words) - 1)
                words[at] = f"<a type='{edit.type[2:]}' edit='{edit.c_str}'>{words[at]}</a>"
            else:
                tag = "c" if edit.c_str else "d"
                text = f"<{tag} type='{edit.type[2:]}' edit='{edit.c_str}'>{edit.o_str}</{tag}>"
                words[edit.o_start : edit.o_end] = [text]
        found.append(" ".join(words))
    return found


def feedback(annotator: Any, pairs: Pairs) -> object:
    """Tutors: one object per edit with its span and a sentence for the learner."""
    said = {"M": "add {c}", "U": "remove {o}", "R": "replace {o} by {c}"}
    found = []
    for pair in pairs:
        orig, _, edits = edits_of(annotator, pair)
        words = [token.text for token in orig]
        for number, e in enumerate(edits, 1):
            text = said.get(e.type[0], "look at {o}").format(o=e.o_str, c=e.c_str)
            span = " ".join(words[e.o_start : e.o_end])
            found.append({"id": f"e{number}", "type": e.type, "span": span, "correction": e.c_str, "text": text})
    return found


def counts_by_type(annotator: Any, pairs: Pairs) -> object:
    """Statistics of a data set: edits by type and operation, errors per word, words that are involved."""
    types: Counter[str] = Counter()
    parts: Counter[tuple[str, ...]] = Counter()
    words = 0
    for pair in pairs:
        orig, cor, edits = edits_of(annotator, pair)
        words += len(orig) + len(cor)
        types.update(e.type for e in edits)
        types.update(e.type.split(":")[0] for e in edits)
        parts.update((t.pos_, t.tag_, t.lemma_, t.lower_, t.dep_) for e in edits for t in [*e.o_toks, *e.c_toks])
    return types, parts, words


def m2_blocks(annotator: Any, pairs: Pairs) -> object:
    """Converters: S line, a noop where the text is equal, the edits of one annotator per option."""
    found = []
    for source, target in pairs:
        orig = annotator.parse(source)
        lines = [" ".join(["S", *(token.text for token in orig)])]
        if orig.text.strip() == target.strip():
            lines.append("A -1 -1|||noop|||-NONE-|||REQUIRED|||-NONE-|||0")
        else:
            cor = annotator.parse(target.strip())
            for who, (lev, merge) in enumerate([(False, "rules"), (True, "all-merge"), (False, "all-equal")]):
                lines += [edit.to_m2(who) for edit in annotator.annotate(orig, cor, lev, merge)]
        found.append("\n".join(lines) + "\n")
    return found


def characters(annotator: Any, pairs: Pairs) -> object:
    """Editors: positions in the text from the tokens' ``idx``, an insertion at the word after it."""
    found = []
    for pair in pairs:
        orig, _, edits = edits_of(annotator, pair)
        for e in edits:
            if e.o_toks:
                last = orig[e.o_end - 1]
                start, end = orig[e.o_start].idx, last.idx + len(last)
                assert (e.o_toks.start_char, e.o_toks.end_char) == (start, end)
            else:
                start = end = orig[e.o_start].idx if e.o_start < len(orig) else len(orig.text.rstrip())
            found.append((start, end, orig.text[start:end], e.c_str))
    return found


def scores(annotator: Any, pairs: Pairs) -> object:
    """Trainers: precision and recall of a hypothesis, here the next reference, by sets of spans."""
    counts = Counter({"tp": 0, "fp": 0, "fn": 0})
    for (source, reference), (_, hypothesis) in zip(pairs, [*pairs[1:], *pairs[:1]], strict=True):
        gold, found = (
            {(e.o_start, e.o_end, e.c_str) for e in edits_of(annotator, (source, target))[2]}
            for target in (reference, hypothesis)
        )
        counts.update(tp=len(gold & found), fp=len(found - gold), fn=len(gold - found))
    return counts


def labels(annotator: Any, pairs: Pairs) -> object:
    """Makers of training data: a label for each token of the source, and of the target."""
    found = []
    for pair in pairs:
        orig, cor, edits = edits_of(annotator, pair)
        first = {edit.o_start: edit.type for edit in edits}
        found.append([(token.text, first.get(i, "KEEP")) for i, token in enumerate(orig)])
        wrong = {i for edit in edits for i in range(edit.c_start, edit.c_end)}
        found.append([(token.text, "KEEP" if token.i in wrong else "GOOD") for token in cor])
    return found


def gold_edits(annotator: Any, pairs: Pairs) -> object:
    """Importers of edits made by people: the whole sentence as one edit, with and without their type."""
    found = []
    for pair in pairs:
        orig, cor = (annotator.parse(text) for text in pair)
        whole = [0, len(orig), 0, len(cor)]
        edits = [
            annotator.import_edit(orig, cor, whole),
            annotator.import_edit(orig, cor, whole, min=False),
            annotator.import_edit(orig, cor, [*whole, "Wform"], old_cat=True),
            annotator.import_edit(orig, cor, [*whole, "Wform"], True, False),
        ]
        found += [(str(edit), edit.to_m2(1), [t.text for t in edit.o_toks]) for edit in edits]
    return found


def corrected_texts(annotator: Any, pairs: Pairs) -> object:
    """Augmentation: every single operation applied from the right, and the text with blanks as they were."""
    found = []
    for pair in pairs:
        orig, cor, edits = edits_of(annotator, pair, merging="all-split")
        words = [token.text for token in orig]
        for edit in edits[::-1]:
            words[edit.o_start : edit.o_end] = edit.c_str.split()
        assert words == [token.text for token in cor]
        found.append("".join(token.text_with_ws for token in orig[1:]) + str(orig[:1]))
    return found


def alignments(annotator: Any, pairs: Pairs) -> object:
    """Studies of the alignment: its operations and matrices."""
    found = []
    for pair in pairs:
        for lev in (False, True):
            alignment = annotator.align(*map(annotator.parse, pair), lev)
            assert alignment.get_cheapest_align_seq() == alignment.align_seq
            found.append((alignment.align_seq, alignment.cost_matrix, alignment.op_matrix))
    return found


SCRIPTS: list[Callable[[Any, Pairs], object]] = [
    tuples_of_a_corrector, marked_words, feedback, counts_by_type, m2_blocks, characters, scores, labels, gold_edits,
    corrected_texts, alignments,
]  # fmt: skip
