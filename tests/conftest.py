"""Options of a test run, and what it takes from the shell that began it."""

import signal

import pytest

_STARTS_PROCESSES = frozenset({"subprocess", "pexpect", "Home", "Tty", "Fleet", "killing", "home", "postgres_url"})
"""Names in a test's module, or of its fixtures, that stand for processes of their own."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that accepts how answers look now."""
    parser.addoption("--update-goldens", action="store_true", help="write the golden files anew instead of comparing")


def pytest_configure() -> None:
    """Let Ctrl-C reach the commands that tests start: a shell has what runs behind it ignore the signal."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of every module that can start processes: `-m "not process"` leaves them out."""
    for item in items:
        if isinstance(item, pytest.Function) and (
            not _STARTS_PROCESSES.isdisjoint(vars(item.module)) or not _STARTS_PROCESSES.isdisjoint(item.fixturenames)
        ):
            item.add_marker("process")
