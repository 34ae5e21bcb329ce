"""Whole conversations by chance: several people, in two languages, at the same clinics, and what befalls them.

A seed repeats a storm: who speaks when, what they say to what they were told, and which fault strikes where.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Mapping, Sequence

from orchestrator.turn.identity import Language
from orchestrator.turn.reply import Reply
from tests.scenarios.chaos.faults import FORGERIES, KEPT_FROM_CALLERS, ON_THE_WAY, with_token
from tests.scenarios.chaos.stage import PEOPLE, YES, Person, Stage
from tests.support.clinics import Guard

_OPENERS: Mapping[Language, Sequence[str]] = {
    Language.PT: (
        "quero marcar uma consulta com cardiologista",
        "tem dermatologista?",
        "quero um ortopedista",
        "quero um cardiologista e um ortopedista",
        "quais são as minhas consultas?",
        "qual a capital da França?",
    ),
    Language.EN: (
        "I want to book a cardiology appointment",
        "do you have a dermatologist?",
        "I need an orthopedist",
        "what are my appointments?",
        "what is the capital of France?",
    ),
}
_WISHES: Mapping[Language, Sequence[str]] = {
    Language.PT: (
        "quero o Dr. Fernando Mendes dia 18/07 às 10h",
        "quero a Dra. Marina Couto dia 21/07 às 9h",
        "quero marcar com o Dr. Ricardo Lopes dia 21/07 às 9h",
        "quero o Dr. Gustavo Rezende dia 23/07 às 16h",
    ),
    Language.EN: (
        "I'll take Dr. Fernando Mendes on July 18 at 10 AM",
        "I'll take Dr. Marina Couto on July 21 at 9 AM",
        "I'll take Dr. Ricardo on July 21 at 9 AM",
        "I'll take Dr. Gustavo Rezende on July 23 at 4 PM",
    ),
}
"""Few, so that people come into each other's way."""

_CHOICES: Mapping[Language, Sequence[str]] = {
    Language.PT: ("o primeiro", "o segundo", "pode ser o mais cedo", "o 3"),
    Language.EN: ("the first one", "the second one", "I'll take the earliest", "number 3"),
}
_CHANGES: Mapping[Language, Sequence[str]] = {
    Language.PT: (
        "preciso cancelar minha consulta",
        "preciso remarcar minha consulta para o dia 24/07 às 16h",
        "preciso remarcar para o dia 25/07 às 11h",
        "preciso remarcar minha consulta",
    ),
    Language.EN: (
        "I need to cancel my appointment",
        "I need to reschedule to July 24 at 4 PM",
        "I need to reschedule to July 25 at 11 AM",
        "I need to reschedule my appointment",
    ),
}
_OTHERWISE: Mapping[Language, Sequence[str]] = {
    Language.PT: ("não", "", "obrigado", "tem outro horário?", "não, melhor 10:30"),
    Language.EN: ("no", "", "thank you", "is there another time?", "no, 10:30 is better"),
}


def storm(stage: Stage, seed: int, turns: int) -> Iterator[tuple[Person, Reply]]:
    """Play a storm, heal the clinics, and let everybody find out what came of their writes; yield each turn."""
    chance = random.Random(seed)
    people = [Person(identity, language) for identity, language in chance.sample(PEOPLE, chance.randint(2, 3))]
    for _ in range(turns):
        person = chance.choice(people)
        if chance.random() < 0.5:
            _strike(stage, person, chance)
        elif chance.random() < 0.5:
            stage.heal()
        yield person, stage.say(person, _utterance(person, chance))
    stage.heal()
    for person in people:
        for _ in range(_PATIENCE):
            if person.in_doubt:
                yield person, stage.say(person, YES[person.language])
        assert not person.in_doubt, "a healed clinic did not say what came of a write"


def _utterance(person: Person, chance: random.Random) -> str:
    session, language = person.session, person.language
    if session.proposal is not None and chance.random() < 0.85:
        return YES[language]
    kinds: list[tuple[float, Sequence[str]]] = [
        (1.5, _OPENERS[language]),
        (2, _WISHES[language]),
        (4 if session.offers else 0.2, _CHOICES[language]),
        (4 if session.appointments else 0.2, _CHANGES[language]),
        (0.7, _OTHERWISE[language]),
    ]
    (texts,) = chance.choices([texts for _, texts in kinds], [weight for weight, _ in kinds])
    return chance.choice(texts)


def _strike(stage: Stage, person: Person, chance: random.Random) -> None:
    """Let something befall clinics: those of the person's proposal first."""
    proposal = person.session.proposal
    concerned = [step.clinic for step in proposal.plan.steps] if proposal is not None else []
    clinics = concerned or chance.sample(list(stage.relays), chance.randint(1, 3))
    befall = chance.choice(_BLOWS)
    for clinic in dict.fromkeys(clinics):
        befall(stage, clinic, chance)


def _on_the_way(stage: Stage, clinic: str, chance: random.Random) -> None:
    name = chance.choice(list(ON_THE_WAY))
    stage.relays[clinic].trouble(ON_THE_WAY[name], chance.choice((1, 1, 2, 4)))


def _answer_kept(stage: Stage, clinic: str, chance: random.Random) -> None:
    name = chance.choice(list(KEPT_FROM_CALLERS))
    stage.relays[clinic].trouble(KEPT_FROM_CALLERS[name], 4)


def _another_token(stage: Stage, clinic: str, chance: random.Random) -> None:
    forge = chance.choice([None, *FORGERIES.values()])
    token = None if forge is None else forge(stage.keys, clinic)
    stage.relays[clinic].trouble(with_token(token), chance.choice((1, 3)))


def _cut(stage: Stage, clinic: str, _chance: random.Random) -> None:
    stage.relays[clinic].cut()


def _skew(stage: Stage, _clinic: str, chance: random.Random) -> None:
    stage.clock.offset_s = chance.choice((-3600.0, -70.0, -4.0, 4.0, 30.0, 3600.0))


def _restart(stage: Stage, clinic: str, _chance: random.Random) -> None:
    stage.restart(clinic)


def _estrange(stage: Stage, clinic: str, _chance: random.Random) -> None:
    stage.restart(clinic, Guard(stage.other_keys.public))


_PATIENCE = 5
"""How often a healed clinic is asked: once is enough, unless this machine is very busy."""

_BLOWS: Sequence[Callable[[Stage, str, random.Random], None]] = (
    *[_on_the_way] * 8,
    *[_answer_kept] * 6,
    *[_another_token] * 5,
    *[_cut] * 2,
    *[_skew] * 3,
    _restart,
    _estrange,
)
"""What may befall; what takes long is rarer."""
