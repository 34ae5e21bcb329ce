from __future__ import annotations

from collections.abc import Iterator
from itertools import count

import pytest

from orchestrator.turn.identity import Identity, Language
from tests.scenarios.chaos.stage import PEOPLE, Person, Stage, open_stage

_CPFS = count(70_000_000_000)


@pytest.fixture(scope="package")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Stage]:
    with open_stage(tmp_path_factory.mktemp("chaos")) as stage:
        yield stage


@pytest.fixture
def stage(running: Stage) -> Iterator[Stage]:
    """Six healthy clinics where nobody has an appointment, and a hub."""
    yield running
    running.set_back()


@pytest.fixture
def newcomer() -> Person:
    """Somebody for whom the hub has made no token yet."""
    return Person(Identity.of("Recém Chegada", f"{next(_CPFS):011}"), Language.PT)


@pytest.fixture
def person() -> Person:
    """Somebody who speaks Portuguese."""
    return Person(*PEOPLE[0])
