# Every target sets up what it needs by itself; the second run finds it there.
PYTHON ?= python3
BIN := .venv/bin
READY := .venv/.ready
TOUR := .venv/.tour
PYTEST := $(BIN)/python -m pytest -n auto --dist loadgroup --max-worker-restart 0
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check -c constraints.txt

.PHONY: tour test test-all lint bench docs papers pictures clean

tour: $(TOUR)  ## the main job, on bundled data
	@$(BIN)/python examples/tour.py

test: $(READY)  ## the library's whole behaviour, in minutes
	$(PYTEST) -m "not slow" --ignore=experiments --ignore=tests/experiments

# One process more than processors: those that drive a cluster mostly wait for it.
test-all: $(READY)  ## what is slow for a reason: many examples of each property, kernels without compiling
	HYPOTHESIS_PROFILE=full $(PYTEST) -m "slow or hypothesis" -n $$($(BIN)/python -c 'import os; print(os.cpu_count() + 1)')
	NUMBA_DISABLE_JIT=1 $(BIN)/python -m pytest tests/kernels tests/alternatives/coala/test_merging.py tests/inputs/binning/test_edges.py

lint: $(READY)  ## style, types and the layers of imports
	$(BIN)/lint-imports --no-logo
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy

bench: $(READY)  ## speed and memory beside the peers (minutes)
	$(BIN)/python -m benchmarks

papers: $(READY)  ## run the papers' experiments (quick form) and write the verdicts on their claims
	$(BIN)/python -m experiments verdicts --output docs/results/papers.md

pictures: $(READY)  ## the picture of the README
	cd docs && MPLBACKEND=Agg ../$(BIN)/python ../examples/at_a_glance.py

docs: $(READY)  ## write the page of measures
	printf '# Measures\n\nWritten by `make docs` from the catalogue; every property in it is tested.\n\n' > docs/results/measures.md
	$(BIN)/clusterwise measures --format markdown >> docs/results/measures.md

$(READY): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(INSTALL) -e '.[dev]'
	@touch $@ $(TOUR)

$(TOUR): pyproject.toml constraints.txt
	@test -x $(BIN)/python || $(PYTHON) -m venv .venv
	$(INSTALL) -e '.[report]' pandas
	@touch $@

clean:
	rm -rf .venv .pytest_cache .mypy_cache .ruff_cache .hypothesis
