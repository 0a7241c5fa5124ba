# The two commands are `make demo` and `make test`; each installs what it needs.

CARGO  ?= cargo
WEFT    = target/release/weft
BUILD   = build
TRACES  = healthy congested dead
BLOCKS  = reps smartt sack_rx sack_tx

.PHONY: demo test prove emit traces bench setup setup-extra clean

setup:
	@scripts/setup.sh

setup-extra:
	@scripts/setup.sh extra

demo: setup
	@$(CARGO) build --release --quiet -p weft
	@scripts/demo.sh

test: setup-extra
	@scripts/test.sh

# Blocks side by side: the solvers of one claim leave a core idle.
prove: setup-extra
	@$(CARGO) build --release --quiet -p weft
	@$(MAKE) --no-print-directory --jobs --output-sync $(BLOCKS:%=prove-%)

prove-%:
	@$(WEFT) prove --block $*

# Writes what is generated and committed: the Verilog and the example captures.
emit:
	@$(CARGO) run --release --quiet -p weft -- emit all --out hdl/verilog

traces:
	@for s in $(TRACES); do \
	    $(CARGO) run --release --quiet -p weft -- trace gen --scenario $$s --out traces/reps_$$s.pcapng || exit $$?; \
	done

bench:
	@$(CARGO) bench --quiet -p weft-blocks
	@$(CARGO) bench --quiet -p weft-switch

clean:
	rm -rf $(BUILD)
	$(CARGO) clean
