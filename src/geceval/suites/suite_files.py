"""Read the definition of a suite from TOML; docs/suites.md is the reference."""

from __future__ import annotations

import contextlib
import csv
import os
import re
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from importlib import resources
from os.path import lexists
from pathlib import Path
from typing import Any, get_args

from geceval.agreement.metric_agreement import AGGREGATIONS
from geceval.agreement.people import MEASURES
from geceval.base.arguments import choice, did_you_mean
from geceval.base.errors import GecevalError, InputError, UsageError, short_traceback
from geceval.base.hints import Hint, Option, Step
from geceval.counting.judge_settings import judge_settings
from geceval.counting.metric_names import check_safety, parse_specs, spec_of
from geceval.edits.languages import is_known
from geceval.suites.suite_definition import (
    AGREEMENTS,
    EVERY,
    OBJECTIVES,
    DataSet,
    JudgedSet,
    KnownFile,
    Measured,
    Published,
    Suite,
    known_files,
)
from geceval.text.blank_texts import Blank
from geceval.text.files import is_file, is_outside, path_text
from geceval.text.letters import code_of_language
from geceval.text.m2.edit import Dialect, GoldEdits, Misfits, Missing, Overlaps, Suggested
from geceval.text.preparation import Preparation
from geceval.text.reading.corpus_files import CorpusFiles
from geceval.text.reading.strict_toml import Fields, parse_toml, read_toml
from geceval.text.system_files import name_and_file, references_by_system

#: Keys of the preparation of texts, with their readers and defaults.
PREPARED: Mapping[str, tuple[Callable[[Fields, str, Any], Any], Any]] = {
    **dict.fromkeys(("tokenise", "detokenise"), (Fields.text, None)),
    **dict.fromkeys(("tokenise_only", "normalise"), (Fields.texts, ())),
    "whitespace": (Fields.flag, False),
    "clean": (Fields.names, ()),
}
#: Keys of the treatment of empty texts, gold edits and suggestions, with their values and defaults.
TREATMENT: Mapping[str, tuple[Any, str | None]] = {
    "blank": (Blank, None),
    "missing": (Missing, "fallback"),
    "overlaps": (Overlaps, "error"),
    "misfits": (Misfits, "error"),
    "dialect": (Dialect, "auto"),
    "suggestions": (Suggested, "as-edits"),
    "gold_edits": (GoldEdits, "as-given"),
}
#: Keys at the top that apply to all sets, with their readers.
SHARED: Mapping[str, Callable[[Fields, str, Any], Any]] = {
    "metrics": Fields.texts,
    "unit": Fields.text,
    "language": Fields.text,
    "annotator": Fields.text,
    **{key: read for key, (read, _) in PREPARED.items()},
}
#: Keys of a set that have the name of an option.
KEYS_OF_OPTIONS = frozenset({*PREPARED, *TREATMENT, "annotator", "offsets"})
#: Keys that name files relative to the definition, and keys whose values may contain files of the working directory.
FILES = ("source", "references", "gold", "blocks", "judgments", "systems")
NAMES = ("metrics", "metric", "annotator", "language", *PREPARED)
NUMBERINGS = ("auto", "0", "1", "judged")
#: Settings that a definition may not contain, with reason and hint: a file from others could send the user's key to its
#: server, or overwrite files.
FORBIDDEN = {
    "server": (
        "a suite may not set the server that your key is sent to",
        Hint(Step(Hint(Option("judge", "server=URL")), 'judge={"server": URL}'), ", or GECEVAL_BASE_URL"),
    ),
    "cache": (
        "a suite may not set a file that is written",
        Hint(Step(Hint(Option("judge", "cache=FILE")), 'judge={"cache": FILE}')),
    ),
}


def bundled() -> dict[str, Any]:
    """Return the bundled definitions by name."""
    folder = resources.files("geceval.suites").joinpath("bundled")
    definitions = {item.name.removesuffix(".toml"): item for item in folder.iterdir() if item.name.endswith(".toml")}
    return {name: definitions[name] for name in sorted(definitions)}


