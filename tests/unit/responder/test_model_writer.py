"""A model writes around handles; code puts in the facts, and a model that fails leaves the template."""

from __future__ import annotations

import json
import re
from dataclasses import replace

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from mesh.arguments import Json
from orchestrator.turn.model_use import ModelFailure, Purpose
from orchestrator.turn.plan import Topic
from orchestrator.turn.reply import Card, Paragraph, Part, Table
from tests.support.clinic_turns import (
    CPF,
    MARINA,
    NAME,
    ON_18_AT_10,
    ON_19_AT_14,
    ON_21_AT_9,
    OPERATOR,
    booked,
    failed,
    openings,
    patient,
    patients,
    record,
    refused,
)
from tests.support.model_drafts import ScriptedAsker, Turn, texts

LIST = Turn.of(openings("clinic_c", ON_18_AT_10, ON_19_AT_14), openings("clinic_a", ON_21_AT_9))
PARTIAL = Turn.of(openings("clinic_c", ON_18_AT_10), failed("clinic_a", "list_available_slots"))


def shown(text: str, turn: Turn = LIST) -> str:
    return turn.drafted(text).reply.plain


def brief(turn: Turn) -> dict[str, Json]:
    """Return what the model is told of a turn."""
    asker = ScriptedAsker("ok")
    turn.draft(asker)
    (request,) = asker.requests
    fence = re.fullmatch(r"<(data-\w+)>\n(.*)\n</\1>", request.messages[1].text, re.DOTALL)
    assert fence is not None
    body: dict[str, Json] = json.loads(fence[2])
    return body


def test_a_part_stands_as_the_template_drew_it_where_its_handle_was() -> None:
    draft = LIST.drafted("Olá!\n\n{slots}\n\nQual prefere?")
    (table,) = (block for block in LIST.reply.blocks if isinstance(block, Table))
    assert draft.reply.blocks == (Paragraph("Olá!"), table, Paragraph("Qual prefere?"))
    assert (draft.words, draft.missing, draft.unknown) == ("Olá!\n\nQual prefere?", (), False)
    assert (draft.reply.language, draft.reply.outcome) == (LIST.reply.language, LIST.reply.outcome)


def test_a_part_inside_a_sentence_parts_it() -> None:
    assert [type(block) for block in LIST.drafted("Temos: {slots}. Qual?").reply.blocks] == [
        Paragraph,
        Table,
        Paragraph,
    ]


def test_a_part_that_is_called_twice_stands_once() -> None:
    draft = LIST.drafted("{slots} {slots}")
    assert len(draft.reply.blocks) == 1
    assert not draft.unknown


def test_an_opening_and_the_name_stand_in_words_inside_a_sentence() -> None:
    draft = LIST.drafted("{patient}, o mais cedo é {slot:1}. {slots}")
    assert draft.reply.plain.startswith(
        "Carlos Teste, o mais cedo é sexta-feira, 18/07/2025, às 10:00, com Dr. Fernando Mendes (Clínica C)."
    )
    assert draft.words.splitlines()[0] == "…, o mais cedo é …."


def test_every_part_that_is_not_called_is_missing() -> None:
    assert PARTIAL.drafted("Aqui está.").missing == ("{notice:1}", "{slots}")
    assert Turn.of(booked("clinic_c", ON_18_AT_10)).drafted("Pronto.").missing == ("{receipt:1}",)
    taken = Turn.of(refused("clinic_c", "book_appointment", "SLOT_UNAVAILABLE", ON_19_AT_14))
    assert taken.drafted("Não.").missing == ("{notice:1}", "{alternatives}")
    assert Turn.of(patients("clinic_a", "CARD-001"), session=OPERATOR).drafted("Um.").missing == ("{patients}",)
    assert Turn.of(record(found=patient(name=NAME, cpf=CPF))).drafted("Sua ficha.").missing == ("{record}",)


@pytest.mark.parametrize(
    "stray", ["{slot:9}", "{receipt:1}", "{}", "{name}", "{slots", "}", "[PHONE-7]", "[HIDDEN]", "[nome]", '{"a": 1}']
)
def test_a_handle_or_mark_that_there_is_not_is_unknown(stray: str) -> None:
    assert LIST.drafted(f"Olá {stray} {{slots}}").unknown


def test_marks_are_what_they_stand_for_again() -> None:
    draft = replace(LIST, utterance=f"sou {NAME}").drafted("Olá, [PATIENT]! {slots}")
    assert draft.reply.plain.startswith("Olá, Carlos Teste!")
    assert not draft.unknown
    assert NAME not in draft.words


def test_handles_are_read_however_they_are_spaced() -> None:
    draft = LIST.drafted("{{ Slots }} { slot:1 }")
    assert (draft.missing, draft.unknown) == ((), False)


