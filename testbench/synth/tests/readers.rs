//! Tests of the readers of the tools' files, on netlists and reports made here. Every number is calculated
//! from the drawing above it.

use weft_synth::{AROUND, Area, Error, Fanout, Load, Netlist, Timing, longest, wrapper};

/// A cell with its ports: name, whether it is an output, the nets.
fn cell(kind: &str, ports: &[(&str, bool, &[&str])]) -> String {
    let side = |is_output: bool| if is_output { "output" } else { "input" };
    let directions: Vec<String> =
        ports.iter().map(|(name, is_output, _)| format!("\"{name}\":\"{}\"", side(*is_output))).collect();
    let nets: Vec<String> =
        ports.iter().map(|(name, _, nets)| format!("\"{name}\":[{}]", nets.join(","))).collect();
    format!(
        "{{\"type\":\"{kind}\",\"port_directions\":{{{}}},\"connections\":{{{}}}}}",
        directions.join(","),
        nets.join(",")
    )
}

/// A netlist of one module `top` with a clock (net 2), an input `in` (nets 3 to 4) and an output `out` (net
/// 9).
fn netlist(cells: &[String], names: &[(&str, &str)]) -> Netlist {
    let cells: Vec<String> = cells.iter().zip(0..).map(|(cell, at)| format!("\"c{at:02}\":{cell}")).collect();
    let names: Vec<String> = names
        .iter()
        .map(|(name, bits)| format!("\"{name}\":{{\"hide_name\":0,\"bits\":[{bits}]}}"))
        .collect();
    let text = format!(
        "{{\"modules\":{{\"top\":{{\"ports\":{{\"clk\":{{\"direction\":\"input\",\"bits\":[2]}},\
         \"in\":{{\"direction\":\"input\",\"bits\":[3,4]}},\"out\":{{\"direction\":\"output\",\"bits\":[9]}}}},\
         \"cells\":{{{}}},\"netnames\":{{{}}}}}}}}}",
        cells.join(","),
        names.join(",")
    );
    Netlist::read(&text).expect("a netlist")
}

fn register(d: &str, q: &str, enable: &str, reset: &str) -> String {
    cell(
        "FDRE",
        &[
            ("C", false, &["2"]),
            ("CE", false, &[enable]),
            ("D", false, &[d]),
            ("Q", true, &[q]),
            ("R", false, &[reset]),
        ],
    )
}

fn lut(kind: &str, inputs: &[&str], o: &str) -> String {
    let pins = ["I0", "I1", "I2"];
    let mut ports: Vec<(&str, bool, &[&str])> = Vec::new();
    let slices: Vec<[&str; 1]> = inputs.iter().map(|input| [*input]).collect();
    ports.extend(pins.iter().zip(&slices).map(|(pin, net)| (*pin, false, &net[..])));
    let out = [o];
    ports.push(("O", true, &out));
    cell(kind, &ports)
}

fn carry(ci: &str, s: &str, co: &str, o: &str) -> String {
    cell("CARRY4", &[("CI", false, &[ci]), ("S", false, &[s]), ("CO", true, &[co]), ("O", true, &[o])])
}

#[test]
fn cells_are_counted() {
    let memory = cell("RAMB18E2", &[("ENARDEN", false, &["4"])]);
    let shift = cell("SRL16E", &[("CE", false, &["4"]), ("Q", true, &["30"])]);
    let notes = cell("$scopeinfo", &[]);
    let ram = cell("RAM32M", &[]);
    let cells = [
        register("3", "9", "4", "\"0\""),
        lut("LUT3", &["3"], "20"),
        lut("INV", &["3"], "21"),
        memory,
        shift,
        notes,
        ram,
    ];
    let found = Area::of(netlist(&cells, &[]).module("top").expect("top")).expect("known cells");
    // LUT3, INV, the shift register, and four of the memory.
    let wanted = Area { lut: 7, srl: 1, lut_ram: 4, ff: 1, ram18: 1, ..Area::default() };
    assert_eq!(found, wanted);
    assert_eq!(Area { ram36: 2, ram18: 1, ..wanted }.ram_halves(), 5);
}

