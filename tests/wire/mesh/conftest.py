from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack

import pytest

from tests.support.doors import Client, open_client, open_library
from tests.support.library import Library


@pytest.fixture
def connect() -> Iterator[Callable[[Library], Client]]:
    """Serves a library until the test ends, and returns a client of it."""
    with ExitStack() as stack:
        yield lambda implementation: stack.enter_context(
            open_client(stack.enter_context(open_library(implementation)).address)
        )


@pytest.fixture(scope="module")
def client() -> Iterator[Client]:
    """A client of a library that does what libraries do."""
    with open_library() as server, open_client(server.address) as opened:
        yield opened
