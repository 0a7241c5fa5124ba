//! `docs/blocks/reps.md` agrees with the emitted Verilog, the parameters and the model.

use weft_bench::Subject;
use weft_bench::page::{Page, committed, number, ports_of_the_verilog, rams};
use weft_bench::script::{Recording, record};
use weft_bench::timing::{Diagram, Head, Lane, Value};
use weft_blocks::reps::Dut;
use weft_hdl::Module;
use weft_nic::block::reps::{Event, Inputs, Kind, LATENCY, Outputs, Source};
use weft_params::{RepsCsr, RepsParams};

const PAGE: Page = Page(include_str!("../../../../docs/blocks/reps.md"));

/// The smallest, the default and the largest shape.
const SHAPES: [RepsParams; 3] = [
    RepsParams { connections: 4, depth: 4, ev_width: 8 },
    RepsParams { connections: 256, depth: 8, ev_width: 16 },
    RepsParams { connections: 4096, depth: 16, ev_width: 12 },
];

fn section(title: &str) -> &'static str {
    PAGE.section(title)
}

fn table(title: &str, heading: &str) -> Vec<Vec<&'static str>> {
    PAGE.table(title, heading)
}

fn modules(params: &RepsParams) -> Vec<Module> {
    Dut::emit(params).expect("a shape that can be emitted")
}

#[test]
fn the_ports_are_those_of_the_verilog() {
    for params in SHAPES {
        assert_eq!(
            PAGE.ports(|bits| match bits {
                "A" => params.connection_width(),
                "V" => params.ev_width,
                bits => number(bits),
            }),
            ports_of_the_verilog(&modules(&params), "weft_reps"),
            "page (left), Verilog (right): {params:?}"
        );
    }
}

#[test]
fn the_codes_are_those_of_the_model() {
    let rows = table("Ports", "kind");
    let named = |code: &str, text: &str| {
        let name = text.split([':', ' ']).next().unwrap_or(text);
        (number(code) as usize, name.replace('_', "").to_lowercase())
    };
    let kinds: Vec<_> = rows.iter().map(|row| named(row[0], row[1])).collect();
    let expected = Kind::ALL.iter().map(|kind| (*kind as usize, format!("{kind:?}").to_lowercase()));
    assert_eq!(kinds, expected.collect::<Vec<_>>());
    let sources: Vec<_> =
        rows.iter().filter(|row| !row[3].is_empty()).map(|row| named(row[3], row[4])).collect();
    let expected = Source::ALL.iter().map(|source| (*source as usize, format!("{source:?}").to_lowercase()));
    assert_eq!(sources, expected.collect::<Vec<_>>());
}

#[test]
fn the_defaults_are_those_of_the_parameters() {
    let default = RepsParams::default();
    for row in table("Parameters", "parameter") {
        let with = |value: u32| match row[0] {
            "connections" => (default.connections, RepsParams { connections: value, ..default }),
            "depth" => (default.depth, RepsParams { depth: value, ..default }),
            "ev_width" => (default.ev_width, RepsParams { ev_width: value, ..default }),
            name => panic!("{name} is no parameter"),
        };
        assert_eq!(number(row[1]), with(0).0, "{}", row[0]);
        let possible: Vec<u32> = row[2].split(", ").map(number).collect();
        let accepted: Vec<u32> = (0..100_000).filter(|&value| with(value).1.check().is_ok()).collect();
        assert_eq!(possible, accepted, "{}", row[0]);
    }
    let csr = RepsCsr::default();
    let defaults: Vec<_> = table("Ports", "port")
        .iter()
        .filter_map(|row| Some((row[0], number(row[3].split_once("(default ")?.1.split_once(')')?.0))))
        .collect();
    assert_eq!(defaults, [("`cfg_ev_base`", csr.ev_base), ("`cfg_evs_size`", csr.evs_size)]);
}

