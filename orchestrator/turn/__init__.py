"""The values that the stages of a turn exchange. This room imports no other."""

from orchestrator.turn.answers import Answers, receipt_of, receipts_of
from orchestrator.turn.classification import CERTAIN, DOUBTFUL, SUPPLIED, UNKNOWN, Classification, Subtask
from orchestrator.turn.clinic import Clinic, Directory, Introduction
from orchestrator.turn.dispatch import Dispatch
from orchestrator.turn.evidence import Evidence, NamedPerson
from orchestrator.turn.identity import Identity, IdentityError, Role, mask_of, parse_cpf, parse_name
from orchestrator.turn.language import Language, language_of_locale
from orchestrator.turn.memories import Memory, MemoryKind, Source
from orchestrator.turn.memory_calls import (
    MAX_CONTENT,
    MIN_CONTENT,
    ForgetAllMemories,
    ForgetMemory,
    ListMemories,
    MemoryCall,
    MemoryResult,
    MemoryStatus,
    RecallMemories,
    SaveMemory,
)
from orchestrator.turn.model_use import ModelFailure, Purpose, Usage, estimated_tokens
from orchestrator.turn.openings import Openings, offers_of, openings_of
from orchestrator.turn.plan import Plan, PlanKind, Proposed, Question, Step, Topic
from orchestrator.turn.proposals import IdentifiedPlan, ProposalIdError, ProposalIds, parse_proposal_id
from orchestrator.turn.reply import Block, Card, Draft, Paragraph, Part, Reply, Table, TurnOutcome, plain_text
from orchestrator.turn.result import StepResult, StepStatus
from orchestrator.turn.routing_decision import Candidate, FallbackPolicy, RoutingDecision
from orchestrator.turn.session import Appointment, Exchange, Offer, Proposal, Receipt, ReceiptKind, Session
from orchestrator.turn.slot_filter import ANY_SLOT, DateRange, SlotFilter, TimeRange
from orchestrator.turn.slot_preference import SlotPreference
from orchestrator.turn.tasks import TaskResult, TaskStatus, task_of, task_result
from orchestrator.turn.tools import CATALOGUE, REFUSAL_DETAILS, SERVICE, is_write
from orchestrator.turn.unknown_outcomes import (
    has_unknown,
    only_in_doubt,
    proposal_of,
    proposal_to_find_out,
    unsettled,
    with_doubts_kept,
    with_ids_in_doubt,
)
from orchestrator.turn.verdict import SAFE, Rule, Verdict

__all__ = [
    "ANY_SLOT",
    "CATALOGUE",
    "CERTAIN",
    "DOUBTFUL",
    "MAX_CONTENT",
    "MIN_CONTENT",
    "REFUSAL_DETAILS",
    "SAFE",
    "SERVICE",
    "SUPPLIED",
    "UNKNOWN",
    "Answers",
    "Appointment",
    "Block",
    "Candidate",
    "Card",
    "Classification",
    "Clinic",
    "DateRange",
    "Directory",
    "Dispatch",
    "Draft",
    "Evidence",
    "Exchange",
    "FallbackPolicy",
    "ForgetAllMemories",
    "ForgetMemory",
    "IdentifiedPlan",
    "Identity",
    "IdentityError",
    "Introduction",
    "Language",
    "ListMemories",
    "Memory",
    "MemoryCall",
    "MemoryKind",
    "MemoryResult",
    "MemoryStatus",
    "ModelFailure",
    "NamedPerson",
    "Offer",
    "Openings",
    "Paragraph",
    "Part",
    "Plan",
    "PlanKind",
    "Proposal",
    "ProposalIdError",
    "ProposalIds",
    "Proposed",
    "Purpose",
    "Question",
    "RecallMemories",
    "Receipt",
    "ReceiptKind",
    "Reply",
    "Role",
    "RoutingDecision",
    "Rule",
    "SaveMemory",
    "Session",
    "SlotFilter",
    "SlotPreference",
    "Source",
    "Step",
    "StepResult",
    "StepStatus",
    "Subtask",
    "Table",
    "TaskResult",
    "TaskStatus",
    "TimeRange",
    "Topic",
    "TurnOutcome",
    "Usage",
    "Verdict",
    "estimated_tokens",
    "has_unknown",
    "is_write",
    "language_of_locale",
    "mask_of",
    "offers_of",
    "only_in_doubt",
    "openings_of",
    "parse_cpf",
    "parse_name",
    "parse_proposal_id",
    "plain_text",
    "proposal_of",
    "proposal_to_find_out",
    "receipt_of",
    "receipts_of",
    "task_of",
    "task_result",
    "unsettled",
    "with_doubts_kept",
    "with_ids_in_doubt",
]
