"""Which language model is used and how: the settings of one run; nothing is connected to here.

Only CLINIC_MESH_LLM switches a model on. Credentials have the names of the `openai` SDK, and are never flags.
"""

from collections.abc import Mapping
from dataclasses import dataclass, field, replace
from enum import StrEnum
from typing import Any

from orchestrator.settings_table import SETTINGS, SettingsError

# Our own variables, and those that other programs use too.
MODEL_VARIABLES = tuple(name for name in SETTINGS if name.startswith(("CLINIC_MESH_LLM", "OPENAI_", "AZURE_OPENAI_")))


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
