# `make report` and `make test` each work on a fresh clone. CI's jobs are these targets.

.DEFAULT_GOAL := help
.PHONY: help report test test-slow test-lab faults fuzz mutants test-lowest check docs lab bench lock dist audit sbom clean
.DELETE_ON_ERROR:

# Empty: the first Python that will do, see .ci/find-python
PYTHON ?=
UV ?= uv
BIN := .venv/bin
# Of `make faults` and `make fuzz`
MOMENTS ?= 40
SECONDS ?= 1800
JOBS ?= 1
# Of `make mutants`: some of them, such as 'fsviz.analysis.looks.*'
MUTANTS ?=
# One file's tests share a worker, and with it what they load, render and open.
# Not loadgroup: pytest-xdist 3.8 ignores groups under pytest 9.2 (its issue 1386).
# Bytecode is kept even where the machine says not to: every process of the tests, and
# there are hundreds, would compile the package anew.
PYTEST := env -u PYTHONDONTWRITEBYTECODE $(BIN)/python -m pytest -q -n auto --dist loadfile --no-loadscope-reorder
# The whole folder, data too; a menu, a tile and an entry that open the explorer
LAB := --ServerApp.root_dir="$(CURDIR)" --LabApp.app_settings_dir=notebooks/lab \
  --LabApp.extra_labextensions_path=notebooks/lab/extensions
SCRIPTS := 'fsviz/**/*.js' 'notebooks/lab/**/*.js'
PIP := $(BIN)/python -m pip --quiet --disable-pip-version-check --no-input

# Two stamps, so that a change of pyproject.toml alone fetches nothing again
PACKAGES := .venv/.packages
READY := .venv/.ready

help: ## Show this list
	@awk -F ':.*## ' '/^[a-z-]+:.*## / {printf "  make %-11s %s\n", $$1, $$2}' Makefile

