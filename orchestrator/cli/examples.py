"""What --help shows of each command: lines that can be pasted. A test parses them all."""

from __future__ import annotations

from collections.abc import Mapping

EXAMPLES: Mapping[str, tuple[tuple[str, str], ...]] = {
    "": (
        ("clinic-mesh", "start the clinics and talk to them"),
        ("clinic-mesh up --detach", "leave the clinics running"),
        ('clinic-mesh ask "horários de cardiologia" --identity-file me.txt', "one turn, without a terminal"),
        ("clinic-mesh --yes --output jsonl < lines.txt", "a turn a line, writes are made"),
        ("clinic-mesh eval --report out", "how well the planner does; figures, chart and logs in out/"),
    ),
    "up": (
        ("clinic-mesh up", "start what is missing, stop it at Ctrl-C"),
        ("clinic-mesh up --detach --wait 60", "return when all answer, within a minute"),
        ("clinic-mesh up --agenda blueprint --now 2025-07-15T08:00-03:00", "the fixed July 2025"),
    ),
    "down": (
        ("clinic-mesh down", "stop all that run from the data folder"),
        ("clinic-mesh down clinic_c", "stop one, to see an outage"),
    ),
    "restart": (("clinic-mesh restart clinic_c", "end it in order, start it again, wait until it answers"),),
    "status": (
        ("clinic-mesh status", "a table"),
        ("clinic-mesh status -o json", "for scripts: docs/output-schema.md"),
    ),
    "logs": (
        ("clinic-mesh logs", "the last lines of each clinic"),
        ("clinic-mesh logs clinic_c -n 100", "the last hundred of one"),
        ("clinic-mesh logs -f", "go on until Ctrl-C"),
    ),
    "clinic": (("clinic-mesh clinic clinic_a --agenda blueprint --now 2025-07-15T08:00-03:00", ""),),
    "ask": (
        ('clinic-mesh ask "horários de dermatologia na sexta"', "who speaks: CLINIC_MESH_NAME, CLINIC_MESH_CPF"),
        ('clinic-mesh ask "marque com o Dr. Ricardo Lopes dia 23/07 às 8h"', "propose it and print its id"),
        ('clinic-mesh ask "marque com o Dr. Ricardo Lopes dia 23/07 às 8h" --confirm ID', "make exactly that"),
        ("clinic-mesh ask - --output jsonl < lines.txt", "a turn a line"),
    ),
    "plan": (
        ("clinic-mesh plan --input cases.jsonl", ""),
        ("clinic-mesh plan --planner llm --input -", "the configured model's plans, cases from standard input"),
    ),
    "eval": (
        ("clinic-mesh eval", "the figures"),
        ("clinic-mesh eval --runs 3 --report out", "and report, chart and logs"),
    ),
    "trace": (
        ("clinic-mesh trace last", "the newest turn"),
        ("clinic-mesh trace 4f2a --log pipeline_20250715.jsonl", "the turn whose id begins so"),
    ),
    "stats": (
        ("clinic-mesh stats", "of all logs"),
        ("clinic-mesh stats -o json --report out", "for scripts, with the misroute rate of an eval"),
    ),
    "research": (
        ("clinic-mesh research", "from an observation to a question that can be tested"),
        ("clinic-mesh research --list", "the sessions that are kept"),
        ("clinic-mesh research --session 4f2a", "take up one of them"),
        ("clinic-mesh research --output jsonl < lines.txt", "a turn a line"),
    ),
    "doctor": (("clinic-mesh doctor --llm openai", "the same checks with a model switched on"),),
    "token": (("clinic-mesh token --clinic clinic_a --ttl 60", "for grpcurl: authorization: Bearer TOKEN"),),
    "certs": (("clinic-mesh certs --tls-dir tls", "then set CLINIC_MESH_TLS_DIR=tls"),),
    "completion": (
        ("clinic-mesh completion bash > ~/.local/share/bash-completion/completions/clinic-mesh", ""),
        ("clinic-mesh completion zsh > ~/.zfunc/_clinic-mesh", "with ~/.zfunc in fpath"),
        ("clinic-mesh completion fish > ~/.config/fish/completions/clinic-mesh.fish", ""),
    ),
}
"""Command line and what it does, by command; "" is the program without one."""

_TOGETHER = 56
"""A line up to here has its remark beside it; else the remark stands below."""


def examples_of(command: str) -> str:
    """Return the examples of a command as a section of its help."""
    pairs = EXAMPLES[command]
    width = max(len(line) for line, _ in pairs)
    if width <= _TOGETHER:
        told = [f"  {line:<{width}}  {remark}".rstrip() for line, remark in pairs]
    else:
        told = [f"  {line}" + (f"\n      {remark}" if remark else "") for line, remark in pairs]
    return "\n".join(["examples:", *told])
