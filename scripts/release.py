#!/usr/bin/env python3
"""Writes a release into build/release, or tests the existing one.

    scripts/release.py [PART...]            writes these parts, by default all of them: verilog lib weft static wheel site sbom
    scripts/release.py --check [--soak]     unpacks each part into an empty folder of its own and runs its tests there

A part is one file; SHA256SUMS has the sums of all. The same commit, compiler and folder give the same bytes: archives have
the time of the commit, sorted names, no owner. Without --soak the check lints and simulates only one shape of the
Verilog. docs/releases.md describes the purpose of each part.
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("release.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import argparse
import gzip
import hashlib
import io
import json
import os
import re
import shutil
import subprocess
import tarfile
import tempfile
import time
import uuid
import zipfile
from pathlib import Path

import libweft

ROOT = Path(__file__).resolve().parent.parent
OUT, WORK = ROOT / "build/release", ROOT / "build/release.part"
WEFT = ROOT / "target/release/weft"
CONNECTIONS, WIDTHS = (16, 64, 256, 1024, 4096), (128, 256, 512)
MUSL = "x86_64-unknown-linux-musl"
# The shape that is tested without --soak.
ONE = "c16_w128"
LICENCES = ("LICENSE-MIT", "LICENSE-APACHE")
# C programs of the library's part, which are its tests too.
EXAMPLES = ("fabric", "message", "misuse", "scoreboard")
# Crates from which parts are built.
SHIPPED = ("weft", "weft-capi", "weft-python")


def run(*command, **how):
    how = {"cwd": ROOT, "check": True, **how}
    return subprocess.run([str(word) for word in command], **how)


def said(*command, **how):
    return run(*command, stdout=subprocess.PIPE, text=True, **how).stdout


def version():
    return re.search(r'^version = "(.*)"', (ROOT / "Cargo.toml").read_text(encoding="utf-8"), re.M).group(1)


def commit_time():
    """Time in seconds, rounded to an even number, as a zip counts in steps of two."""
    return int(said("git", "log", "-1", "--format=%ct")) // 2 * 2


def host():
    return re.search("^host: (.*)", said("rustc", "-vV"), re.M).group(1)


def members(folder):
    """The files and links of a folder, sorted."""
    return sorted(path for path in folder.rglob("*") if path.is_symlink() or path.is_file())


def is_program(path):
    return bool(path.stat().st_mode & 0o100)


def zipped(folder, path):
    stamp = time.gmtime(commit_time())[:6]
    with zipfile.ZipFile(path, "w", zipfile.ZIP_DEFLATED, compresslevel=9) as archive:
        for member in members(folder):
            entry = zipfile.ZipInfo(member.relative_to(folder.parent).as_posix(), stamp)
            entry.compress_type, entry.create_system = zipfile.ZIP_DEFLATED, 3
            entry.external_attr = (0o100755 if is_program(member) else 0o100644) << 16
            archive.writestr(entry, member.read_bytes())


def tarred(folder, path):
    stamp = commit_time()
    with open(path, "wb") as file, gzip.GzipFile("", "wb", 9, file, mtime=stamp) as packed:
        with tarfile.open(fileobj=packed, mode="w", format=tarfile.USTAR_FORMAT) as archive:
            for member in members(folder):
                entry = tarfile.TarInfo(member.relative_to(folder.parent).as_posix())
                entry.mtime = stamp
                if member.is_symlink():
                    entry.type, entry.linkname = tarfile.SYMTYPE, os.readlink(member)
                    archive.addfile(entry)
                else:
                    data = member.read_bytes()
                    entry.size, entry.mode = len(data), 0o755 if is_program(member) else 0o644
                    archive.addfile(entry, io.BytesIO(data))


def fresh(name):
    """An empty folder with the licences: the only one in its archive."""
    folder = WORK / name
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    for licence in LICENCES:
        shutil.copy(ROOT / licence, folder)
    return folder


def verilog():
    """The Verilog of ready shapes, with a bench and a Makefile."""
    folder = fresh("weft-verilog-" + version())
    for connections in CONNECTIONS:
        for width in WIDTHS:
            out = folder / "rtl" / f"c{connections}_w{width}"
            # The check reads the file again, from the zip.
            run(WEFT, "emit", "nic", "--no-gate", "--connections", connections, "--width", width, "--out", out, stdout=subprocess.DEVNULL)
    for part, files in {
        "example": ["fpga/example/" + name for name in ("host_memory.v", "nic_on_mac.v", "two_nics_tb.v")],
        "include": ["hdl/include/" + name for name in ("weft_nic.h", "weft_wire.h", "weft_nic.rdl")],
        ".": ["fpga/example/release/Makefile", "fpga/example/release/README.md"],
    }.items():
        (folder / part).mkdir(exist_ok=True)
        for file in files:
            shutil.copy(ROOT / file, folder / part)
    zipped(folder, OUT / (folder.name + ".zip"))


def lib():
    """libweft: shared and static library, headers, weft.pc."""
    libweft.build()
    folder = fresh(f"libweft-{version()}-{host()}")
    run("scripts/install_lib.sh", folder, stdout=subprocess.DEVNULL)
    (folder / "examples").mkdir()
    for name in EXAMPLES:
        shutil.copy(ROOT / "capi/tests/c" / f"{name}.c", folder / "examples")
    run("strip", "--strip-debug", folder / "lib/libweft.a", *folder.glob("lib/libweft.so.*.*"))
    tarred(folder, OUT / (folder.name + ".tar.gz"))


def program(target, built):
    folder = fresh(f"weft-{version()}-{target}")
    (folder / "bin").mkdir()
    shutil.copy(built, folder / "bin/weft")
    run("strip", folder / "bin/weft")
    shutil.copytree(ROOT / "examples", folder / "examples")
    tarred(folder, OUT / (folder.name + ".tar.gz"))


def weft():
    """The command, with the libc of this machine."""
    run("cargo", "build", "--release", "--quiet", "-p", "weft")
    program(host(), WEFT)


def static():
    """The command without shared libraries, if rustup has the target."""
    if not (Path(said("rustc", "--print", "sysroot").strip()) / "lib/rustlib" / MUSL).is_dir():
        print(f"without {MUSL} (rustup target add {MUSL}): no static weft")
        return
    run("cargo", "build", "--release", "--quiet", "-p", "weft", "--target", MUSL)
    program(MUSL, ROOT / "target" / MUSL / "release/weft")


def wheel():
    """weft-sim for Python."""
    if sys.version_info < (3, 11) or not (ROOT / "build/tools/maturin/bin/maturin").exists():
        print("without Python 3.11 and maturin (scripts/setup.sh extra): no wheel")
        return
    if not (ROOT / "build/tools/zig/ziglang/zig").exists():
        print("without the linker for older C libraries (scripts/setup.sh release): no wheel")
        return
    run(sys.executable, "scripts/wheel.py", "--for-users", stdout=subprocess.DEVNULL, env={**os.environ, "SOURCE_DATE_EPOCH": str(commit_time())})
    (built,) = (ROOT / "build/wheels").glob("*.whl")
    shutil.copy(built, OUT)


def site():
    """All pages, to be read without a host."""
    if not (ROOT / "build/tools/mdbook/bin/mdbook").exists():
        print("without mdBook (scripts/setup.sh site): no site")
        return
    run("scripts/site.py", stdout=subprocess.DEVNULL)
    folder = fresh("weft-site-" + version())
    shutil.copytree(ROOT / "build/site", folder, dirs_exist_ok=True)
    tarred(folder, OUT / (folder.name + ".tar.gz"))


def sums_of_crates():
    """The registry's SHA-256 of each crate, by name and version."""
    lock = (ROOT / "Cargo.lock").read_text(encoding="utf-8")
    pattern = r'\[\[package\]\]\nname = "(.*)"\nversion = "(.*)"\nsource = ".*"\nchecksum = "(.*)"'
    return {(name, number): checksum for name, number, checksum in re.findall(pattern, lock)}


