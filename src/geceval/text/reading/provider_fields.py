"""Fields in which providers of language models describe an answer: its end, its tokens, its cost and its latency."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any, Literal, TypeAlias

from geceval.text.columns import AnswerEnd
from geceval.text.reading.file_columns import FileColumn, FileContent

#: Property of an answer that a field describes.
Fact: TypeAlias = Literal[
    "end", "refusal", "prompt_tokens", "answer_tokens", "thought_tokens", "cost", "seconds", "milliseconds"
]

#: Last steps of the paths of fields, best first: chat completions, Responses and Messages, Gemini, Bedrock, Ollama.
_FIELDS: Mapping[Fact, Sequence[str]] = {
    "end": (r"finish_?reason|finishReason", r"stop_?reason|stopReason|done_reason", r"incomplete_details(?:\.reason)?"),
    "refusal": (r"message\.refusal",),
    "prompt_tokens": (
        r"usage\.(?:prompt_tokens|input_tokens|inputTokens)",
        r"(?:usageMetadata|usage_metadata)\.(?:promptTokenCount|prompt_token_count)",
        r"prompt_eval_count|prompt_tokens|input_tokens",
    ),
    "answer_tokens": (
        r"usage\.(?:completion_tokens|output_tokens|outputTokens)",
        r"(?:usageMetadata|usage_metadata)\.(?:candidatesTokenCount|candidates_token_count)",
        r"eval_count|completion_tokens|output_tokens",
    ),
    # Gemini's answers do not count them; those of others do.
    "thought_tokens": (r"(?:usageMetadata|usage_metadata)\.(?:thoughtsTokenCount|thoughts_token_count)",),
    "cost": ("cost",),
    "seconds": ("latency|latency_s|seconds",),
    "milliseconds": ("latency_ms|latencyMs|milliseconds",),
}
#: Paths within the request, which batch files may repeat, and of answers after the first one.
_ELSEWHERE = r"(?!(?:.*\.)?(?:request|input|prompt|messages|(?:choices|candidates)\.[1-9]\d*)\.)(?:.+\.)?"
#: Reasons why an answer ended, in lower case.
_ENDS: Mapping[str, AnswerEnd] = {
    **dict.fromkeys(
        ("length", "model_length", "max_tokens", "max_output_tokens", "model_context_window_exceeded"), "cut"
    ),
    **dict.fromkeys(("refusal", "content_filter", "safety", "prohibited_content", "blocklist", "spii"), "refusals"),
    **dict.fromkeys(("content_filtered", "guardrail_intervened"), "refusals"),
}


def column_of_fact(content: FileContent, fact: Fact) -> FileColumn | None:
    """Return the column of a table that contains a fact about its answers; None without one."""
    for pattern in _FIELDS[fact]:
        for index, name in enumerate(content.names):
            if re.fullmatch(f"{_ELSEWHERE}(?:{pattern})", name):
                return content.column(fact, index)
    return None


def describes_answer(name: str) -> bool:
    """Return whether a column is a field of a provider, which a row may lack."""
    patterns = (pattern for patterns in _FIELDS.values() for pattern in patterns)
    return any(re.fullmatch(f"{_ELSEWHERE}(?:{pattern})", name) for pattern in patterns)


def has_items(names: Sequence[str], index: int) -> bool:
    """Return whether a column is the list of the items of a response, in which its answer is."""
    name = names[index]
    return name.rpartition(".")[2] == "output" and f"{name}.assistant" in names


def columns_of_fact(systems: Mapping[str, FileColumn], fact: Fact) -> dict[str, FileColumn]:
    """Return the column of a fact for each system whose table contains one system and the fact."""
    tables = Counter(column.content for column in systems.values() if column.in_table)
    columns = {
        name: column_of_fact(column.content, fact) for name, column in systems.items() if tables[column.content] == 1
    }
    return {name: column for name, column in columns.items() if column is not None}


def columns_of_refusals(systems: Mapping[str, FileColumn]) -> dict[str, FileColumn]:
    """Return the column next to the answers that shows which are refusals, by system; see answer_end."""
    columns = {}
    for name, column in systems.items():
        chat, content, _ = column.name.rpartition("message.content")
        response, assistant, _ = column.name.rpartition(".assistant")
        refusals = f"{chat}message.refusal" if content else response if assistant else ""
        names = column.content.names
        if refusals in names and (content or has_items(names, names.index(refusals))):
            columns[name] = column.content.column("refusal", names.index(refusals))
    return columns


def answer_end(value: Any, refusal: Any = None) -> AnswerEnd:
    """Return how an answer ended.

    Args:
        value: Value of the field of the end, which may be an object with a reason.
        refusal: Text of a refused chat completion, or items of a response, of which one may be a refusal; both end like
            answers.
    """
    items = refusal if isinstance(refusal, list) else []
    parts = [part for item in items if isinstance(item, dict) for part in item.get("content") or ()]
    if (isinstance(refusal, str) and refusal) or any(
        isinstance(part, dict) and part.get("type") == "refusal" for part in parts
    ):
        return "refusals"
    reason = value.get("reason") if isinstance(value, Mapping) else value
    return _ENDS.get(reason.casefold(), "") if isinstance(reason, str) else ""
