"""Options of a test run, and what it takes from the shell that began it."""

import signal

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that accepts how answers look now."""
    parser.addoption("--update-goldens", action="store_true", help="write the golden files anew instead of comparing")


def pytest_configure() -> None:
    """Let Ctrl-C reach the commands that tests start: a shell has what runs behind it ignore the signal."""
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)
