PYTHON ?= python3
BIN := .venv/bin

.PHONY: run test check bench screenshots
run: .venv/run.stamp
	$(BIN)/python app.py

test: .venv/dev.stamp
	$(BIN)/python -m pytest

check: .venv/dev.stamp
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy

bench: .venv/dev.stamp
	PYTHONPATH=. $(BIN)/python benchmarks/speed.py

screenshots: .venv/dev.stamp
	PYTHONPATH=tests:. $(BIN)/python tests/browser/take_screenshots.py

.venv/run.stamp: requirements.txt | .venv/pyvenv.cfg
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	@touch $@

.venv/dev.stamp: pyproject.toml .venv/run.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@

.venv/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo "Python 3.10 or newer is needed; name one with: make PYTHON=python3.11 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python's venv module is missing; install it with: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv .venv