#[test]
fn an_unknown_cell_is_an_error() {
    let cells = [cell("FDRE_NEW", &[])];
    let netlist = netlist(&cells, &[]);
    let error = Area::of(netlist.module("top").expect("top")).expect_err("nobody knows it");
    assert!(matches!(&error, Error::UnknownCell(cell) if cell == "FDRE_NEW"), "{error}");
    assert!(netlist.module("other").is_err());
}

/// in -> LUT -> LUT -> register a -> LUT -> chain of two -> LUT -> register b: the path to b has 3 LUTs and a
/// chain.
#[test]
fn a_chain_is_one_level_however_long() {
    let cells = [
        lut("LUT2", &["3", "4"], "10"),
        lut("LUT1", &["10"], "11"),
        register("11", "12", "\"1\"", "\"0\""),
        lut("LUT1", &["12"], "13"),
        carry("\"0\"", "13", "14", "15"),
        carry("14", "\"0\"", "16", "17"),
        lut("LUT1", &["17"], "18"),
        lut("LUT1", &["18"], "19"),
        register("19", "9", "\"1\"", "\"0\""),
    ];
    let netlist = netlist(&cells, &[("a", "12"), ("sum", "15,17"), ("b_q", "9")]);
    let way = longest(netlist.module("top").expect("top")).expect("no loop");
    assert_eq!((way.levels, way.chains), (4, 1));
    assert_eq!((way.from.as_str(), way.to.as_str()), ("a", "b, pin D"));
    assert_eq!(way.through, ["sum[1]"]);
}

/// The sum of one chain is an operand of the next: two chains.
#[test]
fn a_chain_behind_a_chain_is_another_level() {
    let cells = [
        carry("\"0\"", "3", "14", "15"),
        carry("\"0\"", "15", "16", "17"),
        register("17", "9", "\"1\"", "\"0\""),
    ];
    let netlist = netlist(&cells, &[]);
    let way = longest(netlist.module("top").expect("top")).expect("no loop");
    assert_eq!((way.levels, way.chains), (2, 2));
}

/// LUT -> a block that is left out -> LUT -> LUT -> register. The block has no area here, and paths begin and
/// end at its ports.
#[test]
fn a_block_apart_begins_and_ends_ways() {
    let ports: [(&str, bool, &[&str]); 3] =
        [("rst", false, &["4"]), ("in_data", false, &["10"]), ("out_data", true, &["11"])];
    let cells = [
        lut("LUT1", &["3"], "10"),
        cell("weft_sender", &ports),
        lut("LUT1", &["11"], "12"),
        lut("LUT1", &["12"], "13"),
        register("13", "9", "\"1\"", "4"),
    ];
    let netlist = netlist(&cells, &[]);
    let top = netlist.module("top").expect("top");
    assert_eq!(longest(top).expect("no loop").levels, 2);
    assert_eq!(Area::of(top).expect("known"), Area { lut: 3, ff: 1, ..Default::default() });
    assert_eq!(Fanout::of(top).expect("known").reset.map(|load| load.pins), Some(1));
}

/// A row of gates over nets `100`, `101`, ... and the net `first`. The last gate drives `last`; the nets
/// between gates begin at `at`.
fn row(first: u32, inputs: u32, at: u32, last: u32) -> Vec<String> {
    let mut before = first;
    let gates = (0..inputs).map(|i| {
        let after = if i + 1 == inputs { last } else { at + i };
        let nets = [before, 100 + i, after].map(|net| net.to_string());
        before = after;
        let kind = if i % 2 == 0 { "$_AND_" } else { "$_XOR_" };
        cell(kind, &[("A", false, &[&nets[0]]), ("B", false, &[&nets[1]]), ("Y", true, &[&nets[2]])])
    });
    gates.collect()
}

