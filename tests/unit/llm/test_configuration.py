"""Which model is used: only CLINIC_MESH_LLM switches one on, and errors name variables, never values."""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path

import pytest

from orchestrator.fleet.process import clinic_environment
from orchestrator.llm.language_model import (
    MODEL_VARIABLES,
    ModelConfiguration,
    PlannerVariant,
    Prices,
    Provider,
    read_model_configuration,
)
from orchestrator.settings import SettingsError, read_settings
from orchestrator.settings_table import SETTINGS

SECRET = "sk-0123456789"
OPENAI = {"CLINIC_MESH_LLM": "openai", "CLINIC_MESH_LLM_MODEL": "gpt-x", "OPENAI_API_KEY": SECRET}
AZURE = {
    "CLINIC_MESH_LLM": "azure",
    "AZURE_OPENAI_DEPLOYMENT": "mine",
    "AZURE_OPENAI_ENDPOINT": "https://clinic.openai.azure.com",
    "OPENAI_API_VERSION": "2024-10-21",
    "AZURE_OPENAI_API_KEY": SECRET,
}
NOWHERE = Path("/nonexistent/.env")


def test_a_key_in_the_environment_switches_nothing_on() -> None:
    assert (
        read_model_configuration({name: value for name, value in OPENAI.items() if name != "CLINIC_MESH_LLM"}) is None
    )
    assert read_model_configuration({**AZURE, "CLINIC_MESH_LLM": "off"}) is None


def test_openai_needs_a_model_and_a_key() -> None:
    assert read_model_configuration(OPENAI) == ModelConfiguration(
        provider=Provider.OPENAI, model="gpt-x", api_key=SECRET
    )


def test_a_server_of_ones_own_needs_no_key() -> None:
    local = {**OPENAI, "OPENAI_API_KEY": " ", "OPENAI_BASE_URL": "http://127.0.0.1:11434/v1"}
    assert read_model_configuration(local) == ModelConfiguration(
        provider=Provider.OPENAI, model="gpt-x", endpoint="http://127.0.0.1:11434/v1"
    )


def test_azure_needs_endpoint_version_deployment_and_key() -> None:
    assert read_model_configuration(AZURE) == ModelConfiguration(
        provider=Provider.AZURE,
        model="mine",
        endpoint="https://clinic.openai.azure.com",
        api_version="2024-10-21",
        api_key=SECRET,
    )


def test_our_own_name_of_the_deployment_comes_first() -> None:
    configuration = read_model_configuration({**AZURE, "CLINIC_MESH_LLM_MODEL": "other"})
    assert configuration is not None
    assert configuration.model == "other"


def test_a_token_comes_before_a_key() -> None:
    configuration = read_model_configuration({**AZURE, "AZURE_OPENAI_AD_TOKEN": "ey.token"})
    assert configuration is not None
    assert (configuration.azure_ad_token, configuration.api_key) == ("ey.token", None)


def test_how_the_model_is_used_can_be_set() -> None:
    configuration = read_model_configuration(
        {
            **OPENAI,
            "CLINIC_MESH_LLM_PLANNER": "cot",
            "CLINIC_MESH_LLM_TIMEOUT_S": "2.5",
            "CLINIC_MESH_LLM_PRICES": "2.5, 10",
            "CLINIC_MESH_LLM_HISTORY_TOKENS": "0",
        }
    )
    plain = read_model_configuration(OPENAI)
    assert plain is not None
    assert configuration == replace(
        plain, planner=PlannerVariant.COT, timeout_s=2.5, prices=Prices(2.5, 10.0), history_tokens=0
    )


