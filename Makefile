# Everything a person or CI does here. Needs Python 3.11 or newer and make; the rest sets itself up.

PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check
NEEDS := pyproject.toml constraints.txt
PEERS := .venv-peers
TOO_OLD := lre needs Python 3.11 or newer: make PYTHON=/path/to/python3.11

.DEFAULT_GOAL := help
.PHONY: help demo test peers test-frameworks test-changed lint format docs generate bench constraints clean

help:  ## list the targets
	@sed -n 's/^\([a-z-]*\):.*## /\1	/p' Makefile

demo: $(VENV)/.installed  ## fit a real-looking agent session into 30 % of its tokens
	@$(BIN)/python examples/demo.py

test: $(VENV)/.dev  ## run all tests, in parallel
	$(BIN)/python -m pytest -n auto

peers: $(PEERS)/.installed  ## run the tests that need large packages, in an environment of their own
	$(PEERS)/bin/python -m pytest -n auto tests/neural tests/policies tests/test_laws.py

test-frameworks: $(VENV)/.dev  ## run whole agents of every framework, in environments of their own
	$(BIN)/python tests/frameworks/run.py

test-changed: $(VENV)/.dev  ## the same for integrations that changed of late, and one more in turn
	$(BIN)/python tests/frameworks/run.py --changed

lint: $(VENV)/.dev  ## check style, format and types
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy

format: $(VENV)/.dev  ## mend style and format where that needs no thought
	$(BIN)/ruff check --fix
	$(BIN)/ruff format

docs: $(VENV)/.dev  ## build docs/_build/html, warnings as errors
	$(BIN)/sphinx-build -q -W --keep-going -b html docs docs/_build/html

generate: $(VENV)/.dev  ## write the generated parts of README.md and docs/
	$(BIN)/python docs/generate.py

bench: $(VENV)/.dev  ## measure the speed
	@for script in benchmarks/bench_*.py; do echo "$$script" && $(BIN)/python "$$script" || exit 1; done

constraints:  ## pin the newest versions that fit pyproject.toml
	$(PYTHON) -m venv --clear build/pins
	build/pins/bin/python -m pip --quiet install -e ".[dev]"
	build/pins/bin/python -m pip freeze --exclude-editable > constraints.txt
	$(PYTHON) -m venv --clear build/pins
	build/pins/bin/python -m pip --quiet install -e ".[peers]"
	build/pins/bin/python -m pip freeze --exclude-editable > constraints-peers.txt

clean:  ## remove everything that was built
	rm -rf $(VENV) $(PEERS) .venv-frameworks build docs/_build .mypy_cache .pytest_cache .ruff_cache .hypothesis

# Stamps: older than NEEDS, or missing, where something has to be installed.
$(VENV)/bin/python:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11) and "$(TOO_OLD)")'
	$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: $(NEEDS) | $(VENV)/bin/python
	@echo "Installing lre into $(VENV)"
	@$(PIP) install -c constraints.txt -e .
	@touch $@

$(VENV)/.dev: $(NEEDS) | $(VENV)/bin/python
	@echo "Installing lre and its development tools into $(VENV): some minutes, once"
	@$(PIP) install -c constraints.txt -e ".[dev]"
	@touch $@ $(VENV)/.installed

$(PEERS)/.installed: pyproject.toml constraints-peers.txt
	@echo "Installing lre and what it is compared with into $(PEERS): some minutes and gigabytes, once"
	$(PYTHON) -m venv $(PEERS)
	@$(PEERS)/bin/python -m pip --quiet --disable-pip-version-check install -c constraints-peers.txt -e ".[peers]"
	@touch $@
