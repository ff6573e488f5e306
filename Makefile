# Everything a developer runs. Each target does its own set-up first, so any of them may be the first command
# in a fresh clone; what is up to date is not done again. `make` alone lists the targets.

SHELL := /bin/bash
.SHELLFLAGS := -euo pipefail -c
.DEFAULT_GOAL := help
.DELETE_ON_ERROR:
MAKEFLAGS += --no-builtin-rules

VENV := .venv
PYTHON := $(VENV)/bin/python
CLIENT := vscode-client
# Bytecode and stamps of one step must not be read by the next one half written.
.NOTPARALLEL:

export PATH := $(CURDIR)/.toolchain/bin:$(PATH)
export PIP_DISABLE_PIP_VERSION_CHECK := 1
export npm_config_update_notifier := false
# PyO3 asks this interpreter what it builds for; a stable path spares cargo from building it twice.
export PYO3_PYTHON := $(CURDIR)/$(PYTHON)

# --- set-up: one file per step, made anew when what it depends on is newer -------------------------------

ENVIRONMENT := $(VENV)/.environment-made
TOOLS := $(VENV)/.tools-installed
EXTENSION := $(VENV)/.extension-built
PEERS := $(VENV)/.peers-installed
RELEASING := $(VENV)/.release-tools-installed
SITE_TOOLS := $(VENV)/.site-tools-installed
NODE_MODULES := $(CLIENT)/node_modules/.package-lock.json
LLAMA := fim_lsp/llama_libraries/LICENSE
RUST_READY := .toolchain/.rust-ready
NODE_READY := .toolchain/.node-ready
# What builds the wheel and gathers what the VSIX carries: pip, maturin and uv, without the tools that tests need.
PACKER := .toolchain/packer
PACKER_READY := $(PACKER)/.ready
# What builds wheels for other systems and looks into them: zig among it, which links for all of them.
CROSSER_READY := .toolchain/wheels/.ready

# What took longest is said at the end of a run, so that its growth is seen.
SLOWEST := --durations=15 --durations-min=5

# The Pythons that the VSIX carries wheels for: an extension does not know which one it will find.
PYTHONS := 3.10 3.11 3.12 3.13 3.14
# How hard they are packed, from 0 to 9.
EFFORT := 3

RUST_SOURCES := Cargo.toml Cargo.lock $(shell find lexer quotient bindings -name Cargo.toml -o -name '*.rs')

# What the engine is built with, and no more: `make demo` needs nothing else, and none of PyTorch.
$(ENVIRONMENT): constraints.txt .ci/prerequisites
	test -x $(PYTHON) || { python=$$(.ci/prerequisites python) && "$$python" -m venv $(VENV); }
	echo 'setting up $(VENV) ...'
	$(PYTHON) -m pip install --quiet --constraint constraints.txt pip maturin
	touch $@

# What checks and tests take, PyTorch with some gigabytes among it. The wheelhouse is for the test that installs
# our wheel into a fresh environment without a network.
$(TOOLS): pyproject.toml constraints.txt | $(ENVIRONMENT)
	echo 'installing the Python tools into $(VENV), PyTorch included: 6 GB ...'
	$(PYTHON) -m pip install --quiet --constraint constraints.txt --group dev
	$(PYTHON) .ci/runtime-dependencies > $(VENV)/runtime.txt
	$(PYTHON) -m pip download --quiet --constraint constraints.txt --dest $(VENV)/wheelhouse \
		--requirement $(VENV)/runtime.txt
	touch $@

$(PACKER_READY): constraints.txt .ci/prerequisites
	test -x $(PACKER)/bin/python || { python=$$(.ci/prerequisites python) && "$$python" -m venv $(PACKER); }
	$(PACKER)/bin/python -m pip install --quiet --constraint constraints.txt pip maturin uv
	touch $@

$(CROSSER_READY): constraints.txt .ci/prerequisites | $(PACKER_READY)
	.ci/prerequisites rust-others
	test -x $(@D)/bin/python || $(PACKER)/bin/python -m venv $(@D)
	$(@D)/bin/python -m pip install --quiet --constraint constraints.txt pip
	$(@D)/bin/python -m pip install --quiet --constraint constraints.txt --group wheels
	touch $@

$(RUST_READY): .ci/prerequisites
	.ci/prerequisites rust
	mkdir -p $(@D) && touch $@

$(NODE_READY): .ci/prerequisites
	.ci/prerequisites node
	mkdir -p $(@D) && touch $@