#[test]
fn the_latency_is_that_of_the_model() {
    let text = section("Pipeline").split_once("Latency ").expect("a latency").1;
    assert_eq!(number(text.split(' ').next().expect("a word")) as usize, LATENCY);
    let stages: Vec<usize> = table("Pipeline", "stage").iter().map(|row| number(row[0]) as usize).collect();
    assert_eq!(stages, (1..=LATENCY).collect::<Vec<_>>());
}

#[test]
fn the_state_bits_are_those_of_the_rams() {
    for params in SHAPES {
        let RepsParams { connections, ev_width, .. } = params;
        let address = params.connection_width();
        let expected = [(params.control_bits(), address), (ev_width, address + params.slot_width())];
        let rams = rams(&modules(&params));
        assert_eq!(rams, expected, "{params:?}");
        let bits: u32 = rams.iter().map(|(width, address)| width << address).sum();
        assert_eq!(bits, connections * params.state_bits(), "{params:?}");
    }
}

#[test]
fn the_state_table_adds_up_and_stays_within_the_papers() {
    let params = RepsParams::default();
    let count = params.slot_width() + 1;
    let bits = |cell: &str| match cell.split_once(" x ") {
        Some((slots, bits)) => number(slots) * number(bits),
        None if cell == "-" || cell.starts_with("none") => 0,
        None => number(cell.split(' ').next().unwrap_or(cell)),
    };
    let rows = table("State", "field");
    let (total, fields) = rows.split_last().expect("rows");
    for row in fields {
        let expected = match row[0].split([' ', ':', ',']).next().unwrap_or("") {
            "EVs" => params.depth * params.ev_width,
            "validity" => 0,
            "head" | "tail" => params.slot_width(),
            "written" => count,
            "time" => RepsParams::TIME_WIDTH,
            "explore" => RepsParams::EXPLORE_WIDTH,
            "some" | "frozen" | "high" | "open" => 1,
            field => panic!("{field} is no field"),
        };
        assert_eq!(bits(row[1]), expected, "{}", row[0]);
    }
    let sum = |column: usize| fields.iter().map(|row| bits(row[column])).sum::<u32>();
    let totals = (number(total[1]), number(total[2]));
    assert_eq!((sum(1), sum(2)), totals);
    // REPS Table 1: 8 x (16 + 1) + 8 + 8 + 32 + 1 + 8.
    assert_eq!(totals, (params.state_bits(), 193));
    assert!(totals.0 <= totals.1);
}

/// A recording of the RTL's ports that starts in an idle clock: an ACK and a SEND of connection 5 back to
/// back, another SEND behind them, decisions that are not accepted in clocks 10 and 11, an ACK that has to
/// wait.
fn recorded() -> Recording<Dut> {
    let offer = |kind, ev| Event { kind, connection: 5, ev, ecn: false, rtt_ticks: 40, now_ticks: 0 };
    let before = [offer(Kind::Open, 0)];
    let offers = [
        (1, offer(Kind::Ack, 0xC2A7)),
        (2, offer(Kind::Send, 0)),
        (3, offer(Kind::Send, 0)),
        (11, offer(Kind::Ack, 0xC51E)),
    ];
    record::<Dut>(&RepsParams::default(), &before, 2 * LATENCY, &offers, 16, |clock| {
        !(10..12).contains(&clock)
    })
}

/// Shade of an event, the same at its input and output.
const SHADES: [char; 4] = ['5', '3', '4', '7'];

