# `make run` starts the course; `make test` tests it. Both work from a fresh clone with Python 3.11 or newer.

PYTHON ?= $(firstword $(foreach p,python3 python3.13 python3.12 python3.11 python,$(if $(shell $(p) -c 'import sys; print(sys.version_info >= (3, 11) or "")' 2>/dev/null),$(p))))
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501

.PHONY: run test bench format clean system-packages

run: $(VENV)/requirements.stamp
	$(BIN)/streamlit run app.py --server.port $(PORT)

test: system-packages $(VENV)/requirements-dev.stamp node_modules/stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	npm run --silent check
	$(BIN)/python -m pytest -n 2 --dist loadgroup

bench: $(VENV)/requirements-bench.stamp
	for file in tests/benchmarks/bench_*.py; do $(BIN)/python -m tests.benchmarks.$$(basename $$file .py) || exit 1; done

format: $(VENV)/requirements-dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

clean:
	rm -rf $(VENV) node_modules .pytest_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Attend needs Python 3.11 or newer. Install it, then type the same command again."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python's venv module is missing. On Debian and Ubuntu: apt install python3-venv. Then type the same command again."; exit 1; }

$(VENV)/requirements.stamp: requirements.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements.txt
	touch $@

$(VENV)/requirements-dev.stamp: requirements.txt requirements-dev.txt | $(VENV)/bin/python
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r requirements-dev.txt
	touch $@ $(VENV)/requirements.stamp

system-packages:
	sh tests/system_packages.sh

node_modules/stamp: package.json package-lock.json | system-packages
	npm ci --silent
	touch $@

# bertviz also asks for boto3 and sentencepiece, which drawing does not use.
$(VENV)/requirements-bench.stamp: tests/benchmarks/requirements.txt $(VENV)/requirements-dev.stamp
	$(BIN)/python -m pip install --quiet --disable-pip-version-check -r tests/benchmarks/requirements.txt
	$(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps bertviz==1.4.1
	touch $@
