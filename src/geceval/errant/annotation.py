"""Annotators of sentence pairs; errant has them in the module ``annotator``."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from functools import cached_property
from typing import Any

import numpy as np

from geceval._kernel import WordList
from geceval.base.arguments import THREADS, counted, shown, whole
from geceval.base.errors import UsageError
from geceval.edits.annotation import DEFAULT_ANNOTATOR
from geceval.edits.languages import make_annotator, pipelines
from geceval.errant.documents import Doc, Parsed, Pipeline, annotator_of
from geceval.errant.en import classifier, merger
from geceval.errant.pairs import Alignment, AnnotatedPair, Edit, classify, classify_with, extract, get_rule_edits


class Annotator:
    """Parses texts and extracts their edits; ``load`` returns it.

    Args:
        lang: The language.
        nlp: SpaCy pipeline that parses the texts (default: geceval's annotator of the language).
        merger: Module whose function ``get_rule_edits`` merges operations (default: ``geceval.errant.en.merger``).
        classifier: Module whose function ``classify`` sets the type of an edit (default:
            ``geceval.errant.en.classifier``).
        model_name: Name of another annotator, without ``nlp``.
        words: Word list of the spelling rule (default: the language's).

    Attributes:
        lang: The language.
        nlp: The pipeline: returns a parsed text, and ``nlp.pipe`` yields them.
        merger: The module that merges operations.
        classifier: The module that sets types.
    """

    merger: Any = merger
    classifier: Any = classifier

    def __init__(
        self,
        lang: str,
        nlp: Any = None,
        merger: Any = None,
        classifier: Any = None,
        *,
        model_name: str | None = None,
        words: Collection[str] | WordList | None = None,
    ) -> None:
        if isinstance(nlp, str):
            name = DEFAULT_ANNOTATOR if nlp.startswith("builtin") else f"spacy:{nlp}"
            raise UsageError("nlp must be a pipeline, not its name", hint=f'load({lang!r}, model_name="{name}")')
        nlp = None if nlp is True else nlp  # for scripts that do not parse
        if nlp is not None and model_name is not None:
            raise UsageError("nlp and model_name are two annotators", hint="give one of them")
        self.lang, self._words = lang, words if words is None or isinstance(words, WordList) else frozenset(words)
        self.nlp = Pipeline(make_annotator(model_name or str(lang))) if nlp is None else nlp
        for name, module in (("merger", merger), ("classifier", classifier)):
            if module is not None:
                setattr(self, name, module)

    @cached_property
    def _annotator(self) -> Any:
        if isinstance(self.nlp, Pipeline):
            return self.nlp.annotator
        if not hasattr(self.nlp, "vocab"):
            raise UsageError(f"nlp must be a spaCy pipeline, not {shown(self.nlp)}")
        return pipelines.of_pipeline(self.nlp)

    def parse(self, text: str, tokenise: bool = False) -> Parsed:
        """Return a text with its tokens: a Doc, or spaCy's if ``nlp`` was given.

        Args:
            text: The text.
            tokenise: Whether to tokenise it; otherwise spaces separate tokens.

        Raises:
            InputError: For other values than text, and for lone surrogates.
            UsageError: If it is to be tokenised in a language without a tokeniser.
        """
        parser = self.nlp if isinstance(self.nlp, Pipeline) else self._annotator
        return parser.parse(text, tokenise)

    def annotate(self, orig: Parsed, cor: Parsed, lev: bool = False, merging: str = "rules") -> AnnotatedPair:
        """Return the typed edits of a pair.

        Args:
            orig: Parsed original text.
            cor: Parsed corrected text.
            lev: Whether to align by plain Levenshtein distance.
            merging: Merging of adjacent operations: rules, all-split, all-merge or all-equal.

        Raises:
            UsageError: For an unknown merging strategy.
            InputError: For a pair too long to align.
        """
        if not self._has_own_steps:
            return self._extract([(orig, cor)], 1, lev, merging)[0]
        edits = AnnotatedPair(orig, cor, self.merge(self.align(orig, cor, lev), merging))
        for edit in edits:
            self.classify(edit)
        return edits

    @property
    def _has_own_steps(self) -> bool:
        """Whether a script replaced a step of ``annotate``."""
        steps = {"align": Annotator.align, "merge": Annotator.merge, "classify": Annotator.classify}
        methods = (getattr(getattr(self, name), "__func__", None) is not step for name, step in steps.items())
        functions = self.merger.get_rule_edits, self.classifier.classify
        return functions != (get_rule_edits, classify) or any(methods)

    def annotate_many(
        self, pairs: Iterable[Sequence[str | Parsed]], threads: int = 0, lev: bool = False, merging: str = "rules"
    ) -> list[AnnotatedPair]:
        """Return the edits of many pairs, each as ``annotate`` does.

        Args:
            pairs: Original and corrected texts, parsed or as strings with spaces between tokens.
            threads: Number of threads; 0 means one per processor.
            lev: Whether to align by plain Levenshtein distance.
            merging: Merging of adjacent operations.

        Raises:
            UsageError: For an unknown merging strategy, and for a negative number of threads.
            InputError: For a pair too long to align.
        """
        whole("threads", threads, THREADS)
        parsed = [[self.parse(text) if isinstance(text, str) else text for text in pair] for pair in pairs]
        if self._has_own_steps:
            return [self.annotate(orig, cor, lev, merging) for orig, cor in parsed]
        return self._extract(parsed, threads, lev, merging)

    def align(self, orig: Parsed, cor: Parsed, lev: bool = False) -> Alignment:
        """Return the alignment of a pair.

        Args:
            orig: Parsed original text.
            cor: Parsed corrected text.
            lev: Whether to align by plain Levenshtein distance.
        """
        return Alignment(orig, cor, lev, self._annotator_for(orig, cor), self._words)

    def merge(self, alignment: Alignment, merging: str = "rules") -> list[Edit]:
        """Return the edits of an alignment, with the type ``NA``.

        Args:
            alignment: The alignment.
            merging: Merging of adjacent operations: rules, all-split, all-merge or all-equal.

        Raises:
            UsageError: For an unknown merging strategy.
        """
        if merging == "rules":
            edits: list[Edit] = self.merger.get_rule_edits(alignment)
            return edits
        mergings = {
            "all-split": alignment.get_all_split_edits,
            "all-merge": alignment.get_all_merge_edits,
            "all-equal": alignment.get_all_equal_edits,
        }
        if merging not in mergings:
            raise UsageError(f"unknown merging strategy {merging!r}: choose from {', '.join(['rules', *mergings])}")
        return mergings[merging]()

    def classify(self, edit: Edit) -> Edit:
        """Set the type of an edit, and return the edit.

        Args:
            edit: The edit.
        """
        if self.classifier.classify is not classify:
            classified: Edit = self.classifier.classify(edit)
            return classified
        return classify_with(self._annotator_for(edit.o_toks.doc, edit.c_toks.doc), self._words, edit)

    def import_edit(
        self, orig: Parsed, cor: Parsed, edit: Sequence[Any], min: bool = True, old_cat: bool = False
    ) -> Edit:
        """Return an edit with given offsets.

        Args:
            orig: Parsed original text.
            cor: Parsed corrected text.
            edit: ``[o_start, o_end, c_start, c_end]``, and optionally the type.
            min: Whether to remove equal tokens at the ends.
            old_cat: Whether to keep the given type.

        Raises:
            UsageError: For another number of values, and offsets that the texts do not have.
        """
        if len(edit) not in (4, 5):
            raise UsageError(f"an edit must be [o_start, o_end, c_start, c_end, (type)], not {list(edit)}")
        texts: list[tuple[str, Parsed, Any, Any]] = [("orig", orig, *edit[:2]), ("cor", cor, *edit[2:4])]
        for name, doc, start, end in texts:
            if (start, end) == (-1, -1):  # of a noop
                continue
            if not (
                isinstance(start, (int, np.integer))
                and isinstance(end, (int, np.integer))
                and 0 <= start <= end <= len(doc)
            ):
                size = counted(len(doc), "token")
                raise UsageError(f"an edit from {start!r} to {end!r} is not within {name}, which has {size}")
        imported = Edit(orig, cor, edit[:4], *edit[4:])
        imported = imported.minimise() if min else imported
        return imported if old_cat else self.classify(imported)

    def _annotator_for(self, *docs: Parsed) -> Any:
        """Return the annotator of documents: those of spaCy with tags have their own annotation in English."""
        annotator = self._annotator
        if any(isinstance(doc, (Doc, str)) for doc in docs) or isinstance(annotator, pipelines.SpacyAnnotator):
            return annotator
        has_tags = docs and annotator.rules == "errant-3" and all(doc.has_annotation("TAG") for doc in docs)
        return annotator_of(*docs) if has_tags else annotator

    def _extract(self, pairs: Sequence[Sequence[Parsed]], threads: int, lev: bool, merging: str) -> list[AnnotatedPair]:
        annotator = self._annotator_for(*(doc for pair in pairs for doc in pair))
        return extract(annotator, self._words, pairs, threads, lev, merging)


def load(
    lang: str, nlp: Any = None, model_name: str | None = None, words: Collection[str] | WordList | None = None
) -> Annotator:
    """Return an annotator of edits.

    Args:
        lang: Language by code or name: en, German, …, or plain (any other).
        nlp: SpaCy pipeline that parses the texts; the edits are errant's with this pipeline. True is None.
        model_name: Name of another annotator (``builtin:3``, ``spacy:NAME``), without ``nlp``.
        words: Word list of the spelling rule (default: the language's).

    Raises:
        UsageError: For an unknown language or annotator; lists the available ones.
        MissingExtraError: If a required package is not installed.
    """
    return Annotator(lang, nlp, model_name=model_name, words=words)
