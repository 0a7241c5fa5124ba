//! `docs/blocks/sack_tx.md` agrees with the emitted Verilog, the parameters and the model.

use weft_bench::Subject;
use weft_bench::page::{Page, committed, number, ports_of_the_verilog, ram_bits};
use weft_bench::script::{Recording, record};
use weft_bench::timing::{Diagram, Head, Lane, Value};
use weft_blocks::sack_tx::{Dut, outcome};
use weft_hdl::Module;
use weft_nic::block::sack_tx::{Event, Inputs, Kind, LATENCY, Outcome, Outputs, PUBLISHED_AFTER, Reason};
use weft_params::{SackParams, SackTxCsr};

const PAGE: Page = Page(include_str!("../../../../docs/blocks/sack_tx.md"));

/// The smallest, the default and the largest shape.
const SHAPES: [SackParams; 3] =
    [SackParams { connections: 4 }, SackParams { connections: 256 }, SackParams { connections: 4096 }];

fn modules(params: &SackParams) -> Vec<Module> {
    Dut::emit(params).expect("a shape that can be emitted")
}

#[test]
fn the_ports_are_those_of_the_verilog() {
    for params in SHAPES {
        assert_eq!(
            PAGE.ports(|cell| if cell == "A" {
                params.connection_width()
            } else {
                weft_bench::page::bits(cell)
            }),
            ports_of_the_verilog(&modules(&params), "weft_sack_tx"),
            "page (left), Verilog (right): {params:?}"
        );
    }
}

#[test]
fn the_codes_are_those_of_the_model() {
    let rows = PAGE.table("Ports", "kind");
    let names = |code: usize, name: usize| -> Vec<(usize, String)> {
        let plain = |row: &Vec<&str>| {
            let name = row[name].split(':').next().unwrap_or("");
            (number(row[code]) as usize, name.replace(' ', "").to_lowercase())
        };
        rows.iter().filter(|row| !row[code].is_empty()).map(plain).collect()
    };
    let named = |code: usize, name: String| (code, name.to_lowercase());
    let kinds = Kind::ALL.iter().map(|kind| named(*kind as usize, format!("{kind:?}")));
    assert_eq!(names(0, 1), kinds.collect::<Vec<_>>());
    let reasons = Reason::ALL.iter().map(|reason| named(*reason as usize, format!("{reason:?}")));
    assert_eq!(names(3, 4), reasons.collect::<Vec<_>>());
}

/// Text before the first `:` or space.
fn word(cell: &str) -> &str {
    cell.split([':', ' ']).next().unwrap_or(cell)
}

/// Bits `high:low` of a cell that begins or ends with such a range.
fn span(cell: &str) -> (usize, usize) {
    let spans = cell.split(' ').filter_map(|word| word.split_once(':'));
    let mut numbers = spans.filter_map(|(high, low)| Some((high.parse().ok()?, low.parse().ok()?)));
    numbers.next_back().unwrap_or_else(|| panic!("`{cell}` has no bits"))
}

fn bits(words: &[u64], (high, low): (usize, usize)) -> Vec<bool> {
    (low..=high).map(|bit| words[bit / 64] >> (bit % 64) & 1 == 1).collect()
}

#[test]
fn the_events_fields_are_those_of_the_model() {
    let event = |kind| Event {
        psn: 0xA1_B2C3,
        trigger: 0xD4_E5F6,
        denied: true,
        bitmap: [0x1111_2222_3333_4444, 0x5555_6666_7777_8888, 0x9999_AAAA_BBBB_CCCC, 0xDDDD_EEEE_FFFF_0123],
        packets: 0x1728,
        cwnd_bytes: 0x34A_5B6C,
        tag: 0x7D8E_9FA0,
        ..Event::new(kind, 0)
    };
    let rows = PAGE.table("Ports", "bits of an event");
    assert_eq!(
        rows.iter().map(|row| span(row[0])).collect::<Vec<_>>(),
        [(255, 0), (279, 256), (303, 280), (343, 312)]
    );
    let kinds = [Kind::Ack, Kind::Nack, Kind::Post, Kind::Window, Kind::Open];
    for (column, kind) in (1..).zip(kinds) {
        let event = event(kind);
        let data = Inputs::default().with_event(&event).event_data;
        for row in rows.iter().filter(|row| !row[column].is_empty()) {
            let cell = row[column];
            let (field, wanted): (_, Vec<u64>) = match cell.split([':', ',', ' ']).next().unwrap_or(cell) {
                "bitmap" => (span(row[0]), event.bitmap.to_vec()),
                "expected" | "PSN" | "first" => (span(row[0]), vec![event.psn.into()]),
                "trigger" => (span(row[0]), vec![event.trigger.into()]),
                "denied" => (span(cell), vec![event.denied.into()]),
                "packets" => (span(cell), vec![event.packets.into()]),
                "bytes" => (span(cell), vec![event.cwnd_bytes.into()]),
                "tag" => (span(row[0]), vec![event.tag.into()]),
                field => panic!("{field} is no field"),
            };
            let width = field.0 - field.1;
            assert_eq!(bits(&data, field), bits(&wanted, (width, 0)), "{kind:?}: {cell}");
        }
    }
}

