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
test-python: export PYTHONDONTWRITEBYTECODE :=
test-python: fetched $(EXTENSION) $(LLAMA)
	$(PYTHON) -m pytest $(SLOWEST) -n logical --maxprocesses 4 --dist loadfile

# Some gigabytes and minutes, and so on demand.
.PHONY: test-vllm
test-vllm: $(TOOLS) $(EXTENSION) ## hold a real vLLM to holes, on this machine's processor (6 GB into target/vllm)
	tests/e2e/vllm $(PYTHON)
	$(PYTHON) -m pytest -m long tests/test_runtimes_vllm_server.py --timeout=0

# Compiled, and so on demand; llama-server is what its texts are compared with.
.PHONY: test-ollama
test-ollama: $(TOOLS) $(EXTENSION) ## hold a real Ollama to holes (compiled in minutes, with Go, into target/e2e/ollama)
	tests/e2e/newer $(PYTHON) sid llama.cpp-tools llama-server
	tests/e2e/ollama $(PYTHON)
	$(PYTHON) -m pytest -m long tests/test_runtimes_ollama.py --timeout=0

# Hundreds of megabytes and an hour, and so on demand. What cannot be had is said, and the others are played.
.PHONY: plugins
plugins: $(TOOLS) $(EXTENSION) $(NODE_MODULES) ## type with llama.vim, minuet, llama.vscode and Continue in front of the endpoint, at 200 places each
	tests/e2e/newer $(PYTHON) forky neovim nvim || echo 'plugins: Neovim 0.11 is taken'
	tests/e2e/newer $(PYTHON) sid llama.cpp-tools llama-server
	tests/e2e/setup $(PYTHON) || echo 'plugins: no VS Code on this machine'
	tests/plugins/fetch || echo 'plugins: not all of them can be had here'
	$(PYTHON) -m tests.plugins $(if $(FIM_GGUF),--gguf $(FIM_GGUF))

.PHONY: e2e
e2e: fetched $(EXTENSION) $(LLAMA) ## every test in every editor, ten minutes, and fail where VS Code cannot be had
	tests/e2e/setup $(PYTHON)
	tests/e2e/newer $(PYTHON) forky neovim nvim || echo 'e2e: no tests in Neovim 0.12 on this machine'
	tests/e2e/newer $(PYTHON) trixie neovim nvim || echo 'e2e: no tests in Neovim 0.10 on this machine'
	FIM_LSP_E2E=required $(PYTHON) -m pytest $(SLOWEST) -m 'not long' tests/vscode tests/test_editors_*.py

.PHONY: check
check: check-rust check-python check-client ## format, lint and types in the three languages, as CI runs them
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
	$(PYTHON) -m mypy.stubtest fim_lsp._native

check-client: $(NODE_MODULES)
	npm --prefix $(CLIENT) --silent run check

.PHONY: format
format: $(TOOLS) $(EXTENSION) $(NODE_MODULES) ## rewrite the sources as `make check` wants them
	cargo fmt --all
	$(PYTHON) -m ruff check --quiet --fix --select I .
	$(PYTHON) -m ruff format --quiet .
	npm --prefix $(CLIENT) --silent run format

.PHONY: settings
settings: $(TOOLS) $(EXTENSION) ## write docs/server.md's table and the extension's manifest from fim_lsp/server/settings.py
	$(PYTHON) -m release.settings

# What masks are compared with. Where it cannot be had, the bench says so and measures ours alone.
$(PEERS): pyproject.toml constraints.txt | $(TOOLS)
	echo 'installing what masks are compared with ...'
	if $(PYTHON) -m pip install --quiet --constraint constraints.txt --group peers; then touch $@; fi

# A missed target of one part does not keep the others from being measured.
.PHONY: bench
bench: $(TOOLS) $(EXTENSION) $(PEERS) ## measure the engine on real files, masks beside their peers, decoding, and the server
	status=0; for part in engine masks decoding server typing context; do $(PYTHON) -m benches.$$part || status=1; done; exit $$status

