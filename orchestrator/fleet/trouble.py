"""The error that says what is wrong with the fleet, in words of both languages."""

from orchestrator.texts import texts_in
from orchestrator.turn import Language


class FleetError(Exception):
    """The fleet cannot be had as it was asked for; a `trouble` has a text, whose placeholders `facts` fill."""

    def __init__(self, trouble: str, **facts: object) -> None:
        super().__init__(texts_in(Language.EN).text(f"fleet.trouble.{trouble}", **facts))
        self._trouble = trouble
        self._facts = facts

    def told(self, language: Language) -> str:
        """Return which clinic, what is wrong and what to do, for a person; `str` is that in English."""
        return texts_in(language).text(f"fleet.trouble.{self._trouble}", **self._facts)