def built_of():
    """Crates from which the command and the library are built, with the dependencies of each; crates only for tests are left out."""
    metadata = json.loads(said("cargo", "metadata", "--format-version", "1", "--locked", "--offline", "--filter-platform", host()))
    packages = {package["id"]: package for package in metadata["packages"]}
    needs = {
        node["id"]: sorted(
            dep["pkg"] for dep in node["deps"] if any(kind["kind"] != "dev" for kind in dep["dep_kinds"])
        )
        for node in metadata["resolve"]["nodes"]
    }
    found, waiting = set(), [key for key, package in packages.items() if package["name"] in SHIPPED]
    while waiting:
        key = waiting.pop()
        if key not in found:
            found.add(key)
            waiting += needs[key]
    return sorted((packages[key] for key in found), key=lambda one: (one["name"], one["version"])), packages, needs


def sbom():
    """A bill of materials, CycloneDX 1.5."""
    built, packages, needs = built_of()
    sums = sums_of_crates()

    def ref(package):
        return f"pkg:cargo/{package['name']}@{package['version']}"

    components = []
    for package in built:
        one = {"type": "library", "bom-ref": ref(package), "name": package["name"], "version": package["version"], "purl": ref(package)}
        if package["license"]:
            one["licenses"] = [{"expression": package["license"].replace("/", " OR ")}]
        if package["source"]:
            one["hashes"] = [{"alg": "SHA-256", "content": sums[package["name"], package["version"]]}]
        components.append(one)
    text = {
        "bomFormat": "CycloneDX",
        "specVersion": "1.5",
        "serialNumber": "",
        "version": 1,
        "metadata": {
            "timestamp": time.strftime("%Y-%m-%dT%H:%M:%SZ", time.gmtime(commit_time())),
            "component": {"type": "application", "bom-ref": f"weft-{version()}", "name": "weft", "version": version()},
        },
        "components": components,
        "dependencies": [{"ref": f"weft-{version()}", "dependsOn": [ref(one) for one in built if one["name"] in SHIPPED]}]
        + [{"ref": ref(package), "dependsOn": [ref(packages[key]) for key in needs[package["id"]]]} for package in built],
    }
    text["serialNumber"] = "urn:uuid:" + str(uuid.uuid5(uuid.NAMESPACE_URL, json.dumps(text)))
    (OUT / f"weft-{version()}.cdx.json").write_text(json.dumps(text, indent=1) + "\n", encoding="utf-8")


