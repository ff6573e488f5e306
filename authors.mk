# What authors run besides: measurements that pages are filled from, tests that take gigabytes or hours, and all that is
# released. A part of Makefile, which says what the variables are.

# Some gigabytes and minutes, and so on demand.
.PHONY: test-vllm
test-vllm: $(TOOLS) $(EXTENSION) ## hold a real vLLM to holes, on this machine's processor (6 GB into target/vllm)
	tests/e2e/vllm $(PYTHON)
	$(PYTHON) -m pytest -m long tests/runtimes/test_vllm_server.py --timeout=0

# Compiled, and so on demand; llama-server is what its texts are compared with.
.PHONY: test-ollama
test-ollama: $(TOOLS) $(EXTENSION) ## hold a real Ollama to holes (compiled in minutes, with Go, into target/e2e/ollama)
	tests/e2e/newer $(PYTHON) sid llama.cpp-tools llama-server
	tests/e2e/ollama $(PYTHON)
	$(PYTHON) -m pytest -m long tests/runtimes/test_ollama.py --timeout=0

# Hundreds of megabytes and an hour, and so on demand. What cannot be had is said, and the others are played.
.PHONY: plugins
plugins: $(TOOLS) $(EXTENSION) $(NODE_MODULES) ## type with llama.vim, minuet, llama.vscode and Continue in front of the endpoint, at 200 places each
	tests/e2e/newer $(PYTHON) forky neovim nvim || echo 'plugins: Neovim 0.11 is taken'
	tests/e2e/newer $(PYTHON) sid llama.cpp-tools llama-server
	tests/e2e/setup $(PYTHON) || echo 'plugins: no VS Code on this machine'
	tests/plugins/fetch || echo 'plugins: not all of them can be had here'
	$(PYTHON) -m tests.plugins $(if $(FIM_GGUF),--gguf $(FIM_GGUF))

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

.PHONY: age
age: $(ENVIRONMENT) ## list which figures are older than the code that they are of
	$(PYTHON) -m benches.age

.PHONY: train
train: $(TOOLS) $(EXTENSION) ## train the bundled model, from its last checkpoint if there is one: hours on a CPU
	$(PYTHON) -m training all

# tests/replay/test_golden.py compares with these rows.
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
	$(PYTHON) -m benches.real $(if $(LIMIT),--limit $(LIMIT)) $(if $(WORKERS),--workers $(WORKERS)) --into docs/replay.md

# New inputs go to target/; what is worth keeping is copied to fuzz/corpus/hole, which `make test` replays.
.PHONY: fuzz
fuzz: $(RUST_READY) ## try any bytes as holes for ten minutes (cargo install cargo-fuzz)
	mkdir -p target/fuzz-corpus
	cargo fuzz run --sanitizer none hole target/fuzz-corpus fuzz/corpus/hole -- \
		-max_total_time=600 -max_len=100 -timeout=60

# WHEELS has one for each platform, from runners of those systems (release/templates/pypi/systems.yml).
WHEELS := dist
.PHONY: vsixes
vsixes: ## build the VS Code extension for each platform that WHEELS=FOLDER has a wheel for
	for platform in $$(python3 .ci/platforms.py); do \
		python3 .ci/platforms.py "$$platform" $(WHEELS) >/dev/null || continue; \
		$(MAKE) --no-print-directory vsix PLATFORM="$$platform" WHEEL="$(WHEELS)" || echo "vsixes: no extension for $$platform" >&2; \
	done
	ls dist/fim-lsp-*.vsix >/dev/null

# Minutes for each, as Rust's library is built, too. With PLATFORM=win32-x64 that one's alone; with TWICE=yes each is built a
# second time, and has to be the same.
.PHONY: wheels
wheels: $(CROSSER_READY) $(NODE_READY) ## build and look into the wheels for all systems, or for PLATFORM=win32-x64, into dist/wheels
	.toolchain/wheels/bin/python .ci/wheels $(if $(TWICE),--twice) $(PLATFORM)

# The wheel is built where dist/wheels has none, in a lane beside this machine's engine. EDITS are the keys of the editor's day,
# PLACES those that are completed on both systems, NAMES files of tests to run alone.
EDITS :=
PLACES :=
NAMES :=
OF_OTHERS = $(addprefix --edits=,$(EDITS)) $(addprefix --places=,$(PLACES)) $(NAMES)
.PHONY: windows-beside arm-beside
.PHONY: windows
windows: $(ENVIRONMENT) $(RUST_READY) $(CROSSER_READY) $(NODE_READY) $(LLAMA) ## run the tests on a Windows in a folder (Wine), 500 places, a day of an editor: EDITS=1000
	$(call crossed,win32-x64,win_amd64)
	$(PYTHON) -m tests.windows $(OF_OTHERS)

windows-beside: $(TOOLS) $(EXTENSION) $(NODE_MODULES)
	.ci/prerequisites wine
	tests/laws/toolchains $(PYTHON) || echo 'windows: Go and Java have no judges, or one of them alone'

.PHONY: arm
arm: $(ENVIRONMENT) $(RUST_READY) $(CROSSER_READY) $(NODE_READY) $(LLAMA) ## the engine's tests, the same answers and 200 edits on a Linux on ARM in a folder (QEMU)
	$(call crossed,linux-arm64,manylinux_2_*_aarch64)
	$(PYTHON) -m tests.arm $(OF_OTHERS)

arm-beside: $(TOOLS) $(EXTENSION)
	.ci/prerequisites qemu

# A platform's wheel, whose name ends so, and beside it what else its tests take. What is packed is laid before that.
crossed = { ls dist/wheels/fim_lsp-*-$2.whl >/dev/null 2>&1 || .toolchain/wheels/bin/python .ci/wheels $1; } & crossing=$$!; \
	status=0; $(MAKE) --no-print-directory $@-beside || status=$$?; wait $$crossing || status=$$?; exit $$status

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
