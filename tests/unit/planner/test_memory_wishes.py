"""Questions about what is remembered, what is taken back, corrected or not to be noted, in free words."""

from __future__ import annotations

from dataclasses import replace
from datetime import datetime
from itertools import product
from pathlib import Path

import pytest

from mesh.clock import ZONE
from orchestrator.turn.identity import Language
from orchestrator.turn.memory_calls import ForgetMemory, ListMemories, Memory, MemoryKind, SaveMemory, Source
from orchestrator.turn.plan import Plan, Topic
from tests.unit.planner.desk import Desk

SAID_AT = datetime(2025, 7, 14, 9, tzinfo=ZONE)
LINES = (Path(__file__).parents[2] / "sentences" / "memory_wishes.txt").read_text("utf-8").splitlines()
SENTENCES = [tuple(line.split(" | ")) for line in LINES if not line.startswith("#")]


def hear(utterance: str, *remembered: str) -> Plan:
    desk = Desk.open(remembers=True)
    kind, source = MemoryKind.RESTRICTION, Source.CONVERSATION
    kept = (Memory(said, said, kind, source, "", SAID_AT, SAID_AT) for said in remembered)
    desk.session = replace(desk.session, recalled=tuple(kept))
    return desk.say(utterance)


@pytest.mark.parametrize(("wish", "utterance"), SENTENCES)
def test_a_wish_about_the_memory_is_told_from_what_sounds_like_one(wish: str, utterance: str) -> None:
    plan = hear(utterance)
    assert (plan.memory == (ListMemories(),)) == (wish == "asks")
    assert (plan.topic is Topic.NOTHING_NOTED) == (wish == "silent")


ASKS = ("o que", "me diz o que", "quero saber o que"), ("what do", "tell me what", "remind me what")
KEEPS = (
    ("você sabe", "vc lembra", "você tem anotado", "ficou guardado", "vcs guardam"),
    ("you know", "u remember", "you have saved", "you keep", "you have written down"),
)
OF_ME = ("de mim", "sobre mim", "a meu respeito"), ("about me", "on me", "about me so far")


@pytest.mark.parametrize("language", [0, 1])
def test_any_asking_any_keeping_and_the_speaker_make_the_question(language: int) -> None:
    for ask, keep, of_me in product(ASKS[language], KEEPS[language], OF_ME[language]):
        assert hear(f"{ask} {keep} {of_me}?").memory == (ListMemories(),), (ask, keep, of_me)


@pytest.mark.parametrize("other", ["da Dra. Marina Couto", "da clínica B", "na sexta", "de dermatologia", "amanhã"])
def test_the_same_words_of_anything_else_are_no_such_question(other: str) -> None:
    for keep in ("você sabe", "você tem"):
        assert not hear(f"o que {keep} {other}?").memory


REMEMBERED = (
    "não gosto do Dr. Gustavo Rezende",
    "não posso às terças",
    "prefiro de manhã",
    "moro em Santo André",
    "trabalho em Perdizes",
    "meu convênio é Amil",
)


@pytest.mark.parametrize(
    ("utterance", "forgotten"),
    [
        ("esquece aquilo do dr gustavo", 0),
        ("sabe o gustavo rezende? esquece aquilo", 0),
        ("scratch what i said about dr gustavo", 0),
        ("agora eu gosto do dr gustavo", 0),
        ("apaga o negócio da terça", 1),
        ("delete the tuesday thing", 1),
        ("terça liberou", 1),
        ("as terças agora dão pra mim", 1),
        ("my tuesdays are free again", 1),
        ("i can do tuesdays now", 1),
        ("tira aquela história da manhã", 2),
        ("lose the morning thing please", 2),
        ("remove onde eu moro", 3),
        ("drop the address one", 3),
        ("não moro mais lá", 3),
        ("i don't live there anymore", 3),
        ("saí do emprego", 4),
        ("forget the part about my job", 4),
        ("o amil cancelei, pode tirar", 5),
        ("não tenho mais convênio, apaga isso", 5),
    ],
)
def test_the_one_whose_subject_is_taken_back_is_forgotten(utterance: str, forgotten: int) -> None:
    assert hear(utterance, *REMEMBERED).memory == (ForgetMemory(REMEMBERED[forgotten]),)


def test_where_several_may_be_meant_or_days_are_left_all_are_shown() -> None:
    of_place = ("não gosto da clínica de Santana", "moro em Santana")
    assert hear("esquece aquilo de santana", *of_place).memory == (ListMemories(),)
    assert hear("segunda liberou", "não posso às segundas e quartas").memory == (ListMemories(),)


@pytest.mark.parametrize("utterance", ["tira a terça", "terça tá livre?", "sem o dr gustavo", "tem terça de manhã?"])
def test_a_condition_of_what_is_looked_for_takes_nothing_back(utterance: str) -> None:
    assert not hear(utterance, *REMEMBERED).memory


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("moro em Santana", "me mudei, moro em Perdizes agora"),
        ("moro em Santana e tenho filhos pequenos", "mudei, agora to em Perdizes"),
        ("I live in Santana", "we moved to Perdizes"),
        ("trabalho em Santana", "mudei de emprego, agora trabalho em Perdizes"),
        ("I work in Santana", "I changed jobs, now I work in Perdizes"),
        ("trabalho até as 18h", "mudou, agora trabalho até as 16h"),
        ("prefiro de manhã, de tarde fico cansado", "falei errado, é o contrário, prefiro à tarde"),
        ("I prefer mornings", "sorry, the other way round, I prefer afternoons"),
    ],
)
def test_what_there_is_only_one_of_takes_the_place_of_the_one_before(before: str, now: str) -> None:
    first, *saves = hear(now, before).memory  # first, lest the new one be taken for one that is known
    assert first == ForgetMemory(before)
    assert [type(call) for call in saves] == [SaveMemory]


@pytest.mark.parametrize(
    ("before", "now"),
    [
        ("moro em Santana", "moro em Santana"),
        ("moro em Santana", "trabalho em Perdizes"),
        ("prefiro de manhã às segundas", "prefiro à tarde"),
        ("não posso às terças", "não posso às quartas"),
    ],
)
def test_what_can_stand_beside_another_stays(before: str, now: str) -> None:
    assert not any(isinstance(call, ForgetMemory) for call in hear(now, before).memory)


@pytest.mark.parametrize(
    ("utterance", "language"),
    [
        ("responde em inglês por favor", Language.EN),
        ("can you answer in english please", Language.EN),
        ("always reply in english, even if i write portuguese", Language.EN),
        ("pode voltar a falar português", Language.PT),
        ("you can use portuguese again", Language.PT),
    ],
)
def test_the_language_that_is_wished_for_is_promised_in_that_language(utterance: str, language: Language) -> None:
    plan = hear(utterance)
    assert (plan.topic, plan.language) == (Topic.LANGUAGE_KEPT, language)


@pytest.mark.parametrize("utterance", ["quero um médico que fale inglês", "alguém aí fala inglês?", "in english class"])
def test_who_speaks_a_language_is_another_question(utterance: str) -> None:
    assert hear(utterance).topic is not Topic.LANGUAGE_KEPT
