"""A machine on which the command runs."""

from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.support.home import Home


@pytest.fixture
def home(tmp_path: Path) -> Iterator[Home]:
    home = Home(tmp_path / "home")
    yield home
    home.close()
