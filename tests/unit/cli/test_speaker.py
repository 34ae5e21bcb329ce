"""Who speaks without a terminal: a file before the environment, and errors that repeat neither name nor CPF."""

from pathlib import Path

import pytest

from orchestrator.cli.speaker import Given, given_identity, identity_of
from orchestrator.identity import Identity, IdentityError
from orchestrator.settings import read_settings

MARIA = Identity("Maria Souza", "529.982.247-25")
NOWHERE = Path("/nonexistent/.env")
NOTHING = read_settings({}, {}, NOWHERE)
IN_ENVIRONMENT = read_settings({}, {"CLINIC_MESH_NAME": "Carlos Teste", "CLINIC_MESH_CPF": "123.456.789-00"}, NOWHERE)


def file_of(folder: Path, text: str, mode: int = 0o600) -> Path:
    path = folder / "me.txt"
    path.write_text(text, encoding="utf-8")
    path.chmod(mode)
    return path


@pytest.mark.parametrize("text", ["Maria Souza\n52998224725\n", "\n Maria  Souza \n\n529.982.247-25"])
def test_the_file_has_two_lines_and_wins(tmp_path: Path, text: str) -> None:
    given = given_identity(IN_ENVIRONMENT, file_of(tmp_path, text))
    assert identity_of(given) == MARIA
    assert given.warning == ""


def test_the_environment_speaks_where_there_is_no_file() -> None:
    assert identity_of(given_identity(IN_ENVIRONMENT, None)) == Identity("Carlos Teste", "123.456.789-00")


@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_a_file_that_others_can_read_is_used_with_a_warning(tmp_path: Path, mode: int) -> None:
    given = given_identity(NOTHING, file_of(tmp_path, "Maria Souza\n52998224725\n", mode))
    assert "chmod 600" in given.warning
    assert identity_of(given) == MARIA


@pytest.mark.parametrize("text", ["", "Maria Souza\n", "Maria Souza\n52998224725\nx\n"])
def test_a_file_without_two_lines_is_refused(tmp_path: Path, text: str) -> None:
    with pytest.raises(IdentityError, match="two lines are expected"):
        given_identity(NOTHING, file_of(tmp_path, text))


def test_a_file_that_is_not_there_is_named(tmp_path: Path) -> None:
    with pytest.raises(IdentityError, match=r"me\.txt: cannot be read"):
        given_identity(NOTHING, tmp_path / "me.txt")


def test_a_file_that_is_not_text_is_named(tmp_path: Path) -> None:
    (tmp_path / "me.txt").write_bytes(b"\xff\xfe")
    with pytest.raises(IdentityError, match="not UTF-8 text"):
        given_identity(NOTHING, tmp_path / "me.txt")


@pytest.mark.parametrize("given", [Given(None, "1", "x"), Given("a", None, "x"), Given(None, None, "x")])
def test_a_missing_half_asks_who_is_speaking(given: Given) -> None:
    with pytest.raises(IdentityError, match="who is speaking"):
        identity_of(given)


def test_an_unusable_identity_names_its_source_and_no_value(tmp_path: Path) -> None:
    given = given_identity(NOTHING, file_of(tmp_path, "Maria Souza\n5299822472\n"))
    with pytest.raises(IdentityError, match=r"me\.txt: a CPF has eleven digits") as refusal:
        identity_of(given)
    assert "5299822472" not in str(refusal.value)
    assert "Maria" not in repr(given)
