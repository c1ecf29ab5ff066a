"""Damaged versions of parallel text, as the checks must find them: what goes wrong with files in practice.

PYTHONPATH=tests python -m support.damage ../shared/data     # what checks say of each corpus and its damaged versions
"""

from __future__ import annotations

import re
import sys
import unicodedata
import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from geceval import m2
from geceval.base.errors import GecevalWarning, InputError
from geceval.counting.checks.check import check
from geceval.counting.checks.findings import Finding
from geceval.text.corpus import Corpus
from geceval.text.m2.operations import fitting_blocks
from geceval.text.reading.lines import read_lines
from support.words import english_words
from twins.checks import compare

Lines = Sequence[str]


# --- damage ---


def shifted(lines: Lines, k: int) -> list[str]:
    """Line i is what line i + k was, those that fall out come in at the other end."""
    return [*lines[k:], *lines[:k]]


def detokenised(lines: Lines) -> list[str]:
    """Punctuation glued to the words it belongs to, contractions joined."""
    return [detokenised_line(line) for line in lines]


def detokenised_line(line: str) -> str:
    line = re.sub(r" ([.,!?;:%)\]}]|n't|'(?:s|re|ve|ll|d|m)\b|'')", r"\1", line)
    line = re.sub(r"([(\[{$]|``) ", r"\1", line)
    return re.sub(r'" ([^"]*) "', r'"\1"', line).replace("``", '"').replace("''", '"')


def curly(lines: Lines) -> list[str]:
    """Typographic quotes and apostrophes."""
    rules = [(r"``|(?:^|(?<= ))\"", "“"), (r"''|\"", "”"), (r"(?:^|(?<= ))'(?=\w{3,})", "‘"), ("'", "’")]
    replaced = list(lines)
    for pattern, mark in rules:
        replaced = [re.sub(pattern, mark, line) for line in replaced]
    return replaced


def decomposed(lines: Lines) -> list[str]:
    """Accents apart from their letters."""
    return [unicodedata.normalize("NFD", line) for line in lines]


@dataclass(frozen=True)
class Damage:
    """What is done to a source and a system, given another corpus of as many lines, and the check that tells.

    ``applies``: whether the damage can be seen at all; ``file``: which file the finding is about.
    """

    check: str
    do: Callable[[Lines, Lines, Lines], tuple[Lines, Lines]]
    applies: Callable[[Lines, Lines], bool] = lambda source, system: True
    shift: int = 0


#: Marks of punctuation that stand apart, after a word.
MARKS = r"(?<=\w) [,;:!?.](?!\S)"


def _many(pattern: str, least: int = 8) -> Callable[[Lines, Lines], bool]:
    """Whether the first lines of both have enough of a mark."""
    return lambda source, system: all(
        len(re.findall(pattern, "\n".join(text[:100]))) >= least for text in (source, system)
    )


def _plain_quotes(source: Lines, system: Lines) -> bool:
    return _many("['\"]", 20)(source, system) and not re.search("[‘-‟]", "\n".join(source[:100]))


def _enough_changes(source: Lines, system: Lines) -> bool:
    """Whether 30 unknown words are removed or added."""
    changed = [(line, their) for line, their in zip(source, system, strict=True) if line != their]
    *_, removed, added = compare(*zip(*changed, strict=True), english_words(), 30) if changed else (0, 0)
    return removed + added >= 30


def _accented(source: Lines, system: Lines) -> bool:
    return all(
        sum(unicodedata.normalize("NFD", line) != unicodedata.normalize("NFC", line) for line in text[:100]) >= 8
        for text in (source, system)
    )


def _shift(k: int) -> Damage:
    return Damage("overlap", lambda source, system, other: (source, shifted(system, k)), shift=k)


