"""What is wrong with the fleet can be told in both languages, with the same facts."""

from string import Formatter

import pytest

from orchestrator.fleet.process import FleetError
from orchestrator.texts import texts_in
from orchestrator.turn.identity import Language


def placeholders(language: Language, trouble: str) -> set[str]:
    text = texts_in(language).table("fleet.trouble")[trouble]
    return {name for _, name, _, _ in Formatter().parse(text) if name}


@pytest.mark.parametrize("trouble", texts_in(Language.EN).table("fleet.trouble"))
def test_every_trouble_has_a_text_in_each_language_with_the_same_facts(trouble: str) -> None:
    named = {language: placeholders(language, trouble) for language in Language}
    assert named[Language.PT] == named[Language.EN]
    error = FleetError(trouble, **dict.fromkeys(named[Language.EN], "here"))
    assert str(error) == error.told(Language.EN)
    assert "here" in error.told(Language.PT)
