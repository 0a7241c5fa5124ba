//! Parts of the blocks that the blocks' proofs do not cover, the wiring around the NIC, and its waits: proved
//! for the emitted Verilog, and refuted with a fault.

use std::path::Path;
use std::sync::OnceLock;
use weft_hdl::Module;
use weft_hdl::catalogue::{Shape, named};
use weft_proof::refute::{changed, quick, refuted, yosys};
use weft_proof::{Outcome, around, hangs, parts};
use weft_symbolic::{Proof, Prover, Yosys};

/// A NIC of the fewest connections.
fn nic(width: u32) -> Vec<Module> {
    static NICS: [OnceLock<Vec<Module>>; 3] = [const { OnceLock::new() }; 3];
    let emit = || {
        let shape = Shape { width, ..Shape::of(4) };
        (named("nic").expect("the NIC").emit)(&shape).unwrap_or_else(|error| panic!("{error}"))
    };
    NICS[(width / 256) as usize].get_or_init(emit).clone()
}

type Claims<'a> = &'a dyn Fn(&Yosys, &[Module], &mut Proof) -> Result<(), weft_proof::Error>;

fn decided(yosys: &Yosys, modules: &[Module], claims: Claims<'_>) -> Proof {
    let mut proof = quick().proof(Prover::default());
    claims(yosys, modules, &mut proof).unwrap_or_else(|error| panic!("{error}"));
    proof
}

/// Checks that the claims hold for the modules, and fail with each of these changes: the module, the old
/// text, the new text.
fn proved_and_refuted(modules: &[Module], claims: Claims<'_>, faults: &[(&str, &str, &str)]) {
    let Some(yosys) = yosys() else { return };
    let sound = decided(&yosys, modules, claims);
    println!("{sound}");
    assert!(sound.is_proved());
    for (module, from, to) in faults {
        let proof = decided(&yosys, &changed(modules, module, from, to), claims);
        let refuted = refuted(&proof);
        println!("{module}: {to}: {refuted:?}");
        assert!(!refuted.is_empty(), "{module}: {to}");
    }
}

#[test]
fn counters_sums_and_fences() {
    let claims: Claims<'_> =
        &|yosys, modules, proof| parts::of_all(yosys, modules, [1, 4, 10].into_iter(), proof);
    proved_and_refuted(
        &nic(128),
        claims,
        &[
            ("weft_counter", "total_q + 16'd1", "total_q + 16'd2"),
            ("weft_sum", "else if (add)", "else"),
            ("weft_fence", "comes}) - ", "comes}) + "),
            ("weft_fence", "if (waits)", "if (!waits)"),
            ("weft_fence", "leaves = goes & (|left_q)", "leaves = goes"),
            ("weft_fence", "left_d = then", "left_d = held_q"),
        ],
    );
}

#[test]
fn converters_and_completions_behind_them() {
    for width in [128, 256] {
        let faults: &[(&str, &str, &str)] = if width == 128 {
            &[
                ("weft_widen", "data_2_en = taken & (first | here[2])", "data_2_en = taken & here[2]"),
                ("weft_widen", "ends = in_last | ", "ends = "),
                ("weft_widen", "run = !whole_q | out_ready", "run = !whole_q"),
                ("weft_widen", "user_d = in_user & in_last", "user_d = in_user"),
                ("weft_narrow", "goes_on = keep_q[32]", "goes_on = keep_q[33]"),
                ("weft_narrow", "done = !cuts_q | (run & !goes_on)", "done = !cuts_q | !goes_on"),
                ("weft_narrow_1", "LAST_AT = 10'd", "LAST_AT = 10'd1"),
                ("weft_nic_received_behind", "HELD = 3'd6", "HELD = 3'd5"),
                ("weft_nic_received_behind", "due = some_q & !(|left_q)", "due = some_q"),
            ]
        } else {
            &[("weft_widen", "QUARTERS = 4'd3", "QUARTERS = 4'd1")]
        };
        proved_and_refuted(&nic(width), &parts::converters, faults);
    }
}

