"""Whatever is looked for, the reply about clinics that are honest passes the verifier, and none of them is left out."""

import random
from itertools import islice

import pytest

from orchestrator.turn.reply import TurnOutcome
from tests.support.clinics import Clinics
from tests.support.form import examples
from tests.support.talk import open_talk

WORDS = {
    "pt": (
        (
            *("cardiologista", "dermatologista", "ortopedista", "quero marcar com um dermato", "com o Dr. Ricardo"),
            *("Dr. Fernando e Dra. Marina Couto", "dermato e cardio no mesmo dia", "quantas vagas de ortopedia"),
            *("tem mais tarde?", "só tem esse?", "a Dra. Sílvia ou o Dr. Gustavo"),
        ),
        ("", "terça", "na quinta", "terça ou quinta", "segunda e sexta", "de terça a sexta", "amanhã", "dia 22"),
        ("", "semana que vem", "depois do dia 20", "antes do dia 25", "este mês", "no sábado ou domingo"),
        ("", "de manhã", "à tarde", "às 10h", "depois das 15h", "até as 11h", "entre 9h e 14h"),
        ("", "menos o Dr. Ricardo", "sem ser sexta", "que não seja às 10h", "menos a clínica B", "com uma médica"),
        ("", "o mais cedo", "o mais barato", "que aceite Unimed", "em São Paulo"),
    ),
    "en": (
        (
            *("a cardiologist", "a dermatologist", "an orthopedist", "I want to book a skin doctor", "Dr. Ricardo"),
            *(
                "Dr. Fernando and Dra. Marina Couto",
                "a dermatologist and a cardiologist the same day",
                "anything later?",
            ),
            *("how many openings in orthopedics", "is that all?", "Dra. Sílvia or Dr. Gustavo"),
        ),
        (
            "",
            "on Tuesday",
            "Thursday",
            "Tuesday or Thursday",
            "Monday and Friday",
            "from Tuesday to Friday",
            "tomorrow",
        ),
        ("", "next week", "after July 20", "before the 25th", "this month", "on Saturday or Sunday"),
        ("", "in the morning", "in the afternoon", "at 10", "after 3 pm", "until 11", "between 9 and 2 pm"),
        ("", "not with Dr. Ricardo", "not on Friday", "not at 10", "except clinic B", "with a woman"),
        ("", "the earliest", "the cheapest", "that takes Unimed", "in São Paulo"),
    ),
}


@pytest.mark.long(but=1)
@pytest.mark.parametrize("language", WORDS)
def test_no_reply_about_honest_clinics_is_turned_down(clinics: Clinics, language: str) -> None:
    chance = random.Random(language)
    said = (", ".join(filter(None, map(chance.choice, WORDS[language]))) for _ in iter(int, 1))
    with open_talk(clinics.registry, consent_given=False) as talk:
        for sentence in islice(said, examples(250)):
            reply = talk.say(sentence)
            assert reply.outcome not in {TurnOutcome.PARTIAL, TurnOutcome.REFUSED}, f"{sentence}: {reply.plain}"
            talk.say("")
