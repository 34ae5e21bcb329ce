"""What a good receptionist does besides booking: hears for whom, looks before asking, forgets nothing."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import Path

import pytest

from orchestrator.journal.events import TurnFinished
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.turn import (
    BOOK,
    CANCEL,
    LIST,
    MOVE,
    Clinic,
    Plan,
    PlanKind,
    Proposal,
    Question,
    Session,
    Topic,
    TurnOutcome,
    listing_step,
)
from tests.scenarios.evaluation_bench import Replaced, open_bench
from tests.support.clinics import NOW, Clinics
from tests.support.talk import CARLOS, Talk, open_talk


@pytest.fixture
def desk(clinics: Clinics) -> Iterator[Talk]:
    """A conversation in which every write is asked about first."""
    with open_talk(clinics.registry, consent_given=False) as conversation:
        yield conversation


@pytest.mark.parametrize(
    ("asked", "chosen", "for_me", "said"),
    [
        ("preciso de um cardiologista pra minha mãe", "1", "é pra mim", "sua mãe"),
        ("my wife needs a cardiologist", "1", "it is for me", "your wife"),
        ("marca um cardiologista pro Alberto Nunes", "o 1", "para mim mesmo", "outra pessoa"),
    ],
)
def test_what_somebody_else_needs_is_shown_and_never_booked_for_the_speaker(
    desk: Talk, asked: str, chosen: str, for_me: str, said: str
) -> None:
    shown = desk.say(asked)
    assert desk.session.offers
    assert said in shown.plain
    assert "/logout" in desk.say(chosen).plain
    assert desk.session.proposal is None
    desk.say(for_me)
    assert desk.say("1").outcome is TurnOutcome.CONFIRM


def test_an_appointment_of_somebody_else_is_not_cancelled(desk: Talk) -> None:
    for turn in ("quero um cardiologista no dia 18", "1", "sim"):
        desk.say(turn)
    assert desk.session.appointments
    assert "/logout" in desk.say("cancela a consulta da minha mãe").plain
    assert desk.session.proposal is None


@pytest.mark.parametrize(
    "aside", ["onde fica?", "quanto custa a consulta?", "hmm", "is it far?", "qual a dose de dipirona?"]
)
def test_a_side_question_is_answered_and_the_proposal_stays_open(desk: Talk, aside: str) -> None:
    for turn in ("quero um cardiologista no dia 18", "1"):
        desk.say(turn)
    asked = desk.say(aside)
    assert desk.session.proposal is not None
    assert "Dr. Fernando Mendes" in asked.plain
    assert desk.say("sim").outcome is TurnOutcome.OK
    assert len(desk.session.appointments) == 1


def test_a_slot_that_is_not_open_is_not_asked_about_and_the_nearest_are_shown(desk: Talk) -> None:
    reply = desk.say("marca com o Dr. Fernando Mendes dia 18 às 11h")
    assert (reply.outcome, desk.session.proposal) == (TurnOutcome.OK, None)
    nearest = desk.session.offers[0]
    assert (nearest.date.day, nearest.time.hour) == (18, 10)
    assert desk.say("o das 10h").outcome is TurnOutcome.CONFIRM


def test_a_yes_does_what_was_offered_last(desk: Talk) -> None:
    desk.say("quero um cardiologista")
    desk.say("estou com dor no joelho")
    desk.say("sim")
    assert {offer.clinic for offer in desk.session.offers} <= {"clinic_d", "clinic_e"}
    assert desk.session.offers


def test_what_is_still_to_be_booked_is_a_list_of_its_own(desk: Talk) -> None:
    desk.say("preciso de um ortopedista e de um dermatologista")
    desk.say("1")
    desk.say("sim")
    assert {offer.clinic for offer in desk.session.offers} == {"clinic_d", "clinic_e"}
    assert desk.say("o primeiro").outcome is TurnOutcome.CONFIRM


def test_several_requests_are_done_one_after_the_other(desk: Talk) -> None:
    desk.say("quero um cardiologista no dia 18 e um dermatologista")
    proposed = desk.say("quero o do Dr. Fernando dia 18 às 10h")
    assert proposed.outcome is TurnOutcome.CONFIRM
    assert "Depois seguimos com: Dermatologia." in proposed.plain
    assert "Agora falta: Dermatologia." in desk.say("sim").plain
    listed = desk.say("dermatologista então")
    assert {offer.clinic for offer in desk.session.offers} <= {"clinic_b", "clinic_f"}
    assert listed.outcome is TurnOutcome.OK


def test_words_that_were_not_understood_are_said(desk: Talk) -> None:
    reply = desk.say("cardiologista no prédio Jabaquara")
    assert "Não entendi" in reply.plain
    assert "Jabaquara" in reply.plain
    assert "Jabaquara" not in reply.loggable
    assert desk.session.offers


@pytest.mark.parametrize(
    ("asked", "words"),
    [
        ("cardiologista pelo meu convênio", "quais clínicas aceitam isto: “pelo meu convênio”"),
        ("cardiologista perto da minha casa", "não dizem o que fica assim: “perto da minha casa”"),
    ],
)
def test_what_the_clinics_do_not_tell_of_themselves_is_said(desk: Talk, asked: str, words: str) -> None:
    reply = desk.say(asked)
    assert words in reply.plain
    assert words not in reply.loggable
    assert {offer.clinic for offer in desk.session.offers} == {"clinic_a", "clinic_c"}


@pytest.mark.parametrize("question", ["tem cardiologista dia 18 às 10h?", "o Dr. Fernando atende dia 18 às 10h?"])
def test_a_question_is_never_made_a_write(clinics: Clinics, question: str) -> None:
    with open_talk(clinics.registry, consent_given=True) as talk:
        talk.say(question)
        assert talk.session.appointments == ()


def test_what_is_excluded_is_neither_shown_nor_taken(desk: Talk) -> None:
    desk.say("cardiologista, mas não na clínica A")
    assert {offer.clinic for offer in desk.session.offers} == {"clinic_c"}
    desk.say("e não no dia 18")
    assert 18 not in {offer.date.day for offer in desk.session.offers}
    assert desk.session.offers


def test_a_weekday_that_does_not_fit_its_date_is_asked_about(desk: Talk) -> None:
    asked = desk.say("cardiologista na segunda, dia 18")
    assert "sexta-feira, 18/07/2025" in asked.plain
    assert "segunda-feira, 21/07/2025" in asked.plain
    desk.say("sexta")
    assert {offer.date.day for offer in desk.session.offers} == {18}


class RandomReader(OfflinePlanner):
    """A planner that draws any plan of reads, with any question, as a confused model might."""

    def __init__(self, seed: int) -> None:
        self._chance = random.Random(seed)

    def plan(self, utterance: str, session: Session, clinics: Sequence[Clinic], now: datetime) -> Plan:
        chance = self._chance
        clinic = chance.choice(clinics)
        slot = chance.choice([one.slot for one in session.offers]) if session.offers else None
        known = {"doctor": slot.doctor, "date": slot.date.isoformat(), "time": f"{slot.time:%H:%M}"} if slot else {}
        question = Question(chance.choice(tuple(Topic)), chance.choice((BOOK, MOVE, CANCEL, LIST, None)), known)
        doctor = chance.choice((None, *clinic.doctors))
        steps = (replace(listing_step(clinic.id, doctor), step_id=1),) if chance.random() < 0.7 else ()
        kind = PlanKind.STEPS if steps else PlanKind.CLARIFY
        topic = None if steps else Topic.ASK_REQUEST
        plan = Plan(kind, session.language, steps, topic=topic, question=question)
        return replace(plan, nearest=chance.random() < 0.5, asks_first=chance.random() < 0.5)

    def consent(self, utterance: str, proposal: Proposal) -> bool | None:
        return True

    def behind_yes(self, *_: object) -> tuple[str, str] | None:
        return None


@pytest.mark.parametrize("seed", range(5))
def test_a_plan_of_reads_never_becomes_a_write(clinics: Clinics, tmp_path: Path, seed: int) -> None:
    said = random.Random(seed)
    with open_bench(clinics, tmp_path, Replaced(RandomReader(seed)), now=NOW) as bench:
        session = Session(CARLOS)
        for _ in range(30):
            utterance = said.choice(("sim", "1", "marca", "pode confirmar", "cancela tudo", "yes, book it", "o das 9h"))
            _, session = bench.conversation.turn(session, utterance)
            assert session.proposal is None
        assert session.receipts == ()
    assert clinics.taken() == set()


def test_a_visit_for_two_is_booked_for_the_speaker_alone(desk: Talk) -> None:
    shown = desk.say("marca cardiologista pra mim e pro meu marido")
    assert "seu marido" in shown.plain
    assert desk.say("1").outcome is TurnOutcome.CONFIRM


def test_a_complaint_begins_something_new(desk: Talk) -> None:
    desk.say("cardiologista no dia 18")
    desk.say("estou com dor no joelho")
    desk.say("sim")
    assert len({offer.date for offer in desk.session.offers}) > 1


def test_the_doctors_who_are_women_are_named_alone(desk: Talk) -> None:
    named = desk.say("which doctors are women?").plain
    assert "Dra." in named
    assert "Dr. " not in named


def test_what_was_looked_for_is_told_of_the_turn_in_words(desk: Talk) -> None:
    desk.say("quero um cardiologista na sexta, menos com o Dr. Ricardo")
    finished = desk.events[-1]
    assert isinstance(finished, TurnFinished)
    assert finished.wish.startswith("Cardiologia, ")
    assert "sexta-feira" in finished.wish
    assert "Ricardo" in finished.wish
