"""A specialty is what its clinics say: one that nobody has heard of is understood by the words that they state."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import cycle, product

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from clinics.profile import known_clinics, load_profile
from mesh.catalogue import arguments_of, faults_of
from orchestrator.planner.offline import OfflinePlanner
from orchestrator.planner.understanding.understanding import understand
from orchestrator.planner.wishes.specialties import BODY, COMPLAINTS, NAMES, _is_usable, specialties_at
from orchestrator.turn.clinic import Clinic, SpecialtyWords
from orchestrator.turn.identity import Language
from orchestrator.turn.plan import Plan, Topic
from tests.support.repository_clinics import WORDS
from tests.support.sentences import sentences
from tests.unit.planner.desk import CLINICS, NOW, Desk

LUMENS = SpecialtyWords(
    "Lumenologia",
    names=("lumenolog*", "lumeno", "medic* (da|de) luz", "light doctor"),
    complaints=("brilho ... (apagando|fraco|fraca)", "my glow is (weak|gone)"),
    body=("aura*",),
)
WITH_LUMENS = (*CLINICS, Clinic("clinic_g", "Clínica G", "Lumenology", ("Dra. Íris Salgado",), words=LUMENS))


def planned(utterance: str) -> Plan:
    return OfflinePlanner().plan(utterance, Desk.open().session, WITH_LUMENS, NOW)


@pytest.mark.parametrize(
    "utterance",
    [
        "quero um lumenologista",
        "tem lumeno na sexta de manhã?",
        "Lumenologia",
        "LUMENOLOGISTA, pode ser quinta",
        "preciso de um médico da luz",
        "I need a light doctor",
        "any lumenologist on Friday?",
        "horários da lumenologia, menos segunda",
    ],
)
def test_an_unheard_of_specialty_is_looked_for_by_its_words(utterance: str) -> None:
    plan = planned(utterance)
    assert [step.clinic for step in plan.steps] == ["clinic_g"]
    assert plan.classification is not None
    assert plan.classification.domains == ("Lumenology",)


@pytest.mark.parametrize("utterance", ["meu brilho está fraco", "o brilho anda apagando", "my glow is gone"])
def test_its_complaints_are_offered_its_openings(utterance: str) -> None:
    plan = planned(utterance)
    assert plan.topic is Topic.OFFER_SPECIALTY
    assert plan.facts == {"specialty": "Lumenology"}


@pytest.mark.parametrize(("code", "language"), [*product(WORDS, Language)])
def test_a_complaint_is_offered_the_specialty_that_sees_it(code: str, language: Language) -> None:
    frames = cycle(
        ("tô com {}", "preciso de um médico, {}")
        if language is Language.PT
        else ("I have {}", "I need to see someone about {}")
    )
    wrong = []
    for complaint, frame in zip(sentences("complaints.txt", f"{code} {language}"), frames, strict=False):
        desk = Desk.open(language, consent_given=False)
        plan = desk.say(frame.format(complaint))
        plan = plan if plan.steps else desk.say("sim" if language is Language.PT else "yes")
        if {step.clinic for step in plan.steps} != {one.id for one in CLINICS if one.specialty == code}:
            wrong.append((frame.format(complaint), plan.topic))
    assert wrong == []


def test_all_words_of_the_specialties_fit_the_contract_and_are_looked_for() -> None:
    for clinic_id in known_clinics():
        words = load_profile(clinic_id).words
        assert words is not None
        assert faults_of(arguments_of(words.DESCRIPTOR), words) == ()
        assert [one for one in (*words.names, *words.complaints, *words.body) if not _is_usable(one)] == []


def test_a_specialty_that_clinics_got_is_no_other_one() -> None:
    neuro = SpecialtyWords("Neurologia", names=("neurolog*", "neuro", "brain doctor"))
    clinics = (*CLINICS, Clinic("clinic_g", "Clínica G", "Neurology", ("Dr. Caio Leme",), words=neuro))
    here, gone = (understand("quero um neurologista", Language.PT, some, NOW) for some in (clinics, CLINICS))
    assert (here.specialties, here.other_specialty) == (("Neurology",), False)
    assert (gone.specialties, gone.other_specialty) == ((), True)


@pytest.mark.long(but=1)
@pytest.mark.parametrize("condition", ["não quero na quinta com", "só de manhã por causa de", "not on Friday with"])
def test_words_of_a_clinic_beside_a_condition_are_understood(condition: str) -> None:
    for words in (LUMENS, *WORDS.values()):
        for phrase in (*words.complaints, *words.body):
            said = understand(f"{condition} {_said(phrase)}", Language.PT, WITH_LUMENS, NOW)
            assert said.wishes.unread == (), phrase


def test_until_a_clinic_answers_its_specialty_is_known_by_its_code() -> None:
    silent = tuple(Clinic(one.id, one.id, one.specialty) for one in CLINICS)
    for utterance, code in (("quero um cardiologista", "Cardiology"), ("any dermatologist?", "Dermatology")):
        assert understand(utterance, Language.PT, silent, NOW).specialties == (code,)


ORDINARY = (
    "sim",
    "não",
    "quero um cardiologista na sexta às 10h",
    "cancela a consulta de amanhã",
    "yes please",
    "1",
    "obrigado",
)
ROGUE_WORDS = (
    "sim",
    "nao",
    "quero um",
    "consulta",
    "cancel*",
    "sex*",
    "amanha",
    "(",
    ")?",
    "a|",
    "()",
    "yes",
    "please",
)
ROGUE_PHRASES = st.lists(
    st.one_of(st.sampled_from(ROGUE_WORDS), st.text("abcdefghijklmnoprstuvz ()|?*.", min_size=3, max_size=40)),
    max_size=8,
).map(tuple)


@given(ROGUE_PHRASES, ROGUE_PHRASES)
@example(("sim|nao",), ("quer*",))
@example(("zzz ... ... ... ... ... ... yyy",), ("a ... quero ... um ... zzz",))
@example(("(sim|zzz)",), ("(quero )?um",))
def test_no_words_of_a_clinic_take_what_people_say_of_anything_else(
    names: tuple[str, ...], body: tuple[str, ...]
) -> None:
    rogue = SpecialtyWords("Lumenologia", names=names, body=body)
    clinics = (*CLINICS, Clinic("clinic_g", "Clínica G", "Lumenology", ("Dra. Íris Salgado",), words=rogue))
    for utterance in ORDINARY:
        said, usual = (understand(utterance, Language.PT, some, NOW) for some in (clinics, CLINICS))
        assert replace(said, text=usual.text, wishes=usual.wishes) == usual
        assert said.wishes.tokens == usual.wishes.tokens


def test_every_phrase_of_our_specialties_is_used() -> None:
    for kind in (NAMES, COMPLAINTS, BODY):
        for code, words in WORDS.items():
            ours = [replace(CLINICS[0], specialty=code, words=SpecialtyWords(names=(one,))) for one in kind(words)]
            assert all(list(specialties_at(_said(one), [ours[n]])) for n, one in enumerate(kind(words)))


def _said(phrase: str) -> str:
    """Return a text that a phrase finds: its first alternatives, and what a stem may end in."""
    first = re.sub(r"\(([^()|]*)[^()]*\)\??", r"\1", phrase)
    return first.replace("...", "tal").replace("*", "s")
