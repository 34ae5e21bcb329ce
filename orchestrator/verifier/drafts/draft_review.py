"""What a draft rule is given to judge: a model's own words, how they would be shown, and all that they may rest on."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, field

from orchestrator.turn import Answers, Appointment, Clinic, Draft, Language, Paragraph, Part, TurnOutcome
from orchestrator.verifier.drafts.facts import Fact, FactReader, Named, facts_of, receipt_facts
from orchestrator.verifier.literals import clauses, folded, name_words, sentences
from orchestrator.verifier.review import Grounds, ReplyReview

# By language, because "no" denies in one and is a preposition in the other.
_DENIED = {
    Language.PT: re.compile(r"\b(?:nao|nenhum\w*|nem|nada|sem|nunca|ninguem)\b"),
    Language.EN: re.compile(r"\b(?:not|no|none|nothing|neither|nor|without|cannot|unable|never|nobody)\b|n't\b"),
}
_BROKEN = re.compile(r"(?<![.!?:;…])\n+(?!- )")


@dataclass(frozen=True, slots=True)
class DraftReview:
    """A draft and what it may rest on."""

    reply: ReplyReview  # the review of the whole text as it would be shown
    grounds: Grounds  # what that text may name
    parts: frozenset[Part]  # the parts of the template's reply that the draft shows
    # the model's own words, without what code put in; those that are broken over lines also whole
    words: str = field(repr=False)
    unjoined: str = field(repr=False)  # the same without the latter
    lines: tuple[str, ...] = field(repr=False)  # the words, folded, line by line
    clauses: tuple[str, ...] = field(repr=False)  # the same, folded, clause by clause
    # the sentences of the model's paragraphs as they would be shown, each with what it names
    said: tuple[tuple[str, Named], ...] = field(repr=False)
    query: str = field(repr=False)  # what the person asked, folded
    language: Language  # in which the answer is given
    outcome: TurnOutcome  # how the turn ended
    clinics: tuple[Clinic, ...]  # the clinics that there are
    asked: frozenset[str]  # ids of the clinics that this turn or this conversation is about
    offered: frozenset[Fact]  # the openings that this answer is about
    suiting: frozenset[Fact]  # those among them that the person asked for
    receipts: frozenset[Fact]  # what this turn's receipts say
    written: frozenset[Fact]  # the same, and what the writes of the plan were to make of it
    facts: frozenset[Fact]  # all that a sentence may tell of doctors, clinics and moments
    # the words of the names of the data's doctors, of the clinics and of the speaker, folded
    names: frozenset[str] = field(repr=False)
    reader: FactReader  # finds what a piece of text names

    @classmethod
    def of(cls, draft: Draft, answers: Answers, reply: ReplyReview, clinics: Sequence[Clinic]) -> DraftReview:
        """Return the review of a draft."""
        session = reply.session
        offered = frozenset(map(Fact.at, reply.evidence.offered))
        suiting = frozenset(map(Fact.at, reply.plan.wish.narrowed_to(reply.evidence.offered)[1]))
        receipts = frozenset(receipt_facts(reply.receipts))
        steps = frozenset(Fact.at(slot) for step in reply.steps for slot in step.slots)
        earlier = frozenset(
            (
                *(Fact.at(Appointment(offer.clinic, offer.doctor, offer.date, offer.time)) for offer in session.offers),
                *receipt_facts(session.receipts),
            )
        )
        placed = frozenset(map(Fact.at, reply.evidence.placed))
        # An answer about receipts speaks of nothing that was offered before.
        facts = offered | receipts | steps | placed | (frozenset() if receipts else earlier)
        reader = FactReader(
            clinics,
            (*(fact.doctor for fact in facts), *(name_words(doctor) for one in clinics for doctor in one.doctors)),
            session.identity.name,
        )
        shown = "\n\n".join(
            block.text for block in draft.reply.blocks if isinstance(block, Paragraph) and block.part is None
        )
        words = _also_unbroken(draft.words)
        plain = folded(words)
        grounds = reply.grounds
        return cls(
            reply=reply,
            grounds=grounds,
            parts=frozenset(block.part for block in draft.reply.blocks if block.part is not None),
            words=words,
            unjoined=draft.words,
            lines=tuple(plain.split("\n")),
            clauses=tuple(clauses(plain)),
            said=tuple((sentence, reader.read(sentence)) for sentence in sentences(_also_unbroken(shown))),
            query=folded(answers.utterance),
            language=draft.reply.language,
            outcome=draft.reply.outcome,
            clinics=tuple(clinics),
            asked=reply.evidence.asked | {step.clinic for step in reply.steps} | {fact.clinic for fact in earlier},
            offered=offered,
            suiting=suiting,
            receipts=receipts,
            written=receipts | steps,
            facts=facts | frozenset(facts_of(clinics)),
            names=frozenset().union(
                name_words(session.identity.name), *grounds.doctors, *(name_words(one.name) for one in clinics)
            ),
            reader=reader,
        )

    def denies(self, plain: str) -> bool:
        """Return whether a folded piece of text denies something."""
        return _DENIED[self.language].search(plain) is not None


def _also_unbroken(text: str) -> str:
    whole = _BROKEN.sub(" ", text)
    return text if whole == text else f"{text}\n\n{whole}"