PARTS = {"verilog": verilog, "lib": lib, "weft": weft, "static": static, "wheel": wheel, "site": site, "sbom": sbom}


def digest(path):
    return hashlib.sha256(path.read_bytes()).hexdigest()


def parts():
    return sorted(path for path in OUT.iterdir() if path.name != "SHA256SUMS")


def write(names):
    OUT.mkdir(parents=True, exist_ok=True)
    for path in parts():
        # Parts of another version do not belong to this release.
        if f"-{version()}" not in path.name:
            path.unlink()
    for name in names:
        print(f"{name}: {PARTS[name].__doc__}", flush=True)
        PARTS[name]()
    shutil.rmtree(WORK, ignore_errors=True)
    sums = "".join(f"{digest(path)}  {path.name}\n" for path in parts())
    (OUT / "SHA256SUMS").write_text(sums, encoding="utf-8")
    for path in parts():
        print(f"{path.stat().st_size:>12,} bytes  build/release/{path.name}")


def unpacked(path, folder):
    """The only folder of an archive, in an empty folder."""
    if path.suffix == ".zip":
        # The tool keeps modes; the module does not.
        run("unzip", "-q", path, "-d", folder)
    else:
        run("tar", "-xzf", path, "-C", folder)
    (inside,) = Path(folder).iterdir()
    return inside


def check_verilog(folder, soak):
    shapes = sorted(path.name for path in (folder / "rtl").iterdir())
    if len(shapes) != len(CONNECTIONS) * len(WIDTHS):
        sys.exit(f"{folder.name}: rtl has {len(shapes)} shapes, not {len(CONNECTIONS) * len(WIDTHS)}: write the part again")
    goals = ["lint", "sim-all"] if soak else [f"lint-{ONE}", f"sim-{ONE}"]
    told = said("make", "--no-print-directory", *goals, cwd=folder)
    print(told)
    if told.splitlines().count("PASS") != (len(shapes) if soak else 1):
        sys.exit(f"{folder.name}: a shape did not print PASS: its output is above")


