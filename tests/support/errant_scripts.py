"""What public scripts do with ERRANT's Python API, rewritten by their behaviour.

Each function takes an annotator of ``errant`` or of ``geceval.errant`` and pairs of texts, and returns plain values.
Scripts that import modules take the package, too, and print.
"""

from __future__ import annotations

import io
from argparse import Namespace
from collections import Counter, namedtuple
from collections.abc import Callable, Sequence
from contextlib import redirect_stdout
from importlib import import_module
from itertools import pairwise
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

# --- scripts that import modules ---


def module(package: Any, name: str) -> Any:
    """A module of ``errant`` or ``geceval.errant``."""
    return import_module(f"{package.__name__}.{name}")


def blocks_of_m2(package: Any, annotator: Any, pairs: Pairs) -> list[str]:
    """Blocks of two annotators: the target, and the target of the next pair with another alignment."""
    noop_edit = module(package, "commands.parallel_to_m2").noop_edit
    blocks = []
    for pair, (_, target) in zip(pairs, [*pairs[1:], *pairs[:1]], strict=True):
        orig, _, edits = edits_of(annotator, pair)
        lines = [" ".join(["S", *(token.text for token in orig)])]
        lines += [edit.to_m2(0) for edit in edits] or [noop_edit(0)]
        lines += [edit.to_m2(1) for edit in edits_of(annotator, (pair[0], target), merging="all-split")[2]]
        blocks.append("\n".join(lines))
    return blocks


#: Options of comparisons, as scripts give them.
COMPARISONS: list[dict[str, Any]] = [
    {"verbose": True},
    {"cse": True, "cat": 3},
    {"dt": True, "verbose": True, "cat": 2, "beta": 1},
    {"ds": True, "filt": ["R:NOUN", "M:DET"], "cat": 1},
    {"single": True, "cat": 1},
    {"multi": True, "beta": 2.0},
]


def evaluation(package: Any, annotator: Any, pairs: Pairs) -> object:
    """Trainers: the functions of errant_compare on M2 in memory, sentence by sentence."""
    compare = module(package, "commands.compare_m2")
    blocks = blocks_of_m2(package, annotator, pairs)
    for options in COMPARISONS:
        defaults = dict.fromkeys(("verbose", "dt", "ds", "cs", "cse", "single", "multi", "cat"), None)
        args = Namespace(**{**defaults, "beta": 0.5, "filt": [], **options})
        best, types = Counter({"tp": 0, "fp": 0, "fn": 0}), {}
        for number, (hypothesis, reference) in enumerate(pairwise(blocks)):
            sides = [compare.process_edits(compare.simplify_edits(block), args) for block in (hypothesis, reference)]
            sentence = hypothesis[2:].split("\nA")[0]
            counts, by_type = compare.evaluate_edits(*sides, best, number, sentence, args)
            best += Counter(counts)
            types = compare.merge_dict(types, by_type)
        compare.print_results(best, types, args)
    return best, types


def tables_by_type(package: Any, annotator: Any, pairs: Pairs) -> object:
    """Analyses: one annotator against the other, with tables of types, and options in a named tuple."""
    compare = module(package, "commands.compare_m2")
    options = namedtuple("options", ["dt", "ds", "single", "multi", "filt", "cse"], defaults=[0, 0, 0, 0, [], 1])()
    totals: dict[str, list[int]] = {}
    scores = []
    for block in blocks_of_m2(package, annotator, pairs):
        edits = compare.process_edits(compare.simplify_edits(block), options)
        tp, fp, fn, types = compare.compareEdits(edits[0], edits.get(1, {}))
        scores.append((tp, fp, fn, compare.computeFScore(tp, fp, fn, 1.0)))
        totals = compare.merge_dict(totals, types)
    for tier in (1, 2, 3):
        rows = [[type_, *counts] for type_, counts in sorted(compare.processCategories(totals, tier).items())]
        compare.print_table([["type", "tp", "fp", "fn"], *rows])
    return totals, scores


