"""Ids of proposals: with one, a script says yes in another process to exactly what it was told, and to nothing else.

Nothing is stored. An id is a salt and a keyed digest of all that would be done, for whom and on which day, so that
whoever plans the same words again can tell whether the same comes out. The request_ids of the writes follow from it:
to confirm twice is to repeat the same write, and clinics answer that without writing again.
"""

from __future__ import annotations

import hmac
import json
import re
import secrets
import uuid
from dataclasses import dataclass, replace
from datetime import date

from orchestrator.turn.plan import Plan
from orchestrator.turn.session import Session
from orchestrator.turn.tools import is_write

_LETTERS = "bcdfghjklmnpqrstvwxz"
"""No digits, so that nothing that hides numbers takes an id for one, and no vowels, so that no id is a word."""

_SALT, _DIGEST = 6, 12
"""Letters of each: a proposal made again has another id (26 bits); 52 bits are what a wrong plan would have to meet."""


class ProposalIdError(ValueError):
    """A text that is no id of a proposal; the message does not repeat it."""


@dataclass(frozen=True, slots=True)
class IdentifiedPlan:
    """A plan whose writes can be repeated safely.

    Attributes:
        plan: The plan, with a request_id for each write.
        id: Of the proposal that it would be; empty when it writes nothing.
        is_confirmed: The session brought this very id, so that its writes may be made.
    """

    plan: Plan
    id: str = ""
    is_confirmed: bool = False


class ProposalIds:
    """Gives out ids, and recognises those that were given out under the same key.

    Args:
        key: A secret. Without it nobody finds out a CPF by trying all of them against an id.
    """

    def __init__(self, key: bytes) -> None:
        self._key = key

    def seal(self, plan: Plan, session: Session, today: date) -> IdentifiedPlan:
        """Return a plan with its id: the one that the session brings where that fits, else a new one.

        Args:
            plan: Any plan.
            session: Who speaks, in which role, and what they confirm.
            today: The day of appointments; an id is good for this day only.
        """
        if not any(is_write(step.action) for step in plan.steps):
            return IdentifiedPlan(plan)
        deed = _deed(plan, session, today)
        brought = session.confirmation
        if brought is not None and hmac.compare_digest(brought, self._id(_salt_of(brought), deed)):
            return IdentifiedPlan(self._with_request_ids(plan, brought, deed), brought, is_confirmed=True)
        new = self._id("".join(secrets.choice(_LETTERS) for _ in range(_SALT)), deed)
        return IdentifiedPlan(self._with_request_ids(plan, new, deed), new)

    def _id(self, salt: str, deed: bytes) -> str:
        number = int.from_bytes(self._digest(f"id\0{salt}", deed))
        letters = []
        for _ in range(_DIGEST):
            number, place = divmod(number, len(_LETTERS))
            letters.append(_LETTERS[place])
        return _grouped(salt + "".join(letters))

    def _with_request_ids(self, plan: Plan, proposal_id: str, deed: bytes) -> Plan:
        # Of the whole digest: request_ids of one clinic must never meet by accident.
        namespace = uuid.UUID(bytes=self._digest(f"request_id\0{proposal_id}", deed)[:16])
        steps = (
            replace(step, request_id=str(uuid.uuid5(namespace, str(step.step_id)))) if is_write(step.action) else step
            for step in plan.steps
        )
        return replace(plan, steps=tuple(steps))

    def _digest(self, purpose: str, deed: bytes) -> bytes:
        return hmac.digest(self._key, purpose.encode() + b"\0" + deed, "sha256")


def parse_proposal_id(text: str) -> str:
    """Return an id as it is given out, for what a person typed: in capitals, or without the dashes.

    Raises:
        ProposalIdError: It has not the form of one.
    """
    letters = re.sub(r"[\s-]", "", text).lower()
    if re.fullmatch(f"[{_LETTERS}]{{{_SALT + _DIGEST}}}", letters) is None:
        raise ProposalIdError("an id of a proposal is expected, as it was printed: three groups of six letters")
    return _grouped(letters)


def _grouped(letters: str) -> str:
    return "-".join(re.findall(".{6}", letters))


def _salt_of(proposal_id: str) -> str:
    return proposal_id.replace("-", "")[:_SALT]


def _deed(plan: Plan, session: Session, today: date) -> bytes:
    """Return all that would be done, for whom and when, as bytes that are equal only where that is."""
    steps = [[step.step_id, step.clinic, step.action, step.parameters, step.after] for step in plan.steps]
    person = [session.identity.name, session.identity.cpf, session.role]
    return json.dumps([today.isoformat(), person, steps], sort_keys=True).encode()
