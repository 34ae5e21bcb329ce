"""What somebody says in one conversation is known in the next, over real clinics and the memory's own file.

The final validation of the memory's specification, in this product's terms.
"""

from __future__ import annotations

import stat
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from orchestrator.composition import LazyMemory
from orchestrator.journal.pipeline_log import PipelineLog
from orchestrator.memory import MEMORY_FILE
from orchestrator.turn.identity import Identity, Role
from orchestrator.turn.memory_calls import MemoryKind, MemoryStatus
from orchestrator.turn.reply import Reply, Table
from orchestrator.turn.session import Session
from tests.support.clinics import NOW, Clinics
from tests.support.memories import memory_settings
from tests.support.talk import CARLOS, Talk, open_talk

ANA = Identity.of("Ana Lima", "529.982.247-25")
MARK = "você não pode"


class People:
    """One machine: its clinics, its memory, and the people who come to its terminal."""

    def __init__(self, clinics: Clinics, folder: Path) -> None:
        self._clinics = clinics
        self.folder = folder

    @contextmanager
    def talk(
        self,
        speaker: Identity = CARLOS,
        *,
        role: Role = Role.PATIENT,
        now: str = NOW,
        consent_given: bool = False,
        operator: Identity | None = None,
    ) -> Iterator[Talk]:
        """Yield a conversation of its own, as a process begins it: nothing but the files is shared with the others."""
        with (
            LazyMemory(memory_settings(self.folder, self.folder / "keys", now=now), role) as memory,
            open_talk(self._clinics.registry, consent_given=consent_given, role=role, memory=memory) as conversation,
        ):
            conversation.session = Session(speaker, role=role, operator=operator)
            conversation.listen(PipelineLog(self.folder / "logs", speaker))
            yield conversation

    @property
    def bytes(self) -> bytes:
        """All that is in any file of the machine's memory and logs."""
        return b"".join(path.read_bytes() for path in self.folder.rglob("*") if path.is_file())


@pytest.fixture
def people(clinics: Clinics, tmp_path: Path) -> People:
    folder = tmp_path / "machine"
    folder.mkdir()
    return People(clinics, folder)


def remarks(reply: Reply) -> dict[str, str]:
    """Return the remark on each opening, by its day and time."""
    (table,) = (block for block in reply.blocks if isinstance(block, Table))
    return {f"{row[1]} {row[2]}": row[-1] for row in table.rows}


def test_what_is_said_in_one_conversation_is_used_in_the_next(people: People) -> None:
    with people.talk() as first:
        reply = first.say("Oi! Prefiro de manhã e não posso às sextas")
        assert "Anotei: “prefiro de manhã”" in reply.plain
        assert "Anotei: “não posso às sextas”" in reply.plain
        assert [call.kind for call in first.plan.memory] == [MemoryKind.PREFERENCE, MemoryKind.RESTRICTION]  # type: ignore[union-attr]  # both are saves
        assert first.plan.steps == ()
    with people.talk() as second:
        reply = second.say("quero um cardiologista")
        assert "Você disse: “não posso às sextas”" in reply.plain
        assert "Você disse: “prefiro de manhã”" in reply.plain
        assert all(action == "list_available_slots" for _, action, _ in second.steps)


def test_a_restriction_marks_openings_puts_them_last_and_hides_none_of_them(people: People) -> None:
    with people.talk() as talk:
        before = remarks(talk.say("quero um cardiologista"))
        talk.say("não posso às sextas")
    with people.talk() as talk:
        after = remarks(talk.say("quero um cardiologista"))
        assert list(after) == sorted(before, key=lambda when: when.startswith("sexta-feira"))
        assert all((MARK in remark) == when.startswith("sexta-feira") for when, remark in after.items())
        assert next(iter(after.values())).startswith("mais cedo")
        proposal = talk.say("pode ser com o Dr. Fernando dia 18 às 10h")
        assert "Atenção: você disse “não posso às sextas”." in proposal.plain
        assert "Consulta marcada" in talk.say("sim").plain


@pytest.mark.parametrize(
    ("dislike", "request_", "reason", "earliest"),
    [
        ("não gosto da clínica C", "quero um cardiologista", "não combinam ficam por último", "o mais cedo"),
        ("não me dei bem com o Dr. Fernando", "cardiologista, por favor", "ficam por último", "o primeiro"),
        ("I don't like clinic C", "I need a cardiologist", "do not go with it come last", "the earliest"),
        ("clinic C is too far for me", "a cardiologist please", "do not go with it come last", "the earliest one"),
    ],
)
def test_what_is_disliked_comes_last_is_never_proposed_and_the_answer_says_why(
    people: People, dislike: str, request_: str, reason: str, earliest: str
) -> None:
    with people.talk() as talk:
        assert dislike in talk.say(dislike).plain
    with people.talk() as talk:
        reply = talk.say(request_)
        clinics = [offer.clinic for offer in talk.session.offers]
        assert clinics == sorted(clinics)
        assert {"clinic_a", "clinic_c"} == set(clinics)
        assert f"“{dislike}”" in reply.plain
        assert reason in reply.plain
        talk.say(earliest)
        assert talk.session.proposal is not None
        assert talk.session.proposal.plan.steps[0].clinic == "clinic_a"


