"""Word what clinics state of themselves; what a clinic does not state is said, and so is who did not answer."""

import re
from collections.abc import Iterator, Sequence, Set
from datetime import timedelta

from generated.clinic.v1.clinic_service_pb2 import ClinicDetails
from orchestrator import turn
from orchestrator.responder.filter_words import money
from orchestrator.responder.reply_context import Label, ReplyContext
from orchestrator.texts import texts_in

_HOUR = re.compile(r"(\d{1,2})h(\d\d)?")


def clinic_facts(asked: turn.FactQuestion | None, context: ReplyContext) -> Iterator[turn.Block]:
    """Yield the blocks of an answer about clinics: a card of one, a table of several."""
    if asked is None:
        return
    yield from clinic_facts(asked.ahead, context)
    texts, held = context.texts, asked.held
    clinics = [one for one in context.clinics if one.id in asked.clinics]
    if held is not None:
        moment = texts.moment(held.date, held.time)
        yield turn.Paragraph(texts.text("responder.facts.held", moment=moment, doctor=held.doctor))
    for wanted in asked.wanted:
        yield from (turn.Paragraph(said, private=True) for said in _answers(wanted, clinics, context))
    yield from (turn.Paragraph(said, private=True) for said in _verdicts(asked, clinics, context))
    if len(asked.wanted) == 1 and asked.facts == (turn.AskedFact.ADDRESS,):
        clinics = [one for one in clinics if one.id in (asked.wanted[0].clinics or asked.clinics)] or clinics
    unstated, labels = texts.text("responder.facts.unstated"), texts.table("responder.facts.labels")
    rows = [
        (one.name, *(_value(fact, one, one.details, context) or unstated for fact in asked.facts))
        for one in clinics
        if one.details is not None
    ]
    headings = tuple(labels[fact] for fact in asked.facts)
    if len(rows) == 1:
        yield turn.Card(rows[0][0], tuple(zip(headings, rows[0][1:], strict=True)))
    elif rows:
        yield turn.Table((context.label(Label.CLINIC), *headings), tuple(rows))
    if silent := [one.name for one in clinics if one.details is None]:
        yield turn.Paragraph(texts.counted("responder.facts.silent", len(silent), clinics=texts.all_of(silent)))


def _answers(wanted: turn.ClinicFact, clinics: Sequence[turn.Clinic], context: ReplyContext) -> Iterator[str]:
    texts, said = context.texts, f"“{wanted.said}”"
    if wanted.clinics is None:
        yield texts.text(f"responder.filters.unknown.{wanted.axis}", said=said)
        return
    if wanted.axis is turn.Axis.PRICE and not wanted.value:
        prices = {one.name: int(cents) for one in clinics for cents in one.stated(turn.AskedFact.PRICE)}
        best = [name for name, cents in prices.items() if cents == min(prices.values())]
        value = money(min(prices.values(), default=0), context)
        if best:
            yield texts.counted("responder.facts.lowest", len(best), value=value, clinics=texts.all_of(best))
        return
    value = money(int(wanted.value), context) if wanted.axis is turn.Axis.PRICE and wanted.value else wanted.value
    value = said if wanted.axis is turn.Axis.PLACE else value
    value = texts.weekday(int(value)) if wanted.axis is turn.Axis.DAY else value
    stating = [one for one in clinics if value and one.stated(turn.FACT_OF.get(wanted.axis, turn.AskedFact.HOURS))]
    if yes := [one.name for one in stating if one.id in wanted.clinics]:
        yield texts.counted(f"responder.facts.yes.{wanted.axis}", len(yes), value=value, clinics=texts.all_of(yes))
    if no := [one.name for one in stating if one.id not in wanted.clinics and wanted.axis is not turn.Axis.PLACE]:
        yield texts.counted(f"responder.facts.no.{wanted.axis}", len(no), value=value, clinics=texts.all_of(no))


def _verdicts(asked: turn.FactQuestion, clinics: Sequence[turn.Clinic], context: ReplyContext) -> Iterator[str]:
    """Yield which of several clinics is the dearest, opens first or closes last, on the days that were named."""
    days, texts = {int(one.value) for one in asked.wanted if one.axis is turn.Axis.DAY} or {*range(7)}, context.texts
    for most in asked.most:
        dearest, pick = most == "dearest", min if most == "opens_first" else max
        prices = {one.name: [*map(int, one.stated(turn.AskedFact.PRICE))] for one in clinics}
        stated = prices if dearest else {one.name: [*_clocks(one, days)] for one in clinics}
        told = {name: pick(values) for name, values in stated.items() if values}
        if len(told) > 1:
            best = pick(told.values())
            value = money(best, context) if dearest else f"{best // 60:02}:{best % 60:02}"
            names = [name for name, one in told.items() if one == best]
            yield texts.counted(f"responder.facts.most.{most}", len(names), value=value, clinics=texts.all_of(names))


def _clocks(clinic: turn.Clinic, days: Set[int]) -> Iterator[int]:
    """Yield when a clinic opens and closes on some weekdays, in minutes: "segunda a sexta, das 8h às 19h"."""
    for part in "; ".join(clinic.stated(turn.AskedFact.HOURS)).casefold().split(";"):
        on = re.split(r"\d", part)[0]
        named = [day for day in range(7) if texts_in(turn.Language.PT).weekday(day).partition("-")[0] in on]
        if not days.isdisjoint(range(named[0], named[-1] + 1) if " a " in on and named else named):
            yield from (int(hour[1]) * 60 + int(hour[2] or 0) for hour in _HOUR.finditer(part))


def _value(fact: turn.AskedFact, clinic: turn.Clinic, said: ClinicDetails, context: ReplyContext) -> str:
    if fact is turn.AskedFact.ADDRESS:
        return ". ".join(filter(None, (clinic.place, said.directions)))
    if fact is turn.AskedFact.CHANGE_UNTIL:
        hours = f"{clinic.change_notice / timedelta(hours=1):g}"
        any_time = context.texts.text("responder.facts.change_any_time")
        return context.texts.text("responder.facts.change_until", hours=hours) if clinic.change_notice else any_time
    if fact is turn.AskedFact.PRICE:
        return money(said.private_price_cents, context) if said.HasField("private_price_cents") else ""
    stated = "; ".join(clinic.stated(fact))
    return _hours(stated, context) if fact is turn.AskedFact.HOURS else stated


def _hours(stated: str, context: ReplyContext) -> str:
    """Return opening hours, which clinics state in Portuguese, in the person's language; as stated if a word is new."""
    if context.texts.language is turn.Language.PT:
        return stated
    known = dict(context.texts.table("responder.facts.hours"))
    for day in range(7):
        known[texts_in(turn.Language.PT).weekday(day).partition("-")[0]] = context.texts.weekday(day)
    clocks = _HOUR.sub(lambda hour: f"{hour[1]}:{hour[2] or '00'}", stated)
    words = re.findall(r"[^\W\d]+", clocks.casefold())
    return re.sub(r"[^\W\d]+", lambda word: known[word[0].casefold()], clocks) if known.keys() >= {*words} else stated
