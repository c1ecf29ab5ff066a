# `make demo` and `make test` are all a newcomer needs; each sets up what it uses in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CACHE := $(if $(GECEVAL_CACHE),$(GECEVAL_CACHE),$(HOME)/.cache/geceval)
export PYTHON
# Where the corpora are; see docs/meta-evaluation.md.
DATA ?= $(if $(GECEVAL_SHARED),$(GECEVAL_SHARED),../shared)/data
KERNEL := Cargo.toml $(wildcard Cargo.lock) kernel/Cargo.toml $(shell find kernel/src -name '*.rs')

.DEFAULT_GOAL := help
.PHONY: help demo test test-neural test-peers lint bench table table-seeda clean rust

help: ## what can be made
	@grep -E '^[a-z-]+:.*##' $(MAKEFILE_LIST) | sed -E 's/:.*## /\t/' | expand -t 14

demo: $(VENV)/.installed ## score examples/ with every metric that needs no download
	@cd examples && ../$(BIN)/geceval score -s source.txt -r ref0.txt ref1.txt --gold gold.m2 \
	    -c systems/careful.txt systems/eager.txt systems/noisy.txt \
	    -m green gleu maxmatch errant cleme cleme2 goto imeasure

test: rust $(VENV)/.installed-dev ## run all tests, Python and Rust
	cargo test --quiet --manifest-path kernel/Cargo.toml
	$(BIN)/python -m pytest

test-neural: ## the tests of geceval[neural], in an environment outside the clone (installs torch: several GB)
	tools/in_environment.sh neural '.[dev,neural,neural-test]' -m pytest tests/neural
	tools/in_environment.sh neural '.[dev,neural,neural-test]' -m pytest tests/test_contract.py -k 'ptm2 or pterrant or uot or scribendi or impara or some'

test-peers: ## spaCy, other tokenisers, and differential tests against errant itself, in an environment outside the clone
	GECEVAL_ERRANT_PYTHON=$(CACHE)/peers/bin/python \
	    tools/in_environment.sh peers '.[dev,spacy,moses,icu,syntok,jieba,fugashi,sudachi,kiwi,pythainlp] nltk errant==3.0.2' \
	    -m pytest tests/edits tests/differential tests/text/test_other_tokenisers.py tests/text/test_segmenters.py

lint: $(VENV)/.installed-dev ## ruff, mypy --strict, clippy, rustfmt
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/mypy
	cargo clippy --quiet --all-targets --manifest-path kernel/Cargo.toml -- -D warnings
	cargo fmt --check --manifest-path kernel/Cargo.toml

bench: $(VENV)/.installed .peers/.installed ## time ours against the public peers (BENCH="--green CHECKOUT --full")
	$(BIN)/python benchmarks/run.py $(BENCH)

.peers/.installed: benchmarks/peers.txt
	@$(PYTHON) -m venv .peers
	@.peers/bin/pip install --quiet --disable-pip-version-check -r $<
	@touch $@

table: $(VENV)/.installed ## the tables of the founding poster, ours beside the published numbers (TABLE="--encoder MODEL")
	$(BIN)/python tools/poster_table.py --data $(DATA) --output build $(TABLE)

table-seeda: $(VENV)/.installed ## SEEDA's table of scores, and agreement by TrueSkill, ours beside the published numbers
	$(BIN)/python tools/seeda_table.py --data $(DATA) --output build

clean: ## remove everything that was built
	rm -rf $(VENV) .peers target build

rust:
	@command -v cargo >/dev/null \
	    || { echo "geceval needs a Rust toolchain (cargo) to build its kernel: see https://rustup.rs" >&2; exit 1; }

$(BIN)/python: | rust
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 10))' \
	    || { echo "geceval needs Python 3.10 or newer; try: make PYTHON=python3.12" >&2; exit 1; }
	@echo "setting up $(VENV) (once, about a minute)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml $(KERNEL) | rust $(BIN)/python
	@$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-dev: $(VENV)/.installed
	@$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $@