/// The levels of the path from a register or a port to the register that reads net 19.
fn levels(cells: Vec<String>) -> (u32, u32) {
    let netlist = netlist(&[cells, vec![register("19", "9", "\"1\"", "\"0\"")]].concat(), &[]);
    let way = longest(netlist.module("top").expect("top")).expect("no loop");
    (way.levels, way.chains)
}

/// Gates that are not yet in LUTs. In a row of gates, the first level covers six inputs, and each further
/// level covers five more.
#[test]
fn gates_are_covered_by_luts_of_six_inputs() {
    assert_eq!(levels(row(3, 5, 30, 19)), (1, 0));
    assert_eq!(levels(row(3, 6, 30, 19)), (2, 0));
    assert_eq!(levels(row(3, 10, 30, 19)), (2, 0));
    assert_eq!(levels(row(3, 11, 30, 19)), (3, 0));
    // A gate that joins two rows of six inputs needs three LUTs; with rows of three inputs, one LUT.
    let joined = |inputs| {
        let join = cell("$_OR_", &[("A", false, &["50"]), ("B", false, &["51"]), ("Y", true, &["19"])]);
        let shifted = row(3, inputs, 40, 51).iter().map(|gate| gate.replace("[10", "[20")).collect();
        levels([row(3, inputs, 30, 50), shifted, vec![join]].concat())
    };
    assert_eq!(joined(5), (2, 0));
    assert_eq!(joined(2), (1, 0));
    // A net that two gates read is one input.
    let twice = cell(
        "$_MUX_",
        &[("A", false, &["50"]), ("B", false, &["100"]), ("S", false, &["101"]), ("Y", true, &["19"])],
    );
    assert_eq!(levels([row(3, 5, 30, 50), vec![twice]].concat()), (1, 0));
}

/// The last LUT reads a late net, and not the whole row: logic after a chain is no deeper than necessary.
#[test]
fn a_chain_before_gates_is_minded() {
    // The last of ten gates reads the chain's sum, 15: five of the gates are in parallel with the chain.
    let chain = carry("\"0\"", "3", "14", "15");
    let late = cell("$_AND_", &[("A", false, &["50"]), ("B", false, &["15"]), ("Y", true, &["19"])]);
    assert_eq!(levels([row(3, 9, 30, 50), vec![chain.clone(), late]].concat()), (2, 1));
    // The first of ten gates reads the sum: two LUTs behind the chain.
    assert_eq!(levels([vec![chain], row(15, 10, 30, 19)].concat()), (3, 1));
}

/// A memory of LUTs is read without a clock, and written with a clock.
#[test]
fn a_memory_of_luts_is_a_level_when_read() {
    let ports: [(&str, bool, &[&str]); 4] =
        [("ADDRA", false, &["10"]), ("DIA", false, &["11"]), ("WE", false, &["13"]), ("DOA", true, &["12"])];
    let read = [lut("LUT1", &["3"], "10"), cell("RAM32M", &ports), register("12", "9", "\"1\"", "\"0\"")];
    let way = |cells: &[String]| longest(netlist(cells, &[]).module("top").expect("top")).expect("no loop");
    assert_eq!(way(&read).levels, 2);
    let deep = [lut("LUT1", &["3"], "20"), lut("LUT1", &["20"], "21"), lut("LUT1", &["21"], "11")];
    let written = [&read[1..], &deep].concat();
    assert_eq!(way(&written).levels, 3, "its data ends there");
    // With four LUTs, the fourth address is that of the write; with eight LUTs, the eighth.
    for (kind, pin, levels) in
        [("RAM32M", "ADDRC", 2), ("RAM32M", "ADDRD", 1), ("RAM32M16", "ADDRD", 2), ("RAM32M16", "ADDRH", 1)]
    {
        let ports: [(&str, bool, &[&str]); 2] = [(pin, false, &["10"]), ("DOA", true, &["12"])];
        let cells = [lut("LUT1", &["3"], "10"), cell(kind, &ports), register("12", "9", "\"1\"", "\"0\"")];
        assert_eq!(way(&cells).levels, levels, "{pin} of {kind}");
    }
}

