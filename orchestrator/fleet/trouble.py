"""What can be wrong with the fleet, in words of both languages, and the error that says so."""

from enum import StrEnum, auto

from orchestrator.texts import texts_in
from orchestrator.turn import Language


class Trouble(StrEnum):
    """A reason why the fleet cannot be had as it was asked for."""

    OTHER_CLINIC = auto()
    OTHER_SERVICE = auto()
    OTHER_CALENDAR = auto()
    OTHER_KEYS = auto()
    NO_KEYS = auto()
    PORT_HELD_BY_PROCESS = auto()
    PORT_HELD_BY_ANOTHER_USER = auto()
    PORT_HELD = auto()
    ENDED = auto()
    SILENT = auto()
    NOT_HERE = auto()
    NOT_FROM_HERE = auto()
    NOT_STOPPED = auto()
    LOG = auto()
    NOT_STARTED = auto()
    SILENT_ALREADY = auto()
    EVALUATION = auto()


class FleetError(Exception):
    """The fleet cannot be had as it was asked for; `facts` fill the placeholders of the trouble's text."""

    def __init__(self, trouble: Trouble, **facts: object) -> None:
        super().__init__(texts_in(Language.EN).text(f"fleet.trouble.{trouble}", **facts))
        self.trouble = trouble
        self._facts = facts

    def told(self, language: Language) -> str:
        """Return which clinic, what is wrong and what to do, for a person; `str` is that in English."""
        return texts_in(language).text(f"fleet.trouble.{self.trouble}", **self._facts)