def edits_without_documents(package: Any, annotator: Any, pairs: Pairs) -> object:
    """Toolkits: caches, and edits that are made from M2."""
    edit_class = package.edit.Edit
    assert module(package, "edit").Edit is edit_class

    class TextEdit(edit_class):  # type: ignore[misc, valid-type]
        def __init__(self, start: int, end: int, text: str, type: str) -> None:
            self.o_start, self.o_end, self.o_str = start, end, ""
            self.c_start, self.c_end, self.c_str, self.type = None, None, text, type

    parsed: dict[str, Any] = {}
    written = []
    for pair in pairs:
        for text in pair:
            parsed[text] = parsed.get(text) or annotator.parse(text)
        edits = annotator.annotate(*map(parsed.__getitem__, pair))
        assert all(isinstance(edit, edit_class) for edit in edits)
        copies = [TextEdit(edit.o_start, edit.o_end, edit.c_str, edit.type) for edit in edits]
        assert all(isinstance(edit, edit_class) for edit in copies)
        written.append(list(map(str, copies)))
    return written


def conversions(package: Any, annotator: Any, pairs: Pairs) -> object:
    """Converters of M2: edits of annotators made in the text, and imported again."""
    convert = module(package, "commands.m2_to_m2")
    written = []
    for block in blocks_of_m2(package, annotator, pairs):
        source, *lines = block.split("\n")
        for who, edits in sorted(convert.simplify_edits(lines).items()):
            if edits[0][2] == "noop":
                written.append(convert.noop_edit(who))
                continue
            target, spans = convert.get_cor_and_edits(source[2:], edits)
            orig, cor = map(annotator.parse, (source[2:], target))
            written.append((target, [str(annotator.import_edit(orig, cor, span[:-1])) for span in spans]))
    return written


def own_steps(package: Any, annotator: Any, pairs: Pairs) -> object:
    """Other languages: an annotator with another merger and another classifier."""
    make_edit = module(package, "edit").Edit

    class Steps:
        @staticmethod
        def get_rule_edits(alignment: Any) -> list[Any]:
            operations = [operation for operation in alignment.align_seq if operation[0] != "M"]
            return [make_edit(alignment.orig, alignment.cor, operation[1:]) for operation in operations]

        @staticmethod
        def classify(edit: Any) -> Any:
            edit.type = f"{len(edit.o_toks)}:{len(edit.c_toks)}"
            return edit

    make = module(package, "annotator").Annotator
    own = make("en", annotator.nlp, Steps, Steps)
    mixed = make("en", nlp=annotator.nlp, merger=Steps, classifier=annotator.classifier)
    written = []
    for pair in pairs:
        for made in (own, mixed):
            written.append(list(map(str, edits_of(made, pair)[2])))
            written.append(list(map(str, edits_of(made, pair, merging="all-equal")[2])))
    return written


def printed_alignments(package: Any, annotator: Any, pairs: Pairs) -> object:
    """Teaching material: alignments, their costs, and edits by every strategy."""
    make_alignment = module(package, "alignment").Alignment
    merger, classifier = module(package, "en.merger"), module(package, "en.classifier")
    written = []
    for pair in pairs[:40]:
        orig, cor = map(annotator.parse, pair)
        for alignment in (annotator.align(orig, cor), make_alignment(orig, cor), make_alignment(orig, cor, True)):
            written.append(str(alignment))
            for strategy in ("split", "merge", "equal"):
                written.append(list(map(str, getattr(alignment, f"get_all_{strategy}_edits")())))
            edits = merger.get_rule_edits(alignment)
            written.append([str(classifier.classify(edit)) for edit in edits])
        if pair[0].strip() and pair[1].strip():
            written.append([alignment.get_sub_cost(a, b) for a in orig for b in cor])
    return written


def documents_parsed_elsewhere(package: Any, annotator: Any, pairs: Pairs) -> object:
    """Web services: an annotator without pipeline, and documents of the service's own."""
    silent = package.load("en", nlp=True)
    documents = [list(annotator.nlp.pipe(pair)) for pair in pairs]
    written = []
    for orig, cor in documents:
        edits = silent.annotate(orig, cor)
        written.append([(str(edit), edit.o_toks.doc is orig, len(edit.c_toks.doc)) for edit in edits])
        written.append([edit.type for edit in silent.annotate(annotator.nlp(orig.text), cor)])
    return written


MODULE_SCRIPTS: list[Callable[[Any, Any, Pairs], object]] = [
    evaluation, tables_by_type, edits_without_documents, conversions, own_steps, printed_alignments,
    documents_parsed_elsewhere,
]  # fmt: skip


def printed(script: Callable[[Any, Any, Pairs], object], package: Any, annotator: Any, pairs: Pairs) -> str:
    """What a script prints, and then its result."""
    with redirect_stdout(io.StringIO()) as out:
        result = script(package, annotator, pairs)
    return f"{out.getvalue()}{result}"