fn diagram(clocks: &[(Inputs, Outputs)]) -> Diagram {
    let kind = |user: u8| {
        table("Ports", "kind")[usize::from(user & 7)][1].split(':').next().unwrap_or("").to_owned()
    };
    let source = |user: u8| format!("{:?}", Source::ALL[usize::from(user >> 4 & 3)]).to_lowercase();
    let input = |wanted: fn(&Inputs) -> bool, label: &dyn Fn(&Inputs) -> String| -> Vec<Option<Value>> {
        let mut taken = 0;
        let value = |(inputs, outputs): &(Inputs, Outputs)| {
            let shade = SHADES[taken % SHADES.len()];
            taken += usize::from(inputs.event_valid && outputs.event_ready);
            (inputs.event_valid && wanted(inputs)).then(|| (shade, label(inputs)))
        };
        clocks.iter().map(value).collect()
    };
    let output = |label: &dyn Fn(&Outputs) -> String| -> Vec<Option<Value>> {
        // Between decisions the payload stays. The payload's value before the first decision has no meaning.
        let (mut taken, mut shade) = (0, None);
        let value = |(inputs, outputs): &(Inputs, Outputs)| {
            if outputs.decision_valid {
                shade = Some(SHADES[taken % SHADES.len()]);
                taken += usize::from(inputs.decision_ready);
            }
            shade.map(|shade| (shade, label(outputs)))
        };
        clocks.iter().map(value).collect()
    };
    let is_ack = |inputs: &Inputs| inputs.event_user & 7 == Kind::Ack as u8;
    let accepted = clocks.iter().position(|(inputs, outputs)| inputs.event_valid && outputs.event_ready);
    let decided = clocks.iter().position(|(_, outputs)| outputs.decision_valid);
    let (accepted, decided) = (accepted.expect("an event is accepted"), decided.expect("a decision comes"));
    let decision = |outputs: &Outputs| match outputs.decision_user & 7 {
        0 => format!("SEND, {}", source(outputs.decision_user)),
        _ => kind(outputs.decision_user),
    };
    Diagram {
        signal: vec![
            Lane::clock("clk", clocks.len()),
            Lane::default(),
            Lane::level("s_axis_event_tvalid", clocks.iter().map(|(inputs, _)| inputs.event_valid)),
            Lane::level("s_axis_event_tready", clocks.iter().map(|(_, outputs)| outputs.event_ready)),
            Lane::data("s_axis_event_tid", input(|_| true, &|inputs| inputs.event_id.to_string())),
            Lane::data("s_axis_event_tuser", input(|_| true, &|inputs| kind(inputs.event_user))),
            Lane::data(
                "s_axis_event_tdata[15:0]",
                input(is_ack, &|inputs| format!("{:04X}", inputs.event_data & 0xFFFF)),
            ),
            Lane::span(accepted, decided),
            Lane::level("m_axis_decision_tvalid", clocks.iter().map(|(_, outputs)| outputs.decision_valid)),
            Lane::level("m_axis_decision_tready", clocks.iter().map(|(inputs, _)| inputs.decision_ready)),
            Lane::data("m_axis_decision_tid", output(&|outputs| outputs.decision_id.to_string())),
            Lane::data("m_axis_decision_tuser", output(&decision)),
            Lane::data("m_axis_decision_tdata", output(&|outputs| format!("{:04X}", outputs.decision_data))),
        ],
        edge: vec![format!("a<->b {} clocks", decided - accepted)],
        head: Head::default(),
    }
}

#[test]
fn the_timing_diagram_is_a_recording_of_the_rtl() {
    assert!(PAGE.0.contains("](reps_timing.svg)"), "the page shows the diagram");
    let clocks = recorded();
    let json = diagram(&clocks).to_json().expect("JSON");
    committed("blocks/reps_timing.json", &json);
    committed("blocks/reps_timing.svg", &Diagram::from_json(&json).expect("a diagram").to_svg());
    // The diagram shows its two cases: the EV of the ACK on the SEND behind it, and a stall.
    let decisions: Vec<u16> = clocks
        .iter()
        .filter(|(inputs, outputs)| outputs.decision_valid && inputs.decision_ready)
        .map(|(_, outputs)| outputs.decision_data)
        .collect();
    assert_eq!(decisions[1], 0xC2A7);
    assert!(clocks.iter().any(|(inputs, outputs)| inputs.event_valid && !outputs.event_ready));
    assert!(json.contains(&format!("{LATENCY} clocks")));
}
