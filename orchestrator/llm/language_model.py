"""The port to a language model: which is used and how, by the settings of one run, and how a turn uses it.

Only CLINIC_MESH_LLM switches a model on. Credentials have the names of the `openai` SDK, and are never flags. What is
asked is counted, timed, limited per person, and left alone if it fails.
"""

import secrets
import threading
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any, ClassVar, Protocol

from mesh.limits import TokenBucket
from orchestrator import journal
from orchestrator.journal import ANSWERED, EventChannel, ModelFailure, Purpose, Usage
from orchestrator.settings_table import SETTINGS, SettingsError
from orchestrator.turn import TurnScope

# Our own variables, and those that other programs use too.
MODEL_VARIABLES = tuple(name for name in SETTINGS if name.startswith(("CLINIC_MESH_LLM", "OPENAI_", "AZURE_OPENAI_")))

JsonSchema = Mapping[str, Any]  # A JSON Schema; its values are whatever a keyword takes

PAUSE_S = 30.0
_SHORTEST_S = 1.0
_LONGEST_S = 600.0

Throttle = Mapping[Purpose, TokenBucket]  # how often one person may ask, within this process; no limit without a bucket

UNTHROTTLED: Throttle = {}  # for evaluations, which ask as fast as they can on purpose

_SPEAKER_KEY = secrets.token_bytes(16)  # what people are told apart by, in this process only


class Provider(StrEnum):
    """Whose API is spoken."""

    AZURE = "azure"
    OPENAI = "openai"  # or any server that speaks the same: Ollama, vLLM, llama.cpp


class PlannerVariant(StrEnum):
    """How the model plans (blueprint 2.3.1)."""

    DIRECT = "llm"
    COT = "cot"  # with a chain of thought


class ReplyRequests(StrEnum):
    """When the model is asked a second time, what the reply says (blueprint 2.3.3)."""

    NEEDED = "needed"  # where its plan waits for the answers, or a step of it was turned down
    ALWAYS = "always"  # after every read, and everything is audited: the blueprint's protocol


