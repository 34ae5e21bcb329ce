"""What is remembered, what is known already, and what is refused, with which words."""

from __future__ import annotations

import logging
from datetime import timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from orchestrator.memory.keeping import handler
from orchestrator.memory.keeping.relevance import refusal_of
from orchestrator.privacy import Redactor
from orchestrator.turn.identity import Identity
from orchestrator.turn.memory_calls import (
    MAX_CONTENT,
    MIN_CONTENT,
    ListMemories,
    MemoryKind,
    MemoryStatus,
    SaveMemory,
    Source,
)
from tests.support.form import examples
from tests.support.memories import MARIA, NOW, TODAY, KnownEmbeddings, a_vector
from tests.support.sentences import rows, sentences
from tests.unit.memory.conftest import Desk, OpenDesk


def test_what_is_said_is_kept_with_its_kind_source_conversation_and_time(desk: Desk) -> None:
    result = desk.save("Prefere plantões noturnos")
    assert result.status is MemoryStatus.SAVED
    (memory,) = desk.do(ListMemories()).memories
    assert (memory,) == result.memories
    assert (memory.content, memory.kind, memory.source) == (
        "Prefere plantões noturnos",
        MemoryKind.PREFERENCE,
        Source.CONVERSATION,
    )
    assert (memory.conversation, memory.created_at, memory.updated_at) == ("one", NOW, NOW)


def test_a_context_is_kept_with_the_content(desk: Desk) -> None:
    desk.do(SaveMemory(MemoryKind.RESTRICTION, "  não posso às sextas ", "  busco os filhos\nna escola "))
    (memory,) = desk.do(ListMemories()).memories
    assert memory.content == "não posso às sextas (Contexto: busco os filhos na escola)"


@pytest.mark.parametrize("content", ["", " \n\t ", "\x1b\x07", "noturno", "a" * 9 + "   ", "ab " * 168])
def test_content_that_is_missing_too_short_or_too_long_is_refused(desk: Desk, content: str) -> None:
    assert desk.save(content).status is MemoryStatus.INVALID
    assert desk.do(ListMemories()).memories == ()
    assert not desk.path.exists(), "a refusal makes no file"


def test_a_context_that_is_too_long_is_refused(desk: Desk) -> None:
    result = desk.do(SaveMemory(MemoryKind.PREFERENCE, "prefiro de manhã", "x" * 501))
    assert result.status is MemoryStatus.INVALID


@given(st.text(st.characters(categories=["Ll", "Lu", "Lo"]), max_size=600))
def test_ten_to_five_hundred_characters_are_the_limits(content: str) -> None:
    refusal = refusal_of(SaveMemory(MemoryKind.PREFERENCE, content), Redactor(MARIA), TODAY)
    assert (refusal is MemoryStatus.INVALID) == (not MIN_CONTENT <= len(content) <= MAX_CONTENT)


@given(st.text(max_size=700), st.text(max_size=700))
def test_any_text_is_admitted_or_refused_and_never_raises(content: str, context: str) -> None:
    refusal_of(SaveMemory(MemoryKind.PERSONAL, content, context), Redactor(MARIA), TODAY)


def test_what_cannot_be_shown_is_left_out(desk: Desk) -> None:
    desk.save("prefiro \x1b[2Jde manhã\ud800\u202e")
    (memory,) = desk.do(ListMemories()).memories
    assert memory.content == "prefiro [2Jde manhã"


def test_nobody_is_remembered_for(desk: Desk, caplog: pytest.LogCaptureFixture) -> None:
    nobody = Identity("", "")
    result = desk.save("prefiro de manhã", who=nobody)
    assert result.status is MemoryStatus.INVALID
    assert desk.recall(who=nobody) == []
    assert not [record for record in caplog.records if record.levelno >= logging.WARNING]


@pytest.mark.parametrize(("known", "new"), rows("saving.txt", "the same in other words is known already"))
def test_the_same_in_other_words_is_known_already(desk: Desk, known: str, new: str) -> None:
    first = desk.save(known)
    second = desk.save(new)
    assert second.status is MemoryStatus.KNOWN
    assert second.memories == first.memories
    assert desk.do(ListMemories()).memories == first.memories


@pytest.mark.parametrize(("known", "new"), rows("saving.txt", "another fact in much the same words is kept"))
def test_another_fact_in_much_the_same_words_is_kept(desk: Desk, known: str, new: str) -> None:
    desk.save(known)
    assert desk.save(new).status is MemoryStatus.SAVED


def test_the_same_words_of_another_kind_or_until_another_day_are_kept(desk: Desk) -> None:
    desk.save("só tenho as noites livres", MemoryKind.PREFERENCE)
    assert desk.save("só tenho as noites livres", MemoryKind.RESTRICTION).status is MemoryStatus.SAVED
    for days in (3, 10):
        call = SaveMemory(MemoryKind.AVAILABILITY, "de férias até sexta", "", TODAY + timedelta(days=days))
        assert desk.do(call).status is MemoryStatus.SAVED
        assert desk.do(call).status is MemoryStatus.KNOWN


def test_the_context_does_not_make_it_another_fact(desk: Desk) -> None:
    desk.do(SaveMemory(MemoryKind.RESTRICTION, "não posso às sextas", "trabalho até as 19h"))
    assert desk.save("não posso às sextas", MemoryKind.RESTRICTION).status is MemoryStatus.KNOWN


