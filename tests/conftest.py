"""Options of a test run."""

import pytest


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that accepts how answers look now."""
    parser.addoption("--update-goldens", action="store_true", help="write the golden files anew instead of comparing")