.PHONY: train
train: $(TOOLS) $(EXTENSION) ## train the bundled model, from its last checkpoint if there is one: hours on a CPU
	$(PYTHON) -m training all

.PHONY: verify
# Hours; what has held is not run again, so it may be stopped and go on (tests/verify.py).
verify: $(TOOLS) $(EXTENSION) ## the long correctness runs: everything `make test` has no time for
	tests/laws/testsuite $(PYTHON) || echo 'verify: CPython'"'"'s own tests are not visited on this machine'
	$(PYTHON) -m tests.verify

# tests/test_replay_golden.py compares with these rows.
.PHONY: golden
golden: $(TOOLS) $(EXTENSION) ## write the rows of the fixed replay anew, after a change that is meant
	$(VENV)/bin/fim-lsp replay human-eval-infilling --limit 12 --max-tokens 40 --no-tests --fresh --out target/golden
	mkdir -p tests/replay/bundled
	cp target/golden/plan.json target/golden/rows.jsonl tests/replay/bundled/
	$(VENV)/bin/fim-lsp replay typing --set human-eval --limit 10 --fresh --out target/golden-typing
	mkdir -p tests/replay/typing
	cp target/golden-typing/plan.json target/golden-typing/rows.jsonl target/golden-typing/report.md tests/replay/typing/

.PHONY: worth
worth: $(TOOLS) $(EXTENSION) ## type packages that nothing was trained on, with and without each part, for docs/worth.md
	$(VENV)/bin/fim-lsp replay typing --set packages --limit 120 --parts --workers 2 --out target/worth
	$(VENV)/bin/fim-lsp replay report target/worth --into docs/worth.md
	cp target/worth/curve.svg docs/figures/worth.svg

.PHONY: clock
clock: $(TOOLS) $(EXTENSION) $(LLAMA) ## type on the wall's clock with the bundled model, and beside it FIM_GGUF=FILE: hours of a quiet machine
	$(VENV)/bin/fim-lsp replay typing --clock --set packages --lines 200-2000 --limit 120 --patient --model bundled $(if $(FIM_GGUF),--model $(FIM_GGUF)) --out target/clock

.PHONY: real
real: $(TOOLS) $(EXTENSION) $(LLAMA) ## the papers' experiments with FIM_GGUF=FILE beside the bundled model (LIMIT=N of each): hours
	$(PYTHON) -m benches.real $(if $(LIMIT),--limit $(LIMIT)) --into docs/replay.md

# New inputs go to target/; what is worth keeping is copied to fuzz/corpus/hole, which `make test` replays.
.PHONY: fuzz
fuzz: $(RUST_READY) ## try any bytes as holes for ten minutes (cargo install cargo-fuzz)
	mkdir -p target/fuzz-corpus
	cargo fuzz run --sanitizer none hole target/fuzz-corpus fuzz/corpus/hole -- \
		-max_total_time=600 -max_len=100 -timeout=60

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

# WHEELS has one for each platform, from runners of those systems (release/templates/pypi/systems.yml).
WHEELS := dist
.PHONY: vsixes
vsixes: ## build the VS Code extension for each platform that WHEELS=FOLDER has a wheel for
	for platform in $$(python3 .ci/platforms.py); do \
		python3 .ci/platforms.py "$$platform" $(WHEELS) >/dev/null || continue; \
		$(MAKE) --no-print-directory vsix PLATFORM="$$platform" WHEEL="$(WHEELS)" || echo "vsixes: no extension for $$platform" >&2; \
	done
	ls dist/fim-lsp-*.vsix >/dev/null