def test_the_same_meaning_is_known_already_unless_a_day_parts_it(open_desk: OpenDesk) -> None:
    near = {
        "acordo tarde e prefiro depois": a_vector(x=1),
        "de manhã cedo não funciona": a_vector(x=1),
        "horários no fim do expediente": a_vector(x=1, y=0.1),
    }
    desk = open_desk(KnownEmbeddings(near | {"saio do serviço e vou direto": a_vector(x=1, y=0.1)}))
    desk.save("horários no fim do expediente")
    assert desk.save("saio do serviço e vou direto").status is MemoryStatus.SAVED, "fim is a word that tells"
    desk.save("acordo tarde e prefiro depois", MemoryKind.PERSONAL)
    assert desk.save("de manhã cedo não funciona", MemoryKind.PERSONAL).status is MemoryStatus.SAVED


def test_a_near_meaning_without_a_common_word_is_known_already(open_desk: OpenDesk) -> None:
    meanings = {"busco as crianças na escola": a_vector(x=1), "levo os filhos ao colégio": a_vector(x=1, y=0.2)}
    desk = open_desk(KnownEmbeddings(meanings))
    first = desk.save("busco as crianças na escola", MemoryKind.PERSONAL)
    second = desk.save("levo os filhos ao colégio", MemoryKind.PERSONAL)
    assert (second.status, second.memories) == (MemoryStatus.KNOWN, first.memories)


def test_a_memory_is_saved_without_embedding_and_gets_it_with_the_next(open_desk: OpenDesk) -> None:
    embeddings = KnownEmbeddings()
    desk = open_desk(embeddings)
    assert desk.save("moro em Santo André", MemoryKind.PERSONAL).status is MemoryStatus.SAVED
    embeddings.known = {"moro em Santo André": a_vector(x=1), "onde é a minha casa?": a_vector(x=1)}
    desk.save("tenho filhos pequenos", MemoryKind.PERSONAL)
    assert embeddings.asked[-1] == (("tenho filhos pequenos", "moro em Santo André"), "document")
    assert desk.recall("onde é a minha casa?") == ["moro em Santo André", "tenho filhos pequenos"]


def test_a_child_may_be_named_and_no_server_learns_the_name(open_desk: OpenDesk) -> None:
    embeddings = KnownEmbeddings()
    desk = open_desk(embeddings)
    assert desk.save("minha filha Valentina tem aula de manhã", MemoryKind.PERSONAL).status is MemoryStatus.SAVED
    assert embeddings.asked[-1] == (("minha filha [NAME] tem aula de manhã",), "document")
    assert desk.save("o RG dela é 12.345.678-9", MemoryKind.PERSONAL).status is MemoryStatus.PERSONAL_DATA


@pytest.mark.parametrize("content", sentences("saving.txt", "what identifies somebody is refused"))
def test_what_identifies_somebody_is_refused(desk: Desk, content: str) -> None:
    for call in (SaveMemory(MemoryKind.PERSONAL, content), SaveMemory(MemoryKind.PERSONAL, "prefiro perto", content)):
        assert desk.do(call).status is MemoryStatus.PERSONAL_DATA
    assert desk.do(ListMemories()).memories == ()


@pytest.mark.parametrize("content", sentences("saving.txt", "details of health are refused"))
def test_details_of_health_are_refused(desk: Desk, content: str) -> None:
    for call in (SaveMemory(MemoryKind.PERSONAL, content), SaveMemory(MemoryKind.PERSONAL, "prefiro cedo", content)):
        assert desk.do(call).status is MemoryStatus.HEALTH
    assert desk.do(ListMemories()).memories == ()


@pytest.mark.parametrize("content", sentences("saving.txt", "what helps to find an appointment is kept"))
def test_what_helps_to_find_an_appointment_is_kept(desk: Desk, content: str) -> None:
    assert desk.save(content).status is MemoryStatus.SAVED


def test_what_is_over_is_not_remembered(desk: Desk) -> None:
    yesterday = SaveMemory(MemoryKind.AVAILABILITY, "de férias até ontem", "", TODAY - timedelta(days=1))
    assert desk.do(yesterday).status is MemoryStatus.INVALID
    assert desk.do(SaveMemory(MemoryKind.AVAILABILITY, "de férias até hoje", "", TODAY)).status is MemoryStatus.SAVED


def test_one_person_may_have_so_many_and_no_more(desk: Desk, monkeypatch: pytest.MonkeyPatch) -> None:
    most = examples(handler.MAX_MEMORIES)  # each is compared with all before it
    monkeypatch.setattr(handler, "MAX_MEMORIES", most)
    for number in range(most):
        assert desk.save(f"prefiro o consultório {number}").status is MemoryStatus.SAVED
    result = desk.save("prefiro outro consultório ainda")
    assert result.status is MemoryStatus.FULL
    assert desk.save("prefiro o consultório 7").status is MemoryStatus.KNOWN
    assert len(desk.do(ListMemories()).memories) == most


def test_the_log_tells_kind_status_and_conversation_and_nothing_that_was_said(
    desk: Desk, caplog: pytest.LogCaptureFixture
) -> None:
    with caplog.at_level(logging.DEBUG):
        result = desk.save("moro em Santo André", MemoryKind.PERSONAL)
        desk.save("tenho diabetes tipo 2", MemoryKind.PERSONAL)
    assert [record.getMessage() for record in caplog.records] == [
        "memory: SaveMemory (info_pessoal), saved, conversation one",
        "memory: SaveMemory (info_pessoal), health, conversation one",
    ]
    assert "Santo" not in repr(result)
