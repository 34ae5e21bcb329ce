"""What clinics state of themselves is told in a conversation with real clinics, and decides what is listed."""

from __future__ import annotations

import pytest

from orchestrator.turn.reply import TurnOutcome
from tests.scenarios.conftest import OpenTalk
from tests.support.clinics import Clinics
from tests.support.sentences import rows


@pytest.mark.parametrize(("asked", "told"), rows("clinic_facts.txt", "told"))
def test_it_is_told_as_the_clinic_states_it(opened: OpenTalk, asked: str, told: str) -> None:
    talk = opened()
    for utterance in asked.split(" / "):
        reply = talk.say(utterance)
    assert reply.outcome is TurnOutcome.OK
    for words in told.split(" & "):
        assert words in reply.plain


def test_where_the_next_visit_is_known_in_another_conversation(opened: OpenTalk) -> None:
    talk = opened()
    for utterance in ("marca com o Dr. Ricardo dia 21 às 9h", "sim", "marca com o Dr. Fernando dia 18 às 10h", "sim"):
        talk.say(utterance)
    fresh = opened()
    reply = fresh.say("onde é?").plain
    assert "Dr. Fernando Mendes" in reply
    assert "Rua Coronel Alfredo Fláquer, 77" in reply
    assert "Rua das Acácias" not in reply
    assert "Rua das Acácias, 120" in opened().say("onde é a minha consulta de segunda?").plain
    assert (
        "Exames anteriores do coração" in opened().say("what should I bring to my appointment with Dr. Ricardo?").plain
    )


def test_a_clinic_that_did_not_answer_is_named_and_the_others_are_told_of(
    guarded_clinics: Clinics, opened: OpenTalk
) -> None:
    guarded_clinics.stop("clinic_b")
    reply = opened().say("quanto custa?").plain
    assert "clinic_b: não respondeu" in reply
    assert "R$ 310,00" in reply


def test_an_open_proposal_waits_for_its_yes_after_a_question(opened: OpenTalk) -> None:
    talk = opened()
    talk.say("marca com o Dr. Ricardo dia 21 às 9h")
    assert "R$ 420,00" in talk.say("quanto custa?").plain
    assert talk.say("sim").outcome is TurnOutcome.OK
    assert len(talk.session.receipts) == 1


def test_what_is_listed_fits_and_its_price_and_place_are_told(opened: OpenTalk) -> None:
    reply = opened().say("the cheapest cardiologist who takes Unimed, in Santo André")
    assert "Filter: the lowest price; accepts Unimed; “in Santo André”." in reply.plain
    assert "Clínica C" in reply.plain
    assert "Clínica A" not in reply.plain
    assert "R$ 360.00" in reply.plain
    assert reply.wish.startswith("Cardiology, the lowest price")


@pytest.mark.parametrize(
    ("asked", "clinic", "takings"),
    [
        (
            "quanto custa o cardiologista?",
            "Clínica C",
            ("o mais barato então", "fechou, no mais em conta", "o de menor preço"),
        ),
        (
            "what does an orthopedist cost?",
            "Clínica E",
            ("the cheaper one then", "cheapest please", "go with the cheaper one"),
        ),
        (
            "algum cardio aceita bradesco?",
            "Clínica A",
            ("quero nessa", "então vou nessa", "essa serve", "que horários tem lá?"),
        ),
        ("does any ortho take sulamerica?", "Clínica D", ("that one then", "I'll go there", "great, show me times")),
    ],
)
def test_what_is_taken_of_what_clinics_told_is_listed(
    opened: OpenTalk, asked: str, clinic: str, takings: tuple[str, ...]
) -> None:
    for taking in takings:
        talk = opened()
        talk.say(asked)
        assert clinic in talk.say(taking).plain
        assert {offer.clinic for offer in talk.session.offers} == {f"clinic_{clinic[-1].lower()}"}, taking
        assert talk.session.proposal is None
