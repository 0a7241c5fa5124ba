# The two commands are `make demo` and `make test`; each installs what it needs.

CARGO  ?= cargo
WEFT    = target/release/weft
BUILD   = build
TRACES  = healthy congested dead

.PHONY: demo test check soak release prove synth bitstream emit traces bench lib site setup setup-extra setup-site clean

# Cargo's progress where someone looks on; else only what goes wrong.
QUIET = $(shell [ -t 2 ] || echo --quiet)

setup:
	@scripts/setup.sh

setup-extra:
	@scripts/setup.sh extra

setup-site:
	@scripts/setup.sh site

demo: setup
	@echo "demo: builds weft (five minutes the first time, on two cores), then runs for two" >&2
	@$(CARGO) build --release $(QUIET) -p weft
	@scripts/demo.sh

test: setup
	@scripts/test.sh

# Tests that the uncommitted files reach, else those of the last commit: three minutes. `make check SINCE=REVISION`.
check:
	@scripts/check.py $(SINCE)

# All of `make test` and the long forms: tens of millions of clocks, every shape, 200 mutants, 100 faults a block. Two hours on two quiet
# cores; interrupted, it goes on where it stopped.
soak: setup
	@scripts/test.sh --soak

# build/release: Verilog of ready shapes, library, command, site, bill of materials, sums (docs/releases.md); then the tests of
# each part in an empty folder. Half an hour the first time: the static command is built again.
release: setup-extra
	@scripts/setup.sh release
	@echo "release: builds all parts, half an hour the first time on two cores" >&2
	@$(CARGO) build --release $(QUIET) -p weft
	@scripts/release.py
	@scripts/release.py --check

# Blocks side by side: the solvers of one claim leave a core idle.
prove: setup-extra
	@$(CARGO) build --release --quiet -p weft
	@$(MAKE) --no-print-directory --jobs --output-sync $$($(WEFT) prove --list | sed 's/^/prove-/')

prove-%:
	@$(WEFT) prove $*

# Area, depth and speed of the blocks, and the tables of the pages. On two cores areas take half an hour, place
# and route two to three hours: a seed of the sender half an hour to an hour of a core. What was measured before an
# interruption stays, and `make synth SYNTH=--changed` goes on from there: it measures what is of other Verilog, tools or
# seeds than its row.
SYNTH   ?=
synth: setup-extra
	@$(CARGO) build --release --quiet -p weft
	@$(WEFT) synth $(SYNTH) --block all --target xcup --out docs/results/synth_xcup.json
	@for width in 128 256 512; do \
	    $(WEFT) synth $(SYNTH) --block nic --target xcup --width $$width --out docs/results/synth_xcup.json || exit $$?; \
	done
	@for shape in 1024 "1024 --ultra-ram" 4096 "4096 --ultra-ram"; do \
	    $(WEFT) synth $(SYNTH) --block all --target xcup --connections $$shape --out docs/results/shapes_xcup.json || exit $$?; \
	done
	@$(WEFT) synth $(SYNTH) --block all --target ecp5 --out docs/results/synth_ecp5.json
	@$(WEFT) synth $(SYNTH) --limits --out docs/results/limits_ecp5.json
	@for family in xcup ecp5; do \
	    $(WEFT) synth $(SYNTH) --block reps --target $$family --yardstick --out docs/results/yardstick_$$family.json || exit $$?; \
	done
	@$(WEFT) synth --pages

# build/board/weft_board.bit for a ULX3S 85F (docs/board.md), its area and clock. Eight minutes of processor;
# `target/release/weft board check PORT` then compares the board with the models.
bitstream: setup-extra
	@scripts/bitstream.sh
	@$(CARGO) build --release --quiet -p weft

# Writes what is generated and committed: the Verilog and its drawings; the example captures.
emit:
	@$(CARGO) run --release --quiet -p weft -- emit all --out hdl/verilog
	@$(CARGO) run --release --quiet -p weft -- board constants
	@$(CARGO) run --release --quiet -p weft -- diagram nic --out docs/images/nic_blocks.svg
	@$(CARGO) run --release --quiet -p weft -- diagram evidence --out docs/images/evidence.svg

# libweft: the library, its headers and weft.pc beneath PREFIX.
PREFIX ?= build/libweft
lib:
	@$(CARGO) build --release $(QUIET) -p weft-capi $(if $(wildcard $(WEFT)),-p weft)
	@scripts/install_lib.sh "$(PREFIX)"

traces:
	@for s in $(TRACES); do \
	    $(CARGO) run --release --quiet -p weft -- trace gen --scenario $$s --out traces/reps_$$s.pcapng || exit $$?; \
	done

# All pages as a site with a search, build/site/index.html, and its links followed; `make site SITE=--browser` looks at it in
# Chromium as well. A minute the first time, to install both.
SITE ?=
site: setup-site
	@scripts/site.py $(SITE)

bench:
	@$(CARGO) bench --quiet -p weft-blocks
	@$(CARGO) bench --quiet -p weft-switch
	@$(CARGO) bench --quiet --profile simulation -p weft-fabric --bench engine

clean:
	rm -rf $(BUILD)
	$(CARGO) clean
