"""The unchanged source as one more system: what a metric that sees no reference has to be read beside."""

from __future__ import annotations

from collections.abc import Generator
from dataclasses import dataclass

from geceval.base.errors import InputError
from geceval.text.corpus import Corpus
from geceval.text.derived_sources import Around

#: The name of the source among systems. No file is called so by ``corpus_files``.
SOURCE = "(source)"


@dataclass(frozen=True)
class WithSource(Around):
    """A corpus whose last system is its own source. Raises InputError if one of its systems has that name."""

    def __post_init__(self) -> None:
        if SOURCE in self.corpus.system_names:
            raise InputError(f"a system is called {SOURCE}, as the unchanged source is")

    @property
    def system_names(self) -> tuple[str, ...]:
        return (*self.corpus.system_names, SOURCE)

    def is_m2(self, system: str) -> bool:
        return system != SOURCE and self.corpus.is_m2(system)

    def parts(self, size: int) -> Generator[Corpus, None, None]:
        for part in self.corpus.parts(size):
            yield part.with_system(SOURCE, part.source)

    def with_texts(self) -> WithSource:
        return WithSource(self.corpus.with_texts())
