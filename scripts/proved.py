#!/usr/bin/env python3
"""Keeps the verdicts of `weft prove`: a block is proved again only if a file that the proof reads has changed.

    scripts/proved.py BLOCK              exit code 0 if docs/proof/verdicts.json has a verdict on these files and tools; otherwise proves
    scripts/proved.py --write [BLOCK]    keeps the verdict of the block, or of all blocks; proves each block that has none on these files and tools

A verdict is kept under a digest of the sources of the block's Verilog, of its model, of the proof, and of the tools'
versions. Files that only other blocks read do not count. `make soak` proves all blocks again, with two solvers.
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("proved.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import functools
import hashlib
import json
import os
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WEFT = f"{ROOT}/target/release/weft"
KEPT = f"{ROOT}/docs/proof/verdicts.json"
# Folder of this machine's verdicts, so that --write behind a `make test` proves nothing twice.
PROVED = f"{ROOT}/build/proved"
# Streams of all blocks have a proof of their own, which is not kept. Sources that the remaining proofs read:
# the emitter, parts, primitives and blocks; words and headers; models; the solvers' side. The lock file has
# the versions of libraries.
SOURCES = ["hdl/src", "hdl/macros", "hdl/verilog/prim", "model/interface", "model/word", "model/params", "model/nic/src", "testbench/symbolic", "testbench/proof/src", "testbench/bench/src", "Cargo.lock"]
# Folders and files that belong to one block.
OWN = ["hdl/src/block", "model/nic/src/block", "testbench/proof/src"]
# Blocks that contain no proved block, or that other proofs do not read.
OTHERS = ["nic", "registers", "sender", "bypass_user"]


def said(*command):
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    return done.stdout.strip()


def libraries(lock):
    """The packages of the lock file that do not belong to the repository. Other crates may need further packages, if the
    versions of these packages stay the same."""
    return b"\n\n".join(package for package in lock.split(b"\n\n") if b"\nsource = " in package)


@functools.lru_cache(maxsize=None)
def of_file(path):
    """The digest of one file."""
    with open(f"{ROOT}/{path}", "rb") as file:
        text = libraries(file.read()) if path == "Cargo.lock" else file.read()
    return hashlib.sha256(text).hexdigest()


def add(total, paths):
    """Adds the repository's files under these paths to a digest."""
    for path in sorted(set(said("git", "ls-files", "--cached", "--others", "--exclude-standard", *paths).splitlines())):
        if os.path.exists(f"{ROOT}/{path}"):
            total.update(f"{path} {of_file(path)}\n".encode())


def keep(path, verdicts):
    """Writes the verdicts under another name and renames the file."""
    with open(f"{path}.part", "w", encoding="utf-8") as file:
        file.write(json.dumps(verdicts, indent=2, sort_keys=True) + "\n")
    os.replace(f"{path}.part", path)


def kept(path):
    """The verdicts of this file; none if it does not exist."""
    if not os.path.exists(path):
        return {}
    with open(path, encoding="utf-8") as file:
        return json.load(file)


def digest(block, blocks):
    """The digest of all files that the proof of `block` reads."""
    left_out = [f"{folder}/{other}" for folder in OWN for other in [*OTHERS, *blocks] if other != block] + ["model/nic/src/nic"]
    total = hashlib.sha256()
    for tool in (["yosys", "-V"], ["cadical", "--version"]):
        total.update(f"{tool[0]} {said(*tool)}\n".encode())
    listed = said("git", "ls-files", "--cached", "--others", "--exclude-standard", *SOURCES).splitlines()
    add(total, [path for path in listed if not path.startswith(tuple(f"{prefix}{end}" for prefix in left_out for end in ("/", ".rs")))])
    return total.hexdigest()


def prove(block):
    """Runs a proof. Returns claims and seconds if all are proved."""
    command = [WEFT, "prove", block, "--json"]
    done = subprocess.run(command, cwd=ROOT, stdout=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        print(done.stdout[-4000:])
        sys.exit(f"{block} is not proved: exit code {done.returncode} of `weft prove {block}`")
    claims = json.loads(done.stdout)["claims"]
    return {"claims": len(claims), "seconds": round(sum(claim["seconds"] for claim in claims))}


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("block", nargs="?", help="the block; by default all blocks")
    parser.add_argument("--write", action="store_true", help="keep the verdicts")
    options = parser.parse_args()
    blocks = [block for block in said(WEFT, "prove", "--list").split() if block != "streams"]
    if options.block and options.block not in blocks:
        sys.exit(f"no proof of {options.block}: choose one of {', '.join(blocks)}")
    verdicts = kept(KEPT)
    for block in [options.block] if options.block else blocks:
        now = digest(block, blocks)
        if verdicts.get(block, {}).get("digest") == now:
            print(f"{block}: {verdicts[block]['claims']} claims were proved of these files and tools")
            continue
        verdicts[block] = kept(f"{PROVED}/{block}.json")
        if verdicts[block].get("digest") != now:
            verdicts[block] = {"digest": now, **prove(block)}
            os.makedirs(PROVED, exist_ok=True)
            keep(f"{PROVED}/{block}.json", verdicts[block])
        print(f"{block}: {verdicts[block]['claims']} claims proved in {verdicts[block]['seconds']} s")
        if options.write:
            keep(KEPT, verdicts)
        else:
            print(f"the kept verdict is for other files or tools: `scripts/proved.py --write {block}` keeps this verdict")


if __name__ == "__main__":
    main()
