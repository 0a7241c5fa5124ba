#!/usr/bin/env python3
"""Runs chapters of the tutorial (docs/tutorial) and the examples of load balancers and workloads (docs/schemes, docs/workloads), and
compares what they print with what the pages show.

    scripts/tutorial.py [--write] CHAPTER...     runs these chapters; --write puts their output into the pages
    scripts/tutorial.py --list                   the chapters
    scripts/tutorial.py --patches                whether the patches of all chapters apply to this tree, in a second

A chapter is a page whose blocks are a script:

    ```sh             is run, in one shell with all others of the page, in the folder of the clone
    ```text           behind it: what the commands print; seconds may differ
    ```LANG FILE      is saved as FILE

A chapter with patches runs in a copy of the tree, build/tutorial/CHAPTER/tree, and builds in build/tutorial/CHAPTER/target. That
folder begins with what target/release has, so that cargo compiles only the crates that the patches affect: half a minute to five minutes.
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("tutorial.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
DOCS = ROOT / "docs"
COPIES = ROOT / "build/tutorial"
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```\n", re.M | re.S)
# Durations of runs, which differ.
SECONDS = re.compile(r"\b[0-9]+(\.[0-9]+)? s\b")
# Separator between the outputs of two blocks.
MARK = "== end of a block =="


def chapters():
    """The pages that are scripts, by name: two_nics of the tutorial, schemes/drill, workloads/incast."""
    found = {}
    for folder in ("tutorial", "schemes", "workloads"):
        for path in sorted((DOCS / folder).glob("*.md")):
            if path.stem != "index":
                found[path.stem if folder == "tutorial" else f"{folder}/{path.stem}"] = path
    return found


def page(chapter):
    return chapters()[chapter].read_text(encoding="utf-8")


def patches(text):
    return [(name, body) for _, name, body in BLOCK.findall(text) if name and name.endswith(".patch")]


def same(shown, printed):
    return SECONDS.sub("N s", shown) == SECONDS.sub("N s", printed)


def copy_tree(tree):
    """Copies the files of this tree, and restores those that the last run changed. Times stay, for cargo."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    names = {os.fsdecode(name) for name in listed.split(b"\0") if name and (ROOT / os.fsdecode(name)).is_file()}
    is_new = not tree.exists()
    tree.mkdir(parents=True, exist_ok=True)
    # `git apply` looks for the folder of the repository.
    subprocess.run(["git", "init", "--quiet"], cwd=tree, check=True)
    for path in sorted(tree.rglob("*")):
        name = path.relative_to(tree).as_posix()
        if path.is_file() and not name.startswith((".git/", "build/")) and name not in names:
            path.unlink()
    for name in names:
        here, there = ROOT / name, tree / name
        data = here.read_bytes()
        if there.is_file() and data == there.read_bytes():
            continue
        there.parent.mkdir(parents=True, exist_ok=True)
        # A patched file is newer than the files that cargo built from the patch. A file that names its folder
        # is built again, as cargo ignores the folder.
        copy = shutil.copy if there.is_file() or b'env!("CARGO_MANIFEST_DIR")' in data else shutil.copy2
        copy(here, there)
    if is_new:
        # Build scripts look at the times of folders.
        for folder in {folder for name in names for folder in Path(name).parents}:
            shutil.copystat(ROOT / folder, tree / folder)
    return tree


def copy_target(target):
    """Copies cargo's build of this tree. Compiled files are links, as compiler and linker replace files and do not write into them."""
    if target.exists() or not (ROOT / "target/release/.fingerprint").exists():
        return target
    # Fingerprints come first: a fingerprint that is older than its file makes cargo build again; a newer one
    # would hide a change.
    for name in ".fingerprint", "build":
        shutil.copytree(ROOT / "target/release" / name, target / "release" / name)
    (target / "release/deps").mkdir()
    for path in (ROOT / "target/release/deps").iterdir():
        # Programs are linked again.
        if path.suffix in (".rlib", ".rmeta", ".so"):
            os.link(path, target / "release/deps" / path.name)
    return target


