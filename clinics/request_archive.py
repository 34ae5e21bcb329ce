"""Records of writes that db.json would be rewritten with each time, in files that are written once and kept for a day.

A file holds the records that were moved here at once; `clinics.file_storage` says when.
"""

import hashlib
import math
from collections import Counter
from collections.abc import Collection, Iterator, Mapping
from contextlib import suppress
from datetime import datetime
from pathlib import Path

import orjson
from google.protobuf.duration_pb2 import Duration
from google.rpc.error_details_pb2 import RetryInfo

from clinics.database import record_of
from clinics.ledger import MAX_AGE, Ledger, Record, forgotten_since, instant, subject_of
from clinics.silo import ForeignChangeError
from clinics.startup import StartupError
from mesh.errors import DomainError
from mesh.private_file import Disk, make_folder
from mesh.strict_document import Item

ARCHIVE = "requests"
MOST_OF_A_PATIENT, MOST_RECORDS = 200, 20_000  # that are remembered, here and in the ledger
_ADVICE = (
    "The file was left as it is: restore it, or move it away; repeats of requests that it holds then count as new."
)


class RequestArchive:
    """The records in a folder, by key; for the store's writer only. Only the keys are in memory.

    A file is NUMBER-DIGEST.json, with the SHA-256 of its content. It is removed a day after its newest record.
    """

    def __init__(self, folder: Path, disk: Disk, now: datetime) -> None:
        self.path = folder
        self._disk = disk
        self._newest: dict[Path, str] = {}  # when the newest record of each file was made
        self._files: dict[str, Path] = {}  # of each key
        self._subjects: Counter[str] = Counter()
        for path in folder.glob("*.new"):  # what a kill left behind
            path.unlink(missing_ok=True)
        for path in sorted(folder.glob("*.json")):
            try:
                records = _read(path)
            except ForeignChangeError:
                raise StartupError(f"{path}: it is damaged. {_ADVICE}") from None
            except OSError as error:
                raise StartupError(f"{path}: cannot be read ({error.strerror}). Check its owner.") from error
            # A record of the future was made by a clock that was wrong.
            self._add(path, records, min(max(record["at"] for record in records.values()), instant(now)))
        self.forget(now)

    def __len__(self) -> int:
        return len(self._files)

    def __iter__(self) -> Iterator[str]:
        return iter(self._files)

    def count(self, subject: str) -> int:
        """Return how many records a patient has here."""
        return self._subjects[subject]

    def oldest_of(self, subject: str | None = None) -> str | None:
        """Return when the records that are forgotten first were made, of one patient or of all."""
        of_subject = (file for key, file in self._files.items() if subject in {None, subject_of(key)})
        return min((self._newest[file] for file in set(of_subject)), default=None)

    def find(self, key: str) -> Record | None:
        """Return the record of a key; raise OSError if its file cannot be read, or does not hold it any more."""
        file = self._files.get(key)
        return None if file is None else record_of(Item(_read(file)[key]))

    def forget(self, now: datetime) -> None:
        """Remove the files that are too old."""
        oldest = forgotten_since(now)
        for file in [file for file, newest in self._newest.items() if newest <= oldest]:
            self._drop([key for key, its in self._files.items() if its == file])
            del self._newest[file]
            with suppress(OSError):  # nothing is lost, and the next start finds it again
                file.unlink(missing_ok=True)

    def make_room(self, ledger: Ledger, subject: str, now: datetime) -> None:
        """Forget what is old, here and in the ledger; raise REQUEST_IDS_EXHAUSTED if a patient's next has no room."""
        self.forget(now)
        ledger.forget(now)
        if ledger.subjects[subject] + self.count(subject) >= MOST_OF_A_PATIENT:
            raise _exhausted(self.oldest_of(subject) or ledger.oldest_of(subject) or instant(now), now)
        if len(ledger.records) + len(self) >= MOST_RECORDS:
            raise _exhausted(self.oldest_of() or ledger.oldest_of() or instant(now), now)

    def append(self, records: Mapping[str, Record]) -> None:
        """Put records that db.json surely holds on the medium, or raise OSError, after which they are not here."""
        if not records:
            return
        make_folder(self.path)
        content = orjson.dumps(records)
        number = max((int(file.name.partition("-")[0]) for file in self._newest), default=0) + 1
        file = self.path / f"{number:06d}-{_digest(content)}.json"
        self._disk.replace(file, content)
        self._disk.sync_folder(self.path)
        self._add(file, records, max(record.at for record in records.values()))

    def _add(self, file: Path, keys: Collection[str], newest: str) -> None:
        # A crash after the file, and before db.json without its records, brings them here twice.
        self._drop([key for key in keys if key in self._files])
        self._newest[file] = newest
        self._files |= dict.fromkeys(keys, file)
        self._subjects.update(map(subject_of, keys))

    def _drop(self, keys: Collection[str]) -> None:
        for key in keys:
            del self._files[key]
        self._subjects -= Counter(map(subject_of, keys))


def _read(file: Path) -> Mapping[str, Mapping[str, str]]:
    content = file.read_bytes()
    if not file.stem.endswith(f"-{_digest(content)}"):
        raise ForeignChangeError(f"{file} was changed by another hand")
    records: Mapping[str, Mapping[str, str]] = orjson.loads(content)  # what has its digest was written here
    return records


def _exhausted(oldest: str, now: datetime) -> DomainError:
    """Return the refusal of a write; a record is forgotten a day after `oldest`."""
    until_forgotten = datetime.fromisoformat(oldest) + MAX_AGE - now
    delay = Duration(seconds=max(1, math.ceil(until_forgotten.total_seconds())))
    problem = "This clinic remembers as many request_ids of the last day as it can; nothing was changed."
    return DomainError("REQUEST_IDS_EXHAUSTED", problem, details=(RetryInfo(retry_delay=delay),))


def _digest(content: bytes) -> str:
    return hashlib.sha256(content).hexdigest()
