//! A bring-up as by a new user: two NICs on a wire, configured only with the output of
//! `weft params --registers` and their addresses. The NICs must fill the wire, at any delay of the wire.

#[path = "../command/mod.rs"]
mod command;
mod pair;

use command::text;
use pair::{Pair, Place};
use weft_params::SackParams;
use weft_system::nic::{Maker, View};

/// Sites of a NIC: its clock and the rate of its wire.
const PLACES: [Place; 4] = [
    // Bytes of the wire per clock: 25 and 10 Gb/s at 156.25 MHz, and 100 Gb/s at 250 and at 322.265625 MHz.
    Place { gbps: 25, mhz: 156.25, wire: (20, 1), dma_ns: 1_000 },
    Place { gbps: 100, mhz: 250.0, wire: (50, 1), dma_ns: 1_000 },
    Place { gbps: 100, mhz: 322.265625, wire: (1280, 33), dma_ns: 1_000 },
    Place { gbps: 10, mhz: 156.25, wire: (8, 1), dma_ns: 1_000 },
];
/// Round-trip times of the wire, without the time of packets on it.
const ROUND_TRIPS_NS: [u32; 3] = [1_000, 4_000, 20_000];
const CONNECTIONS: u32 = 16;
/// Clocks until the traffic is steady.
const WARM_UP: u64 = 20_000;

/// The output of the command that a new user runs.
fn printed(place: &Place, base_rtt_ns: u32, mac: &str) -> String {
    let folder = tempfile::tempdir().expect("a folder");
    let flags = format!(
        "params --registers --clock-mhz {} --rate {} --base-rtt-ns {base_rtt_ns} --dma-ns {} --mac {mac}",
        place.mhz, place.gbps, place.dma_ns
    );
    let output = command::weft(folder.path(), &flags);
    assert_eq!(output.status.code(), Some(0), "{}", text(&output.stderr));
    text(&output.stdout).to_owned()
}

/// Offsets and values in the lines.
fn writes(printed: &str) -> Vec<(u16, u32)> {
    let hexadecimal =
        |word: &str| u32::from_str_radix(word.strip_prefix("0x").expect("0x"), 16).expect("a number");
    let lines = printed.lines().filter(|line| !line.starts_with('#'));
    let line = |line: &str| {
        let words: Vec<&str> = line.split_whitespace().collect();
        let [offset, name, value] = words[..] else { panic!("{line}") };
        assert!(name.starts_with("WEFT_REG_"), "{line}");
        (hexadecimal(offset) as u16, hexadecimal(value))
    };
    lines.map(line).collect()
}

fn pair(maker: &Maker, view: View, place: &Place, latency_ns: u32, base_rtt_ns: u32) -> Pair {
    let bring_up =
        [1, 2].map(|nic| writes(&printed(place, base_rtt_ns, &format!("02:00:00:00:00:{nic:02x}"))));
    Pair::new(maker, view, place, latency_ns, bring_up)
}

/// Payload as a share of the wire's maximum, for a number of connections, over a number of clocks.
fn share(mut pair: Pair, place: &Place, what: &str, (connections, clocks): (u32, u64)) -> f64 {
    pair.settle();
    let gbps = pair.goodput(connections, WARM_UP, clocks) * 8.0 * place.mhz / 1e3;
    let share = gbps / place.payload_gbps();
    println!(
        "{} Gb/s at {} MHz, DMA {} ns, {connections} connections, {what}: {gbps:.1} Gb/s, {:.2} %",
        place.gbps,
        place.mhz,
        place.dma_ns,
        100.0 * share
    );
    assert!(share < MOST, "{place:?}, {what}: {share} of what the wire can carry");
    share
}

/// The share of the wire that NICs fill with the registers that `weft params` prints for this round-trip time.
fn printed_share(
    maker: &Maker,
    view: View,
    place: &Place,
    round_trip_ns: u32,
    (connections, clocks): (u32, u64),
) -> f64 {
    let pair = pair(maker, view, place, round_trip_ns / 2, round_trip_ns + place.on_wire_ns());
    share(pair, place, &format!("{round_trip_ns} ns"), (connections, clocks))
}

fn maker(rtl: bool) -> Maker {
    Maker::new(SackParams { connections: CONNECTIONS }, rtl).expect("the NIC is built")
}

