PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin

.PHONY: run test check bench load fuzz conformance screenshots stand-in
run: $(VENV)/run.stamp
	$(BIN)/python app.py

test: $(VENV)/dev.stamp
	$(BIN)/python -m pytest $(ARGS)

check: $(VENV)/dev.stamp
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

bench: $(VENV)/dev.stamp
	PYTHONPATH=. $(BIN)/python benchmarks/speed.py

load: $(VENV)/dev.stamp
	PYTHONPATH=. $(BIN)/python benchmarks/load.py

fuzz: $(VENV)/dev.stamp
	$(BIN)/python -m pytest --hypothesis-profile=fuzz -k "whatever or any_" tests/zs_metric tests/zs_bench tests/zs_app $(ARGS)

conformance: $(VENV)/dev.stamp
	PYTHONPATH=. $(BIN)/python tests/conformance_rows.py

screenshots: $(VENV)/dev.stamp
	PYTHONPATH=tests:. $(BIN)/python tests/browser/take_screenshots.py

stand-in: $(VENV)/run.stamp
	$(BIN)/python tests/hub_stand_in.py

$(VENV)/run.stamp: requirements.txt | $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

$(VENV)/dev.stamp: pyproject.toml $(VENV)/run.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo "Python 3.10 or newer is needed; name one with: make PYTHON=python3.11 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python's venv module is missing; install it with: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
