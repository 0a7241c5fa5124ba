//! `docs/blocks/sack_rx.md` agrees with the emitted Verilog, the parameters and the model.

use bitvec::prelude::*;
use weft_bench::Subject;
use weft_bench::page::{Page, committed, number, ports_of_the_verilog, ram_bits};
use weft_bench::script::{Recording, record};
use weft_bench::timing::{Diagram, Head, Lane, Value};
use weft_blocks::sack_rx::Dut;
use weft_hdl::Module;
use weft_nic::block::sack_rx::{
    Event, Inputs, Kind, LATENCY, Outcome, Outputs, PUBLISHED_AFTER, Response, Verdict,
};
use weft_params::{SackParams, SackRxCsr};

const PAGE: Page = Page(include_str!("../../../../docs/blocks/sack_rx.md"));

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
            PAGE.ports(|cell| if cell == "A" { params.connection_width() } else { number(cell) }),
            ports_of_the_verilog(&modules(&params), "weft_sack_rx"),
            "page (left), Verilog (right): {params:?}"
        );
    }
}

#[test]
fn the_codes_are_those_of_the_model() {
    let rows = PAGE.table("Ports", "kind");
    let names = |code: usize, name: usize| -> Vec<(usize, String)> {
        let plain = |row: &Vec<&str>| (number(row[code]) as usize, word(row[name]).to_lowercase());
        rows.iter().filter(|row| !row[code].is_empty() && row[code] != "6, 7").map(plain).collect()
    };
    let named = |code: usize, name: String| (code, name.to_lowercase());
    let kinds = Kind::ALL.iter().take(6).map(|kind| named(*kind as usize, format!("{kind:?}")));
    assert_eq!(names(0, 1), kinds.collect::<Vec<_>>());
    let verdicts = Verdict::ALL.iter().map(|verdict| named(*verdict as usize, format!("{verdict:?}")));
    assert_eq!(names(3, 4), verdicts.collect::<Vec<_>>());
    let responses = Response::ALL.iter().map(|response| named(*response as usize, format!("{response:?}")));
    assert_eq!(names(6, 7), responses.collect::<Vec<_>>());
}

/// Text before the first `:`, `,` or space.
fn word(cell: &str) -> &str {
    cell.split([':', ',', ' ']).next().unwrap_or(cell)
}

#[test]
fn the_outcomes_fields_are_those_of_the_model() {
    let outcome = Outcome {
        kind: Kind::Data,
        connection: 0,
        accepted: true,
        verdict: Verdict::Placed,
        response: Response::Ack,
        ce: false,
        bitmap: [0x1111_2222_3333_4444, 0x5555_6666_7777_8888, 0x9999_AAAA_BBBB_CCCC, 0xDDDD_EEEE_FFFF_0123],
        expected: 0xA1_B2C3,
        psn: 0xD4_E5F6,
        messages: 0x17_2839,
        received: 0x4A_5B6C,
        tag: 0x7D8E_9FA0,
        completed: 0x0101,
        out_of_order: 0xEC,
        waited: 0x5A,
    };
    let data = outcome.data();
    let mut next = 0;
    for row in PAGE.table("Ports", "bits").iter() {
        let (high, low) = row[0].split_once(':').expect("high:low");
        let (high, low) = (number(high) as usize, number(low) as usize);
        assert_eq!(low, next, "{}", row[1]);
        next = high + 1;
        let field = &data.view_bits::<Lsb0>()[low..next];
        let words: Vec<u64> = match word(row[1]) {
            "bitmap" => outcome.bitmap.to_vec(),
            "expected" => vec![outcome.expected.into()],
            "PSN" => vec![outcome.psn.into()],
            "messages" => vec![outcome.messages.into()],
            "bytes" => vec![outcome.received.into()],
            "tag" => vec![outcome.tag.into()],
            "completed" => vec![outcome.completed.into()],
            "out" => vec![outcome.out_of_order.into()],
            "waited" => vec![outcome.waited.into()],
            field => panic!("{field} is no field"),
        };
        let model = &words.view_bits::<Lsb0>()[..field.len()];
        assert_eq!(field, model, "{}", row[1]);
    }
    assert_eq!(next, 416);
}