def test_a_dislike_is_kept_while_a_list_is_open_and_is_no_secret_when_its_clinic_is_asked_for(people: People) -> None:
    with people.talk() as talk:
        talk.say("quero um cardiologista")
        assert "Anotei: “não gosto da clínica C”" in talk.say("não gosto da clínica C").plain
        assert {offer.clinic for offer in talk.session.offers} == {"clinic_a"}
    with people.talk() as talk:
        proposal = talk.say("quero o Dr. Fernando dia 18 às 10h")
        assert "Atenção: você disse “não gosto da clínica C”." in proposal.plain
        talk.say("não")
        talk.say("esquece que não gosto da clínica C")
        talk.say("quero um cardiologista")
        assert talk.session.offers[0].clinic == "clinic_c"


def test_a_save_is_undone_at_once(people: People) -> None:
    with people.talk() as talk:
        talk.say("moro em Santo André")
        assert "Esqueci: “moro em Santo André”." in talk.say("esquece isso").plain
        assert "Não guardei nada sobre você." in talk.say("o que você sabe de mim?").plain
        assert b"Santo Andr" not in people.bytes


def test_one_of_several_is_forgotten_by_its_words_or_its_number(people: People) -> None:
    with people.talk() as talk:
        for statement in ("moro em Santo André", "não posso às sextas", "trabalho à noite"):
            talk.say(statement)
        assert "Esqueci: “moro em Santo André”." in talk.say("esquece que moro em Santo André").plain
        listing = talk.say("o que você sabe de mim?")
        (table,) = (block for block in listing.blocks if isinstance(block, Table))
        assert len(table.rows) == 2
        second = table.rows[1][1]
        assert f"Esqueci: “{second}”." in talk.say("esquece a lembrança 2").plain
        assert second not in talk.say("o que você sabe de mim?").plain


def test_what_takes_the_place_of_another_is_noted_and_both_are_said(people: People) -> None:
    with people.talk() as talk:
        talk.say("moro em Santo André")
        talk.say("prefiro de manhã")
        reply = talk.say("mudei, agora moro em São Caetano")
        assert "agora moro em São Caetano" in reply.plain
        assert "Esqueci: “moro em Santo André”." in reply.plain
        assert "Esqueci: “prefiro de manhã”." in talk.say("falei errado, prefiro à tarde").plain
    with people.talk() as talk:
        listing = talk.say("então o que ficou guardado aí sobre mim?").plain
        assert "Santo André" not in listing
        assert "prefiro de manhã" not in listing
        assert "prefiro à tarde" in listing


def test_the_only_one_shown_is_what_is_forgotten(people: People) -> None:
    with people.talk() as talk:
        talk.say("não posso às sextas")
    with people.talk() as talk:
        assert "não posso às sextas" in talk.say("anotou algo de mim?").plain
        assert "Esqueci: “não posso às sextas”." in talk.say("apaga isso").plain
        assert "Não guardei nada sobre você." in talk.say("e agora, o que sobrou?").plain


def test_days_that_are_free_again_are_no_longer_marked(people: People) -> None:
    with people.talk() as talk:
        talk.say("não posso às sextas")
        assert MARK in talk.say("quero um cardiologista").plain
        assert "Esqueci: “não posso às sextas”." in talk.say("sexta liberou").plain
        assert MARK not in talk.say("quero um cardiologista").plain


@pytest.mark.parametrize("wish", ["não anota nada do que eu disser", "please don't save any of this"])
def test_who_wishes_for_no_notes_gets_none_in_this_conversation(people: People, wish: str) -> None:
    with people.talk() as talk:
        talk.say(wish)
        talk.say("não posso às sextas")
        talk.say("moro em Santo André")
        assert "Não guardei nada sobre você." in talk.say("o que você sabe de mim?").plain
    with people.talk() as talk:
        assert "Anotei: “não posso às sextas”" in talk.say("não posso às sextas").plain


def test_nothing_of_others_is_kept_and_said_so(people: People) -> None:
    with people.talk() as talk:
        assert "de outras pessoas não guardo nada" in talk.say("anotou alguma coisa da minha mãe?").plain


