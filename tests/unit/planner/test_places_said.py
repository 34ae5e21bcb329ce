"""Places as people say them: with a slip, too far, and asked about before another one is wanted."""

from __future__ import annotations

from datetime import datetime

import pytest

from orchestrator import turn
from orchestrator.planner.understanding import Understanding, understand
from tests.support.repository_clinics import CLINICS

# "Marina", a slip of Mariana, is a doctor's name, and stays one.
PLACES = {
    "perdizes": "d",
    "santana": "f",
    "vila mariana": "b",
    "são caetano": "e",
    "santo andré": "c",
    "bela vista": "a",
}
FAR = (
    *("{} é longe demais", "{} fica muito longe pra mim", "{} fica fora de mão"),
    *("{} is way too far", "{} is kinda far"),
)
SLIPS = [(place, place[:at] + place[at + 1 :]) for place in PLACES for at in range(len(place) - 4, len(place) - 1)]


def said(text: str) -> Understanding:
    return understand(text, turn.Language.PT, CLINICS, datetime(2025, 7, 15, 8))  # noqa: DTZ001 (São Paulo)


def clinics(wanted: turn.Filter) -> set[str]:
    return {one.id[-1] for one in CLINICS if turn.fitting_doctors(wanted, one)}


@pytest.mark.parametrize(
    ("place", "typed"), [slip for slip in SLIPS if len(slip[1].split()[-1]) >= 5 and "marina" not in slip[1]]
)
def test_a_letter_that_is_left_out_names_no_other_place(place: str, typed: str) -> None:
    heard = said(f"médico em {typed}").wishes
    assert clinics(heard.alone[0].wish.filter) == {PLACES[place]}
    assert heard.unread == ()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("way", FAR)
def test_a_place_that_is_too_far_is_never_wanted(place: str, way: str) -> None:
    heard = said(way.format(place))
    assert clinics(heard.wishes.alone[0].wish.filter) == {*PLACES.values()} - {PLACES[place]}
    assert heard.cues.clinic_facts == ()


@pytest.mark.parametrize("place", PLACES)
@pytest.mark.parametrize("other", PLACES)
def test_a_place_that_is_only_asked_about_is_not_wanted(place: str, other: str) -> None:
    for way in ("essa é em {}? quero {}", "wait, is that in {}? i want {}"):
        heard = said(way.format(place, other)).wishes
        assert clinics(heard.alone[0].wish.filter) == {PLACES[other]}


@pytest.mark.parametrize("place", PLACES)
def test_whether_a_place_is_far_refuses_nothing(place: str) -> None:
    for way in ("{} é longe?", "is {} far?", "{} não é longe", "{} is not far"):
        assert PLACES[place] in clinics(said(way.format(place)).wishes.alone[0].wish.filter)
