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
    """A draft and what it may rest on.

    Attributes:
        reply: The review of the whole text as it would be shown.
        grounds: What that text may name.
        parts: The parts of the template's reply that the draft shows.
        words: The model's own words, without what code put in; those that are broken over lines also whole.
        unjoined: The same without the latter.
        lines: The words, folded, line by line.
        clauses: The same, folded, clause by clause.
        said: The sentences of the model's paragraphs as they would be shown, each with what it names.
        query: What the person asked, folded.
        language: In which the answer is given.
        outcome: How the turn ended.
        clinics: The clinics that there are.
        asked: Ids of the clinics that this turn or this conversation is about.
        offered: The openings that this answer is about.
        receipts: What this turn's receipts say.
        written: The same, and what the writes of the plan were to make of it.
        facts: All that a sentence may tell of doctors, clinics and moments.
        names: The words of the names of the data's doctors, of the clinics and of the speaker, folded.
        reader: Finds what a piece of text names.
    """

    reply: ReplyReview
    grounds: Grounds
    parts: frozenset[Part]
    words: str = field(repr=False)
    unjoined: str = field(repr=False)
    lines: tuple[str, ...] = field(repr=False)
    clauses: tuple[str, ...] = field(repr=False)
    said: tuple[tuple[str, Named], ...] = field(repr=False)
    query: str = field(repr=False)
    language: Language
    outcome: TurnOutcome
    clinics: tuple[Clinic, ...]
    asked: frozenset[str]
    offered: frozenset[Fact]
    receipts: frozenset[Fact]
    written: frozenset[Fact]
    facts: frozenset[Fact]
    names: frozenset[str] = field(repr=False)
    reader: FactReader

    @classmethod
    def of(cls, draft: Draft, answers: Answers, reply: ReplyReview, clinics: Sequence[Clinic]) -> DraftReview:
        """Return the review of a draft.

        Args:
            draft: The draft.
            answers: What it rests on.
            reply: The review of the draft's plain text.
            clinics: The clinics that there are.
        """
        session = reply.session
        offered = frozenset(map(Fact.at, reply.evidence.offered))
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
    """Return a text and, where sentences of it are broken over lines, the same again with them whole."""
    whole = _BROKEN.sub(" ", text)
    return text if whole == text else f"{text}\n\n{whole}"