.PHONY: wheel
wheel: $(PACKER_READY) $(RUST_READY) $(LLAMA) ## build the Python wheel into dist/
	mkdir -p dist
	rm -f dist/*.whl
	test -x $(PYO3_PYTHON) || export PYO3_PYTHON=$(CURDIR)/$(PACKER)/bin/python; \
		$(PACKER)/bin/maturin build --release --locked --quiet --out dist

# Minutes for each, as Rust's library is built, too. With PLATFORM=win32-x64 that one's alone; with TWICE=yes each is built a
# second time, and has to be the same.
.PHONY: wheels
wheels: $(CROSSER_READY) $(NODE_READY) ## build and look into the wheels for all systems, or for PLATFORM=win32-x64, into dist/wheels
	.toolchain/wheels/bin/python .ci/wheels $(if $(TWICE),--twice) $(PLATFORM)

# The wheel is built where dist/wheels has none. EDITS are the keys of the editor's day, PLACES those that are completed on both
# systems, NAMES files of tests to run alone.
EDITS :=
PLACES :=
NAMES :=
.PHONY: windows
windows: $(ENVIRONMENT) $(TOOLS) $(CROSSER_READY) $(NODE_READY) ## run the tests on a Windows in a folder (Wine), 500 places, a day of an editor: EDITS=1000
	.ci/prerequisites wine
	ls dist/wheels/fim_lsp-*-win_amd64.whl >/dev/null 2>&1 || .toolchain/wheels/bin/python .ci/wheels win32-x64
	$(PYTHON) -m tests.windows $(addprefix --edits=,$(EDITS)) $(addprefix --places=,$(PLACES)) $(NAMES)

.PHONY: arm
arm: $(ENVIRONMENT) $(TOOLS) $(CROSSER_READY) $(NODE_READY) ## the engine's tests, the same answers and 200 edits on a Linux on ARM in a folder (QEMU)
	.ci/prerequisites qemu
	ls dist/wheels/fim_lsp-*-manylinux_2_*_aarch64.whl >/dev/null 2>&1 || .toolchain/wheels/bin/python .ci/wheels linux-arm64
	$(PYTHON) -m tests.arm $(addprefix --edits=,$(EDITS)) $(addprefix --places=,$(PLACES)) $(NAMES)

# What looks at manifests: the tools of the shelves, as far as registries have them.
$(RELEASING): pyproject.toml constraints.txt | $(ENVIRONMENT)
	echo 'installing what releases are checked with ...'
	$(PYTHON) -m pip install --quiet --constraint constraints.txt --group release
	touch $@

# Nothing is published. Wheels and extensions are for all platforms where this checkout builds them, else for this one.
# The time of the last commit stands in all archives, so that the same sources give the same bytes.
.PHONY: release
release: export SOURCE_DATE_EPOCH ?= $(shell git log -1 --format=%ct 2>/dev/null || echo 315532800)
release: $(RELEASING) $(EXTENSION) $(LLAMA) $(NODE_MODULES) ## build, check and dry-run all that goes on shelves: make release VERSION=0.1.0
	$(PYTHON) -m release "$(VERSION)" --only-version
	tests/e2e/newer $(PYTHON) forky nix-bin nix-instantiate ruby ruby hx hx neovim nvim || \
		echo 'release: Nix, Ruby, Helix and Neovim look at nothing on this machine'
	rm -f dist/*.whl dist/*.tar.gz dist/*.vsix
	.ci/packages
	$(PYTHON) -m release "$(VERSION)"

$(SITE_TOOLS): pyproject.toml constraints.txt | $(ENVIRONMENT)
	echo 'installing what the site is built with ...'
	$(PYTHON) -m pip install --quiet --constraint constraints.txt --group site
	touch $@

.PHONY: site
site: $(SITE_TOOLS) $(EXTENSION) ## build the site from docs/ into target/site/html, and follow its links
	$(PYTHON) -m website

.PHONY: lock
lock: ## write constraints.txt and package-lock.json anew from the ranges
	.ci/prerequisites node
	.ci/relock "$$(.ci/prerequisites python)"

.PHONY: clean
clean: ## remove what was built, the environment included
	rm -rf $(VENV) .toolchain target dist $(CLIENT)/node_modules $(CLIENT)/out $(CLIENT)/wheels fim_lsp/_native.*.so fim_lsp/llama_libraries

# Recipes are quiet unless asked: make V=1 test
ifndef V
.SILENT:
endif
