"""How English says that a visit was booked, moved, cancelled or held; patterns for folded clauses."""

from __future__ import annotations

import re

from orchestrator.verifier.literals import one_of

# What these say cannot be about anything but a visit.
_VISIT_DEED = one_of(
    r"(?<!fully )(?:re)?booked(?! (?:up|out|solid))|(?:re)?scheduled|reserved|cancell?ed|pencil+ed|called off",
    r"locked in|(?:signed|put|got|has|have|had|slotted|squeezed|fitted|checked|entered) (?:you|your name)"
    r" (?:up|down|in|on)\b",
)
# What these say may be about anything.
_DEED = (
    "(?:confirmed|secured|locked|held|arranged|fixed|set up|registered|entered|recorded|submitted|processed|completed"
    "|finali[sz]ed|made|moved|changed|switched|shifted|swapped|removed|deleted|dropped|chose|picked|grabbed|claimed"
    "|saved|took|taken|snagged|added|placed|put|handled|transferred|postponed|pushed|assigned|allocated|requested"
    "|blocked(?: off)?)"
)
_STATE = (
    "(?:confirmed|secured?|locked|held|arranged|fixed|set|registered|entered|recorded|submitted|processed|completed?"
    "|done|finali[sz]ed|made|moved|changed|switched|shifted|swapped|removed|deleted|saved|accepted|approved"
    "|guaranteed|blocked|sorted(?! by)|settled|ready|active|put|gone)"
)

_MOMENT = one_of(r"(?:mon|tues|wednes|thurs|fri|satur|sun)day", r"\d{1,2}(?::\d\d|h|/\d)")
THING = (
    "(?:appointments?|bookings?|visits?|reservation|slot|spot|place|seat|request|consultation|name|cancellation"
    "|change|reschedule)"
)
_OBJECT = one_of(
    rf"(?:[\w']+ ){{0,3}}?{THING}\b",
    rf"(?:\w+ ){{0,2}}?{_MOMENT}",
    r"(?:the|your|that|this) (?:first|second|old|earliest|earlier|other)(?: one)?\b",
    r"(?:it|you|one) (?:for|in|down|up|on|off|with)\b",
)
_DOING = one_of(
    "booking|scheduling|reserving|cancell?ing|rescheduling",
    rf"(?:securing|holding|grabbing|confirming|moving|making|taking|locking|picking|putting) {_OBJECT}",
)
_TO_DO = "(?:book|schedule|reserve|cancel|secure|hold|grab|move|lock|(?:get|fit|squeeze|slot|put) you)"

_IS = r"(?:is|are|was|were|been|being|got|gets|now|consider it|(?:it|you|that|everything)'(?:s|re))"
_ADVERBS = r"(?:(?:now|already|just|successfully|all|officially|still|also|\w+ly) ){0,2}"
_LEAD = r"(?:(?:done|great|your|the|new|all|and|it|ok|status) ){0,3}"

STATED = re.compile(
    one_of(
        # "booked", "secured the slot", "took the liberty of booking", "went ahead with Saturday"
        rf"\b{_VISIT_DEED}",
        rf"\b{_DEED} {_OBJECT}",
        rf"\b(?:liberty of|gone and|managed by|by) {_DOING}",
        r"\b(?:went|gone) ahead (?:and|with)\b",
        rf"\b(?:managed|was able|were able) to {_TO_DO}\b",
        rf"\bset {_OBJECT}(?: \w+)? aside\b",
        rf"\bmoved you\b|\b(?:swapped|switched|changed|moved) {_MOMENT}",
        r"\b(?:clinics?|doctor|dr\.? .*|clinic .*) (?:confirmed|accepted|approved)$",
        # "your visit is confirmed", "you're set", "the booking went through", "your visit is on Friday"
        rf"\b(?:{THING}|it|you|everything) (?:[\w.]+ ){{0,7}}?{_IS} {_ADVERBS}{_STATE}\b",
        rf"\b(?:it|you|that|everything)'(?:s|re) {_ADVERBS}{_STATE}\b",
        r"\b(?:it|that|everything|all) (?:just |has )?(?:went|gone) through\b",
        rf"\b{THING} (?:\w+ ){{0,2}}?(?:went through|goes through|confirmed|complete|success)\b",
        rf"\b(?:your|the) (?:new )?(?:visit|appointment|consultation) (?:\w+ ){{0,2}}?(?:is|will be|takes place)"
        rf"(?: \w+){{0,3}} {_MOMENT}|^(?:and )?your (?:\w+ )?(?:visit|appointment) (?:\w+ ){{1,4}}?{_MOMENT}",
        rf"\b{_MOMENT}(?: \w+){{0,2}} {_IS} {_ADVERBS}{_STATE}\b",
        rf"\b{_MOMENT}\b.* (?:is (?:\w+ )?yours|it is)$",
        # "confirmed for Friday", "all set"
        rf"^{_LEAD}{_STATE}(?: (?:for|with|on|at|in|as)\b.*)?\W*$(?<!^ready)(?<!^done)",
        r"\ball set\b(?! to\b)|\bgot you covered for\b|^success$",
    )
)
"""That something was written."""

_SHOWING = (
    r"find|found|see|saw|show\w*|ha[sv]e?|had|look\w*|check\w*|list\w*|highlight\w*|mark\w*|suggest\w*|recommend\w*"
    r"|locate\w*|need\w*|want\w*|can|could|will|would|understand|know|repeat\w*|offer\w*|describe\w*|included?|sort\w*"
    "|do|did|am|are|were|was|received|read|not"
)
DONE_TO_ONE = re.compile(
    rf"\b(?:i|we)(?:'ve| have)? (?:\w+ly |just |already |also )?(?!(?:{_SHOWING})\b)\w+ (?:\w+ )?(?:the|your|this|that)"
    r" (?:\w+ )?(?:appointment|booking|visit|reservation|slot|spot)\b"
)
"""Whatever else was done to one visit, but for looking at it and showing it."""

KIND_OF_MOVE = "(?:re(?:booked|schedul)|moved|switched|shifted|swapped|transferred|postponed)"
KIND_OF_CANCELLATION = "(?:cancel|called off|removed|deleted|dropped)"
KIND_OF_BOOKING = "(?:booked|scheduled|reserved|pencil|signed|slotted)"
