"""The grammar of English for `relations`; entries are folded."""

from __future__ import annotations

import re

from orchestrator.research.rules.relations import Relations, any_of, meanings

_NOTICE = any_of("""
    noticed; observed; noted; seen; found; notice; observe; see; think; believe; suspect; feel; guess; reali[sz]ed
""")
_WISH = any_of("want to; would like to; need to; plan to; will")
_FIND_OUT = any_of("know; find out; understand; investigate; see; study; test")
_STUDY = any_of(
    "do (a study|research); (my|our) (thesis|topic|study) is; study; research; investigate; understand; write"
)
_CHANGES = any_of("""

    (affect|impact|influence|alter|change|reduce|decrease|lower|increase|raise|improve|worsen)(s|ed|d)?;
    (prevent|cause|promote|help)(s|ed|d)?;
    predicts?; leads? to; (is|are) (associated with|linked to|related to); (has|have) an? (effect|impact|influence) on;
    protects? against; contributes? to
""")
_MORE_OR_LESS = any_of("more; less; fewer; higher; lower; better; worse; longer; shorter")
_DEGREE = any_of("""
    (much |far )?(more|less|fewer|better|worse|longer|higher|lower|faster|slower|sooner|earlier)( often| quickly)?;
    a lot( of)?; often
""")
_MOVES = any_of("""
    went (down|up); dropped; decreased?s?; increased?s?; improved?s?; worsen(ed|s)?; fell; falls?; rose; rises?
""")
_ACT_ON = any_of("reduce; decrease; increase; improve; prevent; avoid; treat; control")
_BOND = any_of("relation; relationship; association; correlation; link")
_ASKED = any_of("""
    (to what extent |how )?(do|does|did|can|could|will); to what extent; how; whether; if
""")

ENGLISH = Relations(
    opening=re.compile(
        r"(?:(?:hi|hello|good morning|good afternoon)[,!. ]+)?(?:(?:i|we) )?"
        rf"(?:(?:have |'ve )?(?:also )?{_NOTICE}(?: here)?(?: that)?|{_WISH} {_FIND_OUT} (?:whether|if|how)"
        r"|wonder (?:whether|if|how)|it seems(?: that)?"
        r"|(?:my |the )?(?:hypothesis|observation|impression|question)(?: is(?: that)?|:)),? "
    ),
    topic=re.compile(rf"(?:(?:i|we) )?(?:{_WISH} )?{_STUDY}(?: about| on)? (?P<outcome>.+)"),
    shapes=(
        re.compile(r"what influences (?P<outcome>.+)"),
        re.compile(r"what changes with (?P<exposure>.+)"),
        re.compile(
            r"(?:what (?:is|was|are) )?(?:the )?(?:effects?|impact|influence|role) of (?P<exposure>.+?)"
            r" (?:on|in|upon) (?P<outcome>.+)"
        ),
        re.compile(rf"(?:what is |is there )?(?:the |an? )?{_BOND} between (?P<exposure>.+?) and (?P<outcome>.+)"),
        re.compile(rf"the {_MORE_OR_LESS} (?P<amount>.+?),? the {_MORE_OR_LESS} (?P<outcome>.+)"),
        re.compile(rf"how (?:can|do|could|to|should)(?: we| i| one)? {_ACT_ON} (?P<outcome>.+)"),
        re.compile(
            rf"(?:since|after|when) (?:we|they) (?:started|began) (?P<exposure>.+?),? (?P<outcome>.+?) {_MOVES}"
        ),
        re.compile(rf"(?P<outcome>.+?) {_MOVES} (?:with|after|when) (?P<exposure>.+)"),
        re.compile(rf"(?:{_ASKED} )?(?P<exposure>.+?) {_CHANGES} (?P<outcome>.+)"),
    ),
    seen=(re.compile(rf"(?P<subject>.+) (?P<verb>[a-z]+) {_DEGREE}(?P<rest> .+)?"),),
    doing=re.compile(r",? (?:who|that) "),
    doers=re.compile(r"(?:those who|people who|who) "),
    contrast=any_of(r"compared (with|to); in comparison (with|to); versus; vs\.?; than; relative to; as opposed to"),
    measured=any_of("measured (as|by|with|in); assessed (by|with|as); measuring; using as a measure"),
    lasting=any_of("over; for; during; within; in; after; from; between; across; of; aged"),
    of_people=any_of("in; among; for; of; with; by; on"),
    nouns=meanings("""
        miss = missed; sleep = sleep; adhere = adherence; attend = attendance; relapse = relapses; fall = falls;
        improve = improvement; worsen = worsening; return = returns; recover = recovery; cancel = cancelled;
        skip = skipped; suffer = suffering; have, has, report, show, experience, get, feel =
    """),
    acts=meanings("""
        do = doing; walk = walking; run = running; swim = swimming; have = having; use = using; take = taking;
        receive = receiving; make = making; smoke = smoking; exercise = exercising; live = living;
        practise = practising; practice = practicing; get = getting; drink = drinking; eat = eating; sleep = sleeping;
        meditate = meditating; work = working
    """),
    how_much="how much they",
    amount="the amount of",
    contracted=re.compile(r"(?!)"),
)
