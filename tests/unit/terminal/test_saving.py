"""What a person takes along: the transcript without what identifies them, and the last answer as scripts get it."""

import stat
from dataclasses import replace
from pathlib import Path

from orchestrator.terminal.clinic_commands import save_transcript
from orchestrator.texts import texts_in
from orchestrator.turn.identity import Identity, Language
from orchestrator.turn.session import Exchange, Session
from tests.unit.terminal.room import END, Room

SAID = (
    Exchange("sou Maria Souza, cpf 529.982.247-25", "Olá, Maria Souza!"),
    Exchange("ficha CARD-001", "Rua das Flores, 12", private=True),
    Exchange("horários", "1 | sexta-feira, 18/07/2025 | 10:00 | Dr. Fernando Souza | Clínica C"),
)
SESSION = Session(Identity.of("Maria Souza", "529.982.247-25"), history=SAID)


def test_a_transcript_holds_what_was_said_and_identifies_nobody(tmp_path: Path) -> None:
    path = tmp_path / "conversa.md"
    save_transcript(path, SESSION, ["Dr. Fernando Souza"])
    text = path.read_text("utf-8")
    assert text.startswith("# Conversa com as clínicas\n\n**você:** sou [NAME], cpf [CPF]\n\nOlá, [NAME]!\n")
    assert "Dr. Fernando Souza" in text
    assert "Flores" not in text
    assert stat.S_IMODE(path.stat().st_mode) == 0o600


def test_save_writes_the_conversation_and_says_where(room: Room) -> None:
    path = room.folder / "conversa.md"
    _, _, drawn = room.converse([f"/save {path}\r", END], session=SESSION)
    assert "sem dados pessoais" in " ".join(drawn.split())  # wherever the path makes the line break
    assert "**você:** horários" in path.read_text("utf-8")


def test_save_never_replaces_a_file_nor_follows_a_link(room: Room) -> None:
    path, link = room.folder / "conversa.md", room.folder / "link.md"
    path.write_text("mine", "utf-8")
    link.symlink_to(room.folder / "elsewhere")
    _, _, drawn = room.converse([f"/save {path}\r", f"/save {link}\r", END], session=SESSION)
    assert "já existe" in " ".join(drawn.split())
    assert path.read_text("utf-8") == "mine"
    assert not (room.folder / "elsewhere").exists()


def test_a_file_that_cannot_be_written_costs_nothing_else(room: Room) -> None:
    conversation, _, drawn = room.converse(
        [f"/save {room.folder}/none/x.md\r", "/save ~nobody-at-all/x.md\r", "oi\r", END], session=SESSION
    )
    assert drawn.count("Nada foi gravado.") == 2
    assert conversation.heard == ["oi"]


def test_save_without_a_file_says_how(room: Room) -> None:
    _, _, drawn = room.converse(["/save\r", END], session=replace(SESSION, language=Language.EN))
    assert texts_in(Language.EN).text("terminal.save_usage") in drawn


def test_json_prints_the_record_of_the_last_answer_on_one_line(room: Room) -> None:
    _, _, drawn = room.converse(["/json\r", "oi\r", "/json\r", END])
    assert texts_in(Language.PT).text("terminal.no_turn") in drawn
    assert '{"turn": 0, "outcome": "ok"}\n' in drawn
