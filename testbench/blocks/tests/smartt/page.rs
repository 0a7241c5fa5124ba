//! `docs/blocks/smartt.md` agrees with the emitted Verilog, the parameters and the model.

use weft_bench::Subject;
use weft_bench::page::{Page, bits, committed, number, ports_of_the_verilog, rams};
use weft_bench::script::{Recording, record};
use weft_bench::timing::{Diagram, Head, Lane, Value};
use weft_blocks::smartt::Dut;
use weft_hdl::Module;
use weft_nic::block::smartt::{Case, Event, Inputs, Kind, LATENCY, Outputs, SPACING};
use weft_params::{SmarttClass, SmarttCsr, SmarttParams};

const PAGE: Page = Page(include_str!("../../../../docs/blocks/smartt.md"));

/// The smallest, the default and the largest shape.
const SHAPES: [SmarttParams; 3] =
    [SmarttParams { connections: 4 }, SmarttParams { connections: 256 }, SmarttParams { connections: 4096 }];

fn modules(params: &SmarttParams) -> Vec<Module> {
    Dut::emit(params).expect("a shape that can be emitted")
}

#[test]
fn the_ports_are_those_of_the_verilog() {
    for params in SHAPES {
        let of_the_page = PAGE.ports(|cell| if cell == "A" { params.connection_width() } else { bits(cell) });
        assert_eq!(
            of_the_page,
            ports_of_the_verilog(&modules(&params), "weft_smartt"),
            "page (left), Verilog (right): {params:?}"
        );
    }
}

#[test]
fn the_codes_are_those_of_the_model() {
    let rows = PAGE.table("Ports", "kind");
    for (code, kind) in Kind::ALL.iter().enumerate().take(5) {
        let row = rows.iter().find(|row| row[0] == code.to_string()).expect("a row");
        let name = row[1].split(':').next().unwrap_or("").to_lowercase();
        assert_eq!((name, code), (format!("{kind:?}").to_lowercase(), *kind as usize));
    }
    let cases: Vec<usize> = rows
        .iter()
        .flat_map(|row| row[3].split(", "))
        .filter(|cell| !cell.is_empty())
        .map(|cell| number(cell) as usize)
        .collect();
    assert_eq!(cases, Case::ALL.iter().map(|case| *case as usize).collect::<Vec<_>>());
}

#[test]
fn the_shapes_are_those_that_the_parameters_accept() {
    let row = &PAGE.table("Parameters", "parameter")[0];
    assert_eq!(number(row[1]), SmarttParams::default().connections);
    let possible: Vec<u32> = row[2].split(", ").map(number).collect();
    let accepted: Vec<u32> =
        (0..100_000).filter(|&connections| SmarttParams { connections }.check().is_ok()).collect();
    assert_eq!(possible, accepted);
}

#[test]
fn latency_and_spacing_are_those_of_the_model() {
    let text = PAGE.section("Pipeline");
    let after = |words: &str| {
        let rest = text.split_once(words).unwrap_or_else(|| panic!("the page says no `{words}`")).1;
        number(rest.split(' ').next().expect("a word")) as usize
    };
    assert_eq!(after("Latency "), LATENCY);
    assert_eq!(after("the same connection every "), SPACING);
    let last = PAGE.table("Pipeline", "stage").last().map(|row| number(row[0]) as usize);
    assert_eq!(last, Some(LATENCY - 1), "stages count from 0");
}

#[test]
fn the_state_is_that_of_the_rams_and_within_the_papers_19_bytes() {
    for params in SHAPES {
        // Words that only wait belong to no connection.
        let modules: Vec<Module> =
            modules(&params).into_iter().filter(|module| module.name != "weft_wait").collect();
        let rams = rams(&modules);
        assert_eq!(rams.iter().map(|ram| ram.0).sum::<u32>(), params.state_bits(), "{params:?}: {rams:?}");
        assert!(rams.iter().all(|ram| ram.1 == params.connection_width()), "{params:?}: {rams:?}");
        assert!(params.state_bits() <= 19 * 8);
    }
    let rows = PAGE.table("State", "field");
    let (total, fields) = rows.split_last().expect("rows");
    let sum: u32 = fields.iter().map(|row| bits(row[1])).sum();
    assert_eq!(sum, number(total[1]));
    assert_eq!(sum, SmarttParams::default().state_bits());
}

#[test]
fn the_constants_are_those_of_the_ports_and_within_the_papers_28_bytes() {
    let ports = ports_of_the_verilog(&modules(&SmarttParams::default()), "weft_smartt");
    let all: u32 = ports.iter().filter(|(name, _)| name.starts_with("cfg_")).map(|(_, port)| port.1).sum();
    assert_eq!(all, SmarttParams::CLASSES as u32 * SmarttClass::BITS + SmarttCsr::SHARED_BITS);
    const { assert!(SmarttClass::BITS <= 28 * 8) };
    let claim = format!(
        "{} bits per class (the paper: 28 bytes = 224), {} bits",
        SmarttClass::BITS,
        SmarttCsr::SHARED_BITS
    );
    assert!(PAGE.section("State").contains(&claim), "the page says: {claim}");
}