/// Required share of the maximum payload of the wire.
const ENOUGH: f64 = 0.94;
/// A NIC may write the last packet of a measurement some clocks earlier than the first.
const MOST: f64 = 1.0005;

#[test]
fn the_printed_registers_fill_the_wire() {
    let maker = maker(false);
    for place in PLACES {
        for round_trip_ns in ROUND_TRIPS_NS {
            let share = printed_share(&maker, View::Model, &place, round_trip_ns, (1, 40_000));
            assert!(share > ENOUGH, "{place:?}, {round_trip_ns} ns: {share}");
        }
    }
}

/// Slow and fast host memory, one connection and all connections, for longer runs.
#[test]
#[ignore = "soak: 36 runs of 200,000 clocks"]
fn the_printed_registers_fill_the_wire_for_longer() {
    let maker = maker(false);
    for place in PLACES {
        for round_trip_ns in ROUND_TRIPS_NS {
            for (dma_ns, connections) in [(300, 1), (2_000, 1), (1_000, CONNECTIONS)] {
                let place = Place { dma_ns, ..place };
                let run = (connections, 200_000);
                let share = printed_share(&maker, View::Model, &place, round_trip_ns, run);
                assert!(share > ENOUGH, "{place:?}, {round_trip_ns} ns: {share}");
            }
        }
    }
}

/// The Verilog too, at one site for each clock.
#[test]
fn the_verilog_fills_the_wire() {
    let maker = maker(true);
    let share = printed_share(&maker, View::Rtl, &PLACES[1], 4_000, (1, 20_000));
    assert!(share > ENOUGH, "{share}");
}

/// With the largest window for the wire's round-trip time alone, the NICs do not fill the wire. A user who
/// knows only the network would compute this window. The failure shows that the runs above can fail.
#[test]
fn a_window_for_the_wire_alone_does_not_fill_it() {
    let maker = maker(false);
    let place = &PLACES[1];
    let base_rtt_ns = 1_000 + place.on_wire_ns();
    let window = place.gbps * base_rtt_ns / 8 * 5 / 4;
    let bring_up = [1, 2].map(|nic| {
        let mut writes = writes(&printed(place, base_rtt_ns, &format!("02:00:00:00:00:{nic:02x}")));
        for class in 0..4 {
            let offset = pair::offset(&format!("smartt_class{class}_max_cwnd"));
            writes.iter_mut().filter(|(at, _)| *at == offset).for_each(|(_, value)| *value = window);
        }
        writes
    });
    let share = share(Pair::new(&maker, View::Model, place, 500, bring_up), place, "wire alone", (1, 40_000));
    assert!(share < 0.8, "{share}");
}

/// The page's procedure finds the base RTT of the wire: the round-trip time of one full packet on an idle
/// network, minus the latency of the NICs. The result is at least the true value, and at most two ticks more.
#[test]
fn one_packet_on_an_idle_network_says_the_base_rtt() {
    const NICS_CLOCKS: f64 = 117.0;
    let maker = maker(false);
    for place in PLACES {
        for round_trip_ns in ROUND_TRIPS_NS {
            let mut pair = pair(&maker, View::Model, &place, round_trip_ns / 2, 4_000);
            pair.settle();
            pair.send_one();
            let smallest_ns = f64::from(pair.read(0, "rtt_smallest")) * pair.tick_ns();
            let found_ns = smallest_ns - NICS_CLOCKS * 1e3 / place.mhz;
            let over = (found_ns - f64::from(round_trip_ns + place.on_wire_ns())) / pair.tick_ns();
            println!("{place:?}: {found_ns:.0} ns for {round_trip_ns}, {over:.1} ticks over");
            assert!(over.abs() <= 2.0, "{place:?}, {round_trip_ns} ns: {over} ticks");
        }
    }
}

/// The counters of clocks agree with the ports, in the model and in the Verilog, while streams stall at
/// random.
#[test]
fn holds_are_what_the_ports_show() {
    for view in [View::Model, View::Lockstep] {
        let mut pair = pair(&maker(view != View::Model), view, &PLACES[1], 1_000, 3_000);
        pair.settle();
        pair.hold_against_ports(30_000);
    }
}
