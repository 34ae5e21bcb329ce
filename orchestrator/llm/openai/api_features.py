"""What of the Chat Completions API a server takes, found out by asking, and what its refusals mean.

Each refusal that names a parameter gives up one of the newest forms; a server's words are never repeated.
"""

import json
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime
from http import HTTPStatus
from typing import Any

from orchestrator.journal import ModelFailure
from orchestrator.llm.language_model import ModelConfiguration, ModelError, ModelRequest, Provider
from orchestrator.texts import patterns_in

_BAD_REQUEST = frozenset({HTTPStatus.BAD_REQUEST, HTTPStatus.UNPROCESSABLE_ENTITY})
_CREDENTIALS = frozenset({HTTPStatus.UNAUTHORIZED, HTTPStatus.FORBIDDEN})
_LONGEST_WORDS = 4000

_NAMES: Mapping[str, re.Pattern[str]] = {
    name: re.compile(rf"\b{words}\b", re.IGNORECASE)
    for name, words in patterns_in("parameters.txt", __package__).items()
}


@dataclass(frozen=True, slots=True)
class ServerRefusal:
    """An HTTP error."""

    status: int
    code: str  # the error's code, as OpenAI and Azure give one; empty otherwise
    parameter: str  # the request's parameter that it is about; empty where it does not say
    words: str = field(repr=False)  # what else it says
    retry_after_s: float | None  # seconds for which the server wants to be left alone; None where it does not say

    @classmethod
    def of(cls, status: int, body: object, headers: Mapping[str, str], now: datetime) -> "ServerRefusal":
        """Return the refusal that an HTTP response is; `now` serves dates in headers."""
        error = body if isinstance(body, dict) else {}
        # Servers built on FastAPI name the parameter in "detail", and quote the whole request beside it.
        detail = error.get("detail")
        entries = detail if isinstance(detail, list) else []
        locations = [entry.get("loc") for entry in entries if isinstance(entry, dict)]
        places = [" ".join(map(str, place)) for place in locations if isinstance(place, list)]
        words = (body, error.get("message"), detail, *places)
        return cls(
            status,
            code=_text(error.get("code")),
            parameter=_text(error.get("param")).partition(".")[0].partition("[")[0],
            words="\n".join(map(_text, words))[:_LONGEST_WORDS],
            retry_after_s=_retry_after_s(headers, now),
        )

    def as_error(self, configuration: ModelConfiguration) -> ModelError:
        """Return the error with what happened and what to do."""
        failure, message = self._meaning(configuration)
        return ModelError(failure, f"HTTP {self.status}: {message}", retry_after_s=self.retry_after_s)

    def _meaning(self, configuration: ModelConfiguration) -> tuple[ModelFailure, str]:
        if self.status == HTTPStatus.TOO_MANY_REQUESTS:
            advice = "the rate limit or the quota is used up; wait, or raise it at the provider"
            return ModelFailure.RATE_LIMITED, advice
        if self.status >= HTTPStatus.INTERNAL_SERVER_ERROR or self.status == HTTPStatus.REQUEST_TIMEOUT:
            return ModelFailure.SERVER_ERROR, "the model's server failed; try again later"
        if self.code == "content_filter":
            return ModelFailure.REFUSED, "the provider's content filter declined the prompt"
        is_azure = configuration.provider is Provider.AZURE
        if self.status in _CREDENTIALS:
            names = "AZURE_OPENAI_API_KEY or AZURE_OPENAI_AD_TOKEN" if is_azure else "OPENAI_API_KEY"
            return ModelFailure.REJECTED, f"the credentials are not accepted; check {names}"
        if self.status == HTTPStatus.NOT_FOUND:
            names = "AZURE_OPENAI_ENDPOINT and OPENAI_API_VERSION" if is_azure else "OPENAI_BASE_URL"
            return ModelFailure.REJECTED, f"no such model or address; check CLINIC_MESH_LLM_MODEL, {names}"
        return ModelFailure.REJECTED, "the model's server does not take the request; run clinic-mesh doctor"


