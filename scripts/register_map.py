"""The register map as register tools read it: compiled, exported to C and IP-XACT. The C is compared with weft's own
header, and the map's texts with weft's own page.

Run by scripts/register_map.sh. One C file includes both headers. Its assertions say that offsets, sizes, fields and
reset values are equal, and that neither header has an additional register or field. Each row of the page must have the
offset, access, bits, reset value and text of one register of the map, and each register must have a row.
"""
import sys

if sys.version_info < (3, 8):
    sys.exit("register_map.py needs Python 3.8 or newer, this is " + sys.version.split()[0])

import re
import subprocess

from peakrdl_cheader.exporter import CHeaderExporter
from peakrdl_ipxact import IPXACTExporter
from systemrdl import RDLCompiler
from systemrdl.node import FieldNode, RegNode

MAP, HEADER, PAGE, OUT = "hdl/include/weft_nic.rdl", "hdl/include/weft_nic.h", "docs/registers.md", "build/systemrdl"
ROW = re.compile(r"^\| (0x\w+) \| `(\w+)` \| (\w+) \| (\d+) \| (\w+) \| [^|]* \| (.*) \|$", re.MULTILINE)

OF_ALL = " read the low word first: it latches the high one[.]| constant while a command is busy[.]"


def width(register):
    """Number of bits up to the highest field of the register."""
    return max(field.high for field in register.fields()) + 1


def reset_value(register):
    """Reset value of the register, from its fields."""
    return sum((field.get_property("reset") or 0) << field.low for field in register.fields())


def documented(registers):
    """Exits with the differences between page and map. Returns the number of equal rows."""
    with open(PAGE, encoding="utf-8") as file:
        rows = {row[1]: row for row in ROW.findall(file.read())}
    wrong = sorted(set(rows) ^ {register.inst_name for register in registers})
    for register in registers:
        if register.inst_name not in rows:
            continue
        words = [register.get_property("desc")]
        for field in register.fields():
            if field.inst_name != "value":
                bits = f"Bit {field.low}" if field.high == field.low else f"Bits {field.high}:{field.low}"
                words.append(f"{bits} *{field.inst_name}*: {field.get_property('desc')}")
        offset, _, access, bits, reset, meaning = rows[register.inst_name]
        theirs = register.absolute_address, "RW" if register.has_sw_writable else "RO", width(register), reset_value(register)
        # The page starts the text of a field in lower case, and gives common texts of counters and staged
        # registers once.
        same = [re.sub(OF_ALL, "", text.lower()) for text in (" ".join(words), meaning)]
        if theirs != (int(offset, 16), access, int(bits), int(reset, 0)) or same[0] != same[1]:
            wrong.append(register.inst_name)
    if wrong:
        sys.exit(f"{PAGE} and {MAP} differ in {wrong}")
    return len(rows)


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

    registers = [node for node in top.descendants() if isinstance(node, RegNode)]
    for register in registers:
        name = register.inst_name.upper()
        lines.append(f'_Static_assert(offsetof(weft_nic_t, {register.inst_name}) == WEFT_REG_{name}, "{name}");')
        same(name, f"{register.absolute_address}u")
        bits = width(register)
        writable = register.has_sw_writable
        if bits > 32:
            same(f"{name}_WORDS", f"{(bits + 31) // 32}u")
        elif writable:
            same(f"{name}_RESET", f"{reset_value(register)}u")
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
    print(f"{documented(registers)} registers of {PAGE} are those of {MAP}")
    print(f"{len(named)} definitions of {HEADER} are those of {MAP}")


main()