DAMAGES: Mapping[str, Damage] = {
    **{f"shifted by {k:+d}": _shift(k) for k in (-5, -2, -1, 1, 2, 5)},
    "sorted": Damage("overlap", lambda source, system, other: (source, sorted(system))),
    "another corpus": Damage("overlap", lambda source, system, other: (source, other)),
    "a line lost after a third": Damage(
        "overlap",
        lambda source, system, other: (source, [*system[: len(system) // 3], *system[len(system) // 3 + 1 :], ""]),
    ),
    "swapped": Damage("swapped", lambda source, system, other: (system, source), _enough_changes),
    "detokenised": Damage("tokens", lambda source, system, other: (source, detokenised(system)), _many(MARKS)),
    "source detokenised": Damage("tokens", lambda source, system, other: (detokenised(source), system), _many(MARKS)),
    "emptied": Damage("empty", lambda source, system, other: (source, [""] * len(system))),
    "emptied after a third": Damage(
        "empty",
        lambda source, system, other: (source, [*system[: len(system) // 3], *[""] * (-(-2 * len(system) // 3))]),
    ),
    "curly quotes": Damage("quotes", lambda source, system, other: (source, curly(system)), _plain_quotes),
    "decomposed": Damage("unicode", lambda source, system, other: (source, decomposed(system)), _accented),
    "the source itself": Damage("equal", lambda source, system, other: (source, list(source))),
}


@dataclass(frozen=True)
class LineDamage:
    """Damage of single lines, and the check that finds it.

    ``do``: makes a damaged line. ``is_seen``: whether the damage of a line, given its source, can be seen at all.
    """

    check: str
    do: Callable[[str], str]
    is_seen: Callable[[str, str], bool] = lambda source, line: True


def _cut(line: str) -> str:
    """A line without its second half, or without what is beyond 40 characters."""
    return line[: min(40, len(line) // 2)]


def _is_seen_cut(source: str, line: str) -> bool:
    """Whether much is missing, with the mark at the end, and the rest ends in words of the source."""
    source, rest = source.strip(), _cut(line).strip()
    lacks_its_end = not source[-1:].isalnum() and (rest[-1:].isalnum() or rest.endswith(","))
    return lacks_its_end and len(rest) > 10 and len(rest) + 20 < len(source) and rest[-8:] in source


def _cased(line: str) -> int:
    return sum(letter.islower() for letter in line)


def _is_lowered(source: str, line: str) -> bool:
    """Whether the source has several capitals, or the first word, which stays, has one."""
    first, word = ((text.split() or [""])[0] for text in (source, line))
    begins = first != first.lower() == word.lower()
    return min(_cased(source), _cased(line)) >= 4 and (begins or sum(letter.isupper() for letter in source) > 1)


LINE_DAMAGES: Mapping[str, LineDamage] = {
    "introduced": LineDamage("chatter", lambda line: f"Sure! Here is the corrected sentence: {line}"),
    "introduced in German": LineDamage("chatter", lambda line: f"Hier ist der korrigierte Satz: {line}"),
    "introduced in Chinese": LineDamage("chatter", lambda line: f"以下是修改后的句子：{line}"),
    "labelled": LineDamage("chatter", lambda line: f"Corrected: {line}"),
    "bold label": LineDamage("chatter", lambda line: f"**Corrected sentence:** {line}"),
    "labelled in Czech": LineDamage("chatter", lambda line: f"Opravená věta: {line}"),
    "refused": LineDamage("refusals", lambda line: "I’m sorry, but I can't help with that."),
    "refused, tokenised": LineDamage("refusals", lambda line: "As an AI language model , I can not do that ."),
    "refused in German": LineDamage("refusals", lambda line: "Es tut mir leid, aber dabei kann ich nicht helfen."),
    "refused in Czech": LineDamage("refusals", lambda line: "Omlouvám se, ale s tím vám nemohu pomoci."),
    "refused in Chinese": LineDamage("refusals", lambda line: "很抱歉，我无法完成这个请求。"),
    "refused in Spanish": LineDamage("refusals", lambda line: "Lo siento, pero no puedo ayudarte con eso."),
    "refused in French": LineDamage("refusals", lambda line: "Désolé, mais je ne peux pas répondre à cela."),
    "refused in Ukrainian": LineDamage("refusals", lambda line: "Вибачте, але я не можу виконати цей запит."),
    "refused in Russian": LineDamage("refusals", lambda line: "Извините, но я не могу помочь с этим."),
    "explained": LineDamage("explanations", lambda line: f"{line} (Explanation: I changed the verb.)"),
    "explained at length": LineDamage("explanations", lambda line: f"{line} I corrected the spelling of two words."),
    "explained in Chinese": LineDamage("explanations", lambda line: f"{line} 说明：我修改了两个词。"),
    "reasoned": LineDamage("reasoning", lambda line: f"<think>Let me see. </think>{line}"),
    "reasoned without an end": LineDamage("reasoning", lambda line: f"< reasoning > {line}"),
    "unchanged": LineDamage("unchanged", lambda line: "The sentence is already correct."),
    "unchanged in German": LineDamage("unchanged", lambda line: "Keine Änderungen nötig."),
    "unchanged in Chinese": LineDamage("unchanged", lambda line: "该句子没有语法错误。"),
    "with the prompt": LineDamage("prompts", lambda line: f"Correct the following sentence: {line}"),
    "in quotes": LineDamage("wrapped", lambda line: f'"{line}"', lambda source, line: not _has_quotes(source)),
    "in fences": LineDamage("wrapped", lambda line: f"```{line}```"),
    "in bold": LineDamage("markdown", lambda line: f"**{line}**"),
    "one word in bold": LineDamage("markdown", lambda line: re.sub(r"\w+", r"**\g<0>**", line, count=1)),
    "in capitals": LineDamage("capitals", str.upper, lambda source, line: min(_cased(source), _cased(line)) >= 4),
    "in lower case": LineDamage("lowercase", str.lower, lambda source, line: _is_lowered(source, line)),
    "cut": LineDamage("truncated", _cut, _is_seen_cut),
    "twice": LineDamage("long", lambda line: f"{line} {line} {line}", lambda source, line: len(line) >= 60),
    "raw": LineDamage(
        "raw",
        detokenised_line,
        lambda source, line: bool(re.search(r"\w [.!?]$", line.strip()) and re.search(r" [.!?]$", source.strip())),
    ),
    "emptied": LineDamage("blank", lambda line: "", lambda source, line: bool(source.split())),
}


def _has_quotes(line: str) -> bool:
    return bool(re.search("[\"'`‘’‚“”„«»]", line.strip()[:1] + line.strip()[-1:]))


def with_damaged_lines(source: Lines, system: Lines, damage: LineDamage, step: int) -> tuple[list[str], list[int]]:
    """A system with damage in one line of ``step``, and the numbers of lines in which it can be seen."""
    damaged, seen = list(system), []
    for at in range(step // 2, len(system), step):
        damaged[at] = damage.do(system[at])
        if source[at].strip() and system[at].strip() and damage.is_seen(source[at], system[at]):
            seen.append(at + 1)
    return damaged, seen


def found(source: Lines, system: Lines, references: Sequence[Lines] = ()) -> list[Finding]:
    """What the checks say of a system."""
    return check(Corpus(list(source), [list(lines) for lines in references], {"it": list(system)}))


# --- corpora ---


@dataclass(frozen=True)
class Parallel:
    """A source with references and systems, in a language (a code)."""

    language: str
    source: list[str]
    references: Mapping[str, list[str]]
    systems: Mapping[str, list[str]]

    @property
    def texts(self) -> Iterator[tuple[str, list[str]]]:
        """References and systems."""
        yield from self.references.items()
        yield from self.systems.items()


def lines_of(path: Path) -> list[str]:
    return [line or "" for line in read_lines(path)]


def corpora(data: Path) -> dict[str, Parallel]:
    """All corpora of the shared data that have text on two sides."""
    by_name: dict[str, Parallel] = {}
    for name in ("conll14", "jfleg-dev", "bea19-dev"):
        by_name[name] = _folder(data / name, data / name / "source.txt", "ref*.txt", "systems/*.txt")
    for name in ("all", "subset"):
        folder = data / "meta" / "seeda" / name
        by_name[f"seeda {name}"] = _folder(folder, folder / "INPUT.txt", "none", "*.txt")
    languages = data / "languages"
    by_name["de"] = _folder(languages / "de/fm-dev", languages / "de/fm-dev/source.txt", "ref0.txt", "none", "de")
    by_name["cs"] = _folder(
        languages / "cs/geccc-small", languages / "cs/geccc-small/input.txt", "ref0.txt", "none", "cs"
    )
    by_name["zh"] = _folder(
        languages / "zh/cherrant-demo", languages / "zh/cherrant-demo/input.txt", "none", "hyp.txt", "zh"
    )
    for path in sorted([*languages.rglob("*.m2"), *data.rglob("*.m2")]):
        language = path.relative_to(languages).parts[0] if languages in path.parents else "en"
        if language != "zh":  # another dialect of M2
            with warnings.catch_warnings():
                warnings.simplefilter("ignore", GecevalWarning)  # of edits that are left out
                blocks = fitting_blocks(m2.Blocks.parse(path.read_bytes(), str(path), shared=True), "drop")
            sources = [str(line) for line in blocks.source]
            by_name[str(path.relative_to(data))] = Parallel(language, sources, _versions(blocks), {})
    by_name["ko"] = _table(languages / "ko/kolla/kolla.tsv", 0, "ko")
    by_name["zh mucgec"] = _table(languages / "zh/mucgec-dev/ref.para.tsv", 1, "zh")
    return by_name


def _table(path: Path, column: int, language: str) -> Parallel:
    """A table with the source in a column, and a correction in the next one."""
    rows = [line.split("\t") for line in lines_of(path)]
    source, reference = ([row[at] for row in rows if len(row) > column + 1] for at in (column, column + 1))
    return Parallel(language, source, {"ref0": reference}, {})


def _folder(folder: Path, source: Path, references: str, systems: str, language: str = "en") -> Parallel:
    texts = [
        {path.stem: lines_of(path) for path in sorted(folder.glob(pattern)) if path != source}
        for pattern in (references, systems)
    ]
    return Parallel(language, lines_of(source), *texts)


def _versions(blocks: m2.Blocks) -> dict[str, list[str]]:
    """The corrected texts of the annotators, of blocks whose edits can be made."""
    versions = {}
    for who in m2.annotators(blocks):
        lines = []
        for block in blocks:
            try:
                lines.append(m2.apply(block, who))
            except InputError:  # edits that overlap, as in et
                lines.append(block.source)
        versions[f"annotator {who}"] = lines
    return versions


def unrelated(corpus: Parallel, among: Iterable[Parallel]) -> list[str]:
    """As many lines of another corpus in the same language, none if there is no other."""
    for candidate in among:
        if (
            candidate.language == corpus.language
            and len(candidate.source) >= 20
            and set(candidate.source).isdisjoint(corpus.source)
        ):
            return (candidate.source * (len(corpus.source) // len(candidate.source) + 1))[: len(corpus.source)]
    return []


def main() -> None:
    everything = corpora(Path(sys.argv[1]))
    for name, corpus in everything.items():
        unrelated_lines = unrelated(corpus, everything.values())
        for system, text in corpus.texts:
            versions = {"as it is": (corpus.source, text)} | dict(damaged(corpus.source, text, unrelated_lines))
            for version, pair in versions.items():
                sys.stdout.write(f"{name}\t{system}\t{version}\t{'; '.join(map(str, found(*pair)))}\n")


def damaged(
    source: Lines, system: Lines, other: Lines, names: Iterable[str] = tuple(DAMAGES)
) -> Iterator[tuple[str, tuple[Lines, Lines]]]:
    """The damaged versions of a source and a system by name, as far as the damage can be seen."""
    for name in names:
        damage = DAMAGES[name]
        if damage.applies(source, system) and (other or name != "another corpus"):
            yield name, damage.do(source, system, other)


if __name__ == "__main__":
    main()
