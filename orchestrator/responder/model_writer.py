"""Word an answer with a language model (blueprint 2.3.3): it writes around handles, and code fills in the facts."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from mesh.arguments import Json
from orchestrator.llm import Asker, Message, ModelError, ModelRequest, PromptTemplate, Pseudonyms, exposed, fenced
from orchestrator.responder.draft_handles import Handles, draft_of, slot_handle, without_markdown
from orchestrator.responder.filter_words import filter_words
from orchestrator.responder.reply_context import ReplyContext
from orchestrator.texts import clock_time
from orchestrator.turn import (
    Answers,
    Block,
    Card,
    Clinic,
    Draft,
    Offer,
    Paragraph,
    Plan,
    Purpose,
    Reply,
    Session,
    Table,
)

DRAFT_PLACEHOLDERS = frozenset({"clinics"})  # the placeholders of the prompt `response_generator`
_TEMPERATURE = 0.3
_MAX_TOKENS = 1024

_MAX_CHARACTERS = 4_000  # of a text; a handle stands for a whole list, so that a long list needs no long text
_MAX_OPENINGS = 30  # how many openings are described one by one; the table holds all of them


class ModelWriter:
    """The `Writer` that asks a model with the prompt `response_generator`, which has `DRAFT_PLACEHOLDERS`."""

    def __init__(self, asker: Asker, prompt: PromptTemplate) -> None:
        self._asker = asker
        self._prompt = prompt

    def write(
        self, reply: Reply, answers: Answers, plan: Plan, session: Session, clinics: Sequence[Clinic]
    ) -> Draft | None:
        """Return a draft of the template's reply; None if the model gave no text, or one that is too long."""
        context = ReplyContext(reply.language, session.identity, tuple(clinics))
        handles = Handles.of(reply, plan, session, context)
        pseudonyms = Pseudonyms.of(session, clinics)
        request = ModelRequest(
            Purpose.WRITE,
            (
                Message("system", self._prompt.fill(clinics=_directory(clinics))),
                Message(
                    "user", fenced(_brief(exposed(answers.as_json(), pseudonyms), handles, plan, context, pseudonyms))
                ),
            ),
            _TEMPERATURE,
            max_tokens=_MAX_TOKENS,
        )
        try:
            text = self._asker.ask(request)
        except ModelError:
            return None
        if not without_markdown(text[: _MAX_CHARACTERS + 1]) or len(text) > _MAX_CHARACTERS:
            return None
        return draft_of(text, handles, pseudonyms.restore, reply)


def _directory(clinics: Sequence[Clinic]) -> str:
    return "\n".join(
        f"- {clinic.id}: {clinic.name}, {clinic.specialty}; {', '.join(clinic.doctors) or 'doctors not known'}"
        for clinic in clinics
    )


def _brief(
    data: Mapping[str, Json], handles: Handles, plan: Plan, context: ReplyContext, pseudonyms: Pseudonyms
) -> dict[str, Json]:
    brief = dict(data)
    brief["language"] = context.language.english_name
    brief["already_shown_first"] = [_description(block, pseudonyms) for block in handles.first]
    brief["parts"] = {
        handle: [_description(block, pseudonyms) for block in blocks] for handle, blocks in handles.blocks.items()
    }
    brief["openings"] = {slot_handle(offer): _opening(offer, context) for offer in handles.openings[:_MAX_OPENINGS]}
    brief["earliest"] = slot_handle(handles.openings[0]) if handles.openings else None
    brief["earliest_was_asked_for"] = plan.nearest
    brief["filter"] = pseudonyms.hide(filter_words(plan.wish.filter, context))
    return brief


def _opening(offer: Offer, context: ReplyContext) -> dict[str, Json]:
    return {
        "clinic": context.clinic(offer.clinic),
        "doctor": offer.doctor,
        "weekday": context.texts.weekday(offer.date),
        "date": context.texts.plain_date(offer.date),
        "time": clock_time(offer.time),
    }


def _description(block: Block, pseudonyms: Pseudonyms) -> str:
    # Without the cells of tables and cards: they may be personal.
    match block:
        case Paragraph(text):
            return pseudonyms.hide(text)
        case Table(columns=columns, rows=rows):
            return f"table of {len(rows)} rows: {', '.join(columns)}"
        case Card(title=title, rows=rows):
            return pseudonyms.hide(f"card “{title}”: {', '.join(label for label, _ in rows)}")
