"""One running clinic: profile, silo, store and server, put together in the order in which they may fail."""

from contextlib import ExitStack
from functools import partial
from pathlib import Path

from clinics.agenda import Agenda, AgendaName, Upkeep, agenda_of
from clinics.file_storage import FileStorage
from clinics.operation_log import OPERATIONS, OperationLog
from clinics.profile import CLINICS, load_patients, load_profile
from clinics.request_archive import ARCHIVE, RequestArchive
from clinics.servicer import ClinicServicer
from clinics.silo import DatabaseFile, Silo
from clinics.startup import StartupError
from clinics.store import OpenShared, SlotStore, Storage
from generated.clinic.v1 import clinic_service_pb2, error_reason_pb2
from generated.clinic.v1.clinic_service_handlers import ClinicServiceHandlers
from mesh.call_admission import MOST_CALLS
from mesh.clock import clock_at, steady_clock
from mesh.errors import DomainError
from mesh.port_holder import port_holder
from mesh.private_file import Disk
from mesh.server import OPEN_TO_ALL, AddressInUseError, NodePolicies, Server, open_node
from mesh.tls import Renewed, UnprotectedAddressError, is_loopback
from mesh.tokens import read_public_keys

MAX_WRITES = MOST_CALLS - 8  # writes under way at once; the remaining workers serve reads while the disk is slow
_SERVICE = clinic_service_pb2.DESCRIPTOR.services_by_name["ClinicService"]
_REASONS = error_reason_pb2.ErrorReason.DESCRIPTOR


def serve(
    clinic_id: str,
    listen: str,  # host:port; port 0 takes a free one
    silo: Path,  # the folder of its db.json, made if it is not there
    agenda: AgendaName = "rolling",
    now: str | None = None,  # the ISO 8601 instant at which the appointments' clock stands still; None: real time
    policies: NodePolicies = OPEN_TO_ALL,
    *,
    disk: Disk | None = None,  # None: the operating system's
    open_shared: OpenShared | None = None,  # opens a storage that replicas share; None: db.json keeps the agenda
    clinics: Path = CLINICS,  # the folder of clinics that is looked in first
) -> Server:
    """Start a clinic in this process; stopping it releases the silo. UsageError and CredentialError say what to do."""
    try:
        clock = clock_at(now)
    except ValueError as error:
        raise StartupError(f"--now: {error}", usage=True) from None
    profile = load_profile(clinic_id, clinics)
    patients = load_patients(clinic_id, clinics)
    calendar = agenda_of(profile, agenda)
    _port(listen)
    if policies.keys is None and not is_loopback(listen):
        raise StartupError(f"{listen} can be reached by other machines, which takes --keys", usage=True)
    accepted = tuple if policies.keys is None else Renewed(partial(read_public_keys, policies.keys))
    with ExitStack() as parts:
        held = parts.enter_context(Silo(silo, clinic_id, agenda))
        store = _open_store(held, disk or Disk(), open_shared, clinic_id, calendar)
        parts.callback(store.close)
        upkeep = Upkeep(store, calendar, clock)
        try:
            upkeep.run_once()
        except DomainError as error:
            if not store.snapshot.slots:
                advice = "cannot be written. Make room on the disk or check permissions."
                raise StartupError(f"{held.database}: {advice}") from error
            # What is there can be read meanwhile, and the upkeep tries again.
        servicer: ClinicServiceHandlers = ClinicServicer(profile, calendar, patients, store, clock, accepted)
        server = parts.enter_context(_open_node(clinic_id, listen, servicer, policies))
        held.announce(server.address)
        upkeep.start()
        parts.callback(upkeep.stop)
        return Server(server.address, parts.pop_all())


def _open_store(silo: Silo, disk: Disk, open_shared: OpenShared | None, clinic_id: str, agenda: Agenda) -> SlotStore:
    clock = steady_clock()
    archive = RequestArchive(silo.folder / ARCHIVE, disk, clock())
    storage: Storage
    if open_shared is None:
        storage = FileStorage(DatabaseFile(silo.database, disk, silo.check), archive, silo.key(disk))
    else:
        storage = open_shared(clinic_id, agenda.rules, archive)
    operations = OperationLog(silo.folder / OPERATIONS, disk, storage.key, clock)
    return SlotStore(storage, utc_now=clock, max_waiting=MAX_WRITES, operations=operations)


def _open_node(clinic_id: str, listen: str, servicer: ClinicServiceHandlers, policies: NodePolicies) -> Server:
    try:
        return open_node(clinic_id, listen, {_SERVICE: servicer}, [_REASONS], policies)
    except UnprotectedAddressError as error:
        raise StartupError(f"{error}: give --tls-cert and --tls-key, or listen on 127.0.0.1", usage=True) from error
    except AddressInUseError as error:
        holder = port_holder(_port(listen))
        by = "it is in use or not an address of this machine"
        if holder is not None and holder.pid is not None:
            by = f"{holder.program or 'a program'} (process {holder.pid}) listens there already"
        elif holder is not None and holder.is_another_users:
            by = "another user's process listens there already"
        advice = "Stop it, or choose another port with --listen."
        raise StartupError(f"cannot listen on {listen}: {by}. {advice}") from error


def _port(address: str) -> int:
    host, _, port = address.rpartition(":")
    if not host or not port.isascii() or not port.isdigit() or int(port) > 0xFFFF:
        raise StartupError("--listen must be host:port, such as 127.0.0.1:8001", usage=True)
    return int(port)
