"""Rewards: the sentence scores, whatever completions look like; never an error for text."""

from __future__ import annotations

import math
import pickle
import re
import threading
import warnings
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

import geceval
from geceval import GecevalError, GecevalWarning
from geceval.base.errors import InputError, UsageError
from geceval.extending import Metric
from geceval.selection.pair_features import pair_scores
from support.effort import examples
from support.instances import instances
from support.strategies import sentences

SOURCE = ["He go home .", "She have a cats .", "He go home ."]
REFERENCES = [["He goes home .", "He went home ."], ["She has a cat ."], ["He goes home .", "He went home ."]]
COMPLETIONS = ["He goes home .", "She have cats .", "He go home ."]
METRICS = {
    name: metric
    for name, metric in instances().items()
    if metric.uses_references and not metric.needs_gold and metric.scale.higher_is_better
}


def expected(metric: Metric[Any], texts: list[str] = COMPLETIONS) -> list[float]:
    return [metric.sentence_score(*row) for row in zip(SOURCE, texts, REFERENCES, strict=True)]


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_rewards_are_sentence_scores(metric: Metric[Any]) -> None:
    endless = metric.scale.low == -math.inf
    reward = geceval.rewards(metric, malformed="none" if endless else "lowest")
    rewarded = reward(completions=COMPLETIONS, source=SOURCE, references=REFERENCES)
    assert rewarded == expected(metric)
    assert all(type(value) is float for value in rewarded)
    assert reward.__name__.partition(":")[0] == metric.name


def test_rewards_of_one_metric_have_names_of_their_own() -> None:
    specs = ["green", "green:beta=1", "errant:mode=cse,beta=1", "errant:types=DET"]
    assert [geceval.rewards(spec).__name__ for spec in specs] == [*specs[:2], "errant:mode=cse,beta=1", specs[3]]
    assert geceval.rewards("green:beta=2.0").__name__ == "green", "the default"


def test_as_trl_calls_it() -> None:
    """With messages, other columns, and what TRL adds."""
    reward = geceval.rewards("green", source="src", references="refs")
    messages = [[{"role": "assistant", "content": f" {text}\n"}] for text in COMPLETIONS]
    columns = {"prompts": ["p"] * 3, "completion_ids": [[1]] * 3, "trainer_state": object(), "log_metric": print}
    rewarded = reward(completions=messages, src=SOURCE, refs=REFERENCES, level=["A"] * 3, **columns)
    assert rewarded == expected(geceval.Green())
    single = reward(completions=COMPLETIONS[:1], src=SOURCE[:1], refs=["He goes home ."], **columns)
    assert single == [1.0]


def test_the_correction_may_stand_elsewhere() -> None:
    def after(completion: str) -> str:
        _, mark, text = completion.partition("Answer: ")
        if not mark:
            raise InputError("no answer")
        return text

    reward = geceval.rewards("green", extract=after)
    texts = [f"Well … Answer: {COMPLETIONS[0]}", f"Answer: {COMPLETIONS[1]}", COMPLETIONS[2]]
    assert reward(completions=texts, source=SOURCE, references=REFERENCES) == [*expected(geceval.Green())[:2], 0.0]


MALFORMED = ["", " \n", "\ud800", None, 3, [{"role": "assistant"}], [{"content": None}], {}, b"a", float("nan")]
MALFORMED += [[{"content": [{"type": "text", "text": text}]}] for text in (None, 3)]


@pytest.mark.parametrize("name", ["green", "errant"])
@pytest.mark.parametrize(("malformed", "worth"), [("lowest", 0.0), ("none", None)])
def test_malformed_completions_have_the_given_reward(name: str, malformed: Any, worth: float | None) -> None:
    reward = geceval.rewards(name, malformed=malformed)
    size = len(MALFORMED)
    columns = {"source": [SOURCE[0]] * (size + 1), "references": [REFERENCES[0]] * (size + 1)}
    assert reward(completions=[*MALFORMED, COMPLETIONS[0]], **columns) == [worth] * size + [1.0]