@pytest.mark.parametrize(
    ("variables", "missing"),
    [
        (OPENAI, "OPENAI_API_KEY"),
        (OPENAI, "CLINIC_MESH_LLM_MODEL"),
        (AZURE, "AZURE_OPENAI_ENDPOINT"),
        (AZURE, "AZURE_OPENAI_API_KEY"),
        (AZURE, "AZURE_OPENAI_DEPLOYMENT"),
        (AZURE, "OPENAI_API_VERSION"),
    ],
)
def test_what_is_missing_is_named_with_what_to_do(variables: Mapping[str, str], missing: str) -> None:
    with pytest.raises(SettingsError, match=f"^{missing}.*: not set; give .*CLINIC_MESH_LLM=off$") as refusal:
        read_model_configuration({name: value for name, value in variables.items() if name != missing})
    assert SECRET not in str(refusal.value)


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("CLINIC_MESH_LLM", "bedrock"),
        ("CLINIC_MESH_LLM_PLANNER", "clever"),
        ("CLINIC_MESH_LLM_TIMEOUT_S", "0"),
        ("CLINIC_MESH_LLM_TIMEOUT_S", "601"),
        ("CLINIC_MESH_LLM_TIMEOUT_S", "nan"),
        ("CLINIC_MESH_LLM_TIMEOUT_S", "soon"),
        ("CLINIC_MESH_LLM_PRICES", "2.75"),
        ("CLINIC_MESH_LLM_PRICES", "2.75,-1"),
        ("CLINIC_MESH_LLM_PRICES", "inf,99"),
        ("CLINIC_MESH_LLM_HISTORY_TOKENS", "-1"),
        ("CLINIC_MESH_LLM_HISTORY_TOKENS", "many"),
        ("OPENAI_API_KEY", "chave-secreta-é"),
        ("OPENAI_API_KEY", "two words"),
        ("OPENAI_API_KEY", "two\nlines"),
        ("OPENAI_BASE_URL", "localhost:11434"),
        ("OPENAI_BASE_URL", "ftp://host/v1"),
        ("OPENAI_BASE_URL", "http://"),
        ("OPENAI_BASE_URL", "http://host:port/v1"),
        ("OPENAI_BASE_URL", "http://host/v1?key=1"),
    ],
)
def test_a_value_that_is_not_allowed_is_named_with_what_is(name: str, value: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        read_model_configuration({**OPENAI, name: value})
    allowed = SETTINGS[name].allowed
    assert str(refusal.value) == f"{name}: {allowed} is expected"


def test_what_is_wrong_while_the_model_is_off_disturbs_nobody() -> None:
    assert read_model_configuration({"CLINIC_MESH_LLM_TIMEOUT_S": "soon", "OPENAI_BASE_URL": "?"}) is None


def test_no_secret_is_in_a_representation() -> None:
    configuration = replace(
        ModelConfiguration(provider=Provider.AZURE, model="m"), api_key=SECRET, azure_ad_token=SECRET
    )
    assert SECRET not in f"{configuration!r} {configuration}"


def test_the_settings_take_it_from_flags_the_environment_and_the_file(tmp_path: Path) -> None:
    dotenv = tmp_path / ".env"
    dotenv.write_text("".join(f"{name}={value}\n" for name, value in OPENAI.items()), "utf-8")
    environ = {"CLINIC_MESH_LLM_MODEL": "of-the-environment", "OPENAI_API_KEY": "key-of-the-environment"}

    llm = read_settings({"llm_model": "of-the-flag"}, environ, dotenv).llm

    assert llm == ModelConfiguration(provider=Provider.OPENAI, model="of-the-flag", api_key="key-of-the-environment")
    assert read_settings({"llm": "off"}, environ, dotenv).llm is None
    assert read_settings({}, {**environ, "OPENAI_API_KEY": ""}, dotenv).llm == replace(
        llm, model="of-the-environment", api_key=SECRET
    )


def test_the_settings_refuse_what_the_model_needs() -> None:
    with pytest.raises(SettingsError, match="CLINIC_MESH_LLM_MODEL"):
        read_settings({"llm": "openai"}, {"OPENAI_API_KEY": SECRET}, NOWHERE)


def test_a_clinic_is_given_none_of_these(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in MODEL_VARIABLES:
        monkeypatch.setenv(name, SECRET)
    given = clinic_environment()
    assert SECRET not in given.values()
    assert not given.keys() & set(MODEL_VARIABLES)
