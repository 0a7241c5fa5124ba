"""The register map as register tools read it: compiled, exported to C and IP-XACT, and the C held against weft's own header.

Run by scripts/register_map.sh. Both headers are included in one C file, whose assertions say that offsets, sizes, fields and
reset values are the same, and that neither has a register or field more.
"""
import re
import subprocess
import sys

from peakrdl_cheader.exporter import CHeaderExporter
from peakrdl_ipxact import IPXACTExporter
from systemrdl import RDLCompiler
from systemrdl.node import FieldNode, RegNode

MAP, HEADER, OUT = "hdl/include/weft_nic.rdl", "hdl/include/weft_nic.h", "build/systemrdl"


def main():
    compiler = RDLCompiler()
    compiler.compile_file(MAP)
    top = compiler.elaborate().top
    CHeaderExporter().export(top, f"{OUT}/peakrdl.h")
    IPXACTExporter(vendor="weft", library="nic", version="1.0").export(top, f"{OUT}/weft_nic.xml")

    with open(HEADER, encoding="utf-8") as file:
        header = file.read()
    ours = set(re.findall(r"#define WEFT_REG_(\w+) ", header))
    lines, named = [], set()

    def same(name, value):
        lines.append(f'_Static_assert(WEFT_REG_{name} == {value}, "{name}");')
        named.add(name)

    for register in top.descendants():
        if not isinstance(register, RegNode):
            continue
        name = register.inst_name.upper()
        lines.append(f'_Static_assert(offsetof(weft_nic_t, {register.inst_name}) == WEFT_REG_{name}, "{name}");')
        same(name, f"{register.absolute_address}u")
        bits = max(field.high for field in register.fields()) + 1
        writable = register.has_sw_writable
        if bits > 32:
            same(f"{name}_WORDS", f"{(bits + 31) // 32}u")
        elif writable:
            reset = sum((field.get_property("reset") or 0) << field.low for field in register.fields())
            same(f"{name}_RESET", f"{reset}u")
        for field in register.fields():
            assert isinstance(field, FieldNode)
            if field.inst_name == "value":
                continue
            part = field.inst_name.upper()
            theirs = f"WEFT_NIC__{name}__{part}"
            same(f"{name}_{part}_SHIFT", f"{theirs}_bp")
            same(f"{name}_{part}_MASK", f"{theirs}_bm")
    if ours != named:
        sys.exit(f"{HEADER} and {MAP} differ in {sorted(ours ^ named)}")
    with open(f"{OUT}/same.c", "w", encoding="utf-8") as file:
        file.write('#include <stddef.h>\n#include "peakrdl.h"\n#include "weft_nic.h"\n' + "\n".join(lines) + "\n")
    compile_it = ["cc", "-std=c11", "-fsyntax-only", "-I", OUT, "-I", "hdl/include", f"{OUT}/same.c"]
    if subprocess.run(compile_it, check=False).returncode:
        sys.exit(f"{HEADER} and {MAP} differ: see above")
    print(f"{len(named)} definitions of {HEADER} are those of {MAP}")


main()