#[test]
fn the_defaults_are_those_of_the_parameters() {
    let row = &PAGE.table("Parameters", "parameter")[0];
    assert_eq!(number(row[1]), SackParams::default().connections);
    let possible: Vec<u32> = row[2].split(", ").map(number).collect();
    let accepted: Vec<u32> =
        (0..100_000).filter(|&connections| SackParams { connections }.check().is_ok()).collect();
    assert_eq!(possible, accepted);
    let csr = SackRxCsr::default();
    let defaults: Vec<_> = PAGE
        .table("Ports", "port")
        .iter()
        .filter_map(|row| Some((row[0], number(row[3].split_once("(default ")?.1.split_once(')')?.0))))
        .collect();
    assert_eq!(defaults, [("`cfg_ack_packets`", csr.ack_packets), ("`cfg_ack_bytes`", csr.ack_bytes)]);
    assert_eq!(SackParams::WINDOW, 256);
}

#[test]
fn the_clocks_are_those_of_the_model() {
    let after = |section: &str, words: &str| {
        let rest = PAGE.section(section).split_once(words);
        let rest = rest.unwrap_or_else(|| panic!("{section} says no `{words}`")).1;
        number(rest.split([' ', ')', '.']).next().expect("a word")) as usize
    };
    assert_eq!(after("Pipeline", "Latency "), LATENCY);
    assert_eq!(after("Pipeline", "an OPEN or CLOSE takes "), PUBLISHED_AFTER);
    assert_eq!(after("Rules", "accepted at least "), PUBLISHED_AFTER);
    assert_eq!(after("Rules", "no event is accepted for "), PUBLISHED_AFTER - 1);
    assert_eq!(after("Rules", "whose events are "), PUBLISHED_AFTER);
    assert_eq!(after("Rules", "`connections` + "), PUBLISHED_AFTER - 1);
    let last = PAGE.table("Pipeline", "stage").last().map(|row| number(row[0]) as usize);
    assert_eq!(last, Some(LATENCY));
}

#[test]
fn the_state_is_that_of_the_rams() {
    let rows = PAGE.table("State", "field");
    let (total, fields) = rows.split_last().expect("rows");
    let bits = |cell: &str| cell.split(" + ").map(number).sum::<u32>();
    assert_eq!(fields.iter().map(|row| bits(row[1])).sum::<u32>(), number(total[1]));
    for params in SHAPES {
        // Words that only wait belong to no connection.
        let modules: Vec<Module> =
            modules(&params).into_iter().filter(|module| module.name != "weft_wait").collect();
        let in_rams = ram_bits(&modules, "weft_sack_rx", params.connection_width());
        assert_eq!(in_rams, number(total[1]), "{params:?}");
    }
}

/// A recording of the RTL's ports that starts in an idle clock: PSN 1, the last of a message, and PSN 0 of
/// connection 5 back to back, PSN 1 again, PSN 2 trimmed; an outcome that is not accepted at once.
fn recorded() -> Recording<Dut> {
    let offer = |kind, psn, last| Event { bytes: 4_096, last, ..Event::new(kind, 5, psn) };
    let before = [offer(Kind::Open, 0, false)];
    let offers = [
        offer(Kind::Data, 1, true),
        offer(Kind::Data, 0, false),
        offer(Kind::Data, 1, true),
        offer(Kind::Trimmed, 2, false),
    ]
    .map(|event| (1, event));
    record::<Dut>(&SackParams::default(), &before, 2 * LATENCY, &offers, 34, |clock| {
        clock != LATENCY as u64 + 3
    })
}