# Editable: the Python sources are used where they lie, the extension is built into fim_lsp/. Without build
# isolation the locked maturin is used; its Python half looks for its program on PATH.
$(EXTENSION): $(ENVIRONMENT) $(RUST_READY) pyproject.toml $(RUST_SOURCES)
	echo 'building the engine ...'
	PATH="$(CURDIR)/$(VENV)/bin:$$PATH" $(PYTHON) -m pip install --quiet --no-build-isolation \
		--constraint constraints.txt --editable .
	touch $@

# llama.cpp, which the wheel carries.
$(LLAMA): .ci/llama-libraries | $(NODE_READY)
	echo 'fetching llama.cpp ...'
	mkdir -p $(@D) && .ci/llama-libraries $(@D)
	touch $@

# Install scripts are not run: nothing that we use needs them, and they would reach for the network.
$(NODE_MODULES): $(CLIENT)/package.json $(CLIENT)/package-lock.json | $(NODE_READY)
	echo 'installing the node modules of $(CLIENT) ...'
	npm --prefix $(CLIENT) ci --ignore-scripts --no-audit --no-fund --loglevel=error
	touch $@
# --- what to run -----------------------------------------------------------------------------------------

.PHONY: help
help: ## list the targets
	awk 'BEGIN { FS = ":.*## " } /^[a-z0-9-]+:.*## / { printf "  make %-9s %s\n", $$1, $$2 }' $(MAKEFILE_LIST)

.PHONY: setup
setup: $(TOOLS) $(EXTENSION) $(LLAMA) $(NODE_MODULES) ## install the tools and build the engine, and nothing else

.PHONY: demo
demo: $(EXTENSION) ## completions by the bundled model, and what the engine knows of holes
	$(PYTHON) -m fim_lsp.demo datasets/demo

.PHONY: test
test: prepared test-rust test-client test-python ## run every test in Rust, the client and Python, and one story in each editor

# What tests take, made in two lanes: one waits for registries while the other one compiles. The lanes share no file
# but the environment, into which the first one alone installs.
.PHONY: prepared fetched compiled
prepared: $(ENVIRONMENT) $(RUST_READY) $(NODE_READY) $(LLAMA)
	$(MAKE) --no-print-directory fetched & fetching=$$!; status=0; \
		$(MAKE) --no-print-directory compiled || status=$$?; wait $$fetching || status=$$?; exit $$status

fetched: $(TOOLS) $(NODE_MODULES)
	tests/e2e/setup $(PYTHON) || echo 'test: no test in VS Code on this machine'
	tests/e2e/newer $(PYTHON) forky hx hx || echo 'test: no test in Helix on this machine'
	tests/e2e/newer $(PYTHON) trixie emacs-nox emacs-nox || echo 'test: no test in Emacs on this machine'
	tests/e2e/newer $(PYTHON) sid llama.cpp-tools llama-server || echo 'test: no tests with llama.cpp on this machine'
	tests/e2e/lsp4j || echo 'test: no test with what LSP4IJ speaks with on this machine'
	tests/laws/toolchains $(PYTHON) || echo 'test: Go and Java are held to no parser on this machine, or to one of them alone'
	$(PYTHON) -m tests.suites.fetch || echo 'test: not all of the peers'"'"' test suites are read on this machine'

# The wheel is thrown away; the extension is then installed from what was compiled for it.
compiled: $(ENVIRONMENT) $(RUST_READY)
	test -e $(EXTENSION) || $(VENV)/bin/maturin build --release --locked --quiet --out target/prepared
	cargo test --quiet --locked --no-run

.PHONY: test-rust test-client test-python
test-rust: $(RUST_READY)
	cargo test --locked

test-client: $(NODE_MODULES)
	npm --prefix $(CLIENT) --silent test

# After the others: one of these tests builds the wheel. Tests that need an editor which cannot be had on this machine are
# skipped. Files of tests share the cores, the stories in editors among them: those wait more than they compute, and for what
# they wait is said. The many tests in editors (marked `editors`) have the machine to themselves: `make e2e`, `make verify`.
# Tests begin hundreds of processes: where bytecode may not be kept, each of them compiles all of our sources again,
# a fifth to a third of the processor seconds that a server takes to start, and half of what collecting tests takes.
# There is one lane more than cores, as servers' tests wait for processes to end.
test-python: export PYTHONDONTWRITEBYTECODE :=
test-python: fetched $(EXTENSION) $(LLAMA)
	$(PYTHON) -m pytest $(SLOWEST) -n $$($(PYTHON) -c 'import os; print(min(4, 1 + os.cpu_count()))') --dist loadfile

