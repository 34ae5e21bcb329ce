"""What of the Chat Completions API a server takes: it is found out by asking, and remembered.

Servers that speak "the same" API differ in how they are told the form of an answer, its longest length, the temperature
and streaming. A request starts with the newest form of everything; each refusal that names a parameter gives up one of
them. What the model is asked is never changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Any

from orchestrator.llm.model import ModelRequest
from orchestrator.llm.openai.refusal import ServerRefusal

_NAMES: Mapping[str, re.Pattern[str]] = {
    "response_format": re.compile(
        r"\b(?:response_format|json_schema|json_object|structured outputs?)\b", re.IGNORECASE
    ),
    "temperature": re.compile(r"\btemperature\b", re.IGNORECASE),
    "stream_options": re.compile(r"\b(?:stream_options|include_usage)\b", re.IGNORECASE),
    "stream": re.compile(r"\bstream(?:ing)?\b", re.IGNORECASE),
    "max_completion_tokens": re.compile(r"\bmax_completion_tokens\b", re.IGNORECASE),
    "max_tokens": re.compile(r"\bmax_tokens\b", re.IGNORECASE),
}
"""How servers name the parameters that a request can do without."""


@dataclass(frozen=True, slots=True)
class Dialect:
    """What a server takes.

    Attributes:
        answer_forms: The kinds of `response_format` not yet refused, the one in use first; empty: none is sent.
        limits: The names of the longest length not yet refused, the one in use first; empty: none is sent.
        takes_temperature: It takes a temperature.
        takes_stream_options: It takes the option to say the usage at the end of a stream.
        streams: It streams.
    """

    answer_forms: tuple[str, ...] = ("json_schema", "json_object")
    limits: tuple[str, ...] = ("max_completion_tokens", "max_tokens")
    takes_temperature: bool = True
    takes_stream_options: bool = True
    streams: bool = True

    def parameters(self, request: ModelRequest) -> dict[str, Any]:
        """Return the request's parameters, without the model's name."""
        # What a lone surrogate stands for cannot be sent.
        texts = [message.text.encode("utf-8", "replace").decode() for message in request.messages]
        parameters: dict[str, Any] = {
            "messages": [
                {"role": message.role, "content": text} for message, text in zip(request.messages, texts, strict=True)
            ],
            "stream": self.streams,
        }
        if self.streams and self.takes_stream_options:
            parameters["stream_options"] = {"include_usage": True}
        if self.takes_temperature:
            parameters["temperature"] = request.temperature
        if self.limits:
            parameters[self.limits[0]] = request.max_tokens
        if request.schema is not None and self.answer_forms:
            parameters["response_format"] = _response_format(self.answer_forms[0], request)
        return parameters

    def after(self, refusal: ServerRefusal, request: ModelRequest) -> Dialect | None:
        """Return what to try after a refusal of this request; None when it is about nothing that can be given up.

        One that names no parameter is put down to the form of the answer, in which servers differ most.
        """
        if not refusal.may_be_about_a_parameter:
            return None
        blamed = refusal.parameter if refusal.parameter in _NAMES else _first_named(refusal.words) or "response_format"
        return self._without(blamed) if blamed in self.parameters(request) else None

    def _without(self, parameter: str) -> Dialect | None:
        match parameter:
            case "response_format":
                return replace(self, answer_forms=self.answer_forms[1:])
            case "max_completion_tokens" | "max_tokens":
                return replace(self, limits=self.limits[1:])
            case "temperature":
                return replace(self, takes_temperature=False)
            case "stream_options":
                return replace(self, takes_stream_options=False)
            case "stream" if self.streams:
                return replace(self, streams=False)
            case _:
                return None


def _response_format(form: str, request: ModelRequest) -> dict[str, Any]:
    if form != "json_schema":
        return {"type": form}
    return {"type": form, "json_schema": {"name": request.purpose.value, "strict": True, "schema": request.schema}}


def _first_named(words: str) -> str:
    """Return the parameter that is named first: servers name what they refuse before what they want instead."""
    found = {name: match.start() for name, pattern in _NAMES.items() if (match := pattern.search(words))}
    return min(found, key=found.__getitem__, default="")
