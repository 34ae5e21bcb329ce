"""Which language model is used and how: the settings of one run, read from variables that were already gathered.

Only CLINIC_MESH_LLM switches a model on; a key that happens to lie in the environment never does. Credentials and
addresses go by the names that the `openai` SDK gives them, and are never flags. Nothing is connected to here, and the
SDK is not loaded.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from enum import StrEnum
from typing import TypeVar
from urllib.parse import urlsplit

_T = TypeVar("_T")


class Provider(StrEnum):
    """Whose API is spoken."""

    AZURE = "azure"
    OPENAI = "openai"  # or any server that speaks the same: Ollama, vLLM, llama.cpp


class PlannerVariant(StrEnum):
    """How the model plans (blueprint 2.3.1)."""

    DIRECT = "llm"
    COT = "cot"  # with a chain of thought


class ModelSettingsError(ValueError):
    """A setting of the model is missing or not allowed; the message names the variable, never a value."""


@dataclass(frozen=True, slots=True)
class Prices:
    """What a provider charges, in US dollars.

    Attributes:
        prompt_usd: For a million tokens read.
        completion_usd: For a million tokens written.
    """

    prompt_usd: float
    completion_usd: float

    def cost_usd(self, prompt_tokens: int, completion_tokens: int) -> float:
        """Return what a call cost."""
        return (prompt_tokens * self.prompt_usd + completion_tokens * self.completion_usd) / 1_000_000


@dataclass(frozen=True, slots=True, kw_only=True)
class ModelConfiguration:
    """A language model and how it is called.

    Attributes:
        provider: Whose API.
        model: The model; on Azure the deployment.
        endpoint: The base URL; on Azure the resource's endpoint. None: OpenAI's own.
        api_version: The version of Azure's API; None elsewhere.
        api_key: The key; None where a token serves or a compatible server asks for none.
        azure_ad_token: The Microsoft Entra ID token that serves in place of a key.
        planner: How the model plans.
        timeout_s: Seconds that one call may take, retries included.
        max_retries: How often a call is repeated after 429, 5xx or a broken connection.
        prices: What tokens cost; None: costs are not counted.
        history_tokens: How much of the conversation a prompt may repeat, in tokens.
    """

    provider: Provider
    model: str
    endpoint: str | None = field(default=None, repr=False)
    api_version: str | None = None
    api_key: str | None = field(default=None, repr=False)
    azure_ad_token: str | None = field(default=None, repr=False)
    planner: PlannerVariant = PlannerVariant.DIRECT
    timeout_s: float = 20.0
    max_retries: int = 2
    prices: Prices | None = None
    history_tokens: int = 2000


OWN: Mapping[str, str] = {
    "CLINIC_MESH_LLM": "off, azure or openai",
    "CLINIC_MESH_LLM_MODEL": "the model; on Azure the deployment",
    "CLINIC_MESH_LLM_PLANNER": "llm or cot",
    "CLINIC_MESH_LLM_TIMEOUT_S": "seconds, more than 0 and at most 600",
    "CLINIC_MESH_LLM_PRICES": "US dollars for a million tokens read and written, such as 2.5,10",
    "CLINIC_MESH_LLM_HISTORY_TOKENS": "a number of tokens from 0 to 100000",
}
"""What each of our own variables takes, in words."""

OF_SDK: Mapping[str, str] = {
    "OPENAI_API_KEY": "the key of OpenAI or of a compatible server",
    "OPENAI_BASE_URL": "an http or https URL such as http://127.0.0.1:11434/v1",
    "AZURE_OPENAI_ENDPOINT": "the resource's https URL such as https://NAME.openai.azure.com",
    "AZURE_OPENAI_API_KEY": "the resource's key",
    "AZURE_OPENAI_AD_TOKEN": "a Microsoft Entra ID token",
    "AZURE_OPENAI_DEPLOYMENT": "the deployment's name",
    "OPENAI_API_VERSION": "the version of Azure's API such as 2024-10-21",
}
"""What each of the variables takes that other programs use too, in words."""

_LONGEST_S = 600.0
_MOST_HISTORY_TOKENS = 100_000


def read_model_configuration(variables: Mapping[str, str]) -> ModelConfiguration | None:
    """Return which model is used; None where it is switched off.

    Args:
        variables: The variables of `OWN` and `OF_SDK` that are set, and any others.

    Raises:
        ModelSettingsError: A variable is missing or not allowed.
    """
    given = {name: variables[name].strip() for name in (*OWN, *OF_SDK) if variables.get(name, "").strip()}
    switch = given.get("CLINIC_MESH_LLM", "off")
    if switch == "off":
        return None
    provider = _parsed(given, "CLINIC_MESH_LLM", Provider, Provider.OPENAI)
    read = _azure if provider is Provider.AZURE else _openai
    return read(given)


def _azure(given: Mapping[str, str]) -> ModelConfiguration:
    token = _parsed(given, "AZURE_OPENAI_AD_TOKEN", _credential, None)
    # The SDK takes one of the two, and prefers the token.
    key = None if token else _parsed(given, "AZURE_OPENAI_API_KEY", _credential, None)
    if not token and not key:
        raise _missing("AZURE_OPENAI_API_KEY", "or AZURE_OPENAI_AD_TOKEN")
    return _configuration(
        given,
        Provider.AZURE,
        model=given.get("CLINIC_MESH_LLM_MODEL") or _required(given, "AZURE_OPENAI_DEPLOYMENT"),
        endpoint=_parsed(given, "AZURE_OPENAI_ENDPOINT", _url, None) or _required(given, "AZURE_OPENAI_ENDPOINT"),
        api_version=_required(given, "OPENAI_API_VERSION"),
        api_key=key,
        azure_ad_token=token,
    )


def _openai(given: Mapping[str, str]) -> ModelConfiguration:
    endpoint = _parsed(given, "OPENAI_BASE_URL", _url, None)
    key = _parsed(given, "OPENAI_API_KEY", _credential, None)
    if endpoint is None and key is None:
        raise _missing("OPENAI_API_KEY", "or OPENAI_BASE_URL for a server that asks for no key")
    model = _required(given, "CLINIC_MESH_LLM_MODEL")
    return _configuration(given, Provider.OPENAI, model=model, endpoint=endpoint, api_key=key)


def _configuration(
    given: Mapping[str, str],
    provider: Provider,
    *,
    model: str,
    endpoint: str | None,
    api_key: str | None,
    api_version: str | None = None,
    azure_ad_token: str | None = None,
) -> ModelConfiguration:
    return ModelConfiguration(
        provider=provider,
        model=model,
        endpoint=endpoint,
        api_version=api_version,
        api_key=api_key,
        azure_ad_token=azure_ad_token,
        planner=_parsed(given, "CLINIC_MESH_LLM_PLANNER", PlannerVariant, PlannerVariant.DIRECT),
        timeout_s=_parsed(given, "CLINIC_MESH_LLM_TIMEOUT_S", _seconds, 20.0),
        prices=_parsed(given, "CLINIC_MESH_LLM_PRICES", _prices, None),
        history_tokens=_parsed(given, "CLINIC_MESH_LLM_HISTORY_TOKENS", _history_tokens, 2000),
    )


def _required(given: Mapping[str, str], name: str) -> str:
    if name not in given:
        raise _missing(name)
    return given[name]


def _missing(name: str, alternative: str = "") -> ModelSettingsError:
    hint = f" ({alternative})" if alternative else ""
    what = OF_SDK.get(name) or OWN[name]
    return ModelSettingsError(f"{name}{hint}: not set; give {what}, or set CLINIC_MESH_LLM=off")


def _parsed(given: Mapping[str, str], name: str, parse: Callable[[str], _T], default: _T) -> _T:
    if name not in given:
        return default
    try:
        return parse(given[name])
    except ValueError:
        raise ModelSettingsError(f"{name}: {OF_SDK.get(name) or OWN[name]} is expected") from None


def _credential(text: str) -> str:
    # It becomes a header: anything else would be an error of the transport, which quotes it.
    if not text.isascii() or not text.isprintable() or " " in text:
        raise ValueError
    return text


def _url(text: str) -> str:
    parts = urlsplit(text)
    if parts.scheme not in {"http", "https"} or not parts.hostname or parts.query or parts.fragment:
        raise ValueError
    _ = parts.port  # raises ValueError when it is none
    return text


def _seconds(text: str) -> float:
    seconds = float(text)
    if not 0 < seconds <= _LONGEST_S:
        raise ValueError
    return seconds


def _prices(text: str) -> Prices:
    prompt_usd, completion_usd = (float(part) for part in text.split(","))
    if not all(math.isfinite(price) and price >= 0 for price in (prompt_usd, completion_usd)):
        raise ValueError
    return Prices(prompt_usd, completion_usd)


def _history_tokens(text: str) -> int:
    tokens = int(text)
    if not 0 <= tokens <= _MOST_HISTORY_TOKENS:
        raise ValueError
    return tokens