#[test]
fn the_outcomes_fields_are_those_of_the_model() {
    let outcome = Outcome {
        kind: Kind::Probe,
        connection: 0,
        accepted: false,
        send: false,
        fresh: true,
        last: false,
        failed: true,
        reason: Reason::Stale,
        beyond: true,
        congested: true,
        failure: false,
        unsure: true,
        psn: 0xA1_B2C3,
        acked: 0x1111,
        lost: 0x2222,
        completed: 0x3333,
        errors: 0x4444,
        unacked: 0x5555,
        in_flight: 0x6666,
        tag: 0x7D8E_9FA0,
    };
    let data = outcome.data();
    let mut next = 0;
    for row in PAGE.table("Ports", "bits") {
        let field = span(row[0]);
        assert_eq!(field.1, next, "{}", row[1]);
        next = field.0 + 1;
        let wanted = match word(row[1]) {
            "PSN" => outcome.psn,
            "acked" => outcome.acked.into(),
            "lost" => outcome.lost.into(),
            "completed" => outcome.completed.into(),
            "errors" => outcome.errors.into(),
            "unacked" => outcome.unacked.into(),
            "in" => outcome.in_flight.into(),
            "tag" => outcome.tag,
            field => panic!("{field} is no field"),
        };
        let width = field.0 - field.1;
        assert_eq!(bits(&data, field), bits(&[wanted.into()], (width, 0)), "{}", row[1]);
    }
    assert_eq!(next, 152);
    let user = PAGE.table("Ports", "port").into_iter().find(|row| row[0] == "`m_axis_outcome_tuser`");
    let text = user.expect("the port")[3];
    let fields = "bits 2:0 kind, bit 3 accepted, bit 4 send, bit 5 fresh, bit 6 last, bit 7 failed, bits 9:8 reason, bit 10 beyond, bit 11 kind's bit 3, bit 12 congested, bit 13 failure, bit 14 unsure";
    assert_eq!(text, fields);
    assert_eq!(outcome.user(), 1 | 1 << 5 | 1 << 7 | 2 << 8 | 1 << 10 | 1 << 11 | 1 << 12 | 1 << 14);
}

#[test]
fn the_defaults_are_those_of_the_parameters() {
    let row = &PAGE.table("Parameters", "parameter")[0];
    assert_eq!(number(row[1]), SackParams::default().connections);
    let possible: Vec<u32> = row[2].split(", ").map(number).collect();
    let accepted: Vec<u32> =
        (0..100_000).filter(|&connections| SackParams { connections }.check().is_ok()).collect();
    assert_eq!(possible, accepted);
    let csr = SackTxCsr::default();
    let defaults: Vec<_> = PAGE
        .table("Ports", "port")
        .iter()
        .filter_map(|row| Some((row[0], number(row[3].split_once("(default ")?.1.split([')', ':']).next()?))))
        .collect();
    let expected = [
        ("`cfg_mtu`", csr.mtu_bytes),
        ("`cfg_gap`", csr.classes[3].gap),
        ("`cfg_rto`", csr.classes[3].rto_ticks),
        ("`cfg_epoch`", csr.classes[3].epoch_ticks),
        ("`cfg_high`", csr.classes[3].high_ticks),
        ("`cfg_backoff_limit`", csr.classes[3].backoff_limit),
        ("`cfg_retry_limit`", csr.classes[3].retry_limit),
    ];
    assert_eq!(defaults, expected);
    let parameters = PAGE.section("Parameters");
    assert!(parameters.contains(&format!("the default window of {} PSNs", SackParams::WINDOW)));
    assert!(parameters.contains(&format!("{} messages", SackParams::QUEUE)));
}