#[test]
fn a_loop_is_an_error() {
    let cells =
        [lut("LUT2", &["11", "3"], "10"), lut("LUT1", &["10"], "11"), register("11", "9", "\"1\"", "\"0\"")];
    let netlist = netlist(&cells, &[("around", "10")]);
    assert!(matches!(longest(netlist.module("top").expect("top")), Err(Error::Loop(_))));
}

#[test]
fn the_largest_enable_and_reset_are_found() {
    let cells = [
        register("3", "20", "4", "5"),
        register("3", "21", "4", "\"0\""),
        register("3", "22", "\"1\"", "6"),
        register("3", "9", "\"1\"", "6"),
        cell("RAMB36E2", &[("ENBWREN", false, &["4"]), ("RSTRAMB", false, &["5"])]),
        cell("DSP48E2", &[("CEA1", false, &["7"]), ("RSTM", false, &["6"])]),
        // A carry chain has no enable, with any names of its pins.
        cell("CARRY4", &[("CI", false, &["7"])]),
    ];
    let netlist = netlist(
        &cells,
        &[("deep.er.run", "4"), ("front.run.q", "4"), ("front.running", "4"), ("rst", "5"), ("clear", "1,6")],
    );
    let found = Fanout::of(netlist.module("top").expect("top")).expect("known cells");
    assert_eq!(found.enable, Some(Load { net: "front.run".into(), pins: 3 }));
    assert_eq!(found.reset, Some(Load { net: "clear[1]".into(), pins: 3 }));
}

#[test]
fn a_wrapper_has_every_port_but_the_clock_at_a_register() {
    let text = wrapper("top", netlist(&[], &[]).module("top").expect("top"));
    assert!(text.starts_with(&format!("module {AROUND} (")), "{text}");
    for line in [".clk(clk)", ".in(entering[1:0])", ".out(leaving[0:0])", "assign out = stage0[0];"] {
        assert!(text.contains(line), "{line} is not in {text}");
    }
}

/// A report in the format of nextpnr 0.11: 1 ns out of a register, 2 ns of wire, 3 ns of LUT, 4 ns of wire,
/// 0.5 ns of set-up.
#[test]
fn the_slowest_way_has_names_of_the_source() {
    let text = r#"{"critical_paths": [
        {"from": "<async>", "to": "posedge clk", "path": []},
        {"from": "posedge clk", "to": "posedge clk", "path": [
            {"type": "clk-to-q", "delay": 1.0, "to": {"cell": "block.a_TRELLIS_FF_Q_3"}},
            {"type": "routing", "delay": 2.0, "net": "block.a[3]", "to": {"cell": "block.b_LUT4_Z"}},
            {"type": "logic", "delay": 3.0, "to": {"cell": "block.b_LUT4_Z"}},
            {"type": "routing", "delay": 4.0, "net": "block.sum.x_LUT4_Z_1_A_CCU2C_S0", "to": {"cell": "block.c_TRELLIS_FF_Q"}},
            {"type": "setup", "delay": 0.5, "to": {"cell": "block.c_TRELLIS_FF_Q"}}]}],
        "fmax": {"clk": {"achieved": 95.238, "constraint": 250.0}}, "utilization": {}}"#;
    let Timing { mhz, path } = Timing::read(text).expect("a report");
    assert_eq!(mhz, 95.24);
    assert_eq!((path.logic_ns, path.routing_ns, path.cells), (4.5, 6.0, 1));
    assert_eq!((path.from.as_str(), path.to.as_str()), ("a[3]", "c"));
    assert_eq!(path.through, ["sum.x"]);
    let two = text.replace("\"fmax\": {", "\"fmax\": {\"other\": {\"achieved\": 1.0},");
    assert!(Timing::read(&two).is_err(), "two clocks");
}
