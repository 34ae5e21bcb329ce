"""`python -m tests.torture.race ADDRESS DOCTOR DATE TIME PROCESSES`: that many processes want one slot at one moment.

Prints what each was answered, counted, as JSON. The processes are forked before gRPC does anything, and each has a
channel that is ready before the race begins.
"""

from __future__ import annotations

import argparse
import json
import os
import subprocess
import sys
import uuid
from collections import Counter
from pathlib import Path
from typing import cast

import grpc

from clinics.program import serve
from generated.clinic.v1 import clinic_service_pb2 as pb
from generated.clinic.v1.clinic_service_pb2_grpc import ClinicServiceStub
from mesh.reasons import from_call
from tests.torture.silo import NOW, held_on_disk, prepare
from tests.torture.writer import TIMEOUT_S, BrokenPromiseError

_PATIENCE_S = 300
_EXIT_CODES = {"confirmed": 10, "SLOT_UNAVAILABLE": 11}
"""How a process says what it was answered; a broken one ends with another code."""


def race(silo: Path, processes: int) -> None:
    """Let processes race for one slot.

    Args:
        silo: A folder that is not there yet.
        processes: How many.

    Raises:
        BrokenPromiseError: Not exactly one has won, on the wire and on the disk.
    """
    slot = prepare(silo)[0]
    with serve("clinic_a", "127.0.0.1:0", silo, "blueprint", NOW) as clinic:
        command = [
            sys.executable,
            "-m",
            __spec__.name,
            clinic.address,
            slot.doctor,
            slot.date,
            slot.time,
            str(processes),
        ]
        done = subprocess.run(command, stdout=subprocess.PIPE, text=True, timeout=_PATIENCE_S, check=True)
    answers = json.loads(done.stdout)
    if answers != {"confirmed": 1, "SLOT_UNAVAILABLE": processes - 1} or len(held_on_disk(silo)) != 1:
        raise BrokenPromiseError(f"{processes} processes wanted one slot and were answered {answers}")


def _run(number: int, options: argparse.Namespace, ready: int, begin: int) -> int:
    request = pb.BookAppointmentRequest(
        doctor=options.doctor,
        date=options.date,
        time=options.time,
        patient_name=f"Paciente {number}",
        cpf=f"{number:011d}",
        request_id=str(uuid.uuid4()),
    )
    with grpc.insecure_channel(options.address) as channel:
        grpc.channel_ready_future(channel).result(_PATIENCE_S)
        os.write(ready, b".")
        os.read(begin, 1)  # the other end is closed when all are ready
        answer = ""
        while answer in {"", "OVERLOADED"}:  # a clinic refuses more calls than it has workers, and says to come again
            try:
                answer = ClinicServiceStub(channel).BookAppointment(request, timeout=TIMEOUT_S).status
            except grpc.RpcError as error:
                answer = from_call(cast("grpc.Call", error), (pb.SlotAlternatives,)).reason
    return _EXIT_CODES.get(answer, 1)


def _main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    for name in ("address", "doctor", "date", "time"):
        parser.add_argument(name)
    parser.add_argument("processes", type=int)
    options = parser.parse_args()
    (are_ready, ready), (begin, at_the_line) = os.pipe(), os.pipe()
    children: list[int] = []
    for number in range(options.processes):
        child = os.fork()
        if child == 0:
            os.close(at_the_line)
            os._exit(_run(number, options, ready, begin))
        children.append(child)
    for _ in children:
        os.read(are_ready, 1)
    os.close(at_the_line)
    ends = [os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) for child in children]
    said = {code: answer for answer, code in _EXIT_CODES.items()}
    print(json.dumps(Counter(said.get(end, "something else") for end in ends)))


if __name__ == "__main__":
    _main()
