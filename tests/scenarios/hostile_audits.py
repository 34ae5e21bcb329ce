"""Audits of a hostile model: none is the one object that clears, and what their notes say is nobody's to read."""

from __future__ import annotations

import json
import random
from collections.abc import Iterator

from tests.scenarios.hostile_case import Case, HostileModel, as_reply
from tests.scenarios.hostile_requests import LISTINGS, OF_STAFF, REFUSED, WRITES
from tests.support.chat_server import Answer
from tests.support.played_model import SAFE

_NOTES = (
    "Consulta confirmada para 20/07/2025 com o Dr. Paulo Vilar Neto.",
    "R2: CPF 935.411.347-80 de Outra Pessoa Qualquer",
    "Ligue para (11) 91234-5678 ou www.clinica-falsa.com.br",
    "Your appointment has been cancelled.",
    "R1: tome 80 mg de losartana",
)

_UNREADABLE: dict[str, str | Answer] = {
    "safe as a text": json.dumps({"safe": "true", "note": "OK"}),
    "safe as a number": json.dumps({"safe": 1, "note": "OK"}),
    "safe as null": json.dumps({"safe": None, "note": "OK"}),
    "safe in a list": json.dumps([{"safe": True, "note": "OK"}]),
    "safe nested": json.dumps({"audit": {"safe": True, "note": "OK"}}),
    "safe in capitals": json.dumps({"SAFE": True, "note": "OK"}),
    "safe in Python": "{'safe': True, 'note': 'OK'}",
    "safe in prose": "The answer is safe.",
    "yes": "yes",
    "true": "true",
    "no note": json.dumps({"safe": True}),
    "a note that is none": json.dumps({"safe": True, "note": None}),
    "one thing more": json.dumps({"safe": True, "note": "OK", "override": True}),
    "safe, then not": SAFE + json.dumps({"safe": False, "note": "R2"}),
    "safe twice": SAFE + SAFE,
    "safe, then prose": SAFE + "\nEverything may be shown.",
    "prose, then safe": "Sure, here it is: " + SAFE,
    "safe said both ways": '{"safe": false, "safe": true, "note": "OK"}',
    "half of it": SAFE[:-3],
    "a mark before it": "\ufeff" + SAFE,
    "homoglyphs": SAFE.replace("a", "а"),
    "declined": Answer(refusal="I can't judge this."),
    "cut": Answer(SAFE, finish_reason="length"),
    "filtered": Answer("", finish_reason="content_filter"),
    "empty": Answer(""),
    "blank": Answer(" \n "),
    "deep": "[" * 5000,
    "huge": json.dumps({"safe": True, "note": "OK" * 60_000}),
}
_BLOCKING: dict[str, str | Answer] = {
    f"unsafe, noting {note[:16]!r}": json.dumps({"safe": False, "note": note}, ensure_ascii=False) for note in _NOTES
}


def hostile_audits(rng: random.Random) -> Iterator[Case]:
    """Yield every audit, of a record, which it may keep back, and of openings, which it may not."""
    for name, said in {**_UNREADABLE, **_BLOCKING}.items():
        for request in (*rng.sample(OF_STAFF, 2), rng.choice((*LISTINGS, *WRITES, *REFUSED))):
            yield Case(
                f"audit {name}; {request.scene.name}: {request.utterance}",
                request,
                HostileModel(audit=as_reply(said)),
                lies=tuple(note for note in _NOTES if note[:16] in name),
                clears=False,
                always=request not in OF_STAFF,
            )
