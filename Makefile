# `make run` starts everything, `make test` checks everything; both do their own set-up.

PYTHON ?= python3
BIN := .venv/bin
PORT ?= 8000

.DEFAULT_GOAL := help
.PHONY: help setup setup-test run test lint chromium soak bench

help:
	@echo "make run    start crawlsite on http://127.0.0.1:$(PORT) (PORT=8001 make run: elsewhere)"
	@echo "make test   all checks, with every database that is installed here"
	@echo "make lint   only ruff, mypy, the import contracts, eslint and the tests of the JavaScript"
	@echo "make setup  only the environment in .venv"
	@echo "make bench  throughput and cost per stage"
	@echo "make soak   the long tests: kills, pauses, many pages"

setup: .venv/installed-base
setup-test: .venv/installed-test

.venv/installed-base: pyproject.toml constraints.txt scripts/set_up.sh
	@PYTHON="$(PYTHON)" sh scripts/set_up.sh base

.venv/installed-test: pyproject.toml constraints.txt scripts/set_up.sh
	@PYTHON="$(PYTHON)" sh scripts/set_up.sh test

run: setup
	@exec $(BIN)/python manage.py up --port $(PORT)

lint: setup-test
	$(BIN)/ruff check
	$(BIN)/ruff format --check
	$(BIN)/mypy
	$(BIN)/lint-imports
	@sh scripts/javascript.sh

chromium:
	@sh scripts/chromium.sh

test: setup-test chromium
	@$(BIN)/python -m tests.set_ups $(TESTS)

soak: setup-test
	@CRAWLSITE_SOAK=1 $(BIN)/python -m tests.set_ups -m soak -rP
	@$(BIN)/python scripts/mutate.py

bench: setup
	@exec $(BIN)/python manage.py bench
