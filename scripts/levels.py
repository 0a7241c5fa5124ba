#!/usr/bin/env python3
"""Longest way between registers of a netlist on UltraScale+ cells, in LUTs.

    scripts/levels.py NETLIST.json [WAYS]

The netlist is what yosys' write_json makes after synth_xilinx -family xcup -flatten. A way begins at a
register, a block RAM, a shift register, a DSP block or a port and ends at one. LUTs count 1; carry cells are
counted apart (a carry chain costs about as much as one LUT whatever its length), MUXF cells not at all. WAYS
prints so many of the ends of the longest ways.
"""
import json
import re
import sys

SEQUENTIAL = re.compile(r"FD[RSCP]E|RAMB|DSP48|SRL|RAM(32|64|128|256)|URAM|LDCE|LDPE")
FREE = re.compile(r"MUXF|INV|BUFG|IBUF|OBUF|CARRY")


def main():
    if not 2 <= len(sys.argv) <= 3:
        sys.exit(__doc__.strip())
    try:
        with open(sys.argv[1], encoding="utf-8") as file:
            modules = json.load(file)["modules"]
    except (OSError, ValueError, KeyError) as error:
        print(f"levels: {sys.argv[1]} is no netlist of write_json: {error}", file=sys.stderr)
        sys.exit(2)
    top = next(m for m in modules.values() if int(m.get("attributes", {}).get("top", "0"), 2))
    drivers, ends = {}, []
    names = {bit: name for name, net in top["netnames"].items() for bit in net["bits"]}
    for name, cell in top["cells"].items():
        inputs = [
            bit
            for port, bits in cell["connections"].items()
            if cell["port_directions"][port] == "input"
            for bit in bits
        ]
        if SEQUENTIAL.search(cell["type"]):
            ends += [(name, bit) for bit in inputs]
            continue
        for port, bits in cell["connections"].items():
            if cell["port_directions"][port] == "output":
                for bit in bits:
                    drivers[bit] = (cell["type"], inputs)
    ends += [(n, b) for n, p in top["ports"].items() if p["direction"] == "output" for b in p["bits"]]

    # Depth of every bit, without recursion: netlists are deep.
    depth = {}
    for _, end in ends:
        stack = [end]
        while stack:
            bit = stack[-1]
            if bit in depth:
                stack.pop()
            elif bit not in drivers:
                depth[bit] = (0, 0)
            else:
                kind, inputs = drivers[bit]
                todo = [i for i in inputs if i not in depth]
                if todo:
                    stack += todo
                    continue
                luts, carries = max((depth[i] for i in inputs), default=(0, 0))
                one = 0 if FREE.search(kind) else 1
                chain = 1 if "CARRY" in kind else 0
                depth[bit] = (luts + one, carries + chain)
    found = sorted(((depth[bit], name, names.get(bit, "")) for name, bit in ends), reverse=True)
    (luts, carries), *_ = found[0]
    print(f"levels {luts}  (with {carries} carry cells)")
    for (luts, carries), name, net in found[: int(sys.argv[2]) if len(sys.argv) == 3 else 0]:
        print(f"  {luts} LUTs, {carries} carry cells, to {net or name}")


main()
