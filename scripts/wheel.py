#!/usr/bin/env python3
"""weft-sim for Python: builds the wheel, installs it into an empty environment, runs python/tests there. Exit code 1 if a test fails or
the wheel is too large.

    scripts/wheel.py [--soak] [--only TEXT] [--wheel FILE]
    scripts/wheel.py --for-users | --for-here FOLDER

--soak also runs the notebooks, one of which needs Icarus Verilog. --wheel tests an existing wheel, in an empty folder. --for-users only
builds a wheel for other machines (manylinux 2.28, optimised as a whole, so that everything is compiled anew: ten minutes) into
build/wheels; its linker comes with scripts/setup.sh release.
--for-here only builds the wheel of the tests into FOLDER.
"""
import sys

if sys.version_info < (3, 11):
    sys.exit("weft-sim needs Python 3.11 or newer, this is " + sys.version.split()[0])

import argparse
import fcntl
import glob
import os
import shutil
import subprocess
import tempfile
import venv

import libweft

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = f"{ROOT}/build/python"
TOOLS = f"{ROOT}/build/tools"
# Maximum size of a wheel in bytes.
MOST_BYTES = 5_000_000
# The wheel for users runs with this version of the C library and newer ones (Debian 10, RHEL 8), whatever this machine has.
LIBC = "manylinux_2_28"
ZIG = f"{TOOLS}/zig/ziglang/zig"


def build(profile, out, *more):
    """Builds the wheel, and returns its path. With `--locked` versions are those of the workspace."""
    command = [f"{TOOLS}/maturin/bin/maturin", "build", "--quiet", "--locked", "--profile", profile, "--out", out]
    os.makedirs(f"{ROOT}/target", exist_ok=True)
    with open(f"{ROOT}/target/maturin.lock", "w", encoding="utf-8") as lock:
        # maturin moves cargo's library to a place of its own. A second build at the same time would not find
        # the library.
        fcntl.flock(lock, fcntl.LOCK_EX)
        shutil.rmtree(out, ignore_errors=True)
        subprocess.run([*command, "--manifest-path", f"{ROOT}/python/Cargo.toml", *more], cwd=ROOT, check=True)
    (wheel,) = glob.glob(f"{out}/*.whl")
    size = os.path.getsize(wheel)
    print(f"{os.path.basename(wheel)}: {size / 1e6:.2f} MB", flush=True)
    if size > MOST_BYTES:
        sys.exit(f"{wheel} has {size} bytes, more than {MOST_BYTES}")
    return wheel


def build_for_here(out):
    """Builds the wheel of the tests, and returns its path. The profile is that of the command, so that its build can be reused."""
    return build("release", out, "--compatibility", "linux")


def build_for_users(out):
    """Builds the wheel for other machines, and returns its path."""
    if not os.path.exists(ZIG):
        sys.exit("the linker for older C libraries is missing: run scripts/setup.sh release")
    os.environ["CARGO_ZIGBUILD_ZIG_PATH"] = ZIG
    target = os.uname().machine + "-unknown-linux-gnu"
    return build("simulation", out, "--zig", "--compatibility", LIBC, "--target", target)


def install(wheel, folder):
    """Makes an environment with only the wheel. Returns its interpreter."""
    place = f"{folder}/venv"
    shutil.rmtree(place, ignore_errors=True)
    # Debian has the installer for environments in a separate package. The pip outside of the environment can
    # install into it.
    venv.create(place, with_pip=False, symlinks=True)
    python = f"{place}/bin/python"
    pip = [sys.executable, "-m", "pip", "--quiet", "--disable-pip-version-check", "--python", python, "install", "--no-deps", "--no-index"]
    subprocess.run([*pip, wheel], check=True)
    return python


def test(wheel, folder, soak, only):
    """Runs python/tests with this wheel. Returns the exit code."""
    libweft.build()
    python = install(wheel, folder)
    subprocess.run([python, "-c", "import weft_sim"], cwd=folder, check=True)
    # Packages that the tests use besides the wheel. The wheel itself needs none of them.
    env = {**os.environ, "PYTHONPATH": f"{TOOLS}/python:{TOOLS}/cocotb", "MPLBACKEND": "Agg", "MPLCONFIGDIR": folder}
    env |= {"PYTHONDONTWRITEBYTECODE": "1", "WEFT_SOAK": "1" if soak else ""}
    words = ["-k", only] if only else []
    tests = [python, "-W", "error::ResourceWarning", "-m", "unittest", "discover", "--start-directory", f"{ROOT}/python/tests", *words]
    return subprocess.run(tests, cwd=folder, env=env, check=False).returncode


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n\n")[0])
    parser.add_argument("--soak", action="store_true", help="run the notebooks as well")
    parser.add_argument("--wheel", metavar="FILE", help="test this wheel, and build none")
    parser.add_argument("--for-users", action="store_true", help="only build a wheel for other machines")
    parser.add_argument("--for-here", metavar="FOLDER", help="only build the wheel of the tests into FOLDER, for this machine")
    parser.add_argument("--only", default="", metavar="TEXT", help="run the tests whose names contain TEXT")
    options = parser.parse_args()
    if options.for_users:
        print(build_for_users(f"{ROOT}/build/wheels"))
        return
    if options.for_here:
        print(build_for_here(options.for_here))
        return
    if options.wheel:
        with tempfile.TemporaryDirectory() as folder:
            sys.exit(test(os.path.abspath(options.wheel), folder, options.soak, options.only))
    sys.exit(test(build_for_here(f"{WORK}/wheel"), WORK, options.soak, options.only))


main()
