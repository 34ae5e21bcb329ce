"""Tokens such as `[PATIENT]` and `[CPF-1]` in place of what identifies people, the same through a session, and back."""

from __future__ import annotations

import re
from collections.abc import Sequence

from orchestrator.privacy import PersonalKind, PersonalText, Redactor, name_words, telling_words
from orchestrator.turn import Clinic, Session

PATIENT = "[PATIENT]"  # stands for the speaker's name

TOKEN = re.compile(r"\[(?:PATIENT|(?:CPF|PHONE|EMAIL|ADDRESS)-[0-9]+)\]", re.IGNORECASE)  # known or not


class Pseudonyms:
    """The tokens of one session; made anew for each turn with `Pseudonyms.of`."""

    def __init__(self, redactor: Redactor, name: str) -> None:
        self._redactor = redactor
        self._tokens: dict[tuple[PersonalKind, str], str] = {}
        self._texts = {PATIENT: name}
        self._counts = dict.fromkeys(PersonalKind, 0)

    @classmethod
    def of(cls, session: Session, clinics: Sequence[Clinic]) -> Pseudonyms:
        """Return the tokens of a session, numbered as they first appear in its history; [CPF-1] is the speaker's."""
        identity = session.identity
        public = {
            *(clinic.name for clinic in clinics),
            *(doctor for clinic in clinics for doctor in clinic.doctors),
            *(offer.doctor for offer in session.offers),
        }
        shared = {word for name in public for word in name_words(name)}
        own = [word for word in telling_words(identity.name) if word not in shared]
        pseudonyms = cls(Redactor(identity, own, public), identity.name)
        pseudonyms.hide(identity.cpf)
        for exchange in session.history:
            pseudonyms.hide(exchange.utterance)
            if not exchange.private:
                pseudonyms.hide(exchange.reply)
        return pseudonyms

    def __repr__(self) -> str:
        return f"Pseudonyms({len(self._texts)} tokens)"

    def hide(self, text: str) -> str:
        """Return a text with tokens in place of what identifies people; what looks like one loses its brackets."""
        parts: list[str] = []
        end = 0
        for found in self._redactor.find(text):
            parts += (_without_tokens(text[end : found.start]), self._token(found, text[found.start : found.end]))
            end = found.end
        return "".join((*parts, _without_tokens(text[end:])))

    def restore(self, text: str) -> str:
        """Return a text with each known token replaced, for the person who speaks and nobody else."""
        return TOKEN.sub(lambda match: self._texts.get(match[0].upper(), match[0]), text)

    def _token(self, found: PersonalText, text: str) -> str:
        if found.kind is PersonalKind.NAME:
            return PATIENT
        key = (found.kind, found.digits if found.kind in _NUMBERS else " ".join(text.casefold().split()))
        if key not in self._tokens:
            self._counts[found.kind] += 1
            self._tokens[key] = f"[{found.kind.name}-{self._counts[found.kind]}]"
        token = self._tokens[key]
        self._texts[token] = text
        return token


_NUMBERS = frozenset({PersonalKind.CPF, PersonalKind.PHONE})


def _without_tokens(text: str) -> str:
    return TOKEN.sub(lambda match: f"({match[0][1:-1]})", text)
