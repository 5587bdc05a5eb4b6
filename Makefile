# make book builds the book; make help lists what else there is.

SHELL := bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:

PYTHON ?= python3
PROFILE ?= fast
CHAPTER ?=
ONLY ?=
JOBS ?=
PORT ?= 8000
THOROUGH ?=

# What is imported is compiled once, also where Python is told to write no such files.
export PYTHONDONTWRITEBYTECODE :=

BIN := .venv/bin
REPLICATE := $(BIN)/python -m pareto_book.building.replicate $(if $(JOBS),--jobs $(JOBS))
SOURCES := $(wildcard notebooks/*.md)
EXECUTED := $(SOURCES:notebooks/%.md=_build/executed/fast/%.ipynb)
# A third of the chapters is executed again, another one each day; all of them with THOROUGH=1.
THIRD := awk -v day=$$(date +%j) -v n=$(if $(THOROUGH),1,3) 'NR % n == day % n'
# A process takes a file at a time, in the order of tests/conftest.py. One more than there are cores:
# some tests wait for a browser or for other processes.
PYTEST := $(BIN)/python -m pytest --dist loadfile --no-loadscope-reorder \
    --numprocesses $(or $(JOBS),$(shell expr 1 + $$(getconf _NPROCESSORS_ONLN))) $(if $(THOROUGH),-m '')

.PHONY: help setup book test check lint serve lab clean

help: ## list the targets
	@echo "make TARGET [VARIABLE=value ...]"
	@sed -n 's/^\([a-z-]*\):.*## /  \1 - /p' Makefile
	@echo "PROFILE=fast|full  how many runs the chapters make (book; default fast)"
	@echo "CHAPTER=name       only this chapter is executed (book; default all)"
	@echo "ONLY=path          only these tests, or tests that an option of pytest picks (test)"
	@echo "THOROUGH=1         also the long versions of tests, and all chapters again (test)"
	@echo "JOBS=n             number of processes (setup, book, test; default all cores)"
	@echo "PYTHON=program     Python 3.11 to 3.14 that .venv is made from (setup; python3)"
	@echo "PORT=n             where the book is served (serve; default 8000)"

.venv/.locked: requirements.lock
	@$(PYTHON) -c 'import sys; v = sys.version_info; (3, 11) <= v < (3, 15) or sys.exit(f"$(PYTHON) is Python {v[0]}.{v[1]}, the book needs 3.11 to 3.14: choose one with make PYTHON=...")'
	@echo "==> Making .venv and installing the libraries"
	@$(PYTHON) -m venv --clear .venv
	@awk '/^[^ #]/ {ours = /^uv==/} ours' requirements.lock > .venv/uv.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r .venv/uv.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r requirements.lock || { \
	    echo "uv could not install them; pip, which knows other addresses, tries (a minute or two)"; \
	    $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock; }
	@touch $@

.venv/.installed: .venv/.locked pyproject.toml
	@echo "==> Installing the packages, editable"
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

.venv/.compiled: .venv/.installed $(shell find pareto_core pareto_book/studies -name '*.py')
	@echo "==> Compiling the kernels that are not kept from before (one to four minutes, if none is)"
	@$(BIN)/python -m pareto_core.warm_up $(if $(JOBS),--jobs $(JOBS))
	@touch $@

setup: .venv/.compiled ## make .venv with everything the book needs, and compile the kernels

book: setup ## execute the chapters whose inputs have changed, and build the pages
	@echo "==> Executing chapters (profile $(PROFILE))"
	@$(REPLICATE) --profile $(PROFILE) $(CHAPTER)
	@echo "==> Building the pages"
	@strict="-W -n"; for page in book/chapters/*.ipynb; do test -e "$${page%ipynb}json" || strict=; done; \
	    $(BIN)/jupyter-book build . --all --keep-going --quiet $$strict
	@test -s _build/html/book/chapters/intro.html || { echo "no pages were written" >&2; exit 1; }
	@echo "==> The book is ready: open _build/html/index.html, or call make serve"

test: setup ## run all tests, and execute a third of the chapters again to compare; or only those of ONLY
ifndef ONLY
	@echo "==> Executing chapters (profile fast)"
	@$(REPLICATE) --profile fast --no-publish
	@echo "==> Tests; beside them, chapters are executed again, and every output is compared"
endif
	@$(PYTEST) $(or $(ONLY),tests --nbval --nbval-current-env $$(printf '%s\n' $(EXECUTED) | $(THIRD)))
	@echo "==> All tests passed"

check: lint ## check the code, and run the quickest tests
	@$(PYTEST) -m 'not slow and not statistical and not thorough and not built' tests

lint: .venv/.installed ## check style and format of the code, also in the chapters
	@$(BIN)/ruff check --no-cache  # a cache misses that a module has gone
	@$(BIN)/ruff format --check
	@rm -rf _build/lint && mkdir -p _build/lint && cp $(SOURCES) _build/lint
	@$(BIN)/jupytext --quiet --to ipynb _build/lint/*.md
	@$(BIN)/ruff check --config pyproject.toml --config line-length=85 _build/lint/*.ipynb  # fits on a page
	@$(BIN)/ruff format --config pyproject.toml --config line-length=85 --check _build/lint/*.ipynb

serve: ## show the book at an address of this machine
	@test -s _build/html/index.html || { echo "there are no pages yet, call make book first" >&2; exit 1; }
	@echo "==> The book is at http://localhost:$(PORT) (stop with Ctrl-C)"
	@$(PYTHON) -m http.server $(PORT) --bind 127.0.0.1 --directory _build/html

lab: setup ## open the chapters as notebooks in JupyterLab
	@$(BIN)/jupytext-config --settings-file .venv/etc/jupyter/labconfig/default_setting_overrides.json \
	    set-default-viewer markdown myst
	@echo "==> Starting JupyterLab: a double click on a chapter opens it as a notebook"
	@$(BIN)/jupyter-lab --notebook-dir notebooks

clean: ## remove what was built, but keep .venv
	@rm -rf _build book/chapters
