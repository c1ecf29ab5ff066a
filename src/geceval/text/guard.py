"""The unchanged source as one more system: what a metric that sees no reference has to be read beside."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from geceval.errors import InputError
from geceval.text.corpus import Corpus, TextSource
from geceval.text.preparation import Preparation

#: The name of the source among systems. No file is called so by ``corpus_files``.
SOURCE = "(source)"


@dataclass(frozen=True)
class WithSource(TextSource):
    """A corpus whose last system is its own source. Raises InputError if one of its systems has that name."""

    corpus: TextSource

    def __post_init__(self) -> None:
        if SOURCE in self.corpus.system_names:
            raise InputError(f"a system is called {SOURCE}, as the unchanged source is")

    @property
    def system_names(self) -> tuple[str, ...]:
        return (*self.corpus.system_names, SOURCE)

    @property
    def sentences(self) -> int | None:
        return self.corpus.sentences

    @property
    def has_gold(self) -> bool:
        return self.corpus.has_gold

    @property
    def made_by(self) -> str:
        return self.corpus.made_by

    @property
    def prepared_by(self) -> Preparation:
        return self.corpus.prepared_by

    def reference_numbers(self, *, of_gold: bool) -> tuple[int, int]:
        return self.corpus.reference_numbers(of_gold=of_gold)

    def is_m2(self, system: str) -> bool:
        return system != SOURCE and self.corpus.is_m2(system)

    def annotators(self) -> frozenset[int]:
        return self.corpus.annotators()

    def edit_types(self) -> frozenset[str]:
        return self.corpus.edit_types()

    def parts(self, size: int) -> Generator[Corpus, None, None]:
        for part in self.corpus.parts(size):
            yield part.with_system(SOURCE, part.source)

    def with_texts(self) -> WithSource:
        return WithSource(self.corpus.with_texts())
