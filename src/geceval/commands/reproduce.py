"""``geceval reproduce``: repeat a recorded run and list the differences."""

from __future__ import annotations

import contextlib
import itertools
import json
import os
from collections.abc import Sequence
from dataclasses import replace
from importlib import import_module
from pathlib import Path
from typing import Annotated, Any

from cyclopts import App, Parameter

from geceval._kernel import __version__
from geceval.base.arguments import in_line, joined
from geceval.base.errors import CheckFailedError, InputError, UsageError
from geceval.commands.command_list import make_command_line
from geceval.commands.shared.command_line import HELP_FLAGS, flags_of, given_options, parse, split_encoding
from geceval.commands.shared.option_groups import OUTPUT
from geceval.commands.shared.option_values import OutputFile, changed, flag
from geceval.commands.shared.options import Target
from geceval.commands.shared.run_records import (
    checksum,
    differences,
    read_record,
    translated_arguments,
    working_directory,
)
from geceval.counting.metric_classes import is_in_file, metric_class, setting_types
from geceval.counting.metric_names import check_safety, parse_specs
from geceval.metrics.judging.judged_metric import BASE_URL
from geceval.tables.report import Report, render
from geceval.terminal.messages import collected
from geceval.terminal.writing import write_text
from geceval.text.files import confined, decoding, is_file, is_folder

#: The commands with ``--record``. No other command is run; ``report_of`` of their modules repeats a run.
RECORDED = ("score", "compare", "meta", "suite")


def reproduce(
    record: Annotated[str, Parameter(name="RECORD", help="record written by --record")],
    /,
    *,
    folder: Annotated[
        str | None,
        Parameter(metavar="DIR", group=OUTPUT, help="folder in which the command is run (default: recorded folder)"),
    ] = None,
    allow_outside: Annotated[
        bool, Parameter(group=OUTPUT, help="also read files outside the folder of the record or --folder")
    ] = False,
    target: Target = None,
) -> None:
    """Write the differences.

    Raises:
        CheckFailedError: A number or a signature differs, or the output file was changed.

    Examples:
      geceval score -s source.txt -r ref0.txt -c sys.txt -m green --record run.json
      geceval reproduce run.json

    Exit status: 0 if all numbers and signatures are reproduced, 1 if one differs
    or the output file of the run was changed, 2 if the run cannot be repeated.
    Only score, compare, meta and suite are run; nothing is written, and no server
    is called.

    documentation: docs/suites.md
    """
    run = read_record(record)
    place = Path(record).parent / run.folder if folder is None else Path(folder)
    working_directory()  # which must exist to return to
    if not (is_folder(place) and os.access(place, os.X_OK)):
        raise InputError(f"folder of the run not found: {place}", path=record, hint="--folder DIR")
    base = str(Path(record).parent if folder is None else place)
    with contextlib.ExitStack() as stack:
        if not allow_outside:
            stack.enter_context(confined(base, record))
        stack.enter_context(contextlib.chdir(place))
        missing = [path for path in run.inputs if not is_file(path)]
        if missing:
            raise InputError(f"inputs are missing: {', '.join(missing)}", path=record, hint="--folder DIR")
        edited = [path for path, digest in run.inputs.items() if checksum(path) != digest]
        outputs = {path: digest for path, digest in run.output.items() if path != "-" and is_file(path)}
        altered = [f"output changed: {path}" for path, digest in outputs.items() if checksum(path) != digest]
        encoding, arguments = split_encoding(translated_arguments(run))
        with decoding(encoding):
            document = json.loads(render(repeated(tuple(arguments), run.version, allow_outside), "json"))
    changes = list(differences(run.document, document))
    lines = [f"geceval: {run.version} → {__version__}"] * (run.version != __version__)
    lines += [f"input changed: {path}" for path in edited]
    lines += altered
    lines += changes or ["reproduced: all signatures and numbers are equal"]
    write_text(target, "".join(f"{in_line(line)}\n" for line in lines))
    problems = ["the output file was changed after the run"] if altered else []
    problems += [f"differences in numbers or signatures: {len(changes)}"] if changes else []
    if problems:
        raise CheckFailedError("; ".join(problems))


def repeated(arguments: tuple[str, ...], version: str, allow_outside: bool = False) -> Report:
    """Return the report of recorded arguments, of which none is trusted.

    Args:
        arguments: The command and its arguments.
        version: Version of geceval that wrote the record.
        allow_outside: For the definitions of suites.

    Raises:
        UsageError: The command is not one of RECORDED, this version does not have one of the options, or an argument
            would write, read standard input or call a server.
    """
    name = arguments[0]
    if name not in RECORDED or set(HELP_FLAGS) & set(arguments):
        raise UsageError(f"records of {name!r} cannot be reproduced: choose from {', '.join(RECORDED)}")
    app = make_command_line()
    if version != __version__:
        check_options(app, arguments, version)
    command, bound, _ = parse(app, arguments)
    if any("-" in option.inputs() for option in given_options(command, bound)):
        raise UsageError("the recorded command reads standard input, which is not recorded")
    bound.apply_defaults()
    request: Any = bound.arguments["request"]
    for option, value in changed(request).items():
        if isinstance(value, OutputFile):
            raise UsageError(f"{'--output' if option == 'target' else flag(option)} cannot be recorded")
    if request.metric.judge:
        raise UsageError("--judge cannot be recorded")
    for metric, settings in parse_specs(request.metric.metrics):
        check_safety(metric, settings, "a record")
        if metric_class(metric).judging is not None or "cache" in settings:
            raise UsageError(f"{metric} uses a judge or a cache file: run the recorded command yourself")
    if name == "suite":
        request = replace(request, data=replace(request.data, allow_outside=allow_outside))
    bound.arguments["request"] = request
    server = os.environ.pop(BASE_URL, None)  # a suite may name a judge
    try:
        with collected(quiet=True, silent=True):  # the recorded run printed its warnings
            report: Report = import_module(command.__module__).report_of(*bound.args, **bound.kwargs)
    finally:
        os.environ.update({} if server is None else {BASE_URL: server})
    return report


def check_options(app: App, arguments: Sequence[str], version: str) -> None:
    """Check that this version has the options and settings of a record of another version.

    Args:
        app: The command line.
        arguments: The recorded command and its arguments.
        version: Version of geceval that wrote the record.

    Raises:
        UsageError: An option, a value of an option, a metric or a setting of a metric does not exist.
    """
    about = f"the record was written by geceval {version}, and geceval {__version__}"
    hint = f"pip install geceval=={version}"
    known = flags_of(app, arguments)
    words = itertools.takewhile(lambda word: word != "--", arguments[1:])
    options = dict.fromkeys(word.partition("=")[0] for word in words if word.startswith("--"))
    missing = [f"option {option}" for option in options if option not in known]
    if not missing:
        try:
            _, bound, _ = parse(app, arguments)
            specs = parse_specs(bound.arguments["request"].metric.metrics if "request" in bound.arguments else ())
        except UsageError as error:
            raise UsageError(f"{about} does not accept its options: {error.message}", hint=hint) from None
        for metric, settings in specs:
            if not is_in_file(metric):
                types = setting_types(metric)
                missing += [f"setting {setting} of {metric}" for setting in settings if setting not in types]
    if missing:
        raise UsageError(f"{about} has no {joined(missing)}", hint=hint)