.PHONY: e2e
e2e: fetched $(EXTENSION) $(LLAMA) ## every test in every editor, ten minutes, and fail where VS Code cannot be had
	tests/e2e/setup $(PYTHON)
	tests/e2e/newer $(PYTHON) forky neovim nvim || echo 'e2e: no tests in Neovim 0.12 on this machine'
	tests/e2e/newer $(PYTHON) trixie neovim nvim || echo 'e2e: no tests in Neovim 0.10 on this machine'
	FIM_LSP_E2E=required $(PYTHON) -m pytest $(SLOWEST) -m 'not long' tests/vscode tests/editors

# In two lanes, once all is there that both need: one is mostly cargo's, the other one mypy's, which takes one core.
.PHONY: check
check: $(TOOLS) $(EXTENSION) $(NODE_MODULES) ## format, lint and types in the three languages, as CI runs them
	$(MAKE) --no-print-directory check-rust & rust=$$!; status=0; \
		$(MAKE) --no-print-directory check-python check-client || status=$$?; wait $$rust || status=$$?; exit $$status
	echo 'check: clean'

.PHONY: check-rust check-python check-client
# Clippy looks at the bindings, too, and PyO3 asks the environment's Python what it builds for.
check-rust: $(ENVIRONMENT) $(RUST_READY)
	cargo fmt --all --check
	cargo clippy --quiet --locked --workspace --all-targets -- -D warnings
	RUSTDOCFLAGS='-D warnings' cargo doc --quiet --locked --no-deps

check-python: $(TOOLS) $(EXTENSION)
	$(PYTHON) -m ruff format --check --quiet .
	$(PYTHON) -m ruff check --quiet .
	$(PYTHON) -m mypy
	$(PYTHON) -m mypy.stubtest quotient._native

check-client: $(NODE_MODULES)
	npm --prefix $(CLIENT) --silent run check

.PHONY: format
format: $(TOOLS) $(EXTENSION) $(NODE_MODULES) ## rewrite the sources as `make check` wants them
	cargo fmt --all
	$(PYTHON) -m ruff check --quiet --fix --select I .
	$(PYTHON) -m ruff format --quiet .
	npm --prefix $(CLIENT) --silent run format

.PHONY: verify
# Hours; what has held is not run again, so it may be stopped and go on (tests/verify.py).
verify: $(TOOLS) $(EXTENSION) ## the long correctness runs: everything `make test` has no time for
	tests/laws/testsuite $(PYTHON) || echo 'verify: CPython'"'"'s own tests are not visited on this machine'
	$(PYTHON) -m tests.verify

# The wheel and all that it needs are inside, so that installing it asks no server for anything. No other platform's files are:
# this machine's are or, with PLATFORM=win32-x64, that one's (.ci/platforms.py), in dist/fim-lsp-win32-x64.vsix. WHEEL names
# a wheel that was built elsewhere, and then no compiler is needed.
PLATFORM :=
WHEEL :=
.PHONY: vsix
vsix: $(if $(WHEEL),,wheel) $(PACKER_READY) $(NODE_MODULES) ## build the VS Code extension into dist/, or for PLATFORM=win32-x64
	mkdir -p dist
	platform="$(or $(PLATFORM),$$(node -p 'process.platform + "-" + process.arch'))"; \
		$(PACKER)/bin/python .ci/wheelhouse "$$platform" $(CLIENT)/wheels $(or $(WHEEL),dist) $(PYTHONS); \
		$(PACKER)/bin/python .ci/pack-wheels $(CLIENT)/wheels "$$platform" $(EFFORT); \
		npm --prefix $(CLIENT) --silent run vsix -- --target "$$platform" --out ../dist/fim-lsp$(addprefix -,$(PLATFORM)).vsix

.PHONY: wheel
wheel: $(PACKER_READY) $(RUST_READY) $(LLAMA) ## build the Python wheel into dist/
	mkdir -p dist
	rm -f dist/*.whl
	test -x $(PYO3_PYTHON) || export PYO3_PYTHON=$(CURDIR)/$(PACKER)/bin/python; \
		$(PACKER)/bin/maturin build --release --locked --quiet --out dist

.PHONY: clean
clean: ## remove what was built, the environment included
	rm -rf $(VENV) .toolchain target dist $(CLIENT)/node_modules $(CLIENT)/out $(CLIENT)/wheels quotient/_native.*.so fim_lsp/llama_libraries

# What measures, builds for other systems and releases.
include authors.mk

# Recipes are quiet unless asked: make V=1 test
ifndef V
.SILENT:
endif
