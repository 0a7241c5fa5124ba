#!/usr/bin/env python3
"""Builds libweft, which other scripts test.

    scripts/libweft.py
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("libweft.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
# The static library.
STATIC = f"{ROOT}/target/release/libweft.a"


def build():
    # With the command among the packages, dependencies have the features of the whole workspace. Otherwise
    # cargo builds the dependencies again.
    subprocess.run(["cargo", "build", "--release", "--quiet", "-p", "weft", "-p", "weft-capi"], cwd=ROOT, check=True)


if __name__ == "__main__":
    build()