/// Shade of an event, the same at its input and output.
const SHADES: [char; 4] = ['5', '3', '4', '7'];

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
        // Between outcomes the payload stays. The payload's value before the first outcome has no meaning.
        let (mut taken, mut shade) = (0, None);
        let value = |(inputs, outputs): &(Inputs, Outputs)| {
            if outputs.outcome_valid {
                shade = Some(SHADES[taken % SHADES.len()]);
                taken += usize::from(inputs.outcome_ready);
            }
            shade.map(|shade| (shade, label(outputs)))
        };
        clocks.iter().map(value).collect()
    };
    let kind =
        |inputs: &Inputs| format!("{:?}", Kind::ALL[usize::from(inputs.event_user & 7)]).to_uppercase();
    let verdict = |outputs: &Outputs| {
        format!("{:?}", Verdict::ALL[usize::from(outputs.outcome_user >> 4 & 7)]).to_lowercase()
    };
    let response = |outputs: &Outputs| {
        format!("{:?}", Response::ALL[usize::from(outputs.outcome_user >> 7 & 3)]).to_uppercase()
    };
    let last = |inputs: &Inputs| if inputs.event_user >> 5 & 1 == 1 { "last" } else { "" }.to_owned();
    let accepted = clocks.iter().position(|(inputs, outputs)| inputs.event_valid && outputs.event_ready);
    let decided = clocks.iter().position(|(_, outputs)| outputs.outcome_valid);
    let (accepted, decided) = (accepted.expect("an event is accepted"), decided.expect("an outcome comes"));
    Diagram {
        signal: vec![
            Lane::clock("clk", clocks.len()),
            Lane::default(),
            Lane::level("s_axis_event_tvalid", clocks.iter().map(|(inputs, _)| inputs.event_valid)),
            Lane::level("s_axis_event_tready", clocks.iter().map(|(_, outputs)| outputs.event_ready)),
            Lane::data("s_axis_event_tuser[2:0]", input(&kind)),
            Lane::data("s_axis_event_tuser[5]", input(&last)),
            Lane::data(
                "s_axis_event_tdata[23:0]: PSN",
                input(&|inputs| (inputs.event_data & 0xFF_FFFF).to_string()),
            ),
            Lane::span(accepted, decided),
            Lane::level("m_axis_outcome_tvalid", clocks.iter().map(|(_, outputs)| outputs.outcome_valid)),
            Lane::level("m_axis_outcome_tready", clocks.iter().map(|(inputs, _)| inputs.outcome_ready)),
            Lane::data("m_axis_outcome_tuser[6:4]", output(&verdict)),
            Lane::data("m_axis_outcome_tuser[8:7]", output(&response)),
            Lane::data(
                "m_axis_outcome_tdata[279:256]: expected",
                output(&|outputs| (outputs.outcome_data[4] & 0xFF_FFFF).to_string()),
            ),
            Lane::data(
                "m_axis_outcome_tdata[399:384]: completed",
                output(&|outputs| (outputs.outcome_data[6] & 0xFFFF).to_string()),
            ),
        ],
        edge: vec![format!("a<->b {} clocks", decided - accepted)],
        head: Head::default(),
    }
}

#[test]
fn the_timing_diagram_is_a_recording_of_the_rtl() {
    assert!(PAGE.0.contains("](sack_rx_timing.svg)"), "the page shows the diagram");
    let clocks = recorded();
    let drawn = diagram(&clocks).cut(&[0..7, 22..31]);
    let json = drawn.to_json().expect("JSON");
    committed("blocks/sack_rx_timing.json", &json);
    committed("blocks/sack_rx_timing.svg", &Diagram::from_json(&json).expect("a diagram").to_svg());
    // The diagram shows its cases: the message of the packet before, a duplicate, a NACK, a stall.
    let taken: Vec<(u16, u64)> = clocks
        .iter()
        .filter(|(inputs, outputs)| outputs.outcome_valid && inputs.outcome_ready)
        .map(|(_, outputs)| (outputs.outcome_user >> 4, outputs.outcome_data[6] & 0xFFFF))
        .collect();
    let code = |verdict: Verdict, response: Response| verdict as u16 | (response as u16) << 3;
    let expected = [
        (code(Verdict::Placed, Response::Ack), 0),
        (code(Verdict::Placed, Response::Ack), 1),
        (code(Verdict::Duplicate, Response::Ack), 0),
        (code(Verdict::Trimmed, Response::Nack), 0),
    ];
    assert_eq!(taken, expected);
    assert!(clocks.iter().any(|(inputs, outputs)| outputs.outcome_valid && !inputs.outcome_ready));
    assert!(json.contains(&format!("{LATENCY} clocks")));
}
