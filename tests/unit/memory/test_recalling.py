"""What is recalled for an utterance, in which order, and found, listed and forgotten when somebody asks."""

from __future__ import annotations

from datetime import timedelta

import pytest

from orchestrator.memory.keeping.relevance import MAX_RECALLED, MAX_TOKENS, relevant
from orchestrator.turn.memory_calls import (
    ForgetAllMemories,
    ForgetMemory,
    ListMemories,
    MemoryKind,
    MemoryStatus,
    RecallMemories,
    SaveMemory,
)
from tests.support.memories import CARLOS, MARIA, TODAY, KnownEmbeddings, a_memory, a_vector
from tests.unit.memory.conftest import Desk, OpenDesk

RESTRICTION, AVAILABILITY = MemoryKind.RESTRICTION, MemoryKind.AVAILABILITY
PREFERENCE, PERSONAL = MemoryKind.PREFERENCE, MemoryKind.PERSONAL


def listed(desk: Desk) -> list[str]:
    return [memory.content for memory in desk.do(ListMemories()).memories]


def test_restrictions_come_first_then_what_it_is_about_then_preferences_then_all_else() -> None:
    memories = [
        a_memory("prefiro a Clínica B", PREFERENCE),
        a_memory("moro em Santo André", PERSONAL),
        a_memory("tenho filhos pequenos", PERSONAL),
        a_memory("estou de férias em julho", AVAILABILITY),
        a_memory("gosto do período da manhã", PREFERENCE),
        a_memory("não posso às sextas", RESTRICTION),
    ]
    recalled = relevant(memories, "tem algo perto de Santo André de manhã?", {})
    assert [memory.content for memory in recalled] == [
        "estou de férias em julho",
        "não posso às sextas",
        "moro em Santo André",
        "gosto do período da manhã",
        "prefiro a Clínica B",
        "tenho filhos pequenos",
    ]


def test_a_meaning_counts_as_words_do() -> None:
    near, far = a_memory("levo os meninos à escola", PERSONAL), a_memory("moro no centro", PERSONAL)
    assert relevant([far, near], "pode ser com as crianças?", {near.id: 0.8, far.id: 0.2}) == (near, far)


def test_only_so_many_are_recalled_and_within_a_prompts_budget() -> None:
    many = [a_memory(f"não posso na hora {number}", RESTRICTION) for number in range(20)]
    assert relevant(many, "quero um cardiologista", {}) == tuple(many[:MAX_RECALLED])
    long = [a_memory("x" * 1000, RESTRICTION) for _ in range(5)]
    assert len(relevant(long, "quero um cardiologista", {})) == MAX_TOKENS // 251


def test_what_was_said_in_one_conversation_is_recalled_in_the_next(open_desk: OpenDesk) -> None:
    open_desk().save("prefiro fazer plantões noturnos por causa dos meus filhos")
    assert open_desk().recall() == ["prefiro fazer plantões noturnos por causa dos meus filhos"]


def test_what_has_expired_is_neither_recalled_nor_listed_and_leaves_the_file(desk: Desk) -> None:
    desk.do(SaveMemory(AVAILABILITY, "de férias até amanhã", "", TODAY + timedelta(days=1)))
    assert desk.recall() == ["de férias até amanhã"]
    desk.now += timedelta(days=1)
    assert desk.recall() == ["de férias até amanhã"]
    desk.now += timedelta(days=1)
    assert desk.recall() == listed(desk) == []
    assert "férias".encode() not in desk.path.read_bytes()


def test_what_a_query_is_about_is_found(desk: Desk) -> None:
    desk.save("moro em Santo André", PERSONAL)
    desk.save("prefiro de manhã")
    result = desk.do(RecallMemories("onde é que eu moro?"))
    assert (result.status, [memory.content for memory in result.memories]) == (
        MemoryStatus.FOUND,
        ["moro em Santo André"],
    )
    nothing = desk.do(RecallMemories("futebol"))
    assert (nothing.status, nothing.memories) == (MemoryStatus.FOUND, ())


def test_a_typing_error_finds_it_all_the_same(desk: Desk) -> None:
    desk.save("gosto da Dra. Fernanda")
    assert len(desk.do(RecallMemories("doutora Fernada")).memories) == 1


