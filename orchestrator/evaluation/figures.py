"""The figures of an evaluation: rates over all queries, and times by stage; docs/evaluation.md explains each."""

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from orchestrator.evaluation.judgement import Score
from orchestrator.evaluation.measures import Latency, ModelUse, Rate, latencies_of, use_of
from orchestrator.evaluation.suite import About, Aim
from orchestrator.evaluation.turn_log import LoggedTurn
from orchestrator.turn import Rule

_BANDS = ((0.9, "excellent"), (0.7, "acceptable"), (0.0, "insufficient"))
_Trials = Callable[[Score], bool | tuple[int, int] | None]
"""What a score adds to a figure: a trial that succeeded or not, no trial, or how many of how many succeeded."""
_Row = tuple[str, str, _Trials]  # a figure's key and title, and what it counts
_MODEL: tuple[_Row, ...] = (
    ("model_tca", "TCA of the model alone", lambda score: (score.proposed.valid, score.proposed.steps)),
    ("model_mcra", "MCRA of the model alone", lambda score: score.proposed.multi_clinic),
    ("model_used", "Plans of the model that were used", lambda score: (score.used, score.proposed.plans)),
)
_LOWER_IS_BETTER = frozenset({"hr", "pvr", "misroute"})


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
    lower_is_better: bool = False  # whether 0 is the best value


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


def _precision(score: Score) -> tuple[int, int]:
    return score.matched, score.planned.steps


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
    ("precision", "Tool precision", _precision),
    ("misroute", "Steps sent to the wrong clinic", lambda score: (score.misrouted, score.planned.steps)),
    ("recall", "Tool recall", lambda score: (score.matched, score.expected)),
)


def _figures(rows: Iterable[_Row], scores: Sequence[Score], runs: int) -> tuple[Figure, ...]:
    return tuple(Figure(key, title, Rate.of(map(of, scores), runs), key in _LOWER_IS_BETTER) for key, title, of in rows)


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
            (f"precision_{about}", f"{title}: tool precision", _precision),
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
