"""Write a turn as one line of JSON for scripts (docs/output-schema.md), without the utterance or a CPF in clear."""

import json
from dataclasses import asdict

from orchestrator import turn
from orchestrator.cli.exit_code import ExitCode
from orchestrator.journal import TurnLine
from orchestrator.privacy import mask_cpf
from orchestrator.research import SessionSummary

SCHEMA = "clinic-mesh.turn/1"  # changes when a field is renamed or removed, not when one is added

RESEARCH_SCHEMA = "clinic-mesh.research/1"  # version of the research desk's record

_Json = dict[str, object]


def turn_record(
    number: int, reply: turn.Reply, before: turn.Session, after: turn.Session, line: TurnLine | None = None
) -> str:
    """Return the record of a turn as one line of JSON; `line` is the turn's own line of the log."""
    proposal, steps = after.proposal, after.proposal.plan.steps if after.proposal is not None else ()
    proposed = [{"clinic": step.clinic, "action": step.action, "parameters": step.parameters} for step in steps]
    record: _Json = {
        "schema": SCHEMA,
        "session_id": after.session_id,
        "turn": number,
        **_answer(reply),
        "offers": [_slot(offer) for offer in after.offers],
        "proposal": None if proposal is None else proposed,
        "proposal_id": None if proposal is None else proposal.id,
        "memory": [_memory(result) for result in reply.memory],
        "receipts": [_receipt(receipt) for receipt in after.receipts[len(before.receipts) :]],
        "fallback": None if reply.fallback is None else asdict(reply.fallback),
        "why": None if line is None else {name: line[name] for name in ("plan", "routing", "verdicts")},
    }
    return json.dumps(record, ensure_ascii=False)


def research_record(session_id: str, number: int, reply: turn.Reply) -> str:
    """Return the record of what the research desk answered as one line of JSON."""
    record: _Json = {"schema": RESEARCH_SCHEMA, "session_id": session_id, "turn": number, **_answer(reply)}
    return json.dumps(record, ensure_ascii=False)


def research_session_record(session: SessionSummary) -> str:
    """Return the record of a session of the research desk as one line of JSON."""
    record: _Json = {"schema": RESEARCH_SCHEMA, **asdict(session), "status": session.status or None}
    return json.dumps(record, ensure_ascii=False)


def _answer(reply: turn.Reply) -> _Json:
    return {
        "language": reply.language.value,
        "outcome": reply.outcome.value,
        "exit_code": int(ExitCode.of(reply.outcome)),
        "text": mask_cpf(reply.plain),
        "blocks": [_block(block) for block in reply.blocks],
    }


def _block(block: turn.Block) -> _Json:
    match block:
        case turn.Paragraph(text):
            return {"type": "paragraph", "text": mask_cpf(text)}
        case turn.Table():
            cells = [[mask_cpf(cell) for cell in row] for row in block.rows]
            return {"type": "table", "columns": list(block.columns), "rows": cells, "marked": block.marked}
        case turn.Card():
            rows = [{"label": label, "value": mask_cpf(value)} for label, value in block.rows]
            return {"type": "card", "title": block.title, "rows": rows}


def _slot(slot: turn.Offer | turn.Appointment) -> _Json:
    facts: _Json = asdict(slot) | {"date": slot.date.isoformat(), "time": f"{slot.time:%H:%M}"}
    facts.pop("unsuitable", None)  # says what a person thinks of an opening, not what it is
    return facts


def _receipt(receipt: turn.Receipt) -> _Json:
    original = None if receipt.original is None else _slot(receipt.original)
    return {"status": receipt.kind.value, "appointment": _slot(receipt.appointment), "original": original}


def _memory(result: turn.MemoryResult) -> _Json:
    kind = result.call.kind.value if isinstance(result.call, turn.SaveMemory) else None
    return {"tool": result.call.tool, "kind": kind, "status": result.status.value}