@short_traceback
def read_suite(path: str | os.PathLike[str], *more: str | os.PathLike[str], allow_outside: bool = False) -> Suite:
    """Read the definition of a suite, or of several as one suite.

    Args:
        path: Path of a TOML file, or name of a bundled suite.
        more: Definitions whose sets follow.
        allow_outside: Allow definitions to name files outside their folders; for definitions that you trust.

    Returns:
        The suite.

    Raises:
        InputError: If the definition is not valid, or names a file outside its folder; names file, table and key.
        UsageError: If neither a file nor a bundled suite of this name exists, or two sets have the same name.
    """
    suites = [_read(path_text(definition), allow_outside) for definition in (path, *more)]
    return Suite.joined(suites) if more else suites[0]


def _read(name: str, allow_outside: bool) -> Suite:
    definitions = bundled()
    if name in definitions and not is_file(name):
        return _suite(parse_toml(definitions[name].read_text(encoding="utf-8"), name), name, allow_outside)
    if not os.path.lexists(name) and not name.endswith(".toml") and Path(name).name == name:
        message = f"no file or suite {name}: choose from {', '.join(definitions)}"
        raise UsageError(message, hint=did_you_mean(name, definitions))
    return _suite(read_toml(name), name, allow_outside)


def _suite(fields: Fields, path: str, allow_outside: bool) -> Suite:
    title, about, average = fields.text("title", ""), fields.text("about", ""), fields.flag("average")
    for key, read in SHARED.items():
        read(fields, key, ())
    tables = {key: fields.tables(key, SHARED) for key in ("sets", "judged")}
    rows = fields.rows("published")
    if not allow_outside:
        for part in (*tables["sets"].values(), *tables["judged"].values(), *rows):
            _check_inside(part)
    sets = {name: _data_set(name, table) for name, table in tables["sets"].items()}
    judged = {name: _judged_set(name, table) for name, table in tables["judged"].items()}
    both = sets.keys() & judged.keys()
    if both:
        raise fields.error(f"{min(both)} is the name of a test set and of a judged set")
    if average:
        for data_set in sets.values():
            [primary] = data_set.make_metrics([data_set.primary])
            if not (primary.scale.in_percent and primary.scale.higher_is_better):
                subject = f"{primary.label}, the primary metric of {data_set.name},"
                raise fields.error(f"average: {subject} is not in per cent")
    published = tuple(_published(row, {**sets, **judged}) for row in rows)
    judge = _judge_settings(fields.table("judge"))
    specs = tuple(dict.fromkeys(spec for data_set in sets.values() for spec in data_set.metrics))
    objectives = _objectives(fields, specs)
    known = {name: _known_file(name, file) for name, file in fields.tables("files").items()}
    sets = {name: replace(data_set, objectives=objectives, known=known) for name, data_set in sets.items()}
    judged = {name: replace(judged_set, known=known) for name, judged_set in judged.items()}
    fields.end()
    if not sets and not judged:
        raise fields.error("the suite has no test set", hint="add [sets.NAME] with source, references or gold, metrics")
    suite = Suite(path, title or Path(path).stem, sets, judged, published, average, about)
    return suite.with_judge(judge) if judge else suite


def _check_inside(fields: Fields) -> None:
    """Raise InputError if a table names a file outside the folder of the definition."""
    folder = Path(fields.path).parent
    for key in (*FILES, *NAMES):
        value = fields.values.get(key)
        for text in value.values() if isinstance(value, dict) else value if isinstance(value, list) else [value]:
            if not isinstance(text, str) or (key in FILES and text.startswith("@")):
                continue
            paths: Iterable[Any] = _possible_paths(text, is_metric=key in ("metrics", "metric"))
            if key in FILES:
                paths = [folder / path for path in (text, *_files_of_system(text))]
            if any(is_outside(path, folder) for path in paths):
                hint = Hint(Option("allow_outside"), f", if you trust {fields.path}")
                raise fields.error(f"{key}: {text} is outside the folder of the suite", hint=hint)


def _files_of_system(text: str) -> list[str]:
    """Return the files of ``NAME=FILE,FILE``, whatever files exist."""
    return [path for path in next(csv.reader([text.partition("=")[2]]), []) if path]


def _possible_paths(text: str, *, is_metric: bool) -> Iterator[str]:
    """Yield the existing paths in a specification: its settings, with any separators within a name.

    The name of a metric is none: ``check_safety`` refuses files there.
    """
    separators = [*re.finditer('[:=,"]', text)]
    starts = [0] * (not is_metric) + [separator.end() for separator in separators]
    ends = [separator.start() for separator in separators] + [len(text)]
    for part in (text[start:end] for start in starts for end in ends if start < end):
        if is_file(part) or ("/" in part and lexists(part)):
            yield part