def test_answers_stay_in_the_language_that_was_wished_for(people: People) -> None:
    with people.talk() as talk:
        talk.say("please always answer in english")
        assert "I found" in talk.say("quero um cardiologista").plain
        talk.say("pode voltar a falar português")
        assert "Encontrei" in talk.say("quero um dermatologista").plain


def test_spanish_is_spoken_to_the_end(people: People) -> None:
    with people.talk() as talk:
        talk.say("hola, quiero una cita con el cardiólogo")
        talk.say("la primera")
        assert talk.session.proposal is not None
        assert "Consulta marcada" in talk.say("sí, dale").plain
        assert "Anotei: “los viernes no puedo”" in talk.say("los viernes no puedo").plain
        assert "los viernes no puedo" in talk.say("¿qué sabes de mí?").plain


def test_the_same_is_not_noted_twice(people: People) -> None:
    with people.talk() as talk:
        talk.say("não posso às sextas")
    with people.talk() as talk:
        assert "Isso eu já tinha anotado: “não posso às sextas”." in talk.say("não posso às sextas-feiras").plain


def test_after_apaga_tudo_no_byte_is_left_in_memory_or_logs(people: People) -> None:
    with people.talk() as talk:
        for statement in ("moro em Santo André", "não posso às sextas", "estou viajando até dia 20"):
            talk.say(statement)
        talk.say("quero um cardiologista")
        talk.say("o que você sabe de mim?")
        assert b"Santo Andr" in people.bytes
        assert "Apaguei tudo o que sabia de você: 3 anotações." in talk.say("apaga tudo o que sabe de mim").plain
    for trace in ("Santo Andr", "às sextas", "viajando"):
        assert trace.encode() not in people.bytes
    assert not list(people.folder.glob("memory.db-*"))


def test_nobody_is_told_what_somebody_else_said(people: People) -> None:
    with people.talk(CARLOS) as talk:
        talk.say("não posso às sextas")
        talk.session = Session(ANA)
        assert "Não guardei nada sobre você." in talk.say("o que você sabe de mim?").plain
        assert MARK not in talk.say("quero um cardiologista").plain
        talk.say("apaga tudo o que sabe de mim")
    with people.talk(CARLOS) as talk:
        assert "não posso às sextas" in talk.say("o que você sabe de mim?").plain


def test_a_person_is_the_same_under_any_spelling_of_the_name(people: People) -> None:
    with people.talk(Identity.of("Ana Lima", "529.982.247-25")) as talk:
        talk.say("não posso às sextas")
    with people.talk(Identity.of("Ana Maria Lima", "52998224725")) as talk:
        assert "não posso às sextas" in talk.say("o que você sabe de mim?").plain


def test_what_has_expired_is_neither_used_nor_kept(people: People) -> None:
    with people.talk() as talk:
        talk.say("estou viajando até dia 20")
        assert MARK in talk.say("quero um cardiologista").plain
    with people.talk(now="2025-07-21T08:00-03:00") as talk:
        assert MARK not in talk.say("quero um cardiologista").plain
        assert "Não guardei nada sobre você." in talk.say("o que você sabe de mim?").plain
    assert b"viajando" not in people.bytes


def test_health_is_refused_with_the_reason_and_stored_nowhere(people: People) -> None:
    with people.talk() as talk:
        assert "Não guardo informações de saúde" in talk.say("anota que sou diabético").plain
    assert b"diab" not in people.bytes


def test_who_it_is_about_stands_in_no_file(people: People) -> None:
    with people.talk() as talk:
        talk.say("não posso às sextas")
    assert b"Carlos" not in people.bytes
    assert b"123.456.789" not in people.bytes
    assert b"12345678900" not in people.bytes
    assert stat.S_IMODE((people.folder / MEMORY_FILE).stat().st_mode) == 0o600


def test_nobodys_memory_crosses_to_another_patient_or_to_staff(people: People) -> None:
    known = {}
    with people.talk() as carlos, people.talk(ANA) as ana, people.talk(role=Role.OPERATOR) as staff:
        # The operator is Carlos, too, at work.
        for talk, said in ((carlos, "não posso às sextas"), (ana, "moro em Moema"), (staff, "só atendo até às 18")):
            assert f"Anotei: “{said}”" in talk.say(said).plain
        for name, talk in (("carlos", carlos), ("ana", ana), ("staff", staff)):
            known[name] = [memory.content for memory in talk.say("o que você sabe de mim?").memory[0].memories]
    assert known == {"carlos": ["não posso às sextas"], "ana": ["moro em Moema"], "staff": ["só atendo até às 18"]}


