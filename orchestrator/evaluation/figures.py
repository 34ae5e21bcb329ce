"""The figures of an evaluation: rates with their intervals, and times by stage; docs/evaluation.md explains each."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from orchestrator.evaluation.judgement import Score
from orchestrator.evaluation.suite import About, Aim
from orchestrator.evaluation.turn_log import LoggedModelCall, LoggedTurn
from orchestrator.turn import Rule

NOTHING = "–"  # written where there is nothing to count
_Z = 1.959963984540054  # the normal distribution's 97.5 % point
LATENCY_HEADINGS = ("stage", "turns", "p50 ms", "p95 ms", "max ms")
_BANDS = ((0.9, "excellent"), (0.7, "acceptable"), (0.0, "insufficient"))
_Trials = Callable[[Score], bool | tuple[int, int] | None]
"""What a score adds to a figure: a trial that succeeded or not, no trial, or how many of how many succeeded."""
_Row = tuple[str, str, _Trials]  # a figure's key and title, and what it counts
_MODEL: tuple[_Row, ...] = (
    ("model_tca", "TCA of the model alone", lambda score: (score.proposed.valid, score.proposed.steps)),
    ("model_mcra", "MCRA of the model alone", lambda score: score.proposed.multi_clinic),
    ("model_used", "Plans of the model that were used", lambda score: (score.used, score.proposed.plans)),
)


@dataclass(frozen=True, slots=True)
class Rate:
    """A share of trials with its 95 % interval."""

    hits: int  # over all runs
    trials: int  # over all runs
    runs: int = 1

    @classmethod
    def of(cls, outcomes: Iterable[bool | tuple[int, int] | None], runs: int = 1) -> "Rate":
        """Return the rate of true outcomes, or of hits among trials where they are counted; None is no trial."""
        counts = [each if isinstance(each, tuple) else (int(each), 1) for each in outcomes if each is not None]
        return cls(sum(hits for hits, _ in counts), sum(trials for _, trials in counts), runs)

    @property
    def value(self) -> float | None:
        """The share, from 0 to 1; None without a trial."""
        return self.hits / self.trials if self.trials else None

    @property
    def interval(self) -> tuple[float, float] | None:
        """Wilson's score interval at 95 % (Wilson 1927); None without a trial."""
        if self.value is None:
            return None
        # Runs of a suite repeat the same trials: they steady the rate but add no evidence.
        count = self.trials / self.runs
        shrink = 1 + _Z**2 / count
        centre = (self.value + _Z**2 / (2 * count)) / shrink
        half = _Z / shrink * math.sqrt(self.value * (1 - self.value) / count + _Z**2 / (4 * count**2))
        # At 0 and 1 the bound is exact; rounding must not move it.
        low = 0.0 if self.hits == 0 else max(0.0, centre - half)
        high = 1.0 if self.hits == self.trials else min(1.0, centre + half)
        return low, high


@dataclass(frozen=True, slots=True)
class Latency:
    """Times of one stage."""

    turns: int  # turns that had the stage
    p50_ms: float
    p95_ms: float
    max_ms: float


def latency_row(stage: str, latency: Latency) -> tuple[str, str, str, str, str]:
    """Return a stage's cells under LATENCY_HEADINGS."""
    p50, p95, slowest = (f"{each:.2f}" for each in (latency.p50_ms, latency.p95_ms, latency.max_ms))
    return stage, str(latency.turns), p50, p95, slowest


def latencies_of(turns: Iterable[LoggedTurn]) -> Mapping[str, Latency]:
    """Return the times of each stage that occurred in any turn, by its name."""
    times: dict[str, list[float]] = {stage: [] for stage in ("plan", "route", "verify", "respond", "turn")}
    for turn in turns:
        for stage, elapsed_ms in _stages(turn).items():
            times[stage].append(elapsed_ms)
    return {
        stage: Latency(len(taken), percentile(taken, 0.5), percentile(taken, 0.95), max(taken))
        for stage, taken in times.items()
        if taken
    }