def _known_file(id: str, fields: Fields) -> KnownFile:
    """Return a listed file, by default with the published checksum."""
    published = known_files().get(id)
    path = fields.text("path")
    checksum = fields.text("sha256") if published is None else fields.text("sha256", published.checksum)
    fields.end()
    if Path(path).is_absolute() or ".." in Path(path).parts:
        raise fields.error(f"path must be relative to the data folder, and below it, not {path!r}")
    if not re.fullmatch("[0-9a-f]{64}", checksum):
        raise fields.error(f"sha256 must be 64 lower-case hexadecimal digits, not {checksum!r}")
    return KnownFile(checksum, id, Path(path).name, "" if published is None else published.origin, path)


def _judge_settings(fields: Fields) -> Mapping[str, Any]:
    """Return the settings of ``[judge]``; raises InputError if one is not allowed."""
    for key, value in fields.values.items():
        if key in FORBIDDEN:
            why, hint = FORBIDDEN[key]
            raise fields.error(f"{key}: {why}", hint=hint)
        if isinstance(value, str):
            raise fields.error(f"{key} must be a number: {key} = 8")
    try:
        return judge_settings(fields.values, "[judge]")
    except UsageError as error:
        raise InputError(error.message, path=fields.path, hint=error.hint) from None


def _objectives(fields: Fields, specs: tuple[str, ...]) -> Mapping[str, str]:
    """Return the declared objectives of metrics, by specification.

    Raises InputError if an objective does not exist, or no test set has the metric.
    """
    declared = fields.map("objectives")
    with _name_key(fields, "objectives"):
        for objective in declared:
            choice("an objective", objective, OBJECTIVES)
        return {_find_metric(name, specs): objective for objective, name in declared.items()}


@contextlib.contextmanager
def _name_key(fields: Fields, key: str) -> Iterator[None]:
    """Turn errors about a value into errors about its key in the file."""
    try:
        yield
    except InputError:
        raise
    except GecevalError as error:
        raise fields.error(f"{key}: {error.message}", hint=error.hint) from None


def _one_of(fields: Fields, key: str, choices: Collection[str], default: str | None) -> Any:
    value = fields.text(key, default)
    with _name_key(fields, key):
        if value is not None:
            choice(key, value, choices)
    return value


def _has_sources_by_system(fields: Fields) -> bool:
    """Return whether the source is a table, several files, or a file of one system (NAME=FILE)."""
    source = fields.values.get("source")
    if isinstance(source, str):
        return name_and_file(source)[0] is not None
    return isinstance(source, dict) or (isinstance(source, list) and len(source) > 1)


def _files(fields: Fields) -> CorpusFiles:
    treatment = {key: _one_of(fields, key, get_args(choices), default) for key, (choices, default) in TREATMENT.items()}
    references, gold = fields.texts("references", ()), fields.text("gold", None)
    steps = {key.removeprefix("tokenise_"): read(fields, key, default) for key, (read, default) in PREPARED.items()}
    with _name_key(fields, "tokenise, normalise, …"):
        prepare = Preparation(**steps, language=code_of_language(fields.text("language", None)))
    if _has_sources_by_system(fields):
        hint = "geceval score and compare take sources of single systems: -s source.txt NAME=heard.txt"
        raise fields.error("source must be one file, which all systems of a set correct", hint=hint)
    source = next(iter(fields.names("source", ())), None)
    if source is None and gold is None:
        raise fields.error("source is missing, or gold, whose sentences are the source")
    with _name_key(fields, "offsets"):
        offsets = fields.text("offsets", "auto")
        by_system = references_by_system(references)
        return CorpusFiles(source, by_system, gold=gold, prepare=prepare, offsets=offsets, **treatment)


