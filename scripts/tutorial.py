#!/usr/bin/env python3
"""Runs chapters of the tutorial (docs/tutorial) and compares what they print with what the pages show.

    scripts/tutorial.py [--write] CHAPTER...     runs these chapters; --write puts what they print into the pages
    scripts/tutorial.py --list                   the chapters
    scripts/tutorial.py --patches                whether the patches of all chapters apply to this tree, in a second

A chapter is a page whose blocks are a script:

    ```sh             is run, in one shell with all others of the page, in the folder of the clone
    ```text           behind it: what the commands print; seconds may differ
    ```LANG FILE      is saved as FILE

A chapter with patches runs in a copy of the tree, build/tutorial/tree, and builds in build/tutorial/target. That folder begins
with what target/release has, so that cargo compiles what the patches reach: two minutes to five.
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
PAGES = ROOT / "docs/tutorial"
TREE, TARGET = ROOT / "build/tutorial/tree", ROOT / "build/tutorial/target"
BLOCK = re.compile(r"^```(\w+)(?: (\S+))?\n(.*?)^```\n", re.M | re.S)
# Durations of runs, which differ.
SECONDS = re.compile(r"\b[0-9]+(\.[0-9]+)? s\b")
# Separator between the outputs of two blocks.
MARK = "== end of a block =="


def chapters():
    return sorted(path.stem for path in PAGES.glob("*.md") if path.stem != "index")


def page(chapter):
    return (PAGES / f"{chapter}.md").read_text(encoding="utf-8")


def patches(text):
    return [(name, body) for _, name, body in BLOCK.findall(text) if name and name.endswith(".patch")]


def same(shown, printed):
    return SECONDS.sub("N s", shown) == SECONDS.sub("N s", printed)


def copy_tree():
    """Copies the files of this tree, and restores those of the last chapter. Times stay, for cargo."""
    listed = subprocess.run(["git", "ls-files", "-co", "--exclude-standard", "-z"], cwd=ROOT, stdout=subprocess.PIPE, check=True).stdout
    names = {os.fsdecode(name) for name in listed.split(b"\0") if name and (ROOT / os.fsdecode(name)).is_file()}
    is_new = not TREE.exists()
    TREE.mkdir(parents=True, exist_ok=True)
    # `git apply` looks for the folder of the repository.
    subprocess.run(["git", "init", "--quiet"], cwd=TREE, check=True)
    for path in sorted(TREE.rglob("*")):
        name = path.relative_to(TREE).as_posix()
        if path.is_file() and not name.startswith((".git/", "build/")) and name not in names:
            path.unlink()
    for name in names:
        here, there = ROOT / name, TREE / name
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
            shutil.copystat(ROOT / folder, TREE / folder)
    return TREE


def copy_target():
    """Copies cargo's build of this tree. Compiled files are links, as compiler and linker replace files and do not write into them."""
    if TARGET.exists() or not (ROOT / "target/release/.fingerprint").exists():
        return TARGET
    # Fingerprints come first: a fingerprint that is older than its file makes cargo build again; a newer one
    # would hide a change.
    for name in ".fingerprint", "build":
        shutil.copytree(ROOT / "target/release" / name, TARGET / "release" / name)
    (TARGET / "release/deps").mkdir()
    for path in (ROOT / "target/release/deps").iterdir():
        # Programs are linked again.
        if path.suffix in (".rlib", ".rmeta", ".so"):
            os.link(path, TARGET / "release/deps" / path.name)
    return TARGET


def run(chapter):
    """For each block that is run: the text on the page, and the text that the block prints."""
    text = page(chapter)
    folder, target = (copy_tree(), copy_target()) if patches(text) else (ROOT, ROOT / "target")
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

    (PAGES / f"{chapter}.md").write_text(BLOCK.sub(block, page(chapter)), encoding="utf-8")


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
            sys.exit(f"docs/tutorial/{chapter}.md: a patch does not apply any more: change it, then scripts/tutorial.py --write {chapter}\n{done.stderr}")
        print(f"{chapter}: {len(found)} patches apply")


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("chapters", nargs="*", metavar="CHAPTER", help=", ".join(chapters()))
    parser.add_argument("--write", action="store_true", help="put what is printed into the page")
    parser.add_argument("--list", action="store_true", help="print the chapters")
    parser.add_argument("--patches", action="store_true", help="whether the patches apply")
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
                print(f"docs/tutorial/{chapter}.md shows\n{shown}but the commands print\n{printed}")
        if options.write:
            renew(chapter, runs)
        print(f"{chapter}: {len(runs)} blocks run", flush=True)
    if wrong:
        sys.exit("scripts/tutorial.py --write CHAPTER puts what is printed into the page")


main()
