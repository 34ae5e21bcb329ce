"""R4 for drafts: weekdays, months and words such as "amanhã" fit a date that the data or the person's wish name."""

from __future__ import annotations

import re

from orchestrator.turn import spans_of, weekdays_of
from orchestrator.verifier.drafts.draft_review import DraftReview
from orchestrator.verifier.drafts.facts import in_period, periods_in, weekdays_in
from orchestrator.verifier.literals import MONTHS, is_impossible

# Each only makes sense on the day it is said, which the data do not tell; so the person must have said it first.
_RELATIVE = re.compile(
    r"\b(?:hoje|amanha|ontem|daqui a(?! pouco)|(?:n?esta|n?essa|proxima|outra) semana|semana que vem|mes que vem"
    r"|(?:n?este|proximo) mes|(?:(?:n?este|proximo) )?fim de semana|feriado|(?:todos os|qualquer) dias?|de segunda a"
    r"|today|tonight|tomorrow|yesterday|(?:this|next) (?:week|month)|(?:(?:the|this|next) )?weekend|holiday"
    r"|natal|pascoa|carnaval|christmas|easter"
    r"|(?:every|any) day|daily)\b"
)
_POLITE = re.compile(r"\b(?:ajud\w+|help|assist|day|dia|otim[oa]|great|bom|boa|nice|lovely)\b")
_MONTH = re.compile(
    rf"\b(?:{'|'.join(name for name in MONTHS if len(name) > 3 and name not in {'marco', 'sept'})}|marco)\b"
)
_GREETING = re.compile(
    r"\b(?:bom dia|(?:boa|otima|excelente|linda) (?:tarde|noite|manha)"
    r"|(?:good|great|nice|lovely|wonderful) (?:morning|afternoon|evening|night))\b"
)


def impossible_moment(review: DraftReview) -> str | None:
    """Return a note when a date or a time of day is written out that there is not."""
    return "a date or a time that there is not" if any(map(is_impossible, review.lines)) else None


def ungrounded_weekday(review: DraftReview) -> str | None:
    """Return a note when a weekday is that of no date in the data or the filter."""
    held = (
        {day.weekday() for day in review.grounds.dates}
        | {mention.weekday for mention in review.grounds.mentions}
        | weekdays_of(review.reply.plan.wish.widest)
    )
    named = (weekday for line in review.lines for weekday in weekdays_in(line))
    return "a weekday that is not in the clinics' data" if any(weekday not in held for weekday in named) else None


def ungrounded_month(review: DraftReview) -> str | None:
    """Return a note when a month is that of no date in the data or the filter."""
    held = {day.month for day in review.grounds.dates} | {
        month for mention in review.grounds.mentions for _, month, _ in mention.readings
    }
    named = (MONTHS[match[0]] for line in review.lines for match in _MONTH.finditer(line))
    return "a month that is not in the clinics' data" if any(month not in held for month in named) else None


def ungrounded_relative_day(review: DraftReview) -> str | None:
    """Return a note when "tomorrow" and its like are not what the person asked for, or nothing is open then."""
    wanted = review.reply.plan.wish.widest
    fits = bool(review.suiting)
    for clause in review.clauses:
        for match in _RELATIVE.finditer(clause):
            if _POLITE.search(clause) and match[0] in {"hoje", "today"}:
                continue
            asked = bool(spans_of(wanted) or weekdays_of(wanted)) and match[0] in review.query
            if not asked or not (fits or review.denies(clause)):
                return "a day told from today that nobody asked for, or on which nothing is open"
    return None


def ungrounded_period(review: DraftReview) -> str | None:
    """Return a note when a reply names a part of the day with no opening."""
    for clause in review.clauses:
        periods = tuple(periods_in(_GREETING.sub(" ", clause)))
        for period in periods:
            if len(periods) == 1 and not (
                review.denies(clause) or any(in_period(fact.time, period) for fact in review.facts)
            ):
                return "a part of the day in which nothing is open"
    return None
