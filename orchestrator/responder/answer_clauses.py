"""Word each answer to a question about openings as a clause, which the words of its scope may stand before."""

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import time
from itertools import groupby

from orchestrator import turn
from orchestrator.responder.filter_words import FilterPhrases
from orchestrator.responder.question_answers import CommonDays, ComparedSides, FoundOpenings, QuestionAnswer
from orchestrator.texts import Texts

_MOST_NAMED, _MOST_DOCTORS, _MOST_TIES = 12, 6, 6


@dataclass(frozen=True, slots=True)
class AnswerClauses:
    """The words for answers under a scope, which need not repeat the doctor or the day that the scope names."""

    phrases: FilterPhrases
    names_doctor: bool = False
    names_day: bool = False

    @classmethod
    def of(cls, phrases: FilterPhrases, wanted: turn.Filter | None) -> "AnswerClauses":
        """Return the wording for what stands after the words of a filter, or after none."""
        parts = turn.conjuncts(wanted) if wanted is not None else ()
        doctor = any(isinstance(part, turn.WithDoctors) and len(part.names) == 1 for part in parts)
        spans = [part.spans for part in parts if isinstance(part, turn.OnDates)]
        return cls(phrases, doctor, any(len(span) == 1 and span[0].first == span[0].last for span in spans))

    @property
    def texts(self) -> Texts:
        """The texts of the language."""
        return self.phrases.context.texts

    def clause(self, answer: QuestionAnswer) -> str:
        """Return an answer as a clause without its scope."""
        match answer:
            case ComparedSides():
                return self._compared(answer)
            case CommonDays():
                return self._common_days(answer)
            case turn.Treats(specialty, word):
                name = self.phrases.context.specialty(specialty)
                return self.texts.text("responder.questions.treats", word=word, specialty=name)
            case FoundOpenings():
                return self._found(answer)

    def _found(self, answer: FoundOpenings) -> str:
        question, openings = answer.question, answer.openings
        if not openings and not answer.others:
            return self.texts.text("responder.questions.none")
        match question:
            case turn.AskedOfAll(turn.OfAll.COUNT):
                words = self._count(openings, answer.doctors_without)
            case turn.AskedOfAll(turn.OfAll.IN_WORDS):
                words = self._in_words(openings)
            case turn.AskedOfAll(turn.OfAll.SPAN):
                words = self._span(openings)
            case turn.Best():
                words = self._best(question, openings)
            case turn.Pick():
                words = self._pick(question, openings[0], answer.others)
            case turn.Gap():
                words = self._gap(question, *openings)
            case turn.Fits():
                words = self._fits(openings, answer.others)
            case _:
                words = self._hidden(answer)
        return words

    def _count(self, openings: Sequence[turn.Offer], without: Sequence[str]) -> str:
        if len(openings) == 1:
            return self._in_words(openings)
        texts, doctors = self.texts, Counter(one.doctor for one in openings).most_common()
        said = texts.text("responder.questions.count", count=len(openings))
        nobody = [self.phrases.with_doctor(name) for name in without[:_MOST_DOCTORS]]
        if len(doctors) == 1:
            said = said if self.names_doctor else f"{said}, {self._all_with(openings)}"
            others = texts.one_of(nobody)
            return texts.text("responder.questions.none_else", words=said, doctor=others) if nobody else said
        shares = [f"{count} {self.phrases.with_doctor(name)}" for name, count in doctors[:_MOST_DOCTORS]]
        rest = sum(count for _, count in doctors[_MOST_DOCTORS:])
        if rest:
            shares.append(texts.text("responder.questions.with_others", count=rest))
        elif nobody:
            shares.append(texts.text("responder.questions.none_with", doctor=texts.one_of(nobody)))
        return f"{said}: {texts.all_of(shares)}"

    def _all_with(self, openings: Sequence[turn.Offer]) -> str:
        return self.texts.text("responder.questions.all_with", doctor=self.phrases.with_doctor(openings[0].doctor))

    def _in_words(self, openings: Sequence[turn.Offer]) -> str:
        if len(openings) == 1:
            return self.texts.text("responder.questions.only", opening=self.opening(openings[0]))
        named = self._by_doctor(openings[:_MOST_NAMED])
        if len(openings) > _MOST_NAMED:
            counts = {"named": _MOST_NAMED, "count": len(openings)}
            return self.texts.text("responder.questions.some_openings", openings=named, **counts)
        return self.texts.text("responder.questions.openings", openings=named)

    def _span(self, openings: Sequence[turn.Offer]) -> str:
        if openings[0].date == openings[-1].date:
            return self._in_words(openings)
        texts = self.texts
        first, last = self.phrases.day(openings[0].date), self.phrases.day(openings[-1].date)
        said = texts.text("responder.questions.span", first=first, last=last)
        doctors = dict.fromkeys(one.doctor for one in openings)
        if len(doctors) == 1:
            return said if self.names_doctor else f"{said}, {self._all_with(openings)}"
        spans = []
        for name in doctors:
            days = [one.date for one in openings if one.doctor == name]
            who, begin, end = self.phrases.doctor(name), self.phrases.day(days[0]), self.phrases.day(days[-1])
            key, ends = ("day", {"day": begin}) if begin == end else ("span", {"first": begin, "last": end})
            spans.append(texts.text(f"responder.questions.{key}_of_doctor", doctor=who, count=len(days), **ends))
        return f"{said}: {'; '.join(spans)}"

    def _best(self, question: turn.Best, best: Sequence[turn.Offer]) -> str:
        named, at = self.openings(best), turn.clock(question.at or time.min)
        return self.texts.counted(f"responder.questions.best.{question.order}", len(best), openings=named, time=at)

    def _pick(self, question: turn.Pick, picked: turn.Offer, ties: Sequence[turn.Offer]) -> str:
        texts, best = self.texts, question.best
        reason = texts.text(f"responder.questions.reasons.{best.order}", time=turn.clock(best.at or time.min))
        opening = self.opening(picked, is_numbered=False)
        if picked.number:
            said = texts.text("responder.questions.pick", number=picked.number, reason=reason, opening=opening)
        else:
            said = texts.text("responder.questions.pick_unnumbered", opening=self._the_number(picked), reason=reason)
        return texts.text("responder.questions.tie", words=said, openings=self.openings(ties)) if ties else said

    def _gap(self, question: turn.Gap, first: turn.Offer, second: turn.Offer) -> str:
        texts, days = self.texts, (second.date - first.date).days
        minutes = (second.time.hour - first.time.hour) * 60 + second.time.minute - first.time.minute
        both = {"first": self._the_number(first), "second": self._the_number(second)}
        if not days and not minutes:
            return texts.text("responder.questions.same_time", **both)
        hours, rest = divmod(minutes, 60)
        length = " ".join(f"{count} {unit}" for count, unit in ((hours, "h"), (rest, "min")) if count)
        gap = texts.counted("responder.questions.days", days) if days else length
        said = texts.text("responder.questions.apart", gap=gap, **both)
        wanted = question.at_least_days
        if wanted is None or wanted < 1:
            return said
        if days >= wanted:
            return texts.counted("responder.questions.at_least", wanted, words=said)
        return texts.counted("responder.questions.less_than", wanted, words=said)

    def _fits(self, fitting: Sequence[turn.Offer], others: Sequence[turn.Offer]) -> str:
        texts, said = self.texts, []
        named, left = (texts.all_of(map(self._the_number, openings)) for openings in (fitting, others))
        if fitting:
            said.append(texts.counted("responder.questions.fits", len(fitting), openings=named))
        if others:
            said.append(texts.counted("responder.questions.does_not_fit", len(others), openings=left))
        return "; ".join(said)

    def _hidden(self, answer: FoundOpenings) -> str:
        texts, hidden = self.texts, answer.openings
        if not hidden:
            return f"{texts.text('responder.questions.nothing_hidden')}; {self._in_words(answer.others)}"
        named = f": {self._by_doctor(hidden)}" if len(hidden) <= _MOST_TIES else ""
        list_filter = self.phrases.scope(answer.list_filter)
        return texts.counted("responder.questions.hidden", len(hidden), filter=list_filter, openings=named)

    def _compared(self, answer: ComparedSides) -> str:
        texts, question = self.texts, answer.question
        sides = [self.phrases.part(side) for side in question.sides]
        if not answer.winners:
            return f"{texts.text('responder.questions.none')} {texts.one_of(sides)}"
        won, lost = answer.winners, [at for at in range(len(sides)) if at not in answer.winners]
        head = texts.counted(f"responder.questions.compare.{question.by or 'count'}", len(won), side=sides[won[0]])
        found = [self._of_side(answer, at) for at in (*won, *lost)]
        said = [f"{sides[at]}, {words}" for at, words in zip((*won, *lost), found, strict=True)]
        return f"{head}: {'; '.join([found[0], *said[1:]] if not won[1:] else said)}"

    def _of_side(self, answer: ComparedSides, at: int) -> str:
        openings = answer.sides[at]
        if not openings:
            return self.texts.text("responder.questions.no_one")
        if answer.question.by is None:
            return str(len(openings))
        return AnswerClauses.of(self.phrases, answer.question.sides[at]).openings(openings)

    def _common_days(self, answer: CommonDays) -> str:
        texts, (first, *others) = self.texts, map(self.phrases.part, answer.question.sides)
        sides = {"first": first, "others": texts.all_of(others)}
        if not answer.days:
            return texts.text("responder.questions.no_common_day", **sides)
        if self.names_day:
            return texts.text("responder.questions.on_that_day", **sides)
        days = texts.all_of(map(self.phrases.long_day, answer.days))
        return texts.counted("responder.questions.common_days", len(answer.days), days=days, **sides)

    def opening(self, offer: turn.Offer, *, is_numbered: bool = True) -> str:
        """Return an opening without the day and the doctor that the scope names."""
        day = "" if self.names_day else self.phrases.long_day(offer.date)
        at = self.texts.text("responder.phrases.time", time=turn.clock(offer.time))
        doctor = "" if self.names_doctor else self.phrases.with_doctor(offer.doctor)
        return ", ".join(filter(None, (day, at, doctor))) + (self._number(offer) if is_numbered else "")

    def _number(self, offer: turn.Offer) -> str:
        return f" ({self.texts.text('responder.questions.number', number=offer.number)})" if offer.number else ""

    def _the_number(self, offer: turn.Offer) -> str:
        opening = AnswerClauses(self.phrases).opening(offer, is_numbered=False)
        if not offer.number:
            return self.texts.text("responder.questions.the_opening", opening=opening)
        return self.texts.text("responder.questions.the_number", number=offer.number, opening=opening)

    def openings(self, openings: Sequence[turn.Offer]) -> str:
        """Return openings as a list, the first ones where there are many."""
        words = [self.opening(one) for one in openings[:_MOST_TIES]]
        if len(openings) > _MOST_TIES:
            words.append(self.texts.text("responder.questions.more", count=len(openings) - _MOST_TIES))
        return self.texts.all_of(words)

    def _by_doctor(self, openings: Sequence[turn.Offer]) -> str:
        return "; ".join(
            (f"{self.phrases.with_doctor(name)}, " if not self.names_doctor else "")
            + self._by_day([one for one in openings if one.doctor == name])
            for name in dict.fromkeys(one.doctor for one in openings)
        )

    def _by_day(self, openings: Sequence[turn.Offer]) -> str:
        said = []
        for day, group in groupby(openings, key=lambda one: one.date):
            at = ((self.texts.text("responder.phrases.time", time=turn.clock(one.time)), one) for one in group)
            times = self.texts.all_of(said_at + self._number(one) for said_at, one in at)
            said.append(times if self.names_day else f"{self.phrases.long_day(day)} {times}")
        return self.texts.all_of(said)
