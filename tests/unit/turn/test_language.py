"""In which language somebody is spoken to before they have said anything."""

import pytest

from orchestrator.turn.identity import Language, language_of_locale


@pytest.mark.parametrize(
    ("environ", "language"),
    [
        ({}, Language.EN),
        ({"LANG": "C.UTF-8"}, Language.EN),
        ({"LANG": "pt_BR.UTF-8"}, Language.PT),
        ({"LANG": "pt_PT"}, Language.PT),
        ({"LANG": "pt_BR.UTF-8", "LC_ALL": "en_US.UTF-8"}, Language.EN),
        ({"LANG": "en_US.UTF-8", "LC_MESSAGES": "pt_BR"}, Language.PT),
        ({"LANG": "pt_BR.UTF-8", "LC_ALL": ""}, Language.PT),
    ],
)
def test_the_first_variable_that_is_set_counts(environ: dict[str, str], language: Language) -> None:
    assert language_of_locale(environ) is language