@pytest.mark.parametrize(
    ("written", "plain"),
    [
        ("**Olá**, __tudo__ *bem*?", "Olá, tudo bem?"),
        ("# Horários\n\nAqui", "Horários\n\nAqui"),
        ("* um\n• dois\n3. três", "- um\n- dois\n- três"),
        ("```text\nOlá\n```", "Olá"),
        ("> Olá\n---\n`fim`", "Olá\n\nfim"),
        ("O\u200bl\u202eá\x1b[31m\x07", "Olá[31m"),
        ("Olá\r\n\r\n\r\n\r\nfim  ", "Olá\n\nfim"),
    ],
)
def test_markdown_and_unprintable_characters_become_plain_text(written: str, plain: str) -> None:
    assert shown(written) == plain


@pytest.mark.parametrize("answer", ["", "  \n ", "\u200b", "x" * 5000, *ModelFailure])
def test_without_a_text_of_sensible_length_there_is_no_draft(answer: str | ModelFailure) -> None:
    assert LIST.draft(ScriptedAsker(answer)) is None


def test_a_caution_stands_first_whatever_the_model_writes() -> None:
    turn = replace(LIST, plan=replace(LIST.plan, caution=Topic.POSSIBLE_EMERGENCY))
    draft = turn.drafted("Olá! {slots}")
    assert draft.reply.blocks[0] == turn.reply.blocks[0]
    assert draft.reply.blocks[0].part is Part.NOTICE
    assert draft.missing == ()
    assert "192" in str(brief(turn)["already_shown_first"])


def test_openings_of_an_earlier_answer_are_none_of_this_one() -> None:
    turn = Turn.of(booked("clinic_c", ON_18_AT_10), session=LIST.session)
    assert turn.drafted("{slot:1}").unknown
    assert (brief(turn)["openings"], brief(turn)["earliest"]) == ({}, None)


def test_the_model_is_told_what_there_is_to_write_around() -> None:
    told = brief(PARTIAL)
    assert told["user_query"] == "pergunta"
    assert told["language"] == "Brazilian Portuguese"
    assert told["parts"] == {
        "{notice:1}": [PARTIAL.reply.blocks[1].text if isinstance(PARTIAL.reply.blocks[1], Paragraph) else ""],
        "{slots}": ["table of 1 rows: Nº, Data, Hora, Médico(a), Clínica, Obs."],
    }
    assert told["earliest"] == "{slot:1}"
    assert told["openings"] == {
        "{slot:1}": {
            "clinic": "Clínica C",
            "doctor": "Dr. Fernando Mendes",
            "weekday": "sexta-feira",
            "date": "18/07/2025",
            "time": "10:00",
        }
    }


def test_a_long_list_is_described_in_part_and_can_be_named_in_full() -> None:
    where = [(MARINA, f"2025-08-{day:02}", f"{hour:02}:00") for day in range(1, 8) for hour in range(8, 18)]
    turn = Turn.of(openings("clinic_b", *where))
    told = brief(turn)["openings"]
    assert isinstance(told, dict)
    assert len(told) == 30
    assert not turn.drafted("{slot:70}").unknown


def test_the_model_is_asked_in_the_form_that_the_blueprint_sets() -> None:
    asker = ScriptedAsker("ok")
    LIST.draft(asker)
    (request,) = asker.requests
    assert (request.purpose, request.temperature, request.schema) == (Purpose.WRITE, 0.3, None)
    assert [message.role for message in request.messages] == ["system", "user"]
    assert "clinic_c: Clínica C, Cardiology; Dr. Fernando Mendes" in request.messages[0].text


def test_who_speaks_and_what_is_personal_reach_no_model() -> None:
    asker = ScriptedAsker("ok")
    own = replace(Turn.of(booked("clinic_c", ON_18_AT_10)), utterance=f"sou {NAME}, {CPF}, fone 11 98765-4321")
    others = Turn.of(record(), patients("clinic_a", "CARD-002"), session=OPERATOR)
    for turn in (own, others):
        turn.draft(asker)
    sent = texts(asker.requests)
    for secret in (NAME, "Carlos", CPF, "12345678900", "*89-", "98765", "Beatriz", "987.654", "Acácias", "Losartana"):
        assert secret not in sent
    assert "CARD-002" in sent


@settings(max_examples=60, deadline=None)
@given(st.text(st.sampled_from("{}[]slot:1 *_#`>\n-ap.") | st.characters(), max_size=80))
def test_no_text_breaks_the_writer(text: str) -> None:
    draft = LIST.draft(ScriptedAsker(text))
    if draft is not None:
        assert draft.reply.blocks == () or draft.reply.plain
        assert draft.missing in {(), ("{slots}",)}
        assert not any(isinstance(block, Card) for block in draft.reply.blocks)
