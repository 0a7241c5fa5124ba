//! Tests of the check of the NIC's wiring.

use std::sync::OnceLock;
use weft_hdl::Module;
use weft_hdl::catalogue::{Shape, named};
use weft_mutate::wiring::{TOP, check, survivors};

fn nic(connections: u32) -> Vec<Module> {
    wide(connections, 512)
}

fn wide(connections: u32, width: u32) -> Vec<Module> {
    let nic = named("nic").expect("the NIC");
    (nic.emit)(&Shape { width, ..Shape::of(connections) }).unwrap_or_else(|error| panic!("{error}"))
}

/// The NIC of the usual size. The NIC is emitted once, because it is the largest block.
fn usual() -> Vec<Module> {
    static NIC: OnceLock<Vec<Module>> = OnceLock::new();
    NIC.get_or_init(|| nic(256)).clone()
}

fn complaints(modules: &[Module]) -> Vec<String> {
    check(modules).unwrap_or_else(|error| panic!("{error}"))
}

#[test]
fn nets_join_equally_named_ports_at_equal_offsets() {
    for modules in [nic(4), usual(), nic(4096), wide(4, 128), wide(16, 256)] {
        assert_eq!(complaints(&modules), Vec::<String>::new());
    }
}

/// A wire to a wrong port is reported.
#[test]
fn a_wrong_wire_is_found() {
    for (right, wrong, complaint) in [
        (
            ".cfg_egress_ipv4                    (registers_cfg_egress_ipv4)",
            ".cfg_egress_ipv4                    (registers_cfg_ingress_ipv4)",
            "cfg_ipv4",
        ),
        ("(egress_stat_ack_frames)", "(egress_stat_nack_frames)", "stat_egress_ack_frames"),
        (
            "tdata[25:2];\n    wire receiver_arrival_ce",
            "tdata[24:1];\n    wire receiver_arrival_ce",
            "bit 1 of",
        ),
        ("(m_axis_net_tready)", "(m_axis_bypass_tready)", "m_axis_bypass_tready"),
        ("= sender_m_axis_sent_tid;", "= 8'd0;", "nothing drives m_axis_sent_tid"),
    ] {
        let mut modules = usual();
        let top = modules.iter_mut().find(|module| module.name == TOP).expect("the top");
        assert!(top.text.contains(right), "{right}");
        top.text = top.text.replacen(right, wrong, 1);
        let found = complaints(&modules);
        assert!(found.iter().any(|line| line.contains(complaint)), "{right}: {found:?}");
    }
}

/// A NIC with narrow streams has its blocks in a core.
#[test]
fn a_wrong_wire_of_a_narrow_nic_is_found() {
    let (right, wrong) = ("(egress_stat_ack_frames)", "(egress_stat_nack_frames)");
    let mut modules = wide(4, 128);
    let core = modules.iter_mut().find(|module| module.name == "weft_nic_core").expect("the core");
    assert!(core.text.contains(right), "{right}");
    core.text = core.text.replacen(right, wrong, 1);
    let found = complaints(&modules);
    assert!(found.iter().any(|line| line.contains("stat_egress_ack_frames")), "{found:?}");
}

/// The check finds every fault of the wiring, not a sample only.
#[test]
fn every_fault_of_the_wiring_is_found() {
    let (all, missed) = survivors(&usual()).unwrap_or_else(|error| panic!("{error}"));
    assert!(all > 250, "only {all} faults");
    let missed: Vec<_> = missed.iter().map(|fault| fault.text.as_str()).collect();
    println!("{} of {all} found", all - missed.len());
    assert!(missed.is_empty(), "{} of {all} are missed:\n{}", missed.len(), missed.join("\n"));
}
