"""What the comparison of two versions asks them: the suite's own conversations and lines."""

from __future__ import annotations

from pathlib import Path

from bench.utterances import Conversation, conversations, lines

TEST = '''
"""A file of tests."""

def test_booking(desk):
    desk.say("quero um cardiologista", "o segundo")
    assert desk.say("sim") == ["agendado para você"]
'''


def checkout(folder: Path) -> Path:
    tests = folder / "tests"
    tests.mkdir()
    tests.joinpath("test_queries.json").write_text(
        '{"queries": [{"id": "staff", "role": "operator", "turns": [{"say": "pacientes"}, {"say": "e agora?"}]}]}'
    )
    tests.joinpath("test_booking.py").write_text(TEST, "utf-8")
    tests.joinpath("lies.jsonl").write_text('{"lies": ["Há vaga dia 20.", "{slot:1}"]}\n', "utf-8")
    tests.joinpath("statements.txt").write_text("# no statement\nnão posso às sextas\n", "utf-8")
    return folder


def test_queries_and_what_a_test_says_are_conversations(tmp_path: Path) -> None:
    assert list(conversations(checkout(tmp_path))) == [
        Conversation("staff", ("pacientes", "e agora?"), "operator"),
        Conversation("tests/test_booking.py::test_booking", ("quero um cardiologista", "o segundo", "sim")),
    ]


def test_lines_come_from_code_text_and_records(tmp_path: Path) -> None:
    found = set(lines(checkout(tmp_path)))
    assert {"quero um cardiologista", "agendado para você", "não posso às sextas", "Há vaga dia 20."} <= found
    assert not any(line.startswith(("#", "{")) for line in found)