def check_lib(folder, _):
    environment = {**os.environ, "PKG_CONFIG_PATH": str(folder / "lib/pkgconfig"), "LD_LIBRARY_PATH": str(folder / "lib")}
    if said("pkg-config", "--modversion", "weft", env=environment).strip() != version():
        sys.exit(f"{folder.name}: weft.pc has another version than Cargo.toml, {version()}: write the part again")
    for flags in (["--cflags", "--libs"], ["--static", "--cflags", "--libs"]):
        words = said("pkg-config", *flags, "weft", env=environment).split()
        if "--static" in flags:
            words = [str(folder / "lib/libweft.a") if word == "-lweft" else word for word in words]
        for name in EXAMPLES:
            run("cc", "-std=c11", f"examples/{name}.c", *words, "-o", name, cwd=folder)
            last = (said(folder / name, cwd=folder, env=environment).splitlines() or ["passed"])[-1]
            print(f"{name}, {' '.join(flags)}: {last}")


def check_weft(folder, _):
    program = folder / "bin/weft"
    told = said(program, "--version", cwd=folder)
    if told.split() != ["weft", version()]:
        sys.exit(f"bin/weft --version prints {told.strip()!r}, not 'weft {version()}': write the part again")
    run(program, "sim", "examples/permutation.toml", "--set", "topology.k=4", "--set", "workload.bytes=65536", cwd=folder)
    run(program, "emit", "reps", "--no-gate", "--out", "rtl", cwd=folder)
    if MUSL in folder.name:
        if not re.search("statically linked|static-pie linked", said("file", program)):
            sys.exit(f"{folder.name}: bin/weft needs shared libraries; it must be static")
        # Models of Verilator need a dynamic linker. The program reports this before it builds a model.
        refused = run(program, "cosim", "block", "reps", "--cycles", "10", cwd=folder, check=False, stderr=subprocess.PIPE, text=True)
        if refused.returncode == 0 or "this weft is static" not in refused.stderr:
            sys.exit(f"{folder.name}: cosim must say that this weft is static, and prints: {refused.stderr}")


def check_site(folder, _):
    if not (folder / "index.html").is_file():
        sys.exit(f"{folder.name}: index.html is missing: write the part again")
    run("scripts/site.py", "--follow", folder)


def check_sbom(path):
    """Checks that every reference has its component, and every crate of the registry its sum in Cargo.lock."""
    text = json.loads(path.read_text(encoding="utf-8"))
    refs = [one["bom-ref"] for one in text["components"]]
    known = {*refs, text["metadata"]["component"]["bom-ref"]}
    told = {word for one in text["dependencies"] for word in [one["ref"], *one["dependsOn"]]}
    sums = {f"pkg:cargo/{name}@{number}": checksum for (name, number), checksum in sums_of_crates().items()}
    wrong = [one["bom-ref"] for one in text["components"] if one["bom-ref"] in sums and one["hashes"][0]["content"] != sums[one["bom-ref"]]]
    own = [ref for ref in refs if ref not in sums]
    if len(refs) != len(set(refs)) or told != known or wrong or any(not ref.endswith("@" + version()) for ref in own):
        sys.exit(f"{path.name}: Cargo.lock and the dependencies disagree about {wrong or own or told ^ known}: write the part again")
    print(f"{path.name}: {len(refs)} crates, {len(own)} of them own")


CHECKS = {"weft-verilog": check_verilog, "libweft": check_lib, "weft-site": check_site, "weft": check_weft}


def check(soak):
    run("sha256sum", "--check", "--quiet", "SHA256SUMS", cwd=OUT)
    for path in parts():
        print(f"== {path.name}", flush=True)
        if path.suffix == ".json":
            check_sbom(path)
            continue
        if path.suffix == ".whl":
            run(sys.executable, "scripts/wheel.py", "--wheel", path)
            continue
        with tempfile.TemporaryDirectory() as folder:
            CHECKS[re.match(r"(.*?)-[0-9]", path.name).group(1)](unpacked(path, folder), soak)


def main():
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("parts", nargs="*", metavar="PART", help="; ".join(f"{name}: {make.__doc__}" for name, make in PARTS.items()))
    parser.add_argument("--check", action="store_true", help="test the existing release")
    parser.add_argument("--soak", action="store_true", help="with --check: every shape of the Verilog")
    options = parser.parse_args()
    unknown = [name for name in options.parts if name not in PARTS]
    if unknown:
        parser.error(f"no part {unknown[0]}: there are {', '.join(PARTS)}")
    if options.check and not (OUT / "SHA256SUMS").is_file():
        parser.error("build/release has no SHA256SUMS: scripts/release.py writes a release first")
    if options.check:
        check(options.soak)
    else:
        write(options.parts or PARTS)


main()