#[test]
fn the_converters_of_a_narrow_nic_are_wired_as_the_table_says() {
    for width in [128, 256] {
        proved_and_refuted(
            &nic(width),
            &around::narrow,
            &[
                ("weft_nic", ".in_valid  (s_axis_bypass_tvalid)", ".in_valid  (s_axis_read_tvalid)"),
                ("weft_nic", ".in_keep   (s_axis_net_tkeep)", ".in_keep   (s_axis_bypass_tkeep)"),
                ("weft_nic", "out_ready (1'b1)", "out_ready (s_axis_net_tvalid)"),
                ("weft_nic", "write_out_out_valid & m_axis_write_tready", "write_out_out_valid"),
                (
                    "weft_nic",
                    "assign m_axis_received_tdata = received_behind_out_word[55:0]",
                    "assign m_axis_received_tdata = received_behind_out_word[56:1]",
                ),
                (
                    "weft_nic",
                    ".s_axil_awaddr          (s_axil_awaddr)",
                    ".s_axil_awaddr          (s_axil_araddr)",
                ),
            ],
        );
    }
}

/// The lines of the wrapper's Verilog with a change.
fn wrapper(from: &str, to: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../fpga/cdc/weft_nic_cdc.v");
    let text = std::fs::read_to_string(path).expect("the wrapper");
    assert!(text.contains(from), "no `{from}`: let this test follow the wrapper");
    text.replacen(from, to, 1)
}

#[test]
fn the_queues_around_the_clocks_are_wired_as_the_table_says() {
    let Some(yosys) = yosys() else { return };
    let decide = |width: u32, text: Option<&str>| {
        let claims: Claims<'_> =
            &|yosys, modules, proof| around::crossings(yosys, modules, (2, width), text, proof);
        decided(&yosys, &nic(width), claims)
    };
    for width in [128, 256, 512] {
        let sound = decide(width, None);
        println!("{sound}");
        assert!(sound.is_proved());
    }
    for (from, to) in [
        (".s_axis_tdata({tx_tuser, tx_tkeep, tx_tdata})", ".s_axis_tdata({tx_tkeep, tx_tuser, tx_tdata})"),
        (
            ".m_clk(core_clk), .m_rst(core_rst), .m_axis_tvalid(awvalid)",
            ".m_clk(core_clk), .m_rst(host_resets), .m_axis_tvalid(awvalid)",
        ),
        (
            ".s_clk(host_clk), .s_rst(host_rst), .s_axis_tvalid(s_axis_work_tvalid)",
            ".s_clk(core_clk), .s_rst(host_rst), .s_axis_tvalid(s_axis_work_tvalid)",
        ),
        (".written(event_written), .taken(event_taken)", ".written(event_written), .taken(event_written)"),
        ("assign received_tready = happens_ready & !sent_tvalid", "assign received_tready = happens_ready"),
        (
            "assign m_axis_sent_tvalid = happened_valid & (kind == SENT)",
            "assign m_axis_sent_tvalid = happened_valid & (kind == RECEIVED)",
        ),
        ("rdata[31] | answer_late", "rdata[31]"),
        ("host_resets <= host_rst", "host_resets <= mac_rx_rst"),
        (".s_axis_tlast(s_axis_read_tlast)", ".s_axis_tlast(1'b1)"),
        (".m_axis_tready(m_axis_fetch_tready)", ".m_axis_tready(m_axis_bypass_tready)"),
    ] {
        let proof = decide(128, Some(&wrapper(from, to)));
        assert!(!proof.is_proved(), "{to}");
    }
}

/// A table of the page: the cells of its rows, by the head of its first column.
fn table(page: &str, head: &str) -> Vec<Vec<String>> {
    let rows = page.lines().skip_while(|line| !line.starts_with(&format!("| {head} |"))).skip(2);
    let cells = |line: &str| line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect();
    rows.take_while(|line| line.starts_with('|')).map(cells).collect()
}

