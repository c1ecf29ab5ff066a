"""Sources of text around another one, to which they leave all they do not do themselves."""

from __future__ import annotations

from abc import abstractmethod
from collections.abc import Generator
from dataclasses import dataclass

from geceval.text.corpus import Corpus, TextSource
from geceval.text.preparation import Preparation


@dataclass(frozen=True)
class Around(TextSource):
    """A source of text that is what ``corpus`` is, unless it says otherwise."""

    corpus: TextSource

    @property
    def system_names(self) -> tuple[str, ...]:
        return self.corpus.system_names

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

    @property
    def reference_texts(self) -> int:
        return self.corpus.reference_texts

    def is_m2(self, system: str) -> bool:
        return self.corpus.is_m2(system)

    def annotators(self) -> frozenset[int]:
        return self.corpus.annotators()

    def edit_types(self) -> frozenset[str]:
        return self.corpus.edit_types()

    @abstractmethod
    def parts(self, size: int) -> Generator[Corpus, None, None]: ...