def test_batch_without_any_text_is_warned_of_once() -> None:
    reward = geceval.rewards("errant")
    columns = {"source": SOURCE[:2], "references": REFERENCES[:2]}
    nested = [[[{"role": "assistant", "content": text}]] for text in COMPLETIONS[:2]]
    with pytest.warns(GecevalWarning, match=r"no completion of a batch has a text, such as \[\[{'role': 'assistant'"):
        assert reward(completions=nested, **columns) == [0.0, 0.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        reward(completions=nested, **columns)
        geceval.rewards("errant")(completions=[None, COMPLETIONS[1]], **columns)


@pytest.mark.parametrize("metric", METRICS.values(), ids=METRICS)
def test_the_lowest_reward_is_a_number(metric: Metric[Any]) -> None:
    if math.isfinite(metric.scale.low):
        assert geceval.rewards(metric)(completions=[None], source=["a"], references=[["a"]]) == [metric.scale.low]
    else:
        with pytest.raises(UsageError, match="no lowest score"):
            geceval.rewards(metric)


def test_where_there_is_no_lowest_score_nothing_is_said_of_malformed_text() -> None:
    metric = geceval.Scribendi()
    with pytest.raises(UsageError, match="no lowest score"):
        geceval.rewards(metric)
    reward = geceval.rewards(metric, malformed="none")
    assert reward(completions=[None], source=["a"]) == [None]


def test_a_text_too_long_to_be_aligned_is_the_only_one_that_suffers() -> None:
    long = "a b " * 20_000
    rewarded = geceval.rewards("errant")(
        completions=[COMPLETIONS[0], "c " * 40_000], source=[SOURCE[0], long], references=[REFERENCES[0], [long]]
    )
    assert rewarded == [1.0, 0.0]


def test_what_is_not_the_fault_of_a_text_is_told() -> None:
    reward = geceval.rewards(geceval.Errant(annotator="spacy:nobody"))
    with pytest.raises(GecevalError, match="spacy"):
        reward(completions=COMPLETIONS, source=SOURCE, references=REFERENCES)


def test_rows_without_a_source_or_references() -> None:
    reward = geceval.rewards("green")
    missing: list[Any] = [None, [], [None], 3, [3], "\ud800"]
    size = len(missing)
    with pytest.warns(GecevalWarning, match="no row of a batch has source or references"):
        assert reward(completions=["a"] * size, source=["a"] * size, references=missing) == [None] * size
    with warnings.catch_warnings():
        warnings.simplefilter("error")  # the warning is issued once
        assert reward(completions=["a"] * 3, source=[None, 3, "\ud800"], references=[["a"]] * 3) == [None] * 3
        assert reward(completions=[], source=[], references=[]) == []
        geceval.rewards("gleu")(completions=["a"] * 2, source=["a"] * 2, references=[["a"], None])
    some = reward(completions=["a b c d"] * 2, source=["a b c d"] * 2, references=[[None, "a b c d"], None])
    assert some == [1.0, None]


def test_column_with_another_number_of_rows_is_an_error() -> None:
    with pytest.raises(InputError, match="column 'source' has 1 rows for 2 completions"):
        geceval.rewards("green")(completions=["a", "b"], source=["a"], references=[["a"]] * 2)


@pytest.mark.parametrize("options", [{}, {"clean": "llm", "tokenise": "english"}, {"malformed": "none"}], ids=str)
def test_absent_column_is_an_error_that_names_the_columns(options: dict[str, Any]) -> None:
    reward = geceval.rewards("green", **options)
    with pytest.raises(InputError, match=r"no column 'references' \(columns: refs, source\)") as caught:
        reward(completions=COMPLETIONS, source=SOURCE, refs=REFERENCES)
    assert "references=NAME" in str(caught.value)
    reward_of_refs = geceval.rewards("green", references="refs", **options)
    assert None not in reward_of_refs(completions=COMPLETIONS, source=SOURCE, refs=REFERENCES)
    with pytest.raises(InputError, match="no column 'source'"):
        reward(completions=[], references=[])


@pytest.mark.parametrize(
    ("settings_", "message"),
    [
        ({"metric": "maxmatch"}, "rewards have no gold edits, which maxmatch requires"),
        ({"metric": "green,errant"}, "one metric is required, not 2: green, errant"),
        ({"metric": "gren"}, "did you mean green?"),
        ({"metric": "llm", "malformed": "lowest"}, "llm cannot be a reward"),
        ({"metric": "change-rate"}, "change-rate cannot be a reward: it describes corrections"),
        ({"malformed": "zero"}, "malformed must be one of lowest, none, not zero"),
        ({"source": 3}, "source must be the name of a column"),
        ({"extract": "a"}, "extract must be a function"),
        ({"threads": -1}, "threads is -1"),
    ],
)
def test_what_is_no_reward(settings_: dict[str, Any], message: str, monkeypatch: pytest.MonkeyPatch) -> None:
    if settings_.get("metric") == "llm":
        settings_ = settings_ | {"metric": instances()["llm"]}
    with pytest.raises(UsageError) as caught:
        geceval.rewards(**settings_)
    assert message in str(caught.value)


def test_threads_and_pickling() -> None:
    rewards = [geceval.rewards(name) for name in ("green", "errant", "cleme")]
    expected_scores = [expected(reward.metric) for reward in rewards]
    start = threading.Barrier(6)

    def work(number: int) -> bool:
        start.wait()
        reward = pickle.loads(pickle.dumps(rewards[number % 3]))
        columns = {"completions": COMPLETIONS, "source": SOURCE, "references": REFERENCES}
        return all(reward(**columns) == expected_scores[number % 3] for _ in range(20))

    with ThreadPoolExecutor(6) as pool:
        assert all(pool.map(work, range(6)))


# --- many pairs ---

pairs = st.lists(st.tuples(sentences, sentences, st.lists(sentences, min_size=1, max_size=3)), min_size=1, max_size=12)


@settings(max_examples=examples(50))
@given(pairs, st.sampled_from([geceval.Green(), geceval.Errant(), geceval.Gleu(), geceval.Cleme()]), st.data())
def test_pairs_score_as_each_does(rows: list[Any], metric: Metric[Any], data: st.DataObject) -> None:
    """Also where sources with their references come again, with other hypotheses and the same."""
    again = data.draw(st.lists(st.sampled_from(rows), max_size=12))
    rows = rows + [(source, data.draw(sentences), references) for source, _, references in again] + again
    source, hypotheses, references = map(list, zip(*rows, strict=True))
    scores = pair_scores(metric, source, hypotheses, references)
    assert scores.tolist() == [metric.sentence_score(*row) for row in rows]


@pytest.mark.parametrize(
    ("arguments", "message"),
    [
        ((["a"], ["a", "b"], [["a"]]), "hypotheses  2   <- 1 more"),
        ((["a"], ["a"], ["a"]), "references must be a list of references"),
        (([["a"]], ["a"], [["a"]]), "pairs are of texts"),
        ((["a"], [3], [["a"]]), "expected a string, not int"),
        (([], [], []), "there are no pairs"),
    ],
)
def test_pairs_that_cannot_be(arguments: Any, message: str) -> None:
    with pytest.raises(InputError) as caught:
        pair_scores(geceval.Green(), *arguments)
    assert message in str(caught.value)


# --- speed: see benchmarks; here only that nothing is quadratic ---


def test_a_large_batch() -> None:
    source = [f"He go to place {n // 8} ." for n in range(4000)]
    hypotheses = [f"He goes to place {n} ." for n in range(4000)]
    references = [[f"He goes to place {n // 8} ."] for n in range(4000)]
    rewarded = geceval.rewards("green")(completions=hypotheses, source=source, references=references)
    assert np.isfinite(np.array(rewarded, dtype=float)).all()


# --- preparation and limits ---


@pytest.mark.parametrize("options", [{}, {"clean": "llm"}, {"tokenise": "english"}, {"malformed": "none"}], ids=str)
@pytest.mark.parametrize("metric", ["errant", "green", "gleu", "cleme", "goto"])
def test_too_long_completions_get_the_lowest_score(metric: str, options: dict[str, Any]) -> None:
    """Also for a source that needs no correction."""
    reward = geceval.rewards(metric, **options)
    source = [*SOURCE[:2], "They were late ."]
    completions = ["so " * 3000, f"{SOURCE[1]} {'indeed ' * 200}", "a b " * 100_000]
    with pytest.warns(GecevalWarning, match="tokens gets the lowest score") as warned:
        rewarded = reward(completions=completions, source=source, references=[*REFERENCES[:2], [source[2]]])
    assert len(warned) == 1
    assert rewarded == [0.0] * 3
    assert reward.counts == {"completions": 3, "malformed": 0, "too_long": 3}


def test_too_long_completion_has_no_reward_without_a_lowest_score() -> None:
    reward = geceval.rewards(geceval.Scribendi(), malformed="none")
    with pytest.warns(GecevalWarning, match="more than 140 tokens gets no reward"):
        assert reward(completions=["so " * 3000], source=SOURCE[:1]) == [None]


def test_length_is_a_multiple_of_the_tokens_of_the_source() -> None:
    reward = geceval.rewards("green", length=0.8)
    columns = {"source": [SOURCE[1]] * 2, "references": [REFERENCES[1]] * 2}
    with pytest.warns(GecevalWarning, match="more than 4 tokens"):
        assert reward(completions=["She has a cat .", SOURCE[1]], **columns) == [0.0, 0.0]
    assert pickle.loads(pickle.dumps(reward)).counts == reward.counts
    assert geceval.rewards("green", length=1)(completions=["She has a cat ."] * 2, **columns) == [1, 1]
    for length in (0, -1, "2"):
        with pytest.raises(UsageError, match="length"):
            geceval.rewards("green", length=length)  # type: ignore[arg-type]


@pytest.mark.parametrize("options", [{}, {"tokenise": "english"}])
def test_false_alarms_and_malformed_completions_of_correct_sources_are_penalised(options: dict[str, Any]) -> None:
    correct, wrong = "They were late .", SOURCE[0]
    source = [correct] * 4 + [wrong]
    completions = [correct, "They  were late .", "They are late .", "", "They were late ."]
    references = [[correct, correct]] * 4 + [REFERENCES[0]]
    plain = geceval.rewards("errant", **options)(completions=completions, source=source, references=references)
    reward = geceval.rewards("errant", false_alarm_penalty=0.5, **options)
    penalised = reward(completions=completions, source=source, references=references)
    assert [before - after for before, after in zip(plain, penalised, strict=True)] == [0, 0, 0.5, 0.5, 0]
    assert reward.counts["false_alarms"] == 2
    with pytest.raises(UsageError, match="false_alarm_penalty"):
        geceval.rewards("errant", false_alarm_penalty=-1)
    with pytest.raises(UsageError, match="uses no references"):
        geceval.rewards(geceval.Scribendi(), malformed="none", false_alarm_penalty=1)


def test_short_sentences_without_a_reward_are_warned_of_once() -> None:
    row = {"completions": ["It is good"], "source": ["It is good"], "references": ["It is good"]}
    reward = geceval.rewards("green")
    with pytest.warns(GecevalWarning, match="a perfect correction of fewer than 4 tokens has the lowest score"):
        assert reward(**row) == [0.0]
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        assert reward(**row) == [0.0]
        assert geceval.rewards("gleu")(**row) == geceval.rewards("errant")(**row) == [1.0]


def test_no_output_without_a_correction_is_rewarded_more_than_a_real_system() -> None:
    """The table of research/gaming.md, on sentences with errors."""
    lines = {"source": SOURCE, "real": COMPLETIONS}
    outputs = {
        "empty": [""] * 3,
        "garbage": ["the " * 3000] * 3,
        "ten words more": [f"{line} {'so ' * 10}" for line in SOURCE],
        "twice": [f"{line} {line}" for line in SOURCE],
        "refusal": ["I am sorry , I cannot help with that ."] * 3,
    }
    for metric in ("errant", "green", "gleu"):
        reward = geceval.rewards(metric, length=2)
        with warnings.catch_warnings():
            warnings.simplefilter("ignore", GecevalWarning)
            real = np.mean(reward(completions=lines["real"], source=SOURCE, references=REFERENCES))
            for name, texts in outputs.items():
                mean = np.mean(reward(completions=texts, source=SOURCE, references=REFERENCES))
                assert mean < real, (metric, name)


def test_limit_of_tokens_counts_the_tokens_of_a_prepared_source() -> None:
    """A source without spaces has one word before it is tokenised."""
    source = ",".join("abcdefghij" * 3)
    completion = " ".join(source + source + source)
    reward = geceval.rewards("green", tokenise="english")
    assert len(completion.split()) > 110
    reward(completions=[completion], source=[source], references=[[source]])
    assert reward.counts["too_long"] == 0


# --- data that cannot be scored ---


@dataclass(frozen=True)
class Strict(geceval.Green):
    """GREEN that refuses digits in any text."""

    def prepare(self, corpus: geceval.Corpus, threads: int = 0) -> Any:
        self._refuse([*corpus.source, *(text for row in corpus.references for text in row if text is not None)])
        return super().prepare(corpus, threads)

    def count(self, prepared: Any, hypothesis: Any, threads: int = 0, *, evidence: bool = False) -> Any:
        self._refuse(hypothesis)
        return super().count(prepared, hypothesis, threads, evidence=evidence)

    @staticmethod
    def _refuse(texts: Any) -> None:
        for text in texts:
            if any(map(str.isdigit, text)):
                raise InputError("a digit")


@pytest.mark.parametrize(("malformed", "worth"), [("lowest", 0.0), ("none", None)])
def test_row_that_cannot_be_scored_has_no_reward(malformed: Any, worth: float | None) -> None:
    reward = geceval.rewards(Strict(), malformed=malformed)
    source = ["We was here .", "At 9 we left .", "I has two .", "He go on ."]
    references = [["We were here ."], ["At nine we left ."], ["I have 2 ."], ["He goes on ."]]
    completions = [references[0][0], references[1][0], references[2][0], "He goes 1 on ."]
    with pytest.warns(GecevalWarning, match="no reward for a row, since its data cannot be scored: a digit") as warned:
        rewarded = reward(completions=completions, source=source, references=references)
    assert len(warned) == 1
    assert rewarded == [1.0, None, None, worth]
    assert reward.counts["unscorable"] == 2


@dataclass(frozen=True)
class NoValue(geceval.Green):
    """Has no value for any sentence."""

    def score(self, totals: Any) -> Any:
        return np.full(np.shape(totals)[:-1], np.nan)


def test_score_that_is_no_number_is_no_reward() -> None:
    reward = geceval.rewards(NoValue())
    with pytest.warns(GecevalWarning, match="no reward for a row, since the metric has no value for it") as warned:
        rewarded = reward(completions=COMPLETIONS, source=SOURCE, references=REFERENCES)
    assert (len(warned), rewarded, reward.counts["unscorable"]) == (1, [None] * 3, 3)


def test_keys_of_a_mapping_are_no_references() -> None:
    reward = geceval.rewards("green")
    references = [{"text": REFERENCES[0]}, REFERENCES[1], {"text": "He goes home ."}]
    assert [*map(type, reward(completions=COMPLETIONS, source=SOURCE, references=references))] == [
        type(None),
        float,
        type(None),
    ]


def test_source_too_long_to_be_aligned_is_not_the_fault_of_its_completion() -> None:
    source, reference = "a b " * 20_000, "c d " * 20_000
    reward = geceval.rewards("errant")
    with pytest.warns(GecevalWarning, match="its data cannot be scored"):
        assert reward(completions=[reference], source=[source], references=[[reference]]) == [None]


# --- cleaning ---


def test_reasoning_does_not_count_as_tokens_of_a_cleaned_completion() -> None:
    reward = geceval.rewards("errant", clean="llm", tokenise="english", length=7)
    answers = [f"<think>{'well ' * 200}</think>\n\nShe walks.", "Here it is:\n\nShe walks.", "No changes needed."]
    columns = {"source": ["She walk ."] * 3, "references": [["She walks ."]] * 3}
    assert reward(completions=answers, **columns) == [1.0, 1.0, 0.0]
    assert reward.counts["too_long"] == 0


def test_reasoning_without_an_answer_is_malformed() -> None:
    reward = geceval.rewards("errant", malformed="none", clean="llm")
    columns = {"source": SOURCE[:2], "references": REFERENCES[:2]}
    assert reward(completions=["<think>hm</think>", "She has a cat ."], **columns) == [None, 1.0]
    assert reward.counts == {"completions": 2, "malformed": 1}


def test_cleaned_and_tokenised_completions_score_as_clean_ones() -> None:
    raw = ["Sure! Here is the corrected sentence: He goes home.", '"She have cats."', "**He go home.**"]
    reward = geceval.rewards("errant", clean="llm", tokenise="english")
    columns = {"source": SOURCE, "references": REFERENCES}
    assert reward(completions=raw, **columns) == geceval.rewards("errant")(completions=COMPLETIONS, **columns)


def test_raw_completions_against_tokenised_references_warn_once() -> None:
    columns = {"source": SOURCE * 4, "references": REFERENCES * 4}
    reward = geceval.rewards("green")
    raw = [text.replace(" .", ".") for text in COMPLETIONS * 4]
    with pytest.warns(GecevalWarning, match="completions are not tokenised, and references tokenised"):
        reward(completions=raw, **columns)
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        reward(completions=raw, **columns)
        geceval.rewards("green")(completions=COMPLETIONS * 4, **columns)


LONG_SOURCE = ["Yesterday she go to the market in Lisbon with her friend .", "He have seen the Tower of London twice ."]
LONG_CORRECTION = ["Yesterday she went to the market in Lisbon with her friend .", "He saw the Tower of London twice ."]


@pytest.mark.parametrize(
    ("completions", "message"),
    [
        ([text.title() for text in LONG_CORRECTION], "words after the first ones begin with a capital"),
        ([text.removesuffix(" .") for text in LONG_CORRECTION], r"completions: it has no \."),
        (
            [f"{source} {text}" for source, text in zip(LONG_SOURCE, LONG_CORRECTION, strict=True)],
            "20 of the first 20 completions are much longer than their sources",
        ),
    ],
)
def test_completions_with_a_common_fault_warn_once(completions: list[str], message: str) -> None:
    columns = {"source": LONG_SOURCE * 5, "references": LONG_CORRECTION * 5}
    reward = geceval.rewards("green")
    with warnings.catch_warnings(record=True) as caught:
        warnings.simplefilter("always")
        for _ in range(4):
            reward(completions=completions * 5, **columns)
    assert len(caught) == 1
    assert re.search(message, str(caught[0].message))
    with warnings.catch_warnings():
        warnings.simplefilter("error")
        reward = geceval.rewards("green")
        for _ in range(4):
            reward(completions=LONG_CORRECTION * 5, **columns)