fn page() -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/proof/hangs.md");
    std::fs::read_to_string(path).expect("the page")
}

fn arrows(names: &[String]) -> String {
    names.join(" → ")
}

/// The places that the page gives as broken.
fn broken(page: &str) -> Vec<(String, String)> {
    let ends = |row: Vec<String>| {
        let (from, to) = row[0].split_once(" → ").expect("a place");
        (from.to_owned(), to.to_owned())
    };
    table(page, "nobody waits forever at").into_iter().map(ends).collect()
}

/// The page has every place where one block waits for another, and every loop, and each loop is broken. An
/// additional wire makes a loop without a reason.
#[test]
fn loops_of_waiting_blocks_are_those_of_the_page_and_broken() {
    let Some(yosys) = yosys() else { return };
    let (modules, page) = (nic(512), page());
    let waits = hangs::waits(&yosys, &modules, "weft_nic").unwrap_or_else(|error| panic!("{error}"));
    let streams = |names: &std::collections::BTreeSet<String>| {
        names.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ")
    };
    let rows: Vec<Vec<String>> =
        waits.iter().map(|((from, to), names)| vec![from.clone(), to.clone(), streams(names)]).collect();
    rows.iter().for_each(|row| println!("| {} |", row.join(" | ")));
    let loops = hangs::loops(&waits);
    loops.iter().for_each(|names| println!("| {} |", arrows(names)));
    assert_eq!(table(&page, "offers"), rows, "the table of who waits for whom");
    let written: Vec<String> = table(&page, "loop").into_iter().map(|row| row[0].clone()).collect();
    assert_eq!(written, loops.iter().map(|names| arrows(names)).collect::<Vec<_>>(), "the table of loops");
    let broken = broken(&page);
    assert!(broken.iter().all(|place| waits.contains_key(place)), "{broken:?}");
    assert_eq!(hangs::unbroken(&waits, &broken), Vec::<Vec<String>>::new());

    // Egress takes orders only while the receiver has space: then a loop has no reason.
    let takes = ".m_axis_net_tready     (m_axis_net_tready)";
    let waiting = ".m_axis_net_tready     (m_axis_net_tready & receiver_s_axis_arrival_tready)";
    let more = changed(&modules, "weft_nic", takes, waiting);
    let waits = hangs::waits(&yosys, &more, "weft_nic").unwrap_or_else(|error| panic!("{error}"));
    let unbroken = hangs::unbroken(&waits, &broken);
    println!("{unbroken:?}");
    assert_eq!(unbroken, [["egress", "receiver"]]);
}

/// The loops are broken: the registers accept the reports.
#[test]
fn the_registers_accept_what_they_are_told_within_a_bounded_time() {
    let Some(yosys) = yosys() else { return };
    let block = named("registers").expect("a block");
    let modules = (block.emit)(&Shape::of(4)).unwrap_or_else(|error| panic!("{error}"));
    let refuted = |modules: &[Module]| {
        let claims = hangs::registers(&yosys, modules).unwrap_or_else(|error| panic!("{error}"));
        claims.iter().for_each(|claim| println!("{:?} {:.1} s {}", claim.outcome, claim.seconds, claim.name));
        claims
            .into_iter()
            .map(|claim| claim.outcome)
            .filter(|outcome| *outcome != Outcome::Proved)
            .collect::<Vec<_>>()
    };
    assert_eq!(refuted(&modules), Vec::<Outcome>::new());
    for (from, to) in [
        (
            "drained_ready = turns & (turn_q == IS_DRAINED)",
            "drained_ready = turns & (turn_q == IS_DRAINED) & told_ready",
        ),
        ("freeze_ready = turns", "freeze_ready = turns & clear_q"),
        ("assign failed_ready = !fault_q", "assign failed_ready = !fault_q & failure_ready"),
    ] {
        let found = refuted(&changed(&modules, "weft_registers_status", from, to));
        assert_eq!(found, [Outcome::Refuted], "{to}");
    }
}
