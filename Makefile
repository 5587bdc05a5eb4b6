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
LOCKED := .venv/.locked
INSTALLED := .venv/.installed
COMPILED := .venv/.compiled
REPLICATE := $(BIN)/python -m pareto_book.building.replicate $(if $(JOBS),--jobs $(JOBS))
SOURCES := $(wildcard notebooks/*.md)
EXECUTED := $(SOURCES:notebooks/%.md=_build/executed/fast/%.ipynb)
LINTED := _build/lint
# A line of code has to fit on a page.
CHAPTER_STYLE := --config pyproject.toml --config line-length=85

# A process takes a file at a time, in the order of tests/conftest.py.
PYTEST := $(BIN)/python -m pytest --numprocesses $(or $(JOBS),auto) --dist loadfile --no-loadscope-reorder
# Neither what takes long nor what looks at executed chapters and at the pages.
QUICK := -m 'not slow and not statistical and not thorough' \
    $(addprefix --ignore tests/book/,building/test_notebooks.py building/test_pages.py claims/test_verdicts.py claims/test_sentences.py claims/test_gallery.py) \
    --deselect tests/golden/test_golden.py::test_rows
# Tests of the tools wait for a browser or for other processes: one more than there are cores.
MANY := $(or $(JOBS),$(shell expr 1 + $$(getconf _NPROCESSORS_ONLN)))
OLDEST := _build/oldest
TESTED_WITH_OLDEST := tests/core/algorithms tests/core/bounds tests/core/confidence tests/core/loop tests/core/simulation

.PHONY: help setup book test check coverage oldest lint chapters format serve lab lock clean

help: ## list the targets
	@echo "make TARGET [VARIABLE=value ...]"
	@echo
	@sed -n 's/^\([a-z-]*\):.*## /  \1 - /p' Makefile
	@echo
	@echo "  PROFILE=fast|full  how many runs the chapters make (book; default fast)"
	@echo "  CHAPTER=name       only this chapter is executed (book; default all)"
	@echo "  ONLY=path          only these tests, or tests that an option of pytest picks (test)"
	@echo "  THOROUGH=1         also the long versions of tests (test)"
	@echo "  JOBS=n             number of processes and threads (setup, book, test, coverage; default all cores)"
	@echo "  PYTHON=program     Python 3.11 to 3.14 that .venv is made from (setup; python3)"
	@echo "  PORT=n             where the book is served (serve; default 8000)"

$(COMPILED): $(INSTALLED) $(shell find pareto_core pareto_book/studies -name '*.py')
	@echo "==> Compiling the kernels that are not kept from before (one to four minutes, if none is)"
	@$(BIN)/python -m pareto_core.warm_up $(if $(JOBS),--jobs $(JOBS))
	@touch $@

setup: $(COMPILED) ## make .venv with everything the book needs, and compile the kernels

$(LOCKED): requirements.lock
	@$(PYTHON) -c 'import sys; v = sys.version_info; (3, 11) <= v < (3, 15) or sys.exit(f"$(PYTHON) is Python {v[0]}.{v[1]}, the book needs 3.11 to 3.14: choose one with make PYTHON=...")'
	@echo "==> Making .venv and installing the libraries"
	@$(PYTHON) -m venv --clear .venv
	@awk '/^[^ #]/ {ours = /^uv==/} ours' requirements.lock > .venv/uv.lock
	@$(BIN)/python -m pip install --quiet --disable-pip-version-check --require-hashes -r .venv/uv.lock
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --require-hashes -r requirements.lock || { \
	    echo "uv could not install them; pip, which knows other addresses, tries (a minute or two)"; \
	    $(BIN)/python -m pip install --quiet --disable-pip-version-check --no-deps --require-hashes -r requirements.lock; }
	@touch $@

$(INSTALLED): $(LOCKED) pyproject.toml
	@echo "==> Installing the packages, editable"
	@$(BIN)/uv pip install --quiet --python $(BIN)/python --no-deps --no-build-isolation --editable .
	@touch $@

book: setup ## execute the chapters whose inputs have changed, and build the pages
	@echo "==> Executing chapters (profile $(PROFILE))"
	@$(REPLICATE) --profile $(PROFILE) $(CHAPTER)
	@if ls book/chapters/*.ipynb | sed 's/ipynb$$/json/' | xargs ls > /dev/null 2>&1; then \
	    echo "==> Building the pages"; \
	    $(BIN)/jupyter-book build . --all -W -n --keep-going --quiet; \
	else \
	    echo "==> Building the pages; links to the chapters that are not executed lead nowhere yet"; \
	    $(BIN)/jupyter-book build . --all --quiet 2> _build/warnings.log || { \
	        cat _build/warnings.log >&2; exit 1; }; \
	fi
	@test -s _build/html/book/chapters/intro.html || { echo "no pages were written" >&2; exit 1; }
	@echo "==> The book is ready: open _build/html/index.html, or call make serve"

ifdef ONLY
test: setup
	@$(PYTEST) $(if $(THOROUGH),-m '') $(ONLY)
else
test: setup ## run all tests, and execute the chapters a second time to compare
	@echo "==> Executing chapters (profile fast)"
	@$(REPLICATE) --profile fast --no-publish
	@echo "==> Tests; beside them, chapters are executed again and every output is compared"
	@$(PYTEST) --numprocesses $(MANY) $(if $(THOROUGH),-m '') tests --nbval --nbval-current-env $(EXECUTED)
	@echo "==> All tests passed"
endif

check: lint ## check the code, and run the quickest tests
	@echo "==> The quick tests"
	@$(PYTEST) $(QUICK)

coverage: $(INSTALLED) ## run the quicker tests with interpreted kernels, and list the lines they miss
	@echo "==> Tests with interpreted kernels, and the lines of the package that they miss"
	@mkdir -p _build
	@NUMBA_DISABLE_JIT=1 $(PYTEST) --cov --cov-report term-missing:skip-covered $(QUICK)

oldest: $(INSTALLED) ## run the quick tests with the oldest libraries that pyproject.toml allows
	@echo "==> Installing the oldest libraries into $(OLDEST)"
	@$(BIN)/uv venv --quiet --clear --python $(BIN)/python $(OLDEST)
	@$(BIN)/uv pip install --quiet --python $(OLDEST)/bin/python --resolution lowest-direct --editable '.[lab,test]'
	@echo "==> Compiling the kernels, and the quick tests"
	@$(OLDEST)/bin/python -m pareto_core.warm_up $(if $(JOBS),--jobs $(JOBS))
	@$(OLDEST)/bin/python -m pytest --numprocesses $(or $(JOBS),auto) --dist worksteal --quiet --override-ini filterwarnings=default \
	    $(TESTED_WITH_OLDEST) $(QUICK)

lint: $(INSTALLED) chapters ## check style and format of the code, also in the chapters
	@echo "==> Checking the code"
	@$(BIN)/ruff check --no-cache  # a cache misses that a module has gone
	@$(BIN)/ruff format --check

chapters: $(INSTALLED)
	@echo "==> Checking the code of the chapters"
	@rm -rf $(LINTED)
	@mkdir -p $(LINTED)
	@cp $(SOURCES) $(LINTED)
	@$(BIN)/jupytext --quiet --to ipynb $(LINTED)/*.md
	@$(BIN)/ruff check $(CHAPTER_STYLE) $(LINTED)/*.ipynb
	@$(BIN)/ruff format $(CHAPTER_STYLE) --check $(LINTED)/*.ipynb

format: $(INSTALLED) ## format the code, also in the chapters
	@echo "==> Formatting"
	@$(BIN)/ruff check --fix-only --quiet
	@$(BIN)/ruff format
	@$(BIN)/jupytext --pipe '$(BIN)/ruff format $(CHAPTER_STYLE) -' $(SOURCES)

serve: ## show the book at an address of this machine
	@test -s _build/html/index.html || { echo "there are no pages yet, call make book first" >&2; exit 1; }
	@echo "==> The book is at http://localhost:$(PORT) (stop with Ctrl-C)"
	@$(PYTHON) -m http.server $(PORT) --bind 127.0.0.1 --directory _build/html

lab: setup ## open the chapters as notebooks in JupyterLab
	@$(BIN)/jupytext-config --settings-file .venv/etc/jupyter/labconfig/default_setting_overrides.json \
	    set-default-viewer markdown myst
	@echo "==> Starting JupyterLab: a double click on a chapter opens it as a notebook"
	@$(BIN)/jupyter-lab --notebook-dir notebooks

lock: ## resolve the dependencies of pyproject.toml anew into requirements.lock
	@echo "==> Resolving; versions in requirements.lock are kept where they still fit"
	@$(PYTHON) -m venv _build/uv
	@_build/uv/bin/python -m pip install --quiet --disable-pip-version-check uv
	@_build/uv/bin/uv pip compile --quiet --universal --python-version 3.11 --generate-hashes \
	    --extra book --extra install --extra lab --extra test --no-emit-index-url --no-emit-find-links --no-header \
	    --output-file requirements.lock pyproject.toml

clean: ## remove what was built, but keep .venv
	@echo "==> Removing _build and book/chapters"
	@rm -rf _build book/chapters
	@test ! -e $(INSTALLED) || $(BIN)/python -c \
	    'from pareto_core.compiling.kernels import folder; print("Compiled kernels are kept in", folder())'
