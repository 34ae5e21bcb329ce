import pytest

from orchestrator.turn.identity import Language
from orchestrator.turn.reply import Block, Card, Paragraph, Reply, Table, TurnOutcome, markdown, plain_text

SLOTS = Table(("Nº", "Médico", "Nota"), (("1", "Dr. Ricardo Lopes", "mais cedo"), ("2", "Dr. Ricardo Lopes", "")), 0)
RECORD = Card("Paciente CARD-001", (("Nome", "Alberto Nunes Figueira"), ("Telefone", "(19) 95550-0101")), private=True)
PATIENTS = Table(("Paciente", "Condição"), (("CARD-001", "Hipertensão arterial"),), private=True)


def reply(*blocks: Block) -> Reply:
    return Reply(Language.PT, TurnOutcome.OK, blocks)


def test_plain_text_is_a_line_a_row_and_an_empty_line_between_blocks() -> None:
    assert reply(Paragraph("Horários:"), SLOTS, Card("Consulta", (("Data", "21/07"), ("Hora", "09:00")))).plain == (
        "Horários:\n"
        "\n"
        "1 | Dr. Ricardo Lopes | mais cedo\n"
        "2 | Dr. Ricardo Lopes\n"
        "\n"
        "Consulta\n"
        "  Data: 21/07\n"
        "  Hora: 09:00"
    )


@pytest.mark.parametrize("private", [RECORD, PATIENTS])
def test_what_is_private_is_shown_and_left_out_of_the_log(private: Block) -> None:
    told = reply(Paragraph("Aqui está."), private, Paragraph("Algo mais?"))
    assert "CARD-001" in told.plain
    assert told.loggable == "Aqui está.\n\nAlgo mais?"


def test_what_is_not_private_is_logged_as_it_is_shown() -> None:
    told = reply(Paragraph("Horários:"), SLOTS)
    assert told.loggable == told.plain


def test_a_representation_shows_no_text_of_a_block() -> None:
    shown = repr(reply(Paragraph("Olá, Carlos"), SLOTS, RECORD, PATIENTS))
    assert not any(text in shown for text in ("Carlos", "Ricardo", "Alberto", "Hipertensão"))


def test_an_empty_cell_keeps_its_place_in_plain_text_unless_nothing_follows() -> None:
    table = Table(("Nº", "O que", "Obs."), (("", "marcada", ""), ("1", "", "cedo")))
    assert plain_text(table) == "— | marcada\n1 | — | cedo"


def test_a_table_is_a_table_in_markdown() -> None:
    assert markdown(Table(("Nº", "Quem"), (("1", "A | B"), ("2", "")))) == (
        "| Nº | Quem |\n| --- | --- |\n| 1 | A \\| B |\n| 2 |  |"
    )


def test_a_card_is_a_list_in_markdown() -> None:
    assert markdown(Card("Confirma?", (("Hora", "10:00"),))) == "**Confirma?**\n\n- Hora: 10:00"