#[test]
fn the_clocks_are_those_of_the_model() {
    let after = |section: &str, words: &str| {
        let rest = PAGE.section(section).split_once(words);
        let rest = rest.unwrap_or_else(|| panic!("{section} says no `{words}`")).1;
        number(rest.split([' ', ')', '.']).next().expect("a word")) as usize
    };
    assert_eq!(after("Pipeline", "Latency "), LATENCY);
    assert_eq!(after("Pipeline", "Its outcome leaves "), LATENCY);
    assert_eq!(after("Rules", "accepted at least "), PUBLISHED_AFTER);
    assert_eq!(after("Rules", "no event is accepted for "), PUBLISHED_AFTER - 1);
    assert_eq!(after("Rules", "on those that are "), PUBLISHED_AFTER);
    assert_eq!(after("Rules", "`connections` + "), PUBLISHED_AFTER - 1);
    let last = PAGE.table("Pipeline", "stage").last().map(|row| number(row[0]) as usize);
    assert_eq!(last, Some(LATENCY));
}

#[test]
fn the_state_is_that_of_the_rams() {
    let rows = PAGE.table("State", "field");
    let (total, fields) = rows.split_last().expect("rows");
    let bits = |row: &Vec<&str>| row[1].split(" + ").map(number).sum::<u32>();
    let copies = |row: &&Vec<&str>| ["open", "card", "copy"].contains(&word(row[0]).trim_end_matches(','));
    let sum = |rows: &mut dyn Iterator<Item = &Vec<&str>>| rows.map(bits).sum::<u32>();
    assert_eq!(sum(&mut fields.iter()), number(total[1]));
    let without = number(total[1]) - sum(&mut fields.iter().filter(copies));
    assert!(total[2].starts_with(&format!("{without} without the copies")), "{without}");
    let queue = "the message queue of 16 x 16 bits and a place in the queue";
    assert!(PAGE.section("State").contains(queue));
    for params in SHAPES {
        let address = params.connection_width();
        // Words that only wait belong to no connection.
        let modules: Vec<Module> =
            modules(&params).into_iter().filter(|module| module.name != "weft_wait").collect();
        let in_rams = ram_bits(&modules, "weft_sack_tx", address);
        assert_eq!(in_rams, number(total[1]) + 16 * SackParams::QUEUE + address, "{params:?}");
    }
}

/// A recording of the RTL's ports that starts in an idle clock: a message of two packets for connection 5,
/// then an ACK of both.
fn recorded() -> Recording<Dut> {
    let event = |kind| Event { tag: 7, ..Event::new(kind, 5) };
    let before = [Event { psn: 40, cwnd_bytes: 1 << 20, ..event(Kind::Open) }];
    let offers = [
        (1, Event { packets: 2, ..event(Kind::Post) }),
        (96, Event { psn: 42, trigger: 41, ..event(Kind::Ack) }),
    ];
    record::<Dut>(&SackParams::default(), &before, 2 * LATENCY, &offers, 140, |_| true)
}

/// Shade of an event, the same at its input and output. The block's own events share one shade.
fn shade(kind: Kind) -> char {
    match kind {
        Kind::Post => '5',
        Kind::Ack => '3',
        _ => '7',
    }
}