report: $(READY) ## Render the sample campaigns to reports/index.html
	@$(BIN)/fsviz report -v data/raw/* notebooks/cases $(wildcard notebooks/lessons) -o reports
	@echo "Open $$PWD/reports/index.html in a browser"

test: check ## Style, types and import contracts, then the quick tests
	@$(PYTEST)

test-slow: $(READY) ## The slow tests: killed batches, PDF, JupyterLab, README
	@$(PYTEST) -m slow
	@HYPOTHESIS_PROFILE=long $(PYTEST) -m "hypothesis and not slow"

test-lab: $(READY) ## Every lesson in a real JupyterLab, silly to right answers
	@$(PYTEST) -n 0 -m lab

faults: $(READY) ## Kill, fill and break everything; MOMENTS=40 kills a command
	@FSVIZ_MOMENTS=$(MOMENTS) $(PYTEST) -m "faults or slow" tests/faults tests/measuring \
	  tests/report/test_ended.py tests/report/test_batch.py tests/store/test_store.py

fuzz: $(READY) ## Fuzz each reader for SECONDS=1800, JOBS=1 at a time (needs atheris)
	@$(BIN)/python -c 'import atheris' 2> /dev/null || { \
	  echo "make fuzz needs atheris: $(BIN)/pip install atheris"; exit 1; }
	@mkdir -p fuzz-found && cd tests/fuzz && ../../$(BIN)/python -c \
	  'from targets import TARGETS; print(*TARGETS)' | tr ' ' '\n' | xargs -P $(JOBS) -I{} \
	  sh -c '../../$(BIN)/python fuzz.py {} $(SECONDS) > ../../fuzz-found/{}.log 2>&1 \
	    && echo "== {} $$(grep -a number_of_executed ../../fuzz-found/{}.log)" \
	    || { echo "== {} failed"; tail -50 ../../fuzz-found/{}.log; exit 255; }'

mutants: $(READY) ## Break fsviz/analysis in small ways; which do tests miss? (needs mutmut)
	@$(BIN)/python -c 'import mutmut' 2> /dev/null || { \
	  echo "make mutants needs mutmut: $(BIN)/pip install mutmut"; exit 1; }
	@$(BIN)/python -m mutmut run $(MUTANTS)
	@$(BIN)/python -m mutmut results

test-lowest: ## Quick tests with the lowest version of each library (needs uv)
	@command -v "$(UV)" > /dev/null || { \
	  echo "make test-lowest needs uv: install it, or name it: make test-lowest UV=PATH"; \
	  exit 1; }
	@"$(UV)" venv --quiet --clear --python "$$(PYTHON='$(PYTHON)' sh .ci/find-python)" \
	  .venv-lowest
	@"$(UV)" pip install --quiet --python .venv-lowest/bin/python \
	  --resolution lowest-direct -e '.[dev]'
	@env -u PYTHONDONTWRITEBYTECODE .venv-lowest/bin/python -m pytest -q -n auto \
	  --dist loadfile --no-loadscope-reorder -W default -m "not slow and not faults and not browser"

check: $(READY) ## Style, types and import contracts only
	@$(BIN)/ruff check --quiet
	@$(BIN)/ruff format --check --quiet || { \
	  echo "Some files are not formatted: run $(BIN)/ruff format"; exit 1; }
	@$(BIN)/oxlint --quiet --deny-warnings fsviz notebooks/lab
	@$(BIN)/oxfmt --check $(SCRIPTS) > /dev/null || { \
	  echo "Some JavaScript is not formatted: run $(BIN)/oxfmt $(SCRIPTS)"; exit 1; }
	@$(BIN)/mypy --no-error-summary
	@$(BIN)/lint-imports --no-logo --no-cache

docs: $(READY) ## The documentation site into site/; a warning is an error
	@$(BIN)/python -m sphinx -W --keep-going -q -E -b html \
	  -d docs/generated/.doctrees docs site
	@echo "Open $$PWD/site/index.html in a browser"

lab: $(READY) ## Open JupyterLab on notebooks/explore.ipynb
	@$(BIN)/python -m jupyterlab notebooks/explore.ipynb $(LAB) \
	  $$(test "$$(id -u)" != 0 || echo --allow-root --no-browser)

bench: $(READY) ## Run every benchmark, one after another, and name those that fail
	@failed=; for script in benchmarks/[a-z]*.py; do \
	  echo "== $$script"; $(BIN)/python "$$script" || failed="$$failed $$script"; \
	done; [ -z "$$failed" ] || { echo "Failed:$$failed"; exit 1; }

lock: ## Resolve requirements.lock anew (needs uv)
	@command -v "$(UV)" > /dev/null || { \
	  echo "make lock needs uv: install it, or name it with make lock UV=PATH"; exit 1; }
	@"$(UV)" pip compile pyproject.toml --extra dev --universal --generate-hashes \
	  --no-header --no-annotate --python-version 3.11 --quiet -o requirements.lock

dist: $(READY) ## Build wheel and sdist into dist/, and look at them as an index does
	@rm -rf dist
	@$(BIN)/python -m hatchling build -d dist > /dev/null
	@$(BIN)/python -m twine --no-color check --strict dist/*
	@$(BIN)/check-wheel-contents dist/*.whl

audit: ## Compare the pinned packages with known holes (needs pip-audit)
	@command -v pip-audit > /dev/null || { \
	  echo "make audit needs pip-audit: pipx install pip-audit"; exit 1; }
	@pip-audit -r requirements.lock --require-hashes --disable-pip

sbom: ## Write the bill of materials, CycloneDX, to sbom.json (needs cyclonedx-bom)
	@command -v cyclonedx-py > /dev/null || { \
	  echo "make sbom needs cyclonedx-py: pipx install cyclonedx-bom"; exit 1; }
	@cyclonedx-py requirements requirements.lock --output-reproducible \
	  --pyproject pyproject.toml -o sbom.json

clean: ## Remove what was rendered, stored or cached; .venv stays
	@find reports data/processed -mindepth 1 -maxdepth 1 ! -name README.md -exec rm -rf {} +
	@rm -rf dist site docs/generated sbom.json mutants .pytest_cache .mypy_cache .ruff_cache \
	  .hypothesis .import_linter_cache
	@find fsviz tests benchmarks -name __pycache__ -type d -prune -exec rm -rf {} +

$(PACKAGES): requirements.lock
	@python=$$(PYTHON='$(PYTHON)' sh .ci/find-python) || exit 1; \
	echo "Making .venv with $$python; this takes a minute or more."; \
	[ ! -L .venv ] || rm .venv; "$$python" -m venv --clear .venv
	@$(PIP) install --require-hashes -r requirements.lock
	@touch $@

$(READY): $(PACKAGES) pyproject.toml
	@$(PIP) install --no-deps --no-build-isolation -e .
	@touch $@
