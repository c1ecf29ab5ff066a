"""Results that print as tables and become data frames."""

from __future__ import annotations

import io
from abc import ABC, abstractmethod
from collections.abc import Iterator, Sequence
from html import escape
from typing import TYPE_CHECKING, Any, ClassVar, TypeAlias

from geceval.base.arguments import choice
from geceval.base.errors import framework
from geceval.tables.file_formats import as_html
from geceval.tables.report import Report, render
from geceval.tables.views import print_view
from geceval.text.files import PathLike

if TYPE_CHECKING:
    from geceval.tables.charts import Pictures

#: A row of a data frame.
FrameRow: TypeAlias = dict[str, Any]


class ShownResults(ABC):
    """Results that print as their report, are drawn in notebooks, and become data frames.

    Attributes:
        kinds: Names of the data frames, the default first.
    """

    kinds: ClassVar[Sequence[str]]

    @abstractmethod
    def _report(self) -> Report:
        """Return the report."""

    @abstractmethod
    def _rows(self, kind: str) -> Iterator[FrameRow]:
        """Yield the rows of a data frame."""

    def __repr__(self) -> str:
        report = self._report()
        if report.view is None:
            return render(report, "table").rstrip()
        out = io.StringIO()
        print_view(report.view(2, False), out)
        return out.getvalue().rstrip()

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text("…" if cycle else repr(self))

    def _repr_html_(self) -> str:
        from geceval.tables.pictures import pictures_html  # the command line draws no charts of results

        report = self._report()
        if report.view is not None:
            return f"<pre>{escape(repr(self))}</pre>"
        lines = [] if report.conclusion is None else report.conclusion(2)
        blocks = [
            f"<div>{escape(block)}</div>" if isinstance(block, str) else as_html(block) for block in report.tables()
        ]
        return "".join([*blocks, *(f"<div>{escape(line)}</div>" for line in lines), pictures_html(self._pictures())])

    def _repr_markdown_(self) -> str:
        return render(self._report(), "markdown")

    def _pictures(self) -> Pictures:
        """Return the pictures of the results, if they have any."""
        return {}

    def save(self, path: PathLike, picture: str = "", size: str = "column") -> None:
        """Write a picture to a file.

        Args:
            path: File whose name ends in .svg, .pdf or .png. PDF and PNG require the extra ``geceval[plots]``.
            picture: Name of the picture (default: the first); scores have "scores", "precision-recall" and, with
                groups, "groups", comparisons "scores" and "net-benefit", meta-evaluations "agreement".
            size: Width: "column" (77 mm) or "page" (160 mm) of a paper; text is 8 points high in both.

        Raises:
            UsageError: If the name has another ending, or the results have no such picture.
            MissingExtraError: If CairoSVG, or the library cairo, is not installed.
            InputError: If the file cannot be written.
        """
        from geceval.tables.pictures import save_picture  # the command line draws no charts of results

        save_picture(self._pictures(), path, picture, size)

    def columns(self, kind: str = "") -> dict[str, list[Any]]:
        """Return a data frame as a dict of columns of equal length.

        Args:
            kind: One of ``kinds`` (default: the first).

        Returns:
            Values by column; None if a row lacks a value. Scores are on the metric's scale, not in per cent.

        Raises:
            UsageError: If ``kind`` is unknown.
        """
        kind = kind or self.kinds[0]
        choice("kind", kind, self.kinds)
        rows = list(self._rows(kind))
        return {head: [row.get(head) for row in rows] for head in dict.fromkeys(name for row in rows for name in row)}

    def to_pandas(self, kind: str = "", **options: Any) -> Any:
        """Return ``columns(kind, **options)`` as a pandas.DataFrame; requires pandas."""
        return framework("pandas").DataFrame(self.columns(kind, **options))

    def to_polars(self, kind: str = "", **options: Any) -> Any:
        """Return ``columns(kind, **options)`` as a polars.DataFrame; requires polars."""
        return framework("polars").DataFrame(self.columns(kind, **options))

    def to_arrow(self, kind: str = "", **options: Any) -> Any:
        """Return ``columns(kind, **options)`` as a pyarrow.Table; requires pyarrow."""
        return framework("pyarrow").table(self.columns(kind, **options))
