#!/usr/bin/env python3
"""Writes the keys of load balancers and workloads into their pages (docs/schemes, docs/workloads).

    scripts/keys.py             writes the tables, between <!-- begin keys --> and <!-- end keys -->
    scripts/keys.py --check     writes nothing; exit code 1 if a table is stale

A page has the name of its load balancer or workload. Names, defaults and meanings are those of the Rust that reads a fabric
file; `weft sim` must accept exactly these keys.
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("keys.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import re
import subprocess
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEFT = ROOT / "target/release/weft"
# A file that every load balancer and every workload can be set in, once its kind of network is right.
SETUP = "examples/conga.toml"
# Folder of pages, table of the fabric file, key that names the kind, Rust, enumeration.
KINDS = (
    ("docs/schemes", "scheme", "name", "model/switch/src/schemes/catalogue.rs", "Scheme"),
    ("docs/workloads", "workload", "kind", "model/fabric/src/workload.rs", "Workload"),
)
# Options that are a struct, and its file.
STRUCTS = {"Conga": "model/switch/src/schemes/conga/options.rs"}
MARKED = re.compile(r"<!-- begin keys -->\n.*?<!-- end keys -->", re.S)
FIELD = re.compile(r"((?:^ +///.*\n)+)((?:^ +#\[.*\n)*)^ +(?:pub )?(\w+): ([^\n]+),$", re.M)
ZERO = {"bool": "false", "u32": "0"}


def kebab(name):
    return re.sub(r"(?<=[a-z])(?=[A-Z])", "-", name).lower()


def first_of(kind):
    """The default of a type: zero, or the variant that is marked."""
    if kind in ZERO:
        return ZERO[kind]
    for path in sorted((ROOT / "model/fabric/src").glob("workload*/*.rs")) + [ROOT / "model/fabric/src/workload.rs"]:
        found = re.search(rf"pub enum {kind} \{{.*?#\[default\]\n\s+(\w+),", path.read_text(encoding="utf-8"), re.S)
        if found:
            return kebab(found.group(1))
    sys.exit(f"no default of the type {kind} is known")


def fields_of(body, text):
    """Name, default and meaning of each field. A key without a default must be given."""
    beginning = re.search(r"fn default\(\) -> Self \{\n.*?\n    \}", text, re.S) if "#[serde(default, rename_all" in text else None
    for documented, attributes, name, kind in FIELD.findall(body):
        meaning = " ".join(line.strip()[3:].strip() for line in documented.strip().split("\n"))
        function = re.search(r'default = "(?:default::)?(\w+)"', attributes)
        if beginning:
            value = re.search(rf"\b{name}: ([^,]+),", beginning.group(0)).group(1)
        elif function:
            value = re.search(rf"fn {function.group(1)}\(\) -> [^{{]+\{{\s*(.*?)\s*\}}", text, re.S).group(1)
        else:
            value = "None" if kind.startswith("Option<") else first_of(kind) if "serde(default" in attributes else "must be given"
        yield name, "none" if value == "None" else value.replace("_", ","), meaning


def catalogue(path, enumeration):
    """The fields of each variant, by the variant's name in Rust."""
    text = (ROOT / path).read_text(encoding="utf-8")
    body = re.search(rf"pub enum {enumeration} \{{\n(.*?)^\}}", text, re.M | re.S).group(1)
    found = {}
    for name, struct, inside in re.findall(r"^    (\w+)(?: \{\}|\((\w+)\)| \{\n(.*?)^    \}),$", body, re.M | re.S):
        if not struct:
            found[name] = list(fields_of(inside, text))
        elif struct in STRUCTS:
            text_of = (ROOT / STRUCTS[struct]).read_text(encoding="utf-8")
            body_of = re.search(rf"pub struct {struct} \{{\n(.*?)^\}}", text_of, re.M | re.S).group(1)
            found[name] = list(fields_of(body_of, text_of))
    return found


def accepted(table, key, name):
    """The keys that the command accepts."""
    settings = [f"{table}.{key}={name}", f"{table}.zz=1"]
    command = [WEFT, "sim", SETUP, *(word for one in settings for word in ("--set", one))]
    said = subprocess.run([str(word) for word in command], cwd=ROOT, stderr=subprocess.PIPE, stdout=subprocess.DEVNULL, text=True, check=False).stderr
    if "unknown field `zz`" not in said:
        sys.exit(f"weft sim --set {' --set '.join(settings)}: expected an error about zz, got\n{said}")
    return {one.replace("-", "_") for one in re.findall(r"`([\w-]+)`", said.partition("`zz`")[2])}


def table(page, kind, fields):
    folder, of, key, source, _ = kind
    names = {name for name, _, _ in fields}
    known = accepted(of, key, page.stem)
    if names != known:
        sys.exit(f"{page.relative_to(ROOT)}: weft sim accepts {sorted(known)}, {source} has {sorted(names)}")
    if not fields:
        return f"`{page.stem}` has no keys.\n"
    rows = "".join(f"| `{name}` | {default} | {meaning} |\n" for name, default, meaning in fields)
    return f"| key of `[{of}]` | default | meaning |\n|---|---|---|\n{rows}"


def main(arguments):
    if arguments not in ([], ["--check"]):
        sys.exit(__doc__)
    stale, number = [], 0
    for kind in KINDS:
        fields = {name.lower(): found for name, found in catalogue(kind[3], kind[4]).items()}
        for page in sorted((ROOT / kind[0]).glob("*.md")):
            if page.stem == "index":
                continue
            text = page.read_text(encoding="utf-8")
            name = page.stem.replace("-", "")
            if name not in fields or len(MARKED.findall(text)) != 1:
                sys.exit(f"{page.relative_to(ROOT)}: needs the name of a {kind[1]} and one <!-- begin keys --> with its end")
            anew = MARKED.sub(lambda _: f"<!-- begin keys -->\n\n{table(page, kind, fields.pop(name))}\n<!-- end keys -->", text)
            number += 1
            if anew != text:
                stale.append(str(page.relative_to(ROOT)))
                if not arguments:
                    page.write_text(anew, encoding="utf-8")
        missing = sorted(set(fields) - {"none"})
        if missing:
            sys.exit(f"{kind[0]}: no page for {', '.join(missing)}")
    if arguments and stale:
        sys.exit(f"stale: {', '.join(stale)}; run scripts/keys.py")
    print(f"keys: {number} pages have the keys that weft sim accepts")


main(sys.argv[1:])