def _stages(turn: LoggedTurn) -> Mapping[str, float]:
    # Clinics are asked at once, one clinic's steps in order. The rest of the turn is responder's and conversation's.
    logged = turn.elapsed_ms
    by_clinic: dict[str, float] = defaultdict(float)
    for result in turn.results:
        by_clinic[result.clinic] += result.elapsed_ms
    checks = [elapsed_ms for name, elapsed_ms in logged.items() if name.startswith("verify_")]
    stages = {"plan": logged.get("plan"), "route": max(by_clinic.values(), default=None)}
    stages["verify"] = sum(checks) if checks else None
    known = {stage: elapsed_ms for stage, elapsed_ms in stages.items() if elapsed_ms is not None}
    return {**known, "turn": logged["turn"], "respond": max(0.0, logged["turn"] - sum(known.values()))}


def percentile(times: Sequence[float], share: float) -> float:
    """Return the smallest time that is not exceeded by `share` of the times."""
    return sorted(times)[max(0, math.ceil(share * len(times)) - 1)]


@dataclass(frozen=True, slots=True)
class ModelUse:
    """The use of a language model."""

    calls: int = 0  # calls, including failed ones
    failures: Mapping[str, int] = field(default_factory=dict)  # failed calls by reason
    prompt_tokens: int = 0  # tokens read, as far as the server counted
    completion_tokens: int = 0  # tokens written, as far as the server counted
    cost_usd: float | None = None  # None without prices
    cached_tokens: int = 0  # of the tokens read, those that the server had in its cache


def use_of(calls: Sequence[LoggedModelCall]) -> ModelUse:
    """Return the use of the model in some calls."""
    costs = [call.cost_usd for call in calls if call.cost_usd is not None]
    return ModelUse(
        calls=len(calls),
        failures=dict(sorted(Counter(call.failure.value for call in calls if call.failure is not None).items())),
        prompt_tokens=sum(call.prompt_tokens or 0 for call in calls),
        completion_tokens=sum(call.completion_tokens or 0 for call in calls),
        cost_usd=sum(costs) if costs else None,
        cached_tokens=sum(call.cached_tokens or 0 for call in calls),
    )


def value_of(rate: Rate) -> str:
    """Return a rate as text."""
    return NOTHING if rate.value is None else percent(rate.value)


def share_of(rate: Rate) -> str:
    """Return a rate as text with its count."""
    return f"{value_of(rate)} ({rate.hits}/{rate.trials})"


def percent(share: float) -> str:
    """Return a share with one decimal, such as "97.3 %"."""
    return f"{share * 100:.1f} %"


def band_of(tsr: Rate) -> str | None:
    """Return the blueprint's name for a task success rate (section 5.1); None without a task."""
    value = tsr.value
    return None if value is None else next(band for least, band in _BANDS if value >= least)


@dataclass(frozen=True, slots=True)
class Figure:
    """A rate and its names."""

    key: str  # its name for programs
    title: str  # its name for people
    rate: Rate


@dataclass(frozen=True, slots=True)
class Evaluation:
    """The result of a suite: all figures, and what they are made of."""

    scores: tuple[Score, ...]  # a score for every query of every run, in order
    queries: int
    runs: int
    turns: int
    blueprint: tuple[Figure, ...]
    strict: tuple[Figure, ...]
    model: tuple[Figure, ...]  # figures of a language model's own proposals; empty if no model answered
    model_use: ModelUse
    breakdown: tuple[Figure, ...]  # strict success by category, language and number of turns; some queries apart
    pass_k: Mapping[int, float]  # pass^k by k, up to the number of runs: the chance that k runs of a task all succeed
    stray_writes: int  # writes that nobody asked for, including a wrong date or time
    latencies: Mapping[str, Latency]  # by stage

    def rate(self, key: str) -> Rate:
        """Return a rate by its key; raise `KeyError` if no figure has it."""
        figures = (*self.blueprint, *self.strict, *self.model, *self.breakdown)
        return {figure.key: figure.rate for figure in figures}[key]


