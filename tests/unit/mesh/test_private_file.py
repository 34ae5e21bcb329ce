"""Files for their owner alone."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from mesh import private_file


def _mode(path: Path) -> int:
    return path.stat().st_mode & 0o777


@pytest.fixture(autouse=True)
def _generous_umask() -> object:
    before = os.umask(0)
    yield
    os.umask(before)


def test_a_new_file_is_its_owners_alone(tmp_path: Path) -> None:
    folder = tmp_path / "folder"
    private_file.make_folder(folder)
    private_file.create(folder / "created", b"a")
    private_file.append(folder / "appended", b"a")
    private_file.ensure(folder / "ensured")
    private_file.replace(folder / "replaced", b"a")
    assert _mode(folder) == private_file.FOLDER_MODE
    assert {_mode(path) for path in folder.iterdir()} == {private_file.FILE_MODE}


def test_a_file_that_is_there_is_not_created_again(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    with pytest.raises(FileExistsError):
        private_file.create(path, b"new")
    assert path.read_bytes() == b"old"


def test_a_link_at_the_place_of_a_new_file_is_not_followed(tmp_path: Path) -> None:
    link, target = tmp_path / "link", tmp_path / "target"
    link.symlink_to(target)
    with pytest.raises(FileExistsError):
        private_file.create(link, b"new")
    assert not target.exists()


def test_what_is_added_comes_last_and_the_file_becomes_private(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"one\n")
    path.chmod(0o644)
    private_file.append(path, b"two\n")
    assert path.read_bytes() == b"one\ntwo\n"
    assert _mode(path) == private_file.FILE_MODE


def test_a_file_that_is_there_is_left_as_it_is(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.write_bytes(b"old")
    private_file.ensure(path)
    assert path.read_bytes() == b"old"


def test_a_replacement_that_fails_leaves_the_old_content_and_nothing_beside_it(tmp_path: Path) -> None:
    path = tmp_path / "file"
    path.mkdir()  # cannot be replaced by a file
    with pytest.raises(OSError, match="file"):
        private_file.replace(path, b"new")
    assert list(tmp_path.iterdir()) == [path]