def run(chapter):
    """Runs the blocks of a chapter. For each one: the text on the page, and the text that the block prints."""
    text = page(chapter)
    folder, target = ROOT, ROOT / "target"
    if patches(text):
        folder, target = copy_tree(COPIES / chapter / "tree"), copy_target(COPIES / chapter / "target")
    # A sweep reports results that another program has left.
    shutil.rmtree(COPIES / chapter if folder == ROOT else folder / "build/tutorial", ignore_errors=True)
    script, shown, after_run = ["set -euo pipefail"], [], False
    for kind, name, body in BLOCK.findall(text):
        if name:
            # Files exist before the first command, so that a page may show them anywhere.
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            (folder / name).write_text(body, encoding="utf-8")
        elif kind == "sh":
            script.append(f"{body}echo '{MARK}'")
            shown.append(None)
        elif kind == "text" and after_run:
            shown[-1] = body
        after_run = kind == "sh" and not name
    environment = {**os.environ, "PATH": f"{target}/release:{os.environ['PATH']}", "CARGO_TARGET_DIR": str(target)}
    environment.pop("CARGO_MANIFEST_DIR", None)
    with tempfile.NamedTemporaryFile("w", suffix=".sh", encoding="utf-8") as file:
        file.write("\n".join(script) + "\n")
        file.flush()
        done = subprocess.run(
            ["bash", file.name], cwd=folder, env=environment, stdin=subprocess.DEVNULL, stdout=subprocess.PIPE, stderr=subprocess.STDOUT, text=True, check=False
        )
    if done.returncode:
        sys.exit(f"{chapter}: exit code {done.returncode}\n{done.stdout}")
    printed = done.stdout.replace(str(folder), ".").split(MARK + "\n")[:-1]
    return list(zip(shown, printed))


def renew(chapter, runs):
    """The page with the printed output."""
    waiting, after_run = list(runs), False

    def block(found):
        nonlocal after_run
        kind, name, _ = found.groups()
        is_shown, after_run = kind == "text" and after_run, kind == "sh" and not name
        if after_run:
            block.printed = waiting.pop(0)[1]
        return f"```text\n{block.printed}```\n" if is_shown else found.group(0)

    chapters()[chapter].write_text(BLOCK.sub(block, page(chapter)), encoding="utf-8")


def check_patches():
    for chapter in chapters():
        found = patches(page(chapter))
        if not found:
            continue
        # All patches are applied together, as a patch may depend on an earlier one.
        done = subprocess.run(
            ["git", "apply", "--check", "-"], cwd=ROOT, input="".join(body for _, body in found), stderr=subprocess.PIPE, text=True, check=False
        )
        if done.returncode:
            sys.exit(f"{chapters()[chapter].relative_to(ROOT)}: a patch does not apply any more: change it, then scripts/tutorial.py --write {chapter}\n{done.stderr}")
        print(f"{chapter}: {len(found)} patches apply")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER", help=", ".join(chapters()))
    parser.add_argument("--write", action="store_true", help="put the printed output into the page")
    parser.add_argument("--list", action="store_true", help="print the chapters")
    parser.add_argument("--patches", action="store_true", help="check whether the patches apply")
    options = parser.parse_args()
    if options.list:
        print("\n".join(chapters()))
    if options.patches:
        check_patches()
    wrong = False
    for chapter in options.chapters:
        if chapter not in chapters():
            parser.error(f"no chapter {chapter}: there are {', '.join(chapters())}")
        runs = run(chapter)
        for shown, printed in runs:
            if shown is not None and not same(shown, printed) and not options.write:
                wrong = True
                print(f"{chapters()[chapter].relative_to(ROOT)} shows\n{shown}but the commands print\n{printed}")
        if options.write:
            renew(chapter, runs)
        print(f"{chapter}: {len(runs)} blocks run", flush=True)
    if wrong:
        sys.exit("scripts/tutorial.py --write CHAPTER puts the printed output into the page")


main()