def figures_of(scores: Sequence[Score], turns: Sequence[LoggedTurn]) -> Evaluation:
    """Return the figures of an evaluation, which has at least one score."""
    runs = max(score.run for score in scores)
    return Evaluation(
        scores=tuple(scores),
        queries=len({score.query.id for score in scores}),
        runs=runs,
        turns=len(turns),
        blueprint=_figures(_BLUEPRINT, scores, runs),
        strict=_figures(_STRICT, scores, runs),
        model=_figures(_MODEL if any(score.proposed.plans for score in scores) else (), scores, runs),
        model_use=use_of([call for turn in turns for call in turn.model_calls]),
        breakdown=tuple(_breakdown(scores, runs)),
        pass_k=_pass_k([score for score in scores if score.query.aim is not Aim.RESTRAINT], runs),
        stray_writes=sum(score.stray_writes for score in scores),
        latencies=latencies_of(turns),
    )


def _tsr(score: Score) -> bool | None:
    return score.task_success if score.query.aim is Aim.TASK else None


def _success(aim: Aim) -> _Trials:
    return lambda score: score.success if score.query.aim is aim else None


_BLUEPRINT: tuple[_Row, ...] = (
    ("tsr", "TSR, tasks", _tsr),
    ("tsr_all", "TSR, all queries, to the letter", lambda score: score.completed),
    ("tca", "TCA, tools and clinics exist", lambda score: (score.planned.valid, score.planned.steps)),
    ("hr", "HR, hallucinations (R1)", lambda score: Rule.R1 in score.broken_rules),
    ("pvr", "PVR, privacy (R2)", lambda score: Rule.R2 in score.broken_rules),
    ("mcra", "MCRA, all clinics asked", lambda score: score.planned.multi_clinic),
)
_STRICT: tuple[_Row, ...] = (
    ("success", "Success of tasks", _success(Aim.TASK)),
    ("success_writes", "Success of tasks that write", lambda score: score.success if score.query.writes else None),
    ("refusals", "Refusals, rightly refused", _success(Aim.REFUSAL)),
    ("restraint", "Restraint, rightly no step", _success(Aim.RESTRAINT)),
    ("precision", "Tool precision", lambda score: (score.matched, score.planned.steps)),
    ("misroute", "Steps sent to the wrong clinic", lambda score: (score.misrouted, score.planned.steps)),
    ("recall", "Tool recall", lambda score: (score.matched, score.expected)),
)


def _figures(rows: Iterable[_Row], scores: Sequence[Score], runs: int) -> tuple[Figure, ...]:
    return tuple(Figure(key, title, Rate.of(map(of, scores), runs)) for key, title, of in rows)


def _breakdown(scores: Sequence[Score], runs: int) -> Iterator[Figure]:
    groups: dict[str, list[Score]] = defaultdict(list)
    for score in scores:
        query = score.query
        kinds = [query.category, f"language {query.language}", "several turns" if len(query.turns) > 1 else "one turn"]
        for name in (*kinds, *(["multi-clinic"] if score.planned.multi_clinic is not None else [])):
            groups[name].append(score)
    for name in sorted(groups):
        yield from _figures([(name, name, lambda score: score.success)], groups[name], runs)
    for about, title in ((About.OWN, "Own appointments"), (About.FACTS, "Facts of a clinic")):
        rows: tuple[_Row, ...] = (
            (f"success_{about}", f"{title}: success", lambda score: score.success),
            (f"tsr_{about}", f"{title}: TSR", _tsr),
            (f"precision_{about}", f"{title}: tool precision", lambda score: (score.matched, score.planned.steps)),
        )
        part = [score for score in scores if score.query.about is about]
        yield from _figures(rows if part else (), part, runs)


def _pass_k(scores: Iterable[Score], runs: int) -> Mapping[int, float]:
    # The unbiased estimate of Yao et al. 2024, tau-bench.
    successes: Counter[str] = Counter()
    for score in scores:
        successes[score.query.id] += score.success
    return {
        k: sum(math.comb(count, k) / math.comb(runs, k) for count in successes.values()) / len(successes)
        for k in range(1, runs + 1 if successes else 1)
    }
