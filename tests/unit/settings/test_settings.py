"""Settings: flags before the environment before .env, and errors that name the variable and never a secret."""

from dataclasses import FrozenInstanceError, fields
from pathlib import Path

import pytest

from orchestrator.llm.language_model import MODEL_VARIABLES
from orchestrator.settings import Settings, SettingsError, read_settings, variable
from orchestrator.settings_table import SETTINGS
from orchestrator.turn.identity import Role

NOWHERE = Path("/nonexistent/.env")


def test_everything_has_a_default() -> None:
    settings = read_settings({}, {}, NOWHERE)
    assert settings.agenda == "rolling"
    assert settings.base_port == 8001
    assert settings.role is Role.PATIENT
    assert settings.now is None
    assert settings.data_dir.name == "clinic-mesh"
    assert settings.log_dir == settings.data_dir / "logs"


@pytest.mark.parametrize(
    ("flags", "environ", "dotenv", "expected"),
    [
        ({}, {}, "", 8001),
        ({}, {}, "CLINIC_MESH_BASE_PORT=9001\n", 9001),
        ({}, {"CLINIC_MESH_BASE_PORT": "9101"}, "CLINIC_MESH_BASE_PORT=9001\n", 9101),
        ({"base_port": "9201"}, {"CLINIC_MESH_BASE_PORT": "9101"}, "CLINIC_MESH_BASE_PORT=9001\n", 9201),
        ({}, {"CLINIC_MESH_BASE_PORT": ""}, "CLINIC_MESH_BASE_PORT=9001\n", 9001),
    ],
)
def test_a_flag_wins_over_the_environment_and_that_over_the_file(
    tmp_path: Path, flags: dict[str, str], environ: dict[str, str], dotenv: str, expected: int
) -> None:
    path = tmp_path / ".env"
    path.write_text(dotenv, encoding="utf-8")
    assert read_settings(flags, environ, path).base_port == expected


@pytest.mark.parametrize(
    ("field", "value"),
    [
        ("agenda", "july"),
        ("now", "yesterday"),
        ("now", "2025-07-15T08:00"),
        ("base_port", "80"),
        ("base_port", "70000"),
        ("base_port", "eight"),
        ("role", "doctor"),
        ("rate", "often"),
        ("rate", "7"),
        ("history", "all"),
        ("memory", "maybe"),
        ("memory_url", "mysql://host/db"),
        ("store", "mysql://host/db"),
        ("store", "postgresql://me:hush@host/db"),
        ("store", "postgresql://me?:hush@host/db"),
        ("store", "postgresql://me#:hush@host/db"),
        ("store", "postgresql://host/db?password=hush"),
        ("store", "postgresql://host/db?pass%77ord=hush"),
    ],
)
def test_a_value_that_is_not_allowed_is_named_with_what_is(field: str, value: str) -> None:
    with pytest.raises(SettingsError) as refusal:
        read_settings({}, {variable(field): value}, NOWHERE)
    assert variable(field) in str(refusal.value)
    assert SETTINGS[variable(field)].allowed in str(refusal.value)
    assert value not in str(refusal.value).replace(SETTINGS[variable(field)].allowed, "")


@pytest.mark.parametrize(
    "url",
    [
        "postgresql://clinic@db.internal/clinics",
        "postgres://clinic@a:5432,[::1]:5433/clinics?target_session_attrs=read-write",
        "postgresql://clinic@/postgres?host=/run/postgresql",
        "postgresql:///?service=clinics",
    ],
)
def test_a_server_of_the_agendas_is_any_address_of_libpq_without_a_password(url: str) -> None:
    assert read_settings({"store": url}, {}, NOWHERE).store == url


def test_a_mistyped_variable_is_refused_with_the_nearest_one() -> None:
    with pytest.raises(SettingsError, match="did you mean CLINIC_MESH_AGENDA"):
        read_settings({}, {"CLINIC_MESH_AGENDAS": "rolling"}, NOWHERE)


def test_variables_of_other_programs_are_none_of_our_business() -> None:
    assert read_settings({}, {"HOME": "/x", "CLINIC": "y"}, NOWHERE).name is None


def test_name_and_cpf_are_in_no_representation() -> None:
    environ = {"CLINIC_MESH_NAME": "Maria Souza", "CLINIC_MESH_CPF": "529.982.247-25"}
    settings = read_settings({}, environ, NOWHERE)
    for text in (repr(settings), str(settings)):
        assert "Maria" not in text
        assert "529" not in text
    assert settings.cpf == "529.982.247-25"


def test_the_memory_is_on_unless_it_is_switched_off() -> None:
    assert read_settings({}, {}, NOWHERE).memory
    assert not read_settings({}, {"CLINIC_MESH_MEMORY": "off"}, NOWHERE).memory


def test_the_memorys_server_and_key_are_in_no_representation() -> None:
    environ = {"CLINIC_MESH_MEMORY_URL": "postgresql://me:hush@host/db", "VOYAGE_API_KEY": "hush"}
    settings = read_settings({}, environ, NOWHERE)
    assert (settings.memory_url, settings.voyage_api_key) == ("postgresql://me:hush@host/db", "hush")
    assert "hush" not in repr(settings)


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    path = tmp_path / ".env"
    path.write_bytes(b"CLINIC_MESH_NAME=\xff\xfe\n")
    with pytest.raises(SettingsError, match=r"\.env: cannot be read"):
        read_settings({}, {}, path)


@pytest.mark.parametrize("field", [field.name for field in fields(Settings)])
def test_settings_do_not_change(field: str) -> None:
    with pytest.raises(FrozenInstanceError):
        setattr(read_settings({}, {}, NOWHERE), field, None)


def test_a_frozen_now_gives_todays_date_in_sao_paulo() -> None:
    settings = read_settings({"now": "2025-07-15T01:00:00+00:00"}, {}, NOWHERE)
    assert settings.today.isoformat() == "2025-07-14"


def test_each_clinic_has_a_silo_of_its_own_for_each_agenda() -> None:
    settings = read_settings({"data_dir": "/data", "agenda": "blueprint"}, {}, NOWHERE)
    assert settings.silo("clinic_a") == Path("/data/blueprint/clinic_a")


def test_every_row_of_the_table_is_a_setting() -> None:
    rows = {setting.name for name, setting in SETTINGS.items() if name not in MODEL_VARIABLES}
    assert rows == {field.name for field in fields(Settings)} - {"llm"}


@pytest.mark.parametrize("name", SETTINGS)
def test_a_default_that_is_a_value_is_the_one_that_holds(name: str) -> None:
    row = SETTINGS[name]
    if row.default in row.choices and name not in MODEL_VARIABLES:
        assert read_settings({}, {name: row.default}, NOWHERE) == read_settings({}, {}, NOWHERE)
