# Two commands matter: `make demo` shows the thing, `make test` proves it. Both set up what they need.

PYTHON ?= python3
VENV   ?= .venv
BIN    := $(VENV)/bin
UV     := $(shell command -v uv 2>/dev/null)
JOBS   ?= 2
# pip compiles to byte code by itself, uv only when told to: without it every start is slow.
export UV_COMPILE_BYTECODE := 1
unexport PYTHONDONTWRITEBYTECODE

.PHONY: demo test test-slow lint format soak soak-sample bench bench-peers coverage clean help

help:  ## show this list
	@grep -hE '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed 's/:.*## /\t/'

$(BIN)/python:
ifdef UV
	$(UV) venv --quiet --python $(PYTHON) $(VENV)
else
	$(PYTHON) -m venv $(VENV)
endif

$(VENV)/.installed: pyproject.toml | $(BIN)/python
ifdef UV
	$(UV) pip install --quiet --python $(BIN)/python -e .
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e .
endif
	@touch $@

$(VENV)/.installed-dev: pyproject.toml | $(BIN)/python
ifdef UV
	$(UV) pip install --quiet --python $(BIN)/python -e '.[dev]'
else
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
endif
	@touch $@ $(VENV)/.installed

demo: $(VENV)/.installed  ## copy the sample persona to a fresh folder and dream on it, offline
	$(BIN)/toolnexus demo

test: $(VENV)/.installed-dev  ## the fast suite
	$(BIN)/python -m pytest -n $(JOBS) --dist worksteal

test-slow: $(VENV)/.installed-dev  ## the tests that take seconds each
	$(BIN)/python -m pytest -m "slow and not soak" -n $(JOBS) --dist worksteal

lint: $(VENV)/.installed-dev  ## format, lint, types, layers
	$(BIN)/ruff format --check .
	$(BIN)/ruff check .
	$(BIN)/mypy
	$(BIN)/lint-imports

format: $(VENV)/.installed-dev  ## put the code in shape
	$(BIN)/ruff format .
	$(BIN)/ruff check --fix .

soak-sample: $(VENV)/.installed-dev  ## a sample of the slow fault runs, and what they counted
	TOOLNEXUS_SOAK=sample $(BIN)/python -m pytest -m soak -n $(JOBS) --dist worksteal

soak: $(VENV)/.installed-dev  ## all slow fault runs, with the full counts: they go into docs/faults.md
	TOOLNEXUS_SOAK=full TOOLNEXUS_FAULTS_REPORT=docs/faults.md $(BIN)/python -m pytest -m soak -n $(JOBS) --dist worksteal

bench: $(VENV)/.installed-dev  ## measure, and print the table that docs/performance.md holds
	$(BIN)/python -m benchmarks

bench-peers: $(VENV)/.installed-dev  ## measure beside the peers, an hour and more; writes docs/peers.md and its plots
	$(BIN)/python -m benchmarks.peers --sizes 100,1000,10000,100000 --out docs/peers.md

coverage: $(VENV)/.installed-dev  ## the fast suite with coverage
	$(BIN)/python -m pytest --cov --cov-report=term-missing

clean:  ## remove what these commands made
	rm -rf $(VENV) .mypy_cache .ruff_cache .pytest_cache .hypothesis .import_linter_cache
