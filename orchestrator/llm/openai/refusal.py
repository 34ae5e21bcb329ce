"""An HTTP error of a model's server: as much of it as is needed to decide what to do, and what a person is told.

Its own words are looked at for the names of parameters and never repeated: servers quote what they were sent.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from email.utils import parsedate_to_datetime

from orchestrator.llm.configuration import ModelConfiguration, Provider
from orchestrator.llm.model import ModelError
from orchestrator.turn import ModelFailure

_BAD_REQUEST = frozenset({400, 422})
_CREDENTIALS = frozenset({401, 403})
_NOT_FOUND = 404
_REQUEST_TIMEOUT = 408
_TOO_MANY = 429
_FIRST_SERVER_ERROR = 500
_LONGEST_WORDS = 4000


@dataclass(frozen=True, slots=True)
class ServerRefusal:
    """An HTTP error.

    Attributes:
        status: The status code.
        code: The error's code, as OpenAI and Azure give one; empty otherwise.
        parameter: The request's parameter that it is about; empty where it does not say.
        words: What else it says.
        retry_after_s: Seconds for which the server wants to be left alone; None where it does not say.
    """

    status: int
    code: str
    parameter: str
    words: str = field(repr=False)
    retry_after_s: float | None

    @classmethod
    def of(cls, status: int, body: object, headers: Mapping[str, str], now: datetime) -> ServerRefusal:
        """Return the refusal that an HTTP response is.

        Args:
            status: Its status code.
            body: Its body: the value of its JSON or of what stands there under "error", or its text.
            headers: Its headers, found without regard to case.
            now: The time, for dates in headers.
        """
        error = body if isinstance(body, dict) else {}
        # Servers built on FastAPI name the parameter in "detail", and quote the whole request beside it.
        detail = error.get("detail")
        entries = detail if isinstance(detail, list) else []
        places = [" ".join(map(str, _list(entry.get("loc")))) for entry in entries if isinstance(entry, dict)]
        words = (body, error.get("message"), detail, *places)
        return cls(
            status,
            code=_text(error.get("code")),
            parameter=_text(error.get("param")).partition(".")[0].partition("[")[0],
            words="\n".join(map(_text, words))[:_LONGEST_WORDS],
            retry_after_s=_retry_after_s(headers, now),
        )

    @property
    def may_be_about_a_parameter(self) -> bool:
        """Whether another form of the same request may be taken."""
        return self.status in _BAD_REQUEST and self.code not in {"content_filter", "context_length_exceeded"}

    def as_error(self, configuration: ModelConfiguration) -> ModelError:
        """Return the error that it means: what happened and what to do."""
        failure, message = self._meaning(configuration)
        return ModelError(failure, f"HTTP {self.status}: {message}", retry_after_s=self.retry_after_s)

    def _meaning(self, configuration: ModelConfiguration) -> tuple[ModelFailure, str]:
        if self.status == _TOO_MANY:
            return (
                ModelFailure.RATE_LIMITED,
                "the rate limit or the quota is used up; wait, or raise it at the provider",
            )
        if self.status >= _FIRST_SERVER_ERROR or self.status == _REQUEST_TIMEOUT:
            return ModelFailure.SERVER_ERROR, "the model's server failed; try again later"
        if self.code == "content_filter":
            return ModelFailure.REFUSED, "the provider's content filter declined the prompt"
        is_azure = configuration.provider is Provider.AZURE
        if self.status in _CREDENTIALS:
            names = "AZURE_OPENAI_API_KEY or AZURE_OPENAI_AD_TOKEN" if is_azure else "OPENAI_API_KEY"
            return ModelFailure.REJECTED, f"the credentials are not accepted; check {names}"
        if self.status == _NOT_FOUND:
            names = "AZURE_OPENAI_ENDPOINT and OPENAI_API_VERSION" if is_azure else "OPENAI_BASE_URL"
            return ModelFailure.REJECTED, f"no such model or address; check CLINIC_MESH_LLM_MODEL, {names}"
        return ModelFailure.REJECTED, "the model's server does not take the request; run clinic-mesh doctor"


def _retry_after_s(headers: Mapping[str, str], now: datetime) -> float | None:
    """Return the seconds of Retry-After (RFC 9110 10.2.3), or of the finer retry-after-ms of Azure and OpenAI."""
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


def _list(value: object) -> list[object]:
    return value if isinstance(value, list) else []


def _text(value: object) -> str:
    return value if isinstance(value, str) else ""