def test_what_staff_say_of_their_work_marks_no_opening(people: People) -> None:
    with people.talk(role=Role.OPERATOR) as talk:
        talk.say("não posso às sextas")
        reply = talk.say("quero um cardiologista")
    assert "18/07/2025 10:00" in str(remarks(reply))
    assert MARK not in reply.plain


def test_while_staff_serve_somebody_nothing_is_noted_or_told(people: People) -> None:
    with people.talk(role=Role.OPERATOR) as talk:
        talk.say("só atendo até às 18")
    with people.talk(ANA, role=Role.OPERATOR, operator=CARLOS) as serving:
        for said in ("não posso às sextas", "o que você sabe de mim?"):
            reply = serving.say(said)
            assert reply.memory == ()
            assert "atendo" not in reply.plain
    with people.talk(ANA) as ana:
        assert ana.say("o que você sabe de mim?").memory[0].memories == ()


def test_a_memory_that_is_no_database_costs_the_memory_alone(people: People) -> None:
    (people.folder / MEMORY_FILE).write_bytes(b"not a database, but long enough to look at " * 100)
    with people.talk() as talk:
        reply = talk.say("não posso às sextas")
        assert [result.status for result in reply.memory] == [MemoryStatus.FAILED]
        assert "Dr. Ricardo Lopes" in talk.say("quero um cardiologista").plain


@pytest.mark.parametrize(
    ("said", "kept"),
    [
        ("preciso de um cardiologista, só que sexta eu nunca posso", "sexta eu nunca posso"),
        ("i need a cardiologist, fridays are a no go for me", "Fridays are a no go for me"),
        ("cardiologista? trabalho às sextas das 8 às 18", "trabalho às sextas das 8 às 18"),
    ],
)
def test_a_habit_beside_a_request_narrows_it_and_is_kept_for_the_next(people: People, said: str, kept: str) -> None:
    with people.talk() as talk:
        reply = talk.say(said)
        assert f"“{kept}”" in reply.plain
        assert not any(offer.date.weekday() == 4 for offer in talk.session.offers)
    with people.talk() as talk:
        after = remarks(talk.say("quero um cardiologista"))
        assert all((MARK in remark) == when.startswith("sexta-feira") for when, remark in after.items())


def test_what_suits_by_what_is_kept_can_be_asked_for(people: People) -> None:
    with people.talk() as talk:
        talk.say("não posso às sextas")
    with people.talk() as talk:
        talk.say("quero um cardiologista")
        assert any(offer.date.weekday() == 4 for offer in talk.session.offers)
        talk.say("quais dessas servem pra mim?")
        assert talk.session.offers
        assert not any(offer.date.weekday() == 4 for offer in talk.session.offers)


@pytest.mark.parametrize(
    ("told", "asked"),
    [
        ("moro em Santo André", "tem cardiologista perto de casa?"),
        ("I live in Santo André", "any cardiologist close to home?"),
        ("trabalho em Santo André", "cardiologista perto do meu trabalho"),
    ],
)
def test_near_home_or_work_is_near_what_was_told(people: People, told: str, asked: str) -> None:
    with people.talk() as talk:
        talk.say(told)
    with people.talk() as talk:
        talk.say(asked)
        assert {offer.clinic for offer in talk.session.offers} == {"clinic_c"}


@pytest.mark.parametrize("told", ["sexta é minha folga", "I have off on Fridays", "fridays i'm off"])
def test_a_day_off_contradicts_no_opening(people: People, told: str) -> None:
    with people.talk() as talk:
        assert talk.say(told).memory[0].status is MemoryStatus.SAVED
        reply = talk.say("quero um cardiologista")
        assert MARK not in reply.plain
        assert "you can't" not in reply.plain


@pytest.mark.parametrize(
    ("told", "said_of_them"),
    [
        ("minha mãe não pode de manhã e mora em Santos", "de outras pessoas não guardo nada"),
        ("my husband hates afternoons and works downtown", "of other people I keep nothing"),
    ],
)
def test_of_other_people_nothing_is_kept_nor_looked_for(people: People, told: str, said_of_them: str) -> None:
    with people.talk() as talk:
        assert said_of_them in talk.say(told).plain
        before = remarks(talk.say("quero um cardiologista"))
    with people.talk() as talk:
        assert remarks(talk.say("quero um cardiologista")) == before


def test_what_holds_behind_an_absence_holds_from_then_on(people: People) -> None:
    with people.talk() as talk:
        talk.say("tô de férias até dia 18, depois só posso de manhã")
        after = remarks(talk.say("quero um cardiologista"))
        on = {when: (when.split()[1], when.split()[2]) for when in after}
        late = {when for when, (day, at) in on.items() if at >= "12:00" and (day[3:5], day[:2]) > ("07", "18")}
        assert late == {when for when, remark in after.items() if MARK in remark}