@dataclass(frozen=True, slots=True)
class Prices:
    """What a provider charges, in US dollars."""

    prompt_usd: float  # for a million tokens read
    completion_usd: float  # for a million tokens written

    def cost_usd(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return the cost of a call."""
        return (prompt_tokens * self.prompt_usd + completion_tokens * self.completion_usd) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfiguration:
    """A language model and how it is called."""

    provider: Provider  # whose API
    model: str  # the model; on Azure the deployment
    endpoint: str | None = field(default=None, repr=False)  # on Azure the resource's; None: OpenAI's own
    api_version: str | None = None  # the version of Azure's API; None elsewhere
    api_key: str | None = field(default=None, repr=False)  # None where a token serves, or none is asked for
    azure_ad_token: str | None = field(default=None, repr=False)  # of Microsoft Entra ID, in place of a key
    planner: PlannerVariant = PlannerVariant.DIRECT  # how the model plans
    reply: ReplyRequests = ReplyRequests.NEEDED  # when it is asked again, about the reply
    timeout_s: float = 20.0  # seconds that one call may take, retries included
    max_retries: int = 2  # how often a call is repeated after 429, 5xx or a broken connection
    prices: Prices | None = None  # what tokens cost; None: costs are not counted
    history_tokens: int = 2000  # how much of the conversation a prompt may repeat, in tokens


def read_model_configuration(variables: Mapping[str, str]) -> ModelConfiguration | None:
    """Return the model to be used, None where it is switched off; raise SettingsError for a bad variable."""
    given = {name: text for name in MODEL_VARIABLES if (text := variables.get(name, "").strip())}
    switch = _value(given, "CLINIC_MESH_LLM") or "off"
    if switch == "off":
        return None
    configuration = _azure(given) if Provider(switch) is Provider.AZURE else _openai(given)
    options = {
        "planner": PlannerVariant(_value(given, "CLINIC_MESH_LLM_PLANNER") or PlannerVariant.DIRECT),
        "reply": ReplyRequests(_value(given, "CLINIC_MESH_LLM_REPLY") or ReplyRequests.NEEDED),
        "timeout_s": _value(given, "CLINIC_MESH_LLM_TIMEOUT_S"),
        "prices": (prices := _value(given, "CLINIC_MESH_LLM_PRICES")) and Prices(*prices),
        "history_tokens": _value(given, "CLINIC_MESH_LLM_HISTORY_TOKENS"),
    }
    return replace(configuration, **{name: value for name, value in options.items() if value is not None})


def _azure(given: Mapping[str, str]) -> ModelConfiguration:
    token = _value(given, "AZURE_OPENAI_AD_TOKEN")
    # The SDK takes one of the two, and prefers the token.
    key = None if token else _value(given, "AZURE_OPENAI_API_KEY")
    if not token and not key:
        raise _missing("AZURE_OPENAI_API_KEY", "or AZURE_OPENAI_AD_TOKEN")
    return ModelConfiguration(
        provider=Provider.AZURE,
        model=given.get("CLINIC_MESH_LLM_MODEL") or _required(given, "AZURE_OPENAI_DEPLOYMENT"),
        endpoint=_required(given, "AZURE_OPENAI_ENDPOINT"),
        api_version=_required(given, "OPENAI_API_VERSION"),
        api_key=key,
        azure_ad_token=token,
    )


def _openai(given: Mapping[str, str]) -> ModelConfiguration:
    endpoint, key = _value(given, "OPENAI_BASE_URL"), _value(given, "OPENAI_API_KEY")
    if endpoint is None and key is None:
        raise _missing("OPENAI_API_KEY", "or OPENAI_BASE_URL for a server that asks for no key")
    model = _required(given, "CLINIC_MESH_LLM_MODEL")
    return ModelConfiguration(provider=Provider.OPENAI, model=model, endpoint=endpoint, api_key=key)


def _value(given: Mapping[str, str], name: str) -> Any:  # noqa: ANN401 - each setting has a type of its own
    return SETTINGS[name].read(given[name]) if name in given else None


def _required(given: Mapping[str, str], name: str) -> str:
    if name not in given:
        raise _missing(name)
    return str(_value(given, name))


def _missing(name: str, alternative: str = "") -> SettingsError:
    hint = f" ({alternative})" if alternative else ""
    return SettingsError(f"{name}{hint}: not set; give {SETTINGS[name].allowed}, or set CLINIC_MESH_LLM=off")


@dataclass(frozen=True, slots=True)
class ModelRequest:
    """What a model is asked; its texts may quote a person and are not in the representation."""

    purpose: Purpose
    system: str = field(repr=False)  # the instructions; empty for none
    user: str = field(repr=False)  # what they are about; all that people wrote has passed the session's pseudonyms
    temperature: float = 0.0  # 0.0 for the same answer each time
    schema: JsonSchema | None = None  # the JSON Schema that the answer must have; None for running text
    max_tokens: int = 2048


@dataclass(frozen=True, slots=True)
class Completion:
    """A model's answer: the whole text (never empty), what it consumed, and how often it was asked again."""

    text: str = field(repr=False)
    usage: Usage = field(default_factory=Usage)
    retries: int = 0
    failure: ClassVar[None] = None
    first_token_s: float | None = None  # seconds until its text began; None where it came at once


@dataclass(eq=False, repr=False)
class ModelError(Exception):
    """A model gave no text; the message says what happened and what to do, and repeats nothing that was sent."""

    failure: ModelFailure
    message: str
    retry_after_s: float | None = None  # for which the server wants to be left alone; None where it did not say
    usage: Usage = field(default_factory=Usage)  # consumed all the same
    retries: int = 0  # how often the request was sent again
    first_token_s: ClassVar[None] = None

    def __str__(self) -> str:
        return self.message


class LanguageModel(Protocol):
    """A language model: complete prompts."""

    @property
    def name(self) -> str:
        """What logs call it: the model or the deployment."""

    def complete(self, request: ModelRequest, cancel: threading.Event) -> Completion:
        """Return the answer to a prompt or raise ModelError; another thread may set `cancel` to stop waiting."""


class Asker(Protocol):
    """A language model as the stages of one turn use it: counted, cancellable, left alone while it fails."""

    def ask(self, request: ModelRequest) -> str:
        """Return the answer to a prompt or raise ModelError."""


class CircuitBreaker:
    """Leave a model alone for a while after it failed; after the pause, one call at a time may find out.

    Thread-safe. Every call that `admits` lets through must be reported. `clock` is monotonic, in seconds.
    """

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._open_until: float | None = None
        self._is_being_tried = False

    def admits(self) -> bool:
        """Return whether a call may be made now."""
        with self._lock:
            if self._open_until is None:
                return True
            if self._is_being_tried or self._clock() < self._open_until:
                return False
            self._is_being_tried = True
            return True

    def succeeded(self) -> None:
        """Take note that the model answered."""
        with self._lock:
            self._open_until, self._is_being_tried = None, False

    def failed(self, error: ModelError) -> float | None:
        """Take note of a failed call; return the seconds for which it leaves the model alone, else None."""
        with self._lock:
            was_left_alone = self._open_until is not None and not self._is_being_tried
            self._is_being_tried = False
            if error.failure is ModelFailure.CANCELLED:
                return None  # the next call may find out
            if error.failure in ANSWERED:
                self._open_until = None
                return None
            pause_s = PAUSE_S if error.retry_after_s is None else error.retry_after_s
            pause_s = min(max(pause_s, _SHORTEST_S), _LONGEST_S)
            self._open_until = max(self._clock() + pause_s, self._open_until or 0.0)
            return None if was_left_alone else pause_s


def throttle_of_people() -> Throttle:
    """Return the limits for people: more than anybody types, less than a script in a loop would spend."""
    asked_alike = dict.fromkeys((Purpose.PLAN, Purpose.WRITE, Purpose.STRUCTURE), TokenBucket(60, 1.0))
    return {**asked_alike, Purpose.ANSWER: TokenBucket(5, 1 / 12)}


@dataclass(frozen=True, slots=True)
class TurnAsker:
    """Ask a model on behalf of one turn; every call, also one that is not made, ends with one `ModelAnswered`."""

    model: LanguageModel
    circuit: CircuitBreaker
    events: EventChannel
    scope: TurnScope
    throttle: Throttle = field(default_factory=dict)

    def ask(self, request: ModelRequest) -> str:
        """Return the answer, or raise ModelError; SUSPENDED while the model is left alone, THROTTLED when overused."""
        with self.events.span("model"):
            if refusal := self._refusal(request.purpose):
                self._answered(request, refusal, 0.0)
                raise refusal
            started = time.monotonic()
            try:
                self.events.publish(journal.ModelAsked(request.purpose))
                completion = self.model.complete(request, self.scope.cancel)
            except ModelError as error:
                pause_s = self.circuit.failed(error)
                self._answered(request, error, time.monotonic() - started)
                if pause_s is not None:
                    self.events.publish(journal.ModelSuspended(error.failure, pause_s))
                raise
            except BaseException:
                # An interruption or a fault of ours says nothing of the model, and the circuit must not wait for it.
                self.circuit.failed(ModelError(ModelFailure.CANCELLED, "the call was left"))
                raise
            self.circuit.succeeded()
            self._answered(request, completion, time.monotonic() - started)
            return completion.text

    def _refusal(self, purpose: Purpose) -> ModelError | None:
        bucket = self.throttle.get(purpose)
        wait_s = None if bucket is None else bucket.take(self.scope.identity.digest(_SPEAKER_KEY))
        if wait_s is not None:
            self.events.publish(journal.ModelThrottled(purpose, wait_s))
            return ModelError(ModelFailure.THROTTLED, "asked too often; wait a while", retry_after_s=wait_s)
        if not self.circuit.admits():
            return ModelError(ModelFailure.SUSPENDED, "the model failed a moment ago and is left alone for a while")
        return None

    def _answered(self, request: ModelRequest, outcome: Completion | ModelError, elapsed_s: float) -> None:
        told = outcome.usage, outcome.retries, outcome.failure, elapsed_s, outcome.first_token_s
        self.events.publish(journal.ModelAnswered(request.purpose, self.model.name, *told))