/// A recording of the RTL's ports that starts in an idle clock: two ACKs of connection 5 and one of
/// connection 6 behind them, an answer that is not accepted at once.
fn recorded() -> Recording<Dut> {
    let offer = |kind, connection, rtt_ticks| Event {
        kind,
        connection,
        class: 0,
        ecn: false,
        packets: 1,
        bytes: 4096,
        rtt_ticks,
        in_flight_bytes: 0,
        now_ticks: 1000,
    };
    let before = [5, 6].map(|connection| offer(Kind::Open, connection, 0));
    let offers =
        [(1, offer(Kind::Timeout, 5, 0)), (1, offer(Kind::Ack, 5, 150)), (1, offer(Kind::Ack, 6, 150))];
    record::<Dut>(&SmarttParams::default(), &before, 2 * LATENCY, &offers, 82, |clock| clock != 75)
}

/// Shade of an event, the same at its input and output.
const SHADES: [char; 3] = ['5', '3', '7'];

fn diagram(clocks: &[(Inputs, Outputs)]) -> Diagram {
    let input = |label: &dyn Fn(&Inputs) -> String| -> Vec<Option<Value>> {
        let mut taken = 0;
        let value = |(inputs, outputs): &(Inputs, Outputs)| {
            let shade = SHADES[taken % SHADES.len()];
            taken += usize::from(inputs.event_valid && outputs.event_ready);
            inputs.event_valid.then(|| (shade, label(inputs)))
        };
        clocks.iter().map(value).collect()
    };
    let output = |label: &dyn Fn(&Outputs) -> String| -> Vec<Option<Value>> {
        // Between answers the payload stays. The payload's value before the first answer has no meaning.
        let (mut taken, mut shade) = (0, None);
        let value = |(inputs, outputs): &(Inputs, Outputs)| {
            if outputs.window_valid {
                shade = Some(SHADES[taken % SHADES.len()]);
                taken += usize::from(inputs.window_ready);
            }
            shade.map(|shade| (shade, label(outputs)))
        };
        clocks.iter().map(value).collect()
    };
    let kind = |user: u16| format!("{:?}", Kind::ALL[usize::from(user & 7)]).to_uppercase();
    let case = |user: u8| match Case::ALL[usize::from(user & 15)] {
        Case::MultiplicativeIncrease => "increase".to_owned(),
        case => format!("{case:?}").to_lowercase(),
    };
    let accepted = clocks.iter().position(|(inputs, outputs)| inputs.event_valid && outputs.event_ready);
    let answered = clocks.iter().position(|(_, outputs)| outputs.window_valid);
    let (accepted, answered) = (accepted.expect("an event is accepted"), answered.expect("an answer comes"));
    Diagram {
        signal: vec![
            Lane::clock("clk", clocks.len()),
            Lane::default(),
            Lane::level("s_axis_event_tvalid", clocks.iter().map(|(inputs, _)| inputs.event_valid)),
            Lane::level("s_axis_event_tready", clocks.iter().map(|(_, outputs)| outputs.event_ready)),
            Lane::data("s_axis_event_tid", input(&|inputs| inputs.event_id.to_string())),
            Lane::data("s_axis_event_tuser", input(&|inputs| kind(inputs.event_user))),
            Lane::span(accepted, answered),
            Lane::level("m_axis_window_tvalid", clocks.iter().map(|(_, outputs)| outputs.window_valid)),
            Lane::level("m_axis_window_tready", clocks.iter().map(|(inputs, _)| inputs.window_ready)),
            Lane::data("m_axis_window_tid", output(&|outputs| outputs.window_id.to_string())),
            Lane::data("m_axis_window_tuser", output(&|outputs| case(outputs.window_user))),
            Lane::data("m_axis_window_tdata", output(&|outputs| outputs.window_data.to_string())),
        ],
        edge: vec![format!("a<->b {} clocks", answered - accepted)],
        head: Head::default(),
    }
}

#[test]
fn the_timing_diagram_is_a_recording_of_the_rtl() {
    assert!(PAGE.0.contains("](smartt_timing.svg)"), "the page shows the diagram");
    let clocks = recorded();
    let whole = diagram(&clocks);
    let drawn = whole.cut(&[0..6, 24..29, 50..54, 74..79]);
    let json = drawn.to_json().expect("JSON");
    committed("blocks/smartt_timing.json", &json);
    committed("blocks/smartt_timing.svg", &Diagram::from_json(&json).expect("a diagram").to_svg());
    // The diagram shows two cases: the second event of a connection waits, and so does the event behind it.
    let accepted: Vec<usize> = (0..clocks.len())
        .filter(|&clock| clocks[clock].0.event_valid && clocks[clock].1.event_ready)
        .collect();
    assert_eq!(accepted, [1, 2, 2 + SPACING]);
    let answers: Vec<usize> = (0..clocks.len()).filter(|&clock| clocks[clock].1.window_valid).collect();
    assert_eq!(answers, [1 + LATENCY, 1 + LATENCY + SPACING, 2 + LATENCY + SPACING, 3 + LATENCY + SPACING]);
    assert!(json.contains(&format!("{LATENCY} clocks")));
}