def test_a_query_leaves_this_machine_without_what_identifies_somebody(open_desk: OpenDesk) -> None:
    embeddings = KnownEmbeddings()
    desk = open_desk(embeddings)
    desk.save("prefiro de manhã")
    embeddings.asked.clear()
    desk.recall("sou Maria Souza, CPF 529.982.247-25, e quero uma consulta")
    assert embeddings.asked == [(("sou [NAME], CPF [CPF], e quero uma consulta",), "query")]


def test_nothing_is_asked_of_a_server_for_who_has_no_memories(open_desk: OpenDesk) -> None:
    embeddings = KnownEmbeddings()
    assert open_desk(embeddings).recall() == []
    assert embeddings.asked == []


def test_refused_content_never_leaves_this_machine(open_desk: OpenDesk) -> None:
    embeddings = KnownEmbeddings()
    open_desk(embeddings).save("tenho diabetes tipo 2")
    assert embeddings.asked == []


def test_that_is_the_last_thing_saved_in_this_conversation(desk: Desk) -> None:
    desk.save("prefiro de manhã")
    desk.save("moro em Santo André", PERSONAL)
    desk.do(SaveMemory(PERSONAL, "tenho filhos pequenos"), MARIA, "another")
    result = desk.do(ForgetMemory())
    assert result.status is MemoryStatus.FORGOTTEN
    assert [memory.content for memory in result.memories] == ["moro em Santo André"]
    assert desk.do(ForgetMemory(" Isso ")).status is MemoryStatus.FORGOTTEN
    nothing = desk.do(ForgetMemory())
    assert nothing.status is MemoryStatus.NOT_FOUND
    assert listed(desk) == ["tenho filhos pequenos"]


@pytest.mark.parametrize("about", ["que moro em santo andre", "Santo André", "eu moro em Santo Andre"])
def test_what_is_named_is_forgotten(desk: Desk, about: str) -> None:
    desk.save("moro em Santo André", PERSONAL)
    desk.save("prefiro de manhã")
    assert desk.do(ForgetMemory(about)).status is MemoryStatus.FORGOTTEN
    assert listed(desk) == ["prefiro de manhã"]


@pytest.mark.parametrize(
    "about", ["que moro em Santo Amaro", "que posso aos sábados", "futebol", "que não posso às quintas"]
)
def test_what_is_not_named_stays(desk: Desk, about: str) -> None:
    desk.save("moro em Santo André", PERSONAL)
    desk.save("não posso às sextas", RESTRICTION)
    assert desk.do(ForgetMemory(about)).status is MemoryStatus.NOT_FOUND
    assert len(listed(desk)) == 2


def test_of_several_that_fit_alike_none_is_forgotten(desk: Desk) -> None:
    desk.save("não posso às sextas", RESTRICTION)
    desk.save("não posso às quintas", RESTRICTION)
    desk.save("moro em Santo André", PERSONAL)
    result = desk.do(ForgetMemory("que não posso"))
    assert result.status is MemoryStatus.AMBIGUOUS
    assert {memory.content for memory in result.memories} == {"não posso às sextas", "não posso às quintas"}
    assert len(listed(desk)) == 3


def test_what_is_meant_is_forgotten_where_no_word_is_common(open_desk: OpenDesk) -> None:
    vectors = {"levo os filhos ao colégio": a_vector(x=1), "prefiro de manhã": a_vector(y=1), "crianças": a_vector(x=1)}
    desk = open_desk(KnownEmbeddings(vectors))
    desk.save("levo os filhos ao colégio", PERSONAL)
    desk.save("prefiro de manhã")
    assert desk.do(ForgetMemory("crianças")).status is MemoryStatus.FORGOTTEN
    assert listed(desk) == ["prefiro de manhã"]


def test_all_is_forgotten_at_once(desk: Desk) -> None:
    desk.save("moro em Santo André", PERSONAL)
    desk.save("prefiro de manhã")
    result = desk.do(ForgetAllMemories())
    assert (result.status, len(result.memories)) == (MemoryStatus.FORGOTTEN, 2)
    assert listed(desk) == []
    assert desk.do(ForgetAllMemories()).status is MemoryStatus.FORGOTTEN, "nothing is left to forget"


def test_the_name_is_no_part_of_who_somebody_is(desk: Desk) -> None:
    desk.save("prefiro de manhã")
    renamed = MARIA.of("Maria Souza Lima", MARIA.cpf)
    assert desk.recall(who=renamed) == ["prefiro de manhã"]
    assert desk.recall(who=CARLOS.of(MARIA.name, CARLOS.cpf)) == []