def _retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    for name, unit_s in (("retry-after-ms", 0.001), ("retry-after", 1.0)):
        value = headers.get(name)
        if value is None:
            continue
        try:
            seconds = float(value) * unit_s
        except ValueError:
            seconds = _seconds_until(value, now)
        if math.isfinite(seconds):
            return max(0.0, seconds)
    return None


def _seconds_until(date: str, now: datetime) -> float:
    try:
        at = parsedate_to_datetime(date)
        return ((at if at.tzinfo else at.replace(tzinfo=UTC)) - now).total_seconds()
    except (ValueError, OverflowError):
        return math.nan


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""


@dataclass(frozen=True, slots=True)
class ApiFeatures:
    """What a server takes."""

    # the ways to give the form of an answer not yet refused, the one in use first; empty: none is sent
    answer_forms: tuple[str, ...] = ("json_schema", "tool", "json_object")
    # the names of the longest length not yet refused, the one in use first; empty: none is sent
    limits: tuple[str, ...] = ("max_completion_tokens", "max_tokens")
    refused: frozenset[str] = frozenset()  # of a temperature, a stream, and the option to say the usage at its end

    @property
    def streams(self) -> bool:
        """Whether it takes a request for a stream."""
        return "stream" not in self.refused

    def parameters(self, request: ModelRequest) -> dict[str, Any]:
        """Return the request's parameters, without the model's name."""
        messages = [(role, text) for role, text in (("system", request.system), ("user", request.user)) if text]
        if request.schema is not None and self.answer_forms[:1] not in {("json_schema",), ("tool",)}:
            schema = json.dumps(request.schema, separators=(",", ":"))  # a server that takes no schema has it read
            messages[0] = (messages[0][0], f"{messages[0][1]}\n\nJSON Schema of the answer:\n{schema}")
        parameters: dict[str, Any] = {
            # What a lone surrogate stands for cannot be sent.
            "messages": [
                {"role": role, "content": text.encode("utf-8", "replace").decode()} for role, text in messages
            ],
            "stream": self.streams,
        }
        if self.streams and "stream_options" not in self.refused:
            parameters["stream_options"] = {"include_usage": True}
        if "temperature" not in self.refused:
            parameters["temperature"] = request.temperature
        if self.limits:
            parameters[self.limits[0]] = request.max_tokens
        if request.schema is not None and self.answer_forms:
            parameters |= _answer_form(self.answer_forms[0], request)
        return parameters

    def after(self, refusal: ServerRefusal, request: ModelRequest) -> "ApiFeatures | None":
        """Return what to try after a refusal, another form if it names no parameter; None when nothing is left."""
        if refusal.status not in _BAD_REQUEST or refusal.code in {"content_filter", "context_length_exceeded"}:
            return None
        sent = self.parameters(request)
        form = "tools" if "tools" in sent else "response_format"
        # Servers name what they refuse before what they want instead.
        found = {name: match.start() for name, pattern in _NAMES.items() if (match := pattern.search(refusal.words))}
        named = min(found, key=found.__getitem__, default=form)
        blamed = refusal.parameter if refusal.parameter in _NAMES else named
        return self._without(blamed) if blamed in sent else None

    def _without(self, parameter: str) -> "ApiFeatures | None":
        if parameter in {"response_format", "tools", "tool_choice"}:
            return replace(self, answer_forms=self.answer_forms[1:])
        if parameter in {"max_completion_tokens", "max_tokens"}:
            return replace(self, limits=self.limits[1:])
        return None if parameter in self.refused else replace(self, refused=self.refused | {parameter})


def _answer_form(form: str, request: ModelRequest) -> dict[str, Any]:
    name = request.purpose.value
    if form == "tool":
        function = {"name": name, "strict": True, "parameters": request.schema}
        chosen = {"type": "function", "function": {"name": name}}
        return {"tools": [{"type": "function", "function": function}], "tool_choice": chosen}
    strict = {"json_schema": {"name": name, "strict": True, "schema": request.schema}} if form == "json_schema" else {}
    return {"response_format": {"type": form, **strict}}
