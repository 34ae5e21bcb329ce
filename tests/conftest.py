"""Options of a test run, and what it takes from the shell that began it."""

import gc
import os
import signal
from collections.abc import Generator, Iterator
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings

# A terminal is forked from a process that runs gRPC: its handlers for a fork would close what the child still needs.
os.environ["GRPC_ENABLE_FORK_SUPPORT"] = "false"
# Each client of HTTP loads one authority instead of hundreds: what tests ask is on this machine.
os.environ["SSL_CERT_FILE"] = str(Path(__file__).parent / "support" / "authority.pem")

from tests.support.form import EXAMPLES, SHORT, SIEGE, form_of, leave_out_long
from tests.support.home import Home
from tests.support.patience import sitecustomize
from tests.support.postgres import PostgresMissingError, postgres
from tests.support.shared_clinics import SharedClinics

# How quickly examples are made and tried says more of what else the machine does than of the code.
_ON_ANY_MACHINE = settings(deadline=None, suppress_health_check=[HealthCheck.too_slow])
# The short form makes the same examples every time, so that no change goes red by luck; it keeps none (no database).
for _form, _number in EXAMPLES.items():
    settings.register_profile(
        _form, _ON_ANY_MACHINE, max_examples=_number, print_blob=_form == SIEGE, derandomize=_form == SHORT
    )

_LEFT_OUT = pytest.StashKey[int]()
_LEFT_OUT_OF_WORKER = "left_out"

_STARTS_PROCESSES = frozenset(
    {"subprocess", "pexpect", "Home", "Tty", "Fleet", "killing", "home", "served_home", "postgres_server"}
)
"""Names in a test's module, or of its fixtures, that stand for processes of their own."""


def pytest_addoption(parser: pytest.Parser) -> None:
    """Add the option that accepts how answers look now."""
    parser.addoption("--update-goldens", action="store_true", help="write the golden files anew instead of comparing")
    parser.addoption("--whole", action="store_true", help="run the long tests too, with all examples (make test-all)")


def pytest_configure(config: pytest.Config) -> None:
    """Choose the form, wait for no disk, and let Ctrl-C reach the commands that tests start.

    A shell has what runs behind it ignore that signal.
    """
    settings.load_profile(form_of(config))
    config.stash[_LEFT_OUT] = 0
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


def pytest_collection_modifyitems(config: pytest.Config, items: list[pytest.Item]) -> None:
    """Leave out the long tests in the short form, and mark those of every module that can start processes.

    `-m "not process"` leaves the latter out.
    """
    if form_of(config) == SHORT:
        left_out = leave_out_long(items)
        config.stash[_LEFT_OUT] = len(left_out)
        config.hook.pytest_deselected(items=left_out)
    for item in items:
        if isinstance(item, pytest.Function) and (
            not _STARTS_PROCESSES.isdisjoint(vars(item.module)) or not _STARTS_PROCESSES.isdisjoint(item.fixturenames)
        ):
            item.add_marker("process")


@pytest.hookimpl(optionalhook=True)
def pytest_testnodedown(node: Any) -> None:
    """Take over from a worker how many tests it left out; all workers leave out the same."""
    workers = getattr(node, "workeroutput", {})
    node.config.stash[_LEFT_OUT] = workers.get(_LEFT_OUT_OF_WORKER, 0)


def pytest_sessionfinish(session: pytest.Session) -> None:
    """Tell the run of which this is a worker how many tests were left out."""
    if hasattr(session.config, "workeroutput"):
        session.config.workeroutput[_LEFT_OUT_OF_WORKER] = session.config.stash[_LEFT_OUT]


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter, config: pytest.Config) -> None:
    """Say what was left out, and how to run it."""
    if count := config.stash[_LEFT_OUT]:
        terminalreporter.line(f"{count} long tests were left out: make test-all runs them too, or name their file")


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
