"""The unchanged source as one more system: what a metric that sees no reference has to be read beside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from geceval.base.errors import InputError
from geceval.text.corpus import Corpus, SourceFacts, TextSource
from geceval.text.files import SOURCE as SOURCE


@dataclass(frozen=True)
class WithSource(TextSource):
    """A corpus whose last system is its own source. Raises InputError if one of its systems has that name."""

    corpus: TextSource

    def __post_init__(self) -> None:
        if SOURCE in self.corpus.system_names:
            raise InputError(f"a system is called {SOURCE}, as the unchanged source is")

    @property
    def facts(self) -> SourceFacts:
        facts = self.corpus.facts
        return replace(facts, system_names=(*facts.system_names, SOURCE))

    def parts(self, size: int) -> Iterator[Corpus]:
        for part in self.corpus.parts(size):
            yield part.with_system(SOURCE, part.source)

    def with_texts(self) -> WithSource:
        return WithSource(self.corpus.with_texts())