fn diagram(clocks: &[(Inputs, Outputs)]) -> Diagram {
    let kind = |inputs: &Inputs| Kind::ALL[usize::from(inputs.event_user & 7)];
    let name = |kind: Kind| format!("{kind:?}").to_uppercase();
    let input = |label: &dyn Fn(&Inputs) -> String| -> Vec<Option<Value>> {
        let value = |(inputs, _): &(Inputs, Outputs)| {
            inputs.event_valid.then(|| (shade(kind(inputs)), label(inputs)))
        };
        clocks.iter().map(value).collect()
    };
    let output = |label: &dyn Fn(&Outcome) -> String| -> Vec<Option<Value>> {
        // Between outcomes the payload stays. The payload's value before the first outcome has no meaning.
        let mut held = None;
        let value = |(_, outputs): &(Inputs, Outputs)| {
            if outputs.outcome_valid {
                let outcome = outcome(outputs);
                held = Some((shade(outcome.kind), label(&outcome)));
            }
            held.clone()
        };
        clocks.iter().map(value).collect()
    };
    let first = |inputs: &Inputs| match kind(inputs) {
        Kind::Post => format!("{}", inputs.event_data[4] & 0xFFFF),
        _ => format!("{}", inputs.event_data[4] & 0xFF_FFFF),
    };
    let flags = |outcome: &Outcome| match (outcome.send, outcome.fresh, outcome.last) {
        (true, true, true) => "send, fresh, last",
        (true, true, false) => "send, fresh",
        (true, ..) => "send",
        _ => "",
    };
    let accepted = clocks.iter().position(|(inputs, outputs)| inputs.event_valid && outputs.event_ready);
    let decided = clocks.iter().position(|(_, outputs)| outputs.outcome_valid);
    let (accepted, decided) = (accepted.expect("an event is accepted"), decided.expect("an outcome comes"));
    Diagram {
        signal: vec![
            Lane::clock("clk", clocks.len()),
            Lane::default(),
            Lane::level("s_axis_event_tvalid", clocks.iter().map(|(inputs, _)| inputs.event_valid)),
            Lane::level("s_axis_event_tready", clocks.iter().map(|(_, outputs)| outputs.event_ready)),
            Lane::data("s_axis_event_tuser: kind", input(&|inputs| name(kind(inputs)))),
            Lane::data("s_axis_event_tdata[279:256]: packets, PSN", input(&first)),
            Lane::span(accepted, decided),
            Lane::level("m_axis_outcome_tvalid", clocks.iter().map(|(_, outputs)| outputs.outcome_valid)),
            Lane::data("m_axis_outcome_tuser[2:0]: kind", output(&|outcome| name(outcome.kind))),
            Lane::data("m_axis_outcome_tuser[6:4]", output(&|outcome| flags(outcome).to_owned())),
            Lane::data("m_axis_outcome_tdata[23:0]: PSN", output(&|outcome| outcome.psn.to_string())),
            Lane::data("m_axis_outcome_tdata[39:24]: acked", output(&|outcome| outcome.acked.to_string())),
            Lane::data(
                "m_axis_outcome_tdata[71:56]: completed",
                output(&|outcome| outcome.completed.to_string()),
            ),
            Lane::data(
                "m_axis_outcome_tdata[119:104]: in flight",
                output(&|outcome| outcome.in_flight.to_string()),
            ),
        ],
        edge: vec![format!("a<->b {} clocks", decided - accepted)],
        head: Head::default(),
    }
}

#[test]
fn the_timing_diagram_is_a_recording_of_the_rtl() {
    assert!(PAGE.0.contains("](sack_tx_timing.svg)"), "the page shows the diagram");
    let clocks = recorded();
    let ready: Vec<usize> = (0..clocks.len()).filter(|&clock| !clocks[clock].1.event_ready).collect();
    let [first, second] = ready[..] else { panic!("two SENDs enter, in {ready:?}") };
    let (left, last) = (first + LATENCY, second + LATENCY);
    let ranges = [0..6, first - 1..first + 2, second - 1..left + 2, last - 1..last + 4, 126..130];
    let drawn = diagram(&clocks).cut(&ranges);
    let json = drawn.to_json().expect("JSON");
    committed("blocks/sack_tx_timing.json", &json);
    committed("blocks/sack_tx_timing.svg", &Diagram::from_json(&json).expect("a diagram").to_svg());
    // The diagram shows the cases that it is to show.
    let taken: Vec<(Kind, u32, bool, u16)> = clocks
        .iter()
        .filter(|(_, outputs)| outputs.outcome_valid)
        .map(|(_, outputs)| outcome(outputs))
        .map(|outcome| (outcome.kind, outcome.psn, outcome.last, outcome.completed))
        .collect();
    let expected = [
        (Kind::Post, 40, false, 0),
        (Kind::Send, 40, false, 0),
        (Kind::Send, 41, true, 0),
        (Kind::Ack, 42, false, 1),
    ];
    assert_eq!(taken, expected);
    assert!(json.contains(&format!("{LATENCY} clocks")));
    let turn = format!("{} clocks after the last SEND of its turn", second - first);
    assert!(PAGE.section("Pipeline").contains(&turn), "{turn}");
}