def _measured(name: str, fields: Fields) -> Measured:
    """Return the fields that sets of both kinds have."""
    specs = fields.texts("metrics", ())
    if not specs:
        raise fields.error('metrics is missing: a list such as ["errant", "green:unit=char,n=6"]')
    annotator, language = fields.text("annotator", None), fields.text("language", None)
    if language is not None and not is_known(language):
        raise fields.error(f"language: unknown language {language!r}", hint="see: geceval language list")
    files, title, unit = _files(fields), fields.text("title", ""), fields.text("unit", None)
    with _name_key(fields, "metrics"):
        allowed = tuple(spec_of(*spec) for spec in _allowed_specs(specs))
        measured = Measured(name, files, allowed, title, unit, annotator or language)
        measured.make_metrics()
    return replace(measured, systems=fields.map("systems"))


def _allowed_specs(specs: Sequence[str]) -> list[tuple[str, dict[str, str]]]:
    """Return the metrics of a definition, which is data: raises UsageError for settings and code that run something."""
    parsed = parse_specs(specs)
    for metric, settings in parsed:
        check_safety(metric, settings, "a suite")
        for key, (why, hint) in FORBIDDEN.items():
            if key in settings:
                raise UsageError(f"{metric}: {key}: {why}", hint=hint)
    return parsed


def _data_set(name: str, fields: Fields) -> DataSet:
    measured = _measured(name, fields)
    primary_name, outputs = fields.text("primary", None), fields.names("outputs", (name,))
    blocks = fields.text("blocks", None)
    fields.end()
    for name_of_file in outputs:
        if Path(name_of_file).name != name_of_file or name_of_file in ("", ".."):
            raise fields.error(f"outputs must be a file name without folders, not {name_of_file!r}")
    with _name_key(fields, "primary"):
        primary = measured.metrics[0] if primary_name is None else _find_metric(primary_name, measured.metrics)
    return DataSet(**vars(measured), primary=primary, outputs=outputs, blocks=blocks)


def _find_metric(name: str, specs: tuple[str, ...]) -> str:
    """Return the specification that equals ``name``, or else has this metric name."""
    parsed = parse_specs([name])
    matches = [spec for spec in specs if parse_specs([spec]) == parsed]
    matches = matches or [spec for spec in specs if [spec.partition(":")[0]] == [spec_of(*parts) for parts in parsed]]
    if len(matches) != 1:
        raise UsageError(f"{name!r} is not one of {', '.join(specs)}", hint=did_you_mean(name, specs))
    return matches[0]


def _judged_set(name: str, fields: Fields) -> JudgedSet:
    judged_set = JudgedSet(
        **vars(_measured(name, fields)),
        judgments=fields.text("judgments"),
        human=_one_of(fields, "human", MEASURES, "expected-wins"),
        aggregation=_one_of(fields, "aggregation", AGGREGATIONS, "corpus"),
        numbering=_one_of(fields, "numbering", NUMBERINGS, "auto"),
        exclude=fields.texts("exclude", ()),
        judged_only=fields.flag("judged_only"),
    )
    fields.end()
    if not judged_set.systems:
        raise fields.error(f'systems is missing: [judged.{name}.systems] with NAME = "FILE"')
    return judged_set


def _published(fields: Fields, sets: Mapping[str, Measured]) -> Published:
    set_name = fields.text("of")
    with _name_key(fields, "of"):
        choice("of", set_name, sets)
    numbers, metric = fields.map("scores"), fields.text("metric")
    here, why = fields.map("here"), fields.map("why")
    for name, values in (("scores", numbers), ("here", here)):
        for key, value in values.items():
            if not value.removeprefix("-").replace(".", "", 1).isdecimal():
                raise fields.error(f'{name}.{key} must be a number as printed, such as "35.01", not {value!r}')
    with _name_key(fields, "scores"):
        for key in numbers:
            choice("a key", key, sets[set_name].systems if isinstance(sets[set_name], DataSet) else AGREEMENTS)
    with _name_key(fields, "metric"):
        _allowed_specs([metric])
        sets[set_name].make_metrics([metric])
    with _name_key(fields, "why"):
        for key in why:
            choice("a key", key, [*here, EVERY])
    for key in here:
        if key not in numbers or not {key, EVERY} & why.keys():
            raise fields.error(f"here.{key} differs from scores.{key}: why must give the reason")
    level = _one_of(fields, "level", ("corpus", "mean"), "corpus")
    published = Published(set_name, metric, numbers, fields.text("by"), fields.flag("recorded"), level, here, why)
    fields.end()
    return published
