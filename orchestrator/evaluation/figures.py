"""The figures of an evaluation: rates over all queries, and times by stage; docs/evaluation.md explains each."""

import math
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass

from orchestrator.evaluation.judgement import Score
from orchestrator.evaluation.measures import Latency, ModelUse, Rate, latencies_of, use_of
from orchestrator.evaluation.suite import About, Aim, Query
from orchestrator.evaluation.turn_log import LoggedTurn
from orchestrator.turn import Rule

_BANDS = ((0.9, "excellent"), (0.7, "acceptable"), (0.0, "insufficient"))


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
    latencies: tuple[Latency, ...]

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
        blueprint=_blueprint(scores, runs),
        strict=_strict(scores, runs),
        model=_model(scores, runs),
        model_use=use_of([call for turn in turns for call in turn.model_calls]),
        breakdown=(*_breakdown(scores, runs), *_apart(scores, runs)),
        pass_k=_pass_k([score for score in scores if score.query.aim is not Aim.RESTRAINT], runs),
        stray_writes=sum(score.stray_writes for score in scores),
        latencies=latencies_of(turns),
    )


def _blueprint(scores: Sequence[Score], runs: int) -> tuple[Figure, ...]:
    tasks = [score for score in scores if score.query.aim is Aim.TASK]
    steps = Rate(sum(score.valid for score in scores), sum(score.planned for score in scores), runs)
    return (
        Figure("tsr", "TSR, tasks", Rate.of((score.task_success for score in tasks), runs)),
        Figure("tsr_all", "TSR, all queries, to the letter", Rate.of((score.completed for score in scores), runs)),
        Figure("tca", "TCA, tools and clinics exist", steps),
        Figure("hr", "HR, hallucinations (R1)", _broken(scores, Rule.R1, runs), lower_is_better=True),
        Figure("pvr", "PVR, privacy (R2)", _broken(scores, Rule.R2, runs), lower_is_better=True),
        Figure("mcra", "MCRA, all clinics asked", Rate.of((score.multi_clinic for score in scores), runs)),
    )


def _broken(scores: Sequence[Score], rule: Rule, runs: int) -> Rate:
    return Rate.of((rule in score.broken_rules for score in scores), runs)


def _strict(scores: Sequence[Score], runs: int) -> tuple[Figure, ...]:
    def success(key: str, title: str, wanted: Callable[[Query], bool]) -> Figure:
        return Figure(key, title, Rate.of((score.success for score in scores if wanted(score.query)), runs))

    planned, matched = sum(score.planned for score in scores), sum(score.matched for score in scores)
    misrouted = sum(score.misrouted for score in scores)
    return (
        success("success", "Success of tasks", lambda query: query.aim is Aim.TASK),
        success("success_writes", "Success of tasks that write", lambda query: query.writes),
        success("refusals", "Refusals, rightly refused", lambda query: query.aim is Aim.REFUSAL),
        success("restraint", "Restraint, rightly no step", lambda query: query.aim is Aim.RESTRAINT),
        Figure("precision", "Tool precision", Rate(matched, planned, runs)),
        Figure("misroute", "Steps sent to the wrong clinic", Rate(misrouted, planned, runs), lower_is_better=True),
        Figure("recall", "Tool recall", Rate(matched, sum(score.expected for score in scores), runs)),
    )


def _model(scores: Iterable[Score], runs: int) -> tuple[Figure, ...]:
    proposals = [score.proposals for score in scores]
    plans = sum(each.plans for each in proposals)
    if not plans:
        return ()
    steps = Rate(sum(each.valid for each in proposals), sum(each.steps for each in proposals), runs)
    used = Rate(sum(each.used for each in proposals), plans, runs)
    return (
        Figure("model_tca", "TCA of the model alone", steps),
        Figure("model_mcra", "MCRA of the model alone", Rate.of((each.multi_clinic for each in proposals), runs)),
        Figure("model_used", "Plans of the model that were used", used),
    )


def _breakdown(scores: Sequence[Score], runs: int) -> tuple[Figure, ...]:
    groups: dict[str, list[bool]] = {}
    for score in scores:
        query = score.query
        length = "several turns" if len(query.turns) > 1 else "one turn"
        for name in (query.category, f"language {query.language}", length):
            groups.setdefault(name, []).append(score.success)
        if score.multi_clinic is not None:
            groups.setdefault("multi-clinic", []).append(score.success)
    return tuple(Figure(name, name, Rate.of(groups[name], runs)) for name in sorted(groups))


def _apart(scores: Sequence[Score], runs: int) -> Iterator[Figure]:
    for about, title in ((About.OWN, "Own appointments"), (About.FACTS, "Facts of a clinic")):
        part = [score for score in scores if score.query.about is about]
        if part:
            tasks = [score.task_success for score in part if score.query.aim is Aim.TASK]
            precision = Rate(sum(score.matched for score in part), sum(score.planned for score in part), runs)
            yield Figure(f"success_{about}", f"{title}: success", Rate.of((score.success for score in part), runs))
            yield Figure(f"tsr_{about}", f"{title}: TSR", Rate.of(tasks, runs))
            yield Figure(f"precision_{about}", f"{title}: tool precision", precision)


def _pass_k(scores: Iterable[Score], runs: int) -> Mapping[int, float]:
    # The unbiased estimate of Yao et al. 2024, tau-bench.
    successes: dict[str, int] = {}
    for score in scores:
        successes[score.query.id] = successes.get(score.query.id, 0) + score.success
    if not successes:
        return {}
    return {
        k: sum(math.comb(count, k) / math.comb(runs, k) for count in successes.values()) / len(successes)
        for k in range(1, runs + 1)
    }
