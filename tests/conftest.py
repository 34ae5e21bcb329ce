"""Options of a test run, and what it takes from the shell that began it."""

import gc
import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path

import pytest
from hypothesis import HealthCheck, settings

# A terminal is forked from a process that runs gRPC: its handlers for a fork would close what the child still needs.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "false"
# Each client of HTTP loads one authority instead of hundreds: what tests ask is on this machine.
os.environ["SSL_CERT_FILE"] = str(Path(__file__).parent / "support" / "authority.pem")

from tests.support.home import Home
from tests.support.patience import sitecustomize
from tests.support.postgres import PostgresMissingError, postgres
from tests.support.shared_clinics import SharedClinics
from tests.support.siege import PROFILE

# How quickly examples are made and tried says more of what else the machine does than of the code.
_ON_ANY_MACHINE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
settings.register_profile("tests", _ON_ANY_MACHINE)
settings.register_profile(PROFILE, _ON_ANY_MACHINE, print_blob=True)
settings.load_profile("tests")

_STARTS_PROCESSES = frozenset(
    {"subprocess", "pexpect", "Home", "Tty", "Fleet", "killing", "home", "served_home", "postgres_server"}
)
"""Names in a test's module, or of its fixtures, that stand for processes of their own."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that accepts how answers look now."""
    parser.addoption("--update-goldens", action="store_true", help="write the golden files anew instead of comparing")


def pytest_configure() -> None:
    """Wait for no disk, and let Ctrl-C reach the commands that tests start.

    A shell has what runs behind it ignore that signal.
    """
    sitecustomize.leave_the_disk_alone()
    if signal.getsignal(signal.SIGINT) is signal.SIG_IGN:
        signal.signal(signal.SIGINT, signal.default_int_handler)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage among what is loaded and collected, all of which stays: a quarter of a worker's start."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.enable()


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Mark the tests of every module that can start processes: `-m "not process"` leaves them out."""
    for item in items:
        if isinstance(item, pytest.Function) and (
            not _STARTS_PROCESSES.isdisjoint(vars(item.module)) or not _STARTS_PROCESSES.isdisjoint(item.fixturenames)
        ):
            item.add_marker("process")


@pytest.fixture(scope="session")
def shared_clinics(tmp_path_factory: pytest.TempPathFactory) -> Iterator[SharedClinics]:
    """Six clinics that are started once for a whole run."""
    clinics = SharedClinics(tmp_path_factory.mktemp("clinics"))
    yield clinics
    clinics.close()


@pytest.fixture(scope="session")
def postgres_server() -> Iterator[str]:
    """Yield the URL of a database of a server that runs for these tests; skip where there is no PostgreSQL."""
    pytest.importorskip("psycopg", reason="psycopg is not installed (extra postgres)")
    try:
        with postgres() as url:
            yield url
    except PostgresMissingError as error:
        pytest.skip(str(error))


@pytest.fixture
def served_home(tmp_path: Path, shared_clinics: SharedClinics) -> Iterator[Home]:
    """A machine on which six clinics run already, as new."""
    shared_clinics.make_as_new()
    home = Home(tmp_path / "home", shared_clinics)
    yield home
    home.close()
