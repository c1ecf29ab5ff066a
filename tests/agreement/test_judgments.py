"""Reading judgments: the three layouts, and clean errors with file and line."""

from __future__ import annotations

from pathlib import Path

import pytest
from syrupy.assertion import SnapshotAssertion

from geceval.agreement.judgments import agreeing_groups, find_numbering, lines_by_sentence, read_judgments
from geceval.agreement.people import expand_pairs
from geceval.base.errors import InputError, UsageError
from support.messages import message_of

GJG15 = """<?xml version="1.0" encoding="UTF-8"?>
<appraise-results>
<error-correction-ranking-result id="x">
  <ranking-item doc-id="d" id="0" src-id="2" user="ann1">
    <translation rank="3" system="CAMB"/>
    <translation rank="1" system="INPUT AMU"/>
  </ranking-item>
  <ranking-item doc-id="d" id="1" skipped="true" src-id="7" user="ann2"/>
  <ranking-item doc-id="d" id="2" src-id="4" user="ann2">
    <translation rank="2" system="AMU"/>
    <translation rank="2" system="CAMB"/>
  </ranking-item>
</error-correction-ranking-result>
</appraise-results>
"""


def write(folder: Path, text: str, name: str = "judgments.xml") -> Path:
    path = folder / name
    path.write_text(text, encoding="utf-8")
    return path


def test_reads_items_groups_and_ranks(tmp_path: Path) -> None:
    judgments = read_judgments(write(tmp_path, GJG15))
    assert [item.source_id for item in judgments.items] == [2, 7, 4]
    assert judgments.items[0].groups == (("CAMB",), ("AMU", "INPUT"))
    assert judgments.items[0].ranks == (3, 1)
    assert judgments.items[0].line == 4
    assert judgments.systems == ("AMU", "CAMB", "INPUT")
    assert judgments.source_ids == (2, 4)  # the skipped item judges nothing


def test_expands_groups_in_file_order(tmp_path: Path) -> None:
    judgments = read_judgments(write(tmp_path, GJG15))
    pairs = expand_pairs(judgments)
    names = [(pairs.systems[a], pairs.systems[b]) for a, b in zip(pairs.first, pairs.second, strict=True)]
    assert names == [("AMU", "CAMB"), ("AMU", "INPUT"), ("CAMB", "INPUT"), ("AMU", "CAMB")]
    assert pairs.outcome.tolist() == [1, 0, -1, 0]
    assert pairs.source_id.tolist() == [2, 2, 2, 4]


def test_commas_separate_systems_and_id_numbers_sentences(tmp_path: Path) -> None:
    text = """<appraise-results><ranking-result>
    <ranking-item doc-id="none" id="62" user="non-native"><translation system="AMU,src" rank="4"/></ranking-item>
    <ranking-item doc-id="none" id="5" user="a"><translation system="AMU" rank="1"/></ranking-item>
    </ranking-result></appraise-results>"""
    judgments = read_judgments(write(tmp_path, text))
    assert judgments.items[0].groups == (("AMU", "src"),)
    assert judgments.items[0].source_id == 62
    assert [item.source_id for item in judgments.without("non-native").items] == [5]
    with pytest.raises(InputError, match=r"unknown annotator 'b': choose from a, non-native"):
        judgments.without("b")


def test_reads_the_csv_of_pairs(tmp_path: Path) -> None:
    text = (
        "system2rank,segmentId,system1Id,system1rank,srcIndex,judgeID,system2Id\r\n"
        "3,62,RAC,4,62,annot2,AMU\r\n1,62,AMU,1,62,annot2,UFC\r\n"
    )
    pairs = expand_pairs(read_judgments(write(tmp_path, text, "j.csv")))
    assert pairs.systems == ("AMU", "RAC", "UFC")
    assert pairs.outcome.tolist() == [1, 0]


ITEM = '<ranking-item src-id="1" user="u">\n{}\n</ranking-item>'


@pytest.mark.parametrize(
    "text",
    [
        ITEM.format('<translation rank="0" system="A"/>'),
        ITEM.format('<translation rank="1.5" system="A"/>'),
        ITEM.format('<translation rank="²" system="A"/>'),
        ITEM.format('<translation system="A"/>'),
        ITEM.format('<translation rank="1" system=" "/>'),
        ITEM.format('<translation rank="1" system="A B"/>\n<translation rank="2" system="B"/>'),
        '<r>\n<translation rank="1" system="A"/></r>',
        '<r>\n<ranking-item user="u"></ranking-item></r>',
        '<r><ranking-item src-id="-1"/></r>',
        "<r>\n<open></r>",
        '<!DOCTYPE x [<!ENTITY a "b">]>\n<r/>',
        "<r/>",
        "a,b\n1,2\n",
        "srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank\n1,u,A,x,B,2\n",
        "srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank\n1,u,A,1,A,2\n",
        "srcIndex,judgeID,system1Id,system1rank,system2Id,system2rank\n1,u,A\n",
    ],
)
def test_error_names_file_and_line(tmp_path: Path, text: str, snapshot: SnapshotAssertion) -> None:
    assert message_of(read_judgments, write(tmp_path, text)) == snapshot


def test_missing_file_is_an_input_error(tmp_path: Path) -> None:
    with pytest.raises(InputError, match="cannot read"):
        read_judgments(tmp_path / "none.xml")


OUTPUTS = {
    # line:   0    1    2    3    4
    "AMU": ["a", "b", "c", "d", "e"],
    "CAMB": ["a", "b", "x", "d", "e"],
    "INPUT": ["a", "z", "c ", "y", "e"],
}


def test_numbering_is_the_one_in_which_groups_have_equal_outputs(tmp_path: Path) -> None:
    judgments = read_judgments(write(tmp_path, GJG15))  # AMU and INPUT agree on sentence 2
    assert agreeing_groups(judgments, lines_by_sentence(judgments, "0"), OUTPUTS) == (1, 1)
    assert agreeing_groups(judgments, lines_by_sentence(judgments, "1"), OUTPUTS) == (0, 1)
    assert agreeing_groups(judgments, lines_by_sentence(judgments, "0"), {"AMU": OUTPUTS["AMU"]}) == (0, 0)
    outputs = OUTPUTS | {"AMU": ["q", *OUTPUTS["AMU"][1:]]}
    assert find_numbering(judgments, outputs) == "0"
    assert find_numbering(judgments, {name: lines[1:] for name, lines in outputs.items()}) == "1"
    assert find_numbering(judgments, {"AMU": ["c", "d"], "INPUT": ["c", "e"]}) == "judged"


@pytest.mark.parametrize(
    "outputs",
    [
        {"AMU": list("vwxyz"), "INPUT": list("VWXYZ")},
        {"AMU": list("vwxyz"), "INPUT": list("vwxyz")},
        {"AMU": list("vwxyz")},
        {"AMU": [], "INPUT": []},
    ],
)
def test_outputs_that_fit_no_or_several_numberings_are_refused(
    tmp_path: Path, outputs: dict[str, list[str]], snapshot: SnapshotAssertion
) -> None:
    assert message_of(find_numbering, read_judgments(write(tmp_path, GJG15)), outputs) == snapshot


def test_unknown_numbering_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UsageError, match=r"unknown sentence numbering '2': choose from 0, 1, judged"):
        lines_by_sentence(read_judgments(write(tmp_path, GJG15)), "2")
