"""Adds the slots of a new day to a clinic's agenda, at its start and while it runs.

It only ever adds; what the new day's slots are is `clinics.agenda`.
"""

from __future__ import annotations

import logging
import threading
from datetime import date
from functools import partial

from clinics import schedule
from clinics.agenda import Agenda
from clinics.store import SlotStore
from mesh.clock import Clock
from mesh.errors import DomainError

_log = logging.getLogger(__name__)
_LOOK_S = 30.0  # how often the date is looked at; a machine that slept over midnight notices this soon
_WRITE_S = 20.0


class Upkeep:
    """Keeps an agenda complete up to its horizon.

    Args:
        store: The agenda's slots.
        agenda: What they should be.
        clock: Which day it is; a fixed one never brings a new day.
    """

    def __init__(self, store: SlotStore, agenda: Agenda, clock: Clock) -> None:
        self._store = store
        self._agenda = agenda
        self._clock = clock
        self._complete_for: date | None = None
        self._stopping = threading.Event()
        self._thread = threading.Thread(target=self._run, name="agenda-upkeep", daemon=True)

    def run_once(self) -> None:
        """Adds the slots that today asks for and the agenda does not hold; nothing if that was done today.

        Raises:
            DomainError: The store could not write; the next call tries again.
        """
        today = self._clock().date()
        if today != self._complete_for:
            rule = partial(schedule.add_missing, planned=self._agenda.planned(today))
            self._store.commit(rule, _WRITE_S)
            self._complete_for = today

    def start(self) -> None:
        """Looks at the date from now on, on a thread of its own."""
        self._thread.start()

    def stop(self) -> None:
        """Ends the thread."""
        self._stopping.set()
        self._thread.join()

    def _run(self) -> None:
        while not self._stopping.wait(_LOOK_S):
            try:
                self.run_once()
            except DomainError as error:
                _log.warning("today's slots could not be added yet: %s", error.message)
