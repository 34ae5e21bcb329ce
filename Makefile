# One command for each thing a contributor does; .ci/run does the same. A machine needs make and python3 (>= 3.11) with venv:
# the first target that needs it creates .venv from the lock files, and the next run finds it ready.

.DEFAULT_GOAL := help
.NOTPARALLEL:
.DELETE_ON_ERROR:

VENV := .venv
BIN := $(VENV)/bin
# Stamps: what is installed is as old as these. The development set contains the running set.
RUN := $(VENV)/installed-run
DEV := $(VENV)/installed-dev
# The patterns of what people say are compiled when the lexicon changes: else the first answer waits for them.
PATTERNS := $(VENV)/patterns-compiled
LEXICON := $(wildcard orchestrator/planner/lexicon/*.* orchestrator/planner/lexicon/patterns/*.*)
PYTEST = PYTHONDONTWRITEBYTECODE= $(BIN)/python -m pytest --numprocesses=$(or $(WORKERS),auto) --dist=worksteal
# What the benchmarks compare with has an environment of its own: nothing of it is the product's.
BENCH_VENV := .venv-bench
BENCH := $(BENCH_VENV)/installed
# The schemas of Kubernetes are a hundred MiB, which few need.
DEPLOY_VENV := .venv-deploy
DEPLOY := $(DEPLOY_VENV)/installed
JSON = bench-results.json
SBOM = sbom.cdx.json

# The first interpreter found that is new enough; `make PYTHON=/path/to/python3` names one.
VERSION_CHECK := import sys; sys.exit(sys.version_info < (3, 11))
PYTHON = $(shell for each in python3 python3.14 python3.13 python3.12 python3.11; do \
	"$$each" -c '$(VERSION_CHECK)' 2>/dev/null && echo "$$each" && break; done)
PIP = $(BIN)/python -m pip --disable-pip-version-check --quiet
# Locked tools only, setuptools among them: the build backend is not fetched a second time, unhashed.
INSTALL_PROJECT = $(PIP) install --no-build-isolation --no-deps --editable .
# Compiled once, whatever the environment says of bytecode: a clinic's start is a third compiling otherwise.
COMPILE_PROJECT = $(BIN)/python -m compileall -q generated mesh clinics orchestrator
COMPILE_PATTERNS = echo '{"id": "1", "utterance": "quero marcar com a cardiologista na sexta às 9h"}' | \
	PYTHONDONTWRITEBYTECODE= $(BIN)/clinic-mesh plan --input - > /dev/null
# pip is locked with them: the one that comes with Python only installs the locked one.
BUILD_REQUIREMENTS := import tomllib; print(*tomllib.load(open("pyproject.toml", "rb"))["build-system"]["requires"], "pip", sep="\n")
# What users may add; each has a lock file of its name.
EXTRAS := telemetry postgres memory-postgres embeddings research generate mcp
LOCK = $(BIN)/uv pip compile --quiet --generate-hashes --no-header --universal --python-version 3.11

.PHONY: help
help: ## show this text
	@echo "clinic-mesh: make TARGET"
	@sed -n 's/^\([a-z-]*\):.*## \(.*\)/  \1|\2/p' $(MAKEFILE_LIST) | awk -F'|' '{ printf "%-17s %s\n", $$1, $$2 }'

.PHONY: run
run: $(RUN) $(PATTERNS) ## start the clinics that are not running and open the terminal
	@$(BIN)/clinic-mesh

.PHONY: install
install: $(RUN) $(PATTERNS) ## install into .venv what the program needs; nothing is left running

.PHONY: extras $(EXTRAS:%=extra-%)
extras: $(EXTRAS:%=extra-%) ## install what is optional; one of them: make extra-research (telemetry, postgres, memory-postgres, embeddings)
$(EXTRAS:%=extra-%): extra-%: requirements/%.txt $(RUN)
	@echo "Installing the extra $* into $(VENV) ..."
	@$(PIP) install --require-hashes --requirement $<

.PHONY: test
test: $(DEV) ## run the tests but the long ones, a worker for each core: make test WORKERS=4 ARGS="tests/unit/mesh -k reason"
	$(PYTEST) $(ARGS)

.PHONY: test-all
test-all: $(DEV) ## run all tests: before a release, or a change of what a long one guards (CONTRIBUTING.md); WORKERS and ARGS as above
	$(PYTEST) --whole $(ARGS)

.PHONY: lint
lint: $(DEV) ## style, types, import layers, contract, drift of generated code
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	$(BIN)/lint-imports
	$(BIN)/buf lint
	$(BIN)/python scripts/generate.py --check

.PHONY: examples
examples: $(DEV) ## run the clients in Go and Node against a clinic, where their tool chains are
	examples/run

.PHONY: check
check: lint test ## lint, then test; CI also runs buf breaking

.PHONY: generate
generate: $(DEV) ## write generated/ from protos/, and .env.example from the table of settings
	$(BIN)/python scripts/generate.py
	$(BIN)/python -m scripts.env_example > .env.example

.PHONY: lock
lock: $(DEV) ## renew requirements/*.txt from pyproject.toml
	$(BIN)/python -c '$(BUILD_REQUIREMENTS)' | $(LOCK) --upgrade pyproject.toml - --output-file requirements/run.txt
	$(LOCK) --upgrade --extra dev $(EXTRAS:%=--extra %) --constraint requirements/run.txt pyproject.toml --output-file requirements/dev.txt
	$(LOCK) --upgrade --extra bench --constraint requirements/run.txt pyproject.toml --output-file requirements/bench.txt
	$(LOCK) --upgrade --extra deploy --constraint requirements/run.txt pyproject.toml --output-file requirements/deploy.txt
	for extra in $(EXTRAS); do \
		$(LOCK) --upgrade --extra $$extra --constraint requirements/dev.txt pyproject.toml --output-file requirements/$$extra.txt || exit; done

.PHONY: sbom
sbom: $(DEV) ## write the bill of materials of what users install, sbom.cdx.json (CycloneDX)
	$(BIN)/python -m scripts.sbom $(SBOM)

.PHONY: licences
licences: $(DEV) ## compare the licences of what users install with scripts/licences.toml and NOTICE
	$(BIN)/python -m scripts.licences

.PHONY: notice
notice: $(DEV) ## write NOTICE from the lock files
	$(BIN)/python -m scripts.licences --write

.PHONY: vulnerabilities
vulnerabilities: $(DEV) ## compare the lock files with advisories, offline: make vulnerabilities DATA=all.zip
	$(BIN)/python -m scripts.vulnerabilities $(DATA)

.PHONY: bench
bench: $(BENCH) ## measure everything beside its peers: table, and JSON in bench-results.json (bench/README.md)
	$(BENCH_VENV)/bin/python -m bench --json $(JSON)

# make bench-turn BASE=COMMIT measures the working tree and that commit in one run (list, book, turn, start, memory).
BENCHES := bench-list bench-appointments bench-book bench-fanout bench-turn bench-start bench-memory bench-memories bench-interceptors bench-servers bench-load
.PHONY: $(BENCHES)
$(BENCHES): bench-%: $(BENCH)
	$(BENCH_VENV)/bin/python -m bench $* $(if $(BASE),--base $(BASE))

.PHONY: bench-scale
bench-scale: $(DEV) ## measure how far one clinic goes, by its store, slots, replicas and callers, with ghz: make bench-scale ARGS="--slots 500"
	$(BIN)/python -m bench.scale $(ARGS)

.PHONY: bench-planner
bench-planner: $(DEV) ## measure the offline planner, milliseconds a turn
	$(BIN)/python bench/planner.py

.PHONY: bench-ways
bench-ways: $(DEV) ## count the calls and modules that three turns pass
	$(BIN)/python -m bench.ways

.PHONY: bench-research
bench-research: $(DEV) ## measure a turn of the research desk under each durability mode
	$(BIN)/python -m bench.research

.PHONY: bench-stores
bench-stores: $(DEV) ## measure bookings and listings of db.json beside PostgreSQL
	$(BIN)/python -m bench.stores

.PHONY: bench-gateway
bench-gateway: $(DEV) ## measure what the MCP gateway adds to a listing of all clinics, over stdio and HTTP
	$(BIN)/python -m bench.gateway

.PHONY: inspect-mcp
inspect-mcp: $(DEV) ## look at the MCP gateway with the MCP inspector, where Node is new enough
	tests/conformance/inspect

.PHONY: mcp-conformance
mcp-conformance: $(DEV) ## run the MCP conformance suite against the gateway, where Node is new enough
	tests/conformance/run

.PHONY: check-deploy
check-deploy: ## lint the Containerfile, build deploy/ and hold it to the schemas of Kubernetes, where kustomize or kubectl is
	@if command -v kustomize || command -v kubectl; then $(MAKE) --no-print-directory $(DEPLOY) && deploy/check $(DEPLOY_VENV)/bin; \
	else echo "neither kustomize nor kubectl is here: skipped"; fi

.PHONY: screens
screens: $(DEV) ## draw the screens of the READMEs anew, from the real program in a real terminal
	$(BIN)/python -m tests.screens

.PHONY: siege-cases
siege-cases: $(DEV) ## play all hostile models, storms and generated cases, of which make test-all plays a part
	$(PYTEST) --hypothesis-profile=siege tests/unit tests/fuzz tests/scenarios

.PHONY: torture
torture: $(DEV) ## kill a clinic 300 times, fail and fill its disk under writes: make torture KILLS=1000 SEED=... STORE=postgresql
	$(BIN)/python -m tests.torture $(if $(STORE),--store $(STORE)) $(if $(KILLS),--kills $(KILLS)) $(if $(SEED),--seed $(SEED))

.PHONY: load
load: $(DEV) ## call a clinic 64 times at once for 30 s, end and kill it meanwhile: make load SECONDS=120 CALLERS=16 SEED=...
	$(BIN)/python -m tests.torture.load $(if $(SECONDS),--seconds $(SECONDS)) $(if $(CALLERS),--callers $(CALLERS)) $(if $(SEED),--seed $(SEED))

.PHONY: replicas
replicas: $(DEV) ## kill and end replicas of a clinic on PostgreSQL under 64 callers: make replicas ROUNDS=21 CALLERS=64 SEED=...
	$(BIN)/python -m tests.torture.replicas $(if $(ROUNDS),--rounds $(ROUNDS)) $(if $(CALLERS),--callers $(CALLERS)) $(if $(SEED),--seed $(SEED))

.PHONY: siege
siege: $(DEV) ## attack a clinic with real HTTP/2 frames and count what gets through: make siege SECONDS=20
	$(BIN)/python -m tests.siege $(if $(SECONDS),--seconds $(SECONDS))

.PHONY: patients
patients: $(DEV) ## let 1,000 simulated patients talk to the desk: make patients COUNT=200 SEED=2
	$(BIN)/clinic-mesh eval --patients $(or $(COUNT),1000) --seed $(or $(SEED),1) --report patients-report

.PHONY: eval-dev
eval-dev: $(DEV) ## score the understanding on development data: make eval-dev DATA=folder
	@test -n "$(DATA)" || { echo "eval-dev needs a folder of data: make eval-dev DATA=folder" >&2; exit 2; }
	$(BIN)/python bench/eval_dev.py "$(DATA)"

.PHONY: compare
compare: $(DEV) ## compare the answers of two versions to all that the tests say: make compare BASE=COMMIT EVERY=10
	@test -n "$(BASE)" || { echo "compare needs a commit, or the folder of a checkout: make compare BASE=COMMIT" >&2; exit 2; }
	$(BIN)/python -m bench.compare "$(BASE)" $(if $(EVERY),--every $(EVERY))

.PHONY: clean
clean: ## remove the virtual environment and every cache and build product
	rm -rf $(VENV) $(BENCH_VENV) $(DEPLOY_VENV) build dist *.egg-info .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
	find . -name __pycache__ -type d -prune -exec rm -rf {} +

# A virtual environment made by another tool may lack pip; it is kept and given one.
$(BIN)/python:
	@"$(PYTHON)" -c '$(VERSION_CHECK)' 2>/dev/null || { echo "clinic-mesh needs Python 3.11 or newer; found: $$($(or $(PYTHON),python3) --version 2>&1). \
	Install one, or name it: make PYTHON=/path/to/python3" >&2; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "could not create $(VENV): is the venv module installed? \
	(Debian and Ubuntu: apt install python3-venv)" >&2; exit 1; }

$(RUN): requirements/run.txt pyproject.toml | $(BIN)/python
	@echo "Installing clinic-mesh into $(VENV) ..."
	@$(BIN)/python -m pip --version >/dev/null 2>&1 || $(BIN)/python -m ensurepip
	@$(PIP) install --require-hashes --requirement requirements/run.txt
	@$(INSTALL_PROJECT)
	@$(COMPILE_PROJECT)
	@touch $@

$(PATTERNS): $(LEXICON) | $(RUN)
	-@$(COMPILE_PATTERNS)
	@touch $@

$(BENCH): requirements/bench.txt pyproject.toml $(RUN)
	@echo "Installing what the benchmarks compare with into $(BENCH_VENV) ..."
	@test -x $(BENCH_VENV)/bin/python || $(BIN)/python -m venv --without-pip $(BENCH_VENV)
	@$(PIP) --python $(BENCH_VENV)/bin/python install --require-hashes --requirement requirements/bench.txt
	@touch $@

$(DEPLOY): requirements/deploy.txt $(RUN)
	@echo "Installing what checks deploy/ into $(DEPLOY_VENV) ..."
	@test -x $(DEPLOY_VENV)/bin/python || $(BIN)/python -m venv --without-pip $(DEPLOY_VENV)
	@$(PIP) --python $(DEPLOY_VENV)/bin/python install --require-hashes --requirement requirements/deploy.txt
	@touch $@

$(DEV): requirements/dev.txt $(RUN)
	@echo "Installing the development tools into $(VENV) ..."
	@$(PIP) install --require-hashes --requirement requirements/dev.txt
	@touch $@
