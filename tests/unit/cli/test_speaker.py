"""Who speaks without a terminal: a file before the environment, and errors that repeat neither name nor CPF."""

import os
from pathlib import Path

import pytest

from orchestrator.cli.speaker import Given, given_identity, identity_of, people_of
from orchestrator.settings import read_settings
from orchestrator.turn.identity import Identity, IdentityError

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
def test_the_file_has_two_lines_and_wins(tmp_path: Path, text: str, capsys: pytest.CaptureFixture[str]) -> None:
    given = given_identity(IN_ENVIRONMENT, file_of(tmp_path, text))
    assert identity_of(given) == MARIA
    assert capsys.readouterr().err == ""


def test_a_file_names_several_people_and_the_subjects_of_some(tmp_path: Path) -> None:
    file = file_of(tmp_path, "Maria Souza\n529.982.247-25  auth0|5f 7c\n\nCarlos Teste\n12345678900\n")
    assert people_of(NOTHING, file, None) == {MARIA: "auth0|5f 7c", identity_of(given_identity(IN_ENVIRONMENT)): ""}
    assert people_of(IN_ENVIRONMENT, None, None) == {identity_of(given_identity(IN_ENVIRONMENT)): ""}


def test_a_subject_of_two_people_is_refused_and_not_repeated(tmp_path: Path) -> None:
    file = file_of(tmp_path, "Maria Souza\n529.982.247-25 same\nCarlos Teste\n12345678900 same\n")
    with pytest.raises(IdentityError, match=r"^.*me\.txt: two people have the same subject$"):
        people_of(NOTHING, file, None)


def descriptor_of(content: bytes) -> int:
    """Return the reading end of a pipe that holds some bytes."""
    reading, writing = os.pipe()
    os.write(writing, content)
    os.close(writing)
    return reading


def test_an_open_descriptor_says_who_speaks_and_is_closed() -> None:
    number = descriptor_of(b"Maria Souza\n52998224725\n")
    assert identity_of(given_identity(IN_ENVIRONMENT, identity_fd=number)) == MARIA
    with pytest.raises(OSError, match="Bad file descriptor"):
        os.fstat(number)


@pytest.mark.parametrize("content", [b"", b"Maria Souza\n", b"Maria Souza\n52998224725\nx\n", b"\xff"])
def test_a_descriptor_without_two_lines_is_refused_by_its_number(content: bytes) -> None:
    number = descriptor_of(content)
    with pytest.raises(IdentityError, match=f"^descriptor {number}: (two lines|cannot be read: it is not UTF-8)"):
        given_identity(NOTHING, identity_fd=number)


def test_a_descriptor_that_is_not_open_is_refused() -> None:
    number = descriptor_of(b"")
    os.close(number)
    with pytest.raises(IdentityError, match=f"^descriptor {number}: cannot be read: Bad file descriptor"):
        given_identity(NOTHING, identity_fd=number)


def test_a_folder_is_no_identity(tmp_path: Path) -> None:
    number = os.open(tmp_path, os.O_RDONLY)
    try:
        with pytest.raises(IdentityError, match="cannot be read: Is a directory"):
            given_identity(NOTHING, identity_fd=number)
    finally:
        os.close(number)


def test_a_terminal_is_refused_for_it_would_show_what_is_typed() -> None:
    master, terminal = os.openpty()
    try:
        with pytest.raises(IdentityError, match=f"^descriptor {terminal}: it is a terminal"):
            given_identity(NOTHING, identity_fd=terminal)
    finally:
        os.close(master)


def test_the_environment_speaks_where_there_is_no_file() -> None:
    assert identity_of(given_identity(IN_ENVIRONMENT, None)) == Identity("Carlos Teste", "123.456.789-00")


@pytest.mark.parametrize("mode", [0o640, 0o604])
def test_a_file_that_others_can_read_is_used_with_a_warning(
    tmp_path: Path, mode: int, capsys: pytest.CaptureFixture[str]
) -> None:
    given = given_identity(NOTHING, file_of(tmp_path, "Maria Souza\n52998224725\n", mode))
    assert "chmod 600" in capsys.readouterr().err
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
