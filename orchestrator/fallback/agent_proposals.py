"""Write down what people ask for that no agent does, for whoever extends the mesh.

A record is a file for this user only; its examples are redacted more strictly than a log's, and bounded in number.
"""

import hashlib
import json
import logging
import re
import tomllib
from collections.abc import Callable
from dataclasses import dataclass
from datetime import UTC, datetime
from importlib.resources import files
from pathlib import Path

from pydantic import BaseModel, ValidationError

from mesh import private_file
from orchestrator.privacy import PersonalKind, Redactor, name_words
from orchestrator.turn import UNKNOWN, Classification, Identity, Plan, Topic

SCHEMA = "clinic-mesh.agent-proposal/1"

MAX_EXAMPLES = 20
_MAX_CHARACTERS = 200

_TEXTS = tomllib.loads(files(__package__).joinpath("agent_proposals.toml").read_text("utf-8"))
_log = logging.getLogger(__name__)

_NUMBER = re.compile(r"\d(?:[.,/ -]?\d){2,}")
_CAPITALISED = r"[A-ZÀ-Ý][^\W\d_]+"
_NAMES = re.compile(rf"\b{_CAPITALISED}(?:\s+(?:d[aeo]s?\s+)?{_CAPITALISED})+")


@dataclass(frozen=True, slots=True)
class AgentProposals:
    """The records of one run, in folders of a folder."""

    data_dir: Path
    clock: Callable[[], datetime] = lambda: datetime.now(UTC)  # returns the current real time, aware

    def add(self, plan: Plan, utterance: str, identity: Identity, *, folder: str, max_records: int) -> bool:
        """Write down a request that no agent is for; return False where the folder is full or cannot be written."""
        records = self.data_dir / folder
        topic = plan.topic or Topic.UNSUPPORTED
        classification = plan.classification or Classification(UNKNOWN)
        intent, domains = classification.intent, list(classification.domains)
        kind = hashlib.sha256(json.dumps([topic, intent, domains]).encode()).hexdigest()[:12]
        path = records / f"{topic}-{kind}.json"
        try:
            private_file.make_folder(records)
            if not path.exists() and sum(1 for _ in records.glob("*.json")) >= max_records:
                return False
            now = self.clock().isoformat(timespec="seconds")
            before = _read(path) or _Record(first_at=now, count=0, examples=())
            example = redacted(utterance, identity)
            is_new = example not in before.examples and len(before.examples) < MAX_EXAMPLES
            record = {
                "schema": SCHEMA,
                "intent": intent,
                "domains": domains,
                "topic": topic,
                "first_at": before.first_at,
                "last_at": now,
                "count": before.count + 1,
                "examples": [*before.examples, example] if is_new else before.examples,
                "requirements": _TEXTS["requirements"],
                "risks": _TEXTS["risks"].get(topic, _TEXTS["risks"][Topic.UNSUPPORTED]),
            }
            private_file.replace(path, (json.dumps(record, ensure_ascii=False, indent=2) + "\n").encode())
        except OSError as error:
            _log.warning("%s: no proposal could be written: %s", records, error.strerror)
            return False
        return True


def redacted(utterance: str, identity: Identity) -> str:
    """Return an utterance as an example may be kept."""
    # Beyond a log: without words capitalised in a row, any word of the speaker's name, and numbers of three digits.
    text = Redactor(identity, name_words(identity.name)).redact(utterance)
    text = _NAMES.sub(PersonalKind.NAME.placeholder, _NUMBER.sub("[NUMBER]", text))
    return " ".join(text.split())[:_MAX_CHARACTERS]


class _Record(BaseModel):
    """What is carried over from a record that is there."""

    first_at: str
    count: int
    examples: tuple[str, ...]


def _read(path: Path) -> _Record | None:
    try:
        return _Record.model_validate_json(path.read_bytes())
    except (FileNotFoundError, ValidationError):
        return None
