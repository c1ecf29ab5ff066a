"""Warnings of texts that are other values."""

from __future__ import annotations

import pytest

from geceval import Corpus, GecevalWarning

SOURCE = ["He go .", "It is fine .", "nan", '" I is . "']
RIGHT = ["He goes .", "It is fine .", "nan", '" I am . "']
FORMS = {
    "1 of 4 texts look like missing values, such as 'nan'": ["nan", *RIGHT[1:]],
    "1 of 4 texts look like errors of a spreadsheet, such as": ["#NAME?", *RIGHT[1:]],
    "1 of 4 texts look like lists, such as": ["['He goes .', 'He went .']", *RIGHT[1:]],
    "1 of 4 texts look like lists of objects, such as": ["[{'start': 3, 'end': 5, 'replacement': 'goes'}]", *RIGHT[1:]],
    "2 of 2 texts look like texts in JSON, such as": ['"He goes ."', '"It is fine ."'],
}


@pytest.mark.parametrize("role", ["hypothesis", "reference"])
@pytest.mark.parametrize("form", FORMS)
def test_values_that_a_library_wrote_as_text_are_warned_of(form: str, role: str) -> None:
    texts = FORMS[form]
    source, right = SOURCE[: len(texts)], RIGHT[: len(texts)]
    columns = (texts, right) if role == "hypothesis" else (right, texts)
    name = "system hypothesis" if role == "hypothesis" else "reference 0"
    with pytest.warns(GecevalWarning, match=f"{name}: {form}") as caught:
        Corpus.of(*columns, source)
    assert len(caught) == 1
    table = {"s": source, "h": columns[0], "r": columns[1]}
    if role == "hypothesis" or "missing" not in form:  # "nan" is a missing reference of a table
        with pytest.warns(GecevalWarning, match=form):
            Corpus.of(table, source="s", hypothesis="h", references="r")


def test_texts_like_their_source_are_no_other_values(recwarn: pytest.WarningsRecorder) -> None:
    Corpus.of(RIGHT, [RIGHT, [None, *RIGHT[1:]]], SOURCE)
    Corpus.of(['"Yes ."'], ['"Yes ."'], ['"Yes .'])
    Corpus.of(["['a']"], ["['b']"], ["['c']"])
    assert not [warning for warning in recwarn if issubclass(warning.category, GecevalWarning)]
