"""``geceval m2 propose``: valid edits beyond the references, by a judge."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any

from cyclopts import Group, Parameter

from geceval.base.arguments import THREADS, Bounds
from geceval.base.errors import UsageError
from geceval.cli.corpus_options import CorpusOptions
from geceval.cli.inputs import CorpusInputs
from geceval.cli.options import Judge, Threads, check_whole, settings_of_judge
from geceval.cli.output import note, print_spending, text_of, write_text, writing
from geceval.corpora.m2_check_command import M2TargetOption
from geceval.counting.metric_names import make_metric, parse_specs
from geceval.edits.changes import Change
from geceval.inspection.examination import examine
from geceval.inspection.marked_edits import JudgedEdit
from geceval.inspection.sentence_selection import Wanted
from geceval.metrics.judging.judged_metric import EditsInView, SingleEdit, judge_validity, validity_requests
from geceval.scoring.request_report import dry_run_report
from geceval.text.m2 import m2_files
from geceval.text.m2.edit import DELETE, Block, Edit

JUDGING = Group.create_ordered("judge", sort_key=2)
#: Field of a proposed edit that no scorer reads, in which other edits have ``REQUIRED``.
PROPOSED = "PROPOSED"


@Parameter(name="*", group=JUDGING)
@dataclass(frozen=True, kw_only=True)
class ProposeRequest(M2TargetOption):
    """Systems, references, and the judge of the edits."""

    data: CorpusOptions = CorpusOptions()
    model: Annotated[str, Parameter(metavar="NAME")]
    """language model, on the server of --judge or a folder; with settings: NAME,structured=object,tries=5"""
    judge: Annotated[Judge, Parameter(group=JUDGING)] = ()
    valid: Annotated[str | None, Parameter(metavar="FILE")] = None
    """M2 file of accepted edits, which are not judged again"""
    least: int = 50
    """smallest confidence of the written edits, 0 to 100"""
    dry_run: bool = False
    """count the requests, tokens and costs; send nothing"""
    threads: Threads = 0

    def __post_init__(self) -> None:
        super().__post_init__()
        check_whole(self, least=Bounds(0, 100), threads=THREADS)
        settings_of_judge(self.judge)


def propose(*, request: ProposeRequest) -> None:
    r"""Write the edits that the judge accepts.

    Examples:
      geceval m2 propose --gold gold.m2 -c sys1.txt sys2.txt --model NAME \
        --judge server=http://localhost:8000/v1 -o proposed.m2
      geceval score --gold gold.m2 -c sys1.txt sys2.txt -m errant errant:valid=proposed.m2

    Only edits that ERRANT counts as false positives are judged, one request per
    sentence. The comment of each edit is the confidence, from 0 to 1.

    documentation: docs/valid-edits.md
    """
    _check_is_no_file_of_people(request.target)
    [(name, settings)] = parse_specs([f"llm:model={request.model}"])
    metric: Any = make_metric(name, **settings_of_judge(request.judge) | settings)
    wrong = wrong_edits(request)
    views = [_in_view(*sentence) for sentence in wrong]
    if request.dry_run:
        plan = metric.plan_of(validity_requests(metric, views))
        write_text(None, text_of(dry_run_report(["m2 propose"], [plan]), "table", None))
        return
    confidences = judge_validity(metric, views)
    blocks = []
    for (source, _, edits), sentence_confidences in zip(wrong, confidences, strict=True):
        judged = [(edit, sure) for edit, sure in zip(edits, sentence_confidences, strict=True) if sure is not None]
        proposed = tuple(_proposed(edit, sure) for edit, sure in judged if sure >= request.least)
        blocks += [Block(source, proposed)] if proposed else []
    with writing(request.target) as out:
        m2_files.write(blocks, out)
    total, kept_edits = sum(len(edits) for _, _, edits in wrong), sum(len(block.edits) for block in blocks)
    text = f"{kept_edits} of {total} false positives have a confidence of {request.least} or more"
    note(f"{text}, by {metric.client.judge.name}")
    print_spending([metric])


def wrong_edits(request: ProposeRequest) -> list[tuple[str, Sequence[str], list[JudgedEdit]]]:
    """Return sentences with their references and the false positives of all systems."""
    inputs = CorpusInputs(request.data, threads=request.threads)
    metric = make_metric("errant", annotator=inputs.language.annotator, valid=request.valid)
    selection = Wanted(number=None, sort="given", outcome="wrong")
    examined = examine(inputs.corpus(), [metric], selection, threads=request.threads)
    sentences: dict[str, tuple[Mapping[str, str], dict[tuple[int, int, str], JudgedEdit]]] = {}
    for sentence in examined.sentences:
        _, edits = sentences.setdefault(sentence.source, (sentence.references, {}))
        for output in sentence.outputs.values():
            wrong = (edit for edit in output.version.edits if edit.outcome == "wrong")
            edits |= {(edit.start, edit.end, edit.text): edit for edit in wrong}
    return [
        (source, list(dict.fromkeys(references.values())), [edits[key] for key in sorted(edits)])
        for source, (references, edits) in sentences.items()
    ]


def _in_view(source: str, references: Sequence[str], edits: Sequence[JudgedEdit]) -> EditsInView:
    tokens = source.split()
    single_edits = [
        SingleEdit(
            " ".join(tokens[edit.start : edit.end]), edit.text, Change(edit.start, edit.end, edit.text).made(tokens)
        )
        for edit in edits
    ]
    return EditsInView(source, references, single_edits)


def _proposed(edit: JudgedEdit, sure: int) -> Edit:
    correction = edit.text or DELETE
    return Edit(edit.start, edit.end, edit.type, (correction,), PROPOSED, f"{sure / 100:.2f}")


def _check_is_no_file_of_people(target: str | None) -> None:
    """Raise UsageError if the output would replace edits that people accepted."""
    if target is None or target == "-" or not Path(target).is_file():
        return
    if any(edit.required != PROPOSED for block in m2_files.read(target) for edit in block.edits):
        hint = "write proposals to another file; geceval m2 merge joins files"
        raise UsageError(f"--output {target} has edits that no judge proposed", hint=hint)
