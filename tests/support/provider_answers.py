"""Answers of language models as providers write them: chat completions, Responses, Messages, Gemini, Converse.

The forms have the fields of ``openai.types.chat.ChatCompletion``, ``openai.types.responses.Response``,
``anthropic.types.Message``, ``google.genai.types.GenerateContentResponse``, and of ``ConverseResponse`` in the model of
the service bedrock-runtime of botocore 1.44.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterable, Mapping
from pathlib import Path
from typing import Any, NamedTuple


class Answer(NamedTuple):
    """An answer: its text, how it ended ("cut", "refusals" or ""), and its numbers of tokens; None: no usage."""

    text: str
    end: str = ""
    tokens: tuple[int, int] | None = (100, 10)


def chat_completion(number: int, answer: Answer) -> dict[str, Any]:
    """Return a row of an OpenAI batch of chat completions; a refusal has no content."""
    is_refusal = answer.end == "refusals"
    message = {"role": "assistant", "content": None if is_refusal else answer.text}
    message |= {"refusal": answer.text if is_refusal else None}
    reason = {"cut": "length", "refusals": "content_filter", "": "stop"}[answer.end]
    body = {"id": "c", "choices": [{"index": 0, "message": message, "logprobs": None, "finish_reason": reason}]}
    names = ("prompt_tokens", "completion_tokens")
    body |= {} if answer.tokens is None else {"usage": dict(zip(names, answer.tokens, strict=True))}
    return {"custom_id": f"request-{number}", "response": {"status_code": 200, "body": body}, "error": None}


def response(number: int, answer: Answer) -> dict[str, Any]:
    """Return a row of an OpenAI batch of Responses: odd ones have reasoning before the answer."""
    part = {"type": "output_text", "annotations": [], "text": answer.text}
    part = {"type": "refusal", "refusal": answer.text} if answer.end == "refusals" else part
    message = {"type": "message", "id": "m", "role": "assistant", "status": "completed", "content": [part]}
    items = [{"type": "reasoning", "id": "r", "summary": []}] * (number % 2 or not answer.text)
    items += [message] if answer.text else []
    details = {"cut": {"reason": "max_output_tokens"}, "refusals": {"reason": "content_filter"}, "": None}[answer.end]
    body = {"id": "x", "status": "incomplete" if details else "completed", "incomplete_details": details}
    body |= {"output": items}
    names = ("input_tokens", "output_tokens")
    body |= {} if answer.tokens is None else {"usage": dict(zip(names, answer.tokens, strict=True))}
    return {"custom_id": f"request-{number}", "response": {"status_code": 200, "body": body}, "error": None}


def message(number: int, answer: Answer) -> dict[str, Any]:
    """Return a row of an Anthropic batch: odd ones have reasoning before the answer."""
    parts = [{"type": "thinking", "thinking": "It is about food.", "signature": "s"}] * (number % 2)
    parts += [{"type": "text", "text": answer.text}] if answer.text else []
    reason = {"cut": "max_tokens", "refusals": "refusal", "": "end_turn"}[answer.end]
    content = {"id": "m", "type": "message", "role": "assistant", "content": parts, "stop_reason": reason}
    names = ("input_tokens", "output_tokens")
    content |= {} if answer.tokens is None else {"usage": dict(zip(names, answer.tokens, strict=True))}
    return {"custom_id": f"request-{number}", "result": {"type": "succeeded", "message": content}}


def generated_content(number: int, answer: Answer) -> dict[str, Any]:
    """Return a row of a Gemini batch: odd ones have reasoning before the answer, whose text is in two parts."""
    is_thoughtful = number % 2 == 1
    texts = [answer.text[:9], answer.text[9:]] if answer.text else []
    parts = [{"text": "It is about food.", "thought": True}] * is_thoughtful + [{"text": text} for text in texts]
    content = {"role": "model"} | ({"parts": parts} if parts else {})
    reason = {"cut": "MAX_TOKENS", "refusals": "SAFETY", "": "STOP"}[answer.end]
    body: dict[str, Any] = {"candidates": [{"content": content, "finishReason": reason, "index": 0}]}
    if answer.tokens is not None:
        prompt, text = answer.tokens
        thoughts = {"thoughtsTokenCount": text // 2} if is_thoughtful else {}
        text -= sum(thoughts.values())
        body["usageMetadata"] = {"promptTokenCount": prompt, "candidatesTokenCount": text, **thoughts}
    return {"key": f"request-{number}", "response": body}


def converse(number: int, answer: Answer) -> dict[str, Any]:
    """Return a row of Bedrock's Converse: odd ones have reasoning before the answer."""
    parts: list[dict[str, Any]] = [{"reasoningContent": {"reasoningText": {"text": "It is about food."}}}] * (
        number % 2
    )
    parts += [{"text": answer.text}] if answer.text else []
    reason = {"cut": "max_tokens", "refusals": "guardrail_intervened", "": "end_turn"}[answer.end]
    body: dict[str, Any] = {"output": {"message": {"role": "assistant", "content": parts}}, "stopReason": reason}
    names = ("inputTokens", "outputTokens")
    body |= {} if answer.tokens is None else {"usage": dict(zip(names, answer.tokens, strict=True))}
    return {"recordId": f"request-{number}", "modelOutput": body}


#: Columns of identifiers that are not ``custom_id``.
KEYS = {"Gemini": "key", "Converse": "recordId"}
FORMS: Mapping[str, Callable[[int, Answer], dict[str, Any]]] = {
    "chat completions": chat_completion,
    "Responses": response,
    "Messages": message,
    "Gemini": generated_content,
    "Converse": converse,
}


def write_answers(path: Path, answers: Iterable[Answer], form: str = "chat completions") -> Path:
    """Write a batch file in reverse order, with a field latency_ms of 500, 510, …, and return its path."""
    rows = [FORMS[form](number, answer) | {"latency_ms": 500 + 10 * number} for number, answer in enumerate(answers)]
    path.write_text("".join(f"{json.dumps(row)}\n" for row in reversed(rows)), encoding="utf-8")
    return path
