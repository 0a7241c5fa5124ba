//! The NIC: its blocks, and the streams between them with the bits of their data, read from the emitted Verilog.

use super::svg::{Drawing, Rect};
use anyhow::{Context, Result};
use std::collections::BTreeMap;
use weft_hdl::Module;

/// The node that stands for everything outside of the NIC.
const HOST: &str = "host";
const NET: &str = "network";
/// The streams of the wire. All other streams that leave the NIC lead to the host.
const WIRE: &str = "net";

/// A stream from one place to another.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Stream {
    from: String,
    to: String,
    name: String,
    /// Bits of `tdata`; `None` if the stream has no data.
    bits: Option<u32>,
}

/// Draws `weft_nic` from its Verilog.
pub(super) fn draw(modules: &[Module]) -> Result<String> {
    let streams = streams(modules)?;
    let mut drawing = Drawing::new(1140, 620);
    let place = |x, y, width, height| Rect { x, y, width, height };
    drawing.rectangle(
        "outside",
        place(20, 30, 110, 570),
        "host",
        &notes(&["DMA engine", "work queues", "software"]),
    );
    drawing.rectangle("outside", place(1020, 30, 100, 420), "network", &notes(&["100G MAC"]));
    drawing.rectangle(
        "",
        place(310, 70, 200, 120),
        "receiver",
        &notes(&["packets to memory", "and messages"]),
    );
    drawing.rectangle("inner", place(360, 145, 100, 32), "sack_rx", &[]);
    drawing.rectangle("", place(310, 290, 200, 160), "sender", &notes(&["work requests to packets"]));
    drawing.rectangle("inner", place(360, 340, 100, 30), "sack_tx", &[]);
    drawing.rectangle("inner", place(360, 375, 100, 30), "smartt", &[]);
    drawing.rectangle("inner", place(360, 410, 100, 30), "reps", &[]);
    drawing.rectangle(
        "",
        place(700, 70, 180, 120),
        "ingress",
        &notes(&["checks frames,", "takes them apart"]),
    );
    drawing.rectangle(
        "",
        place(700, 290, 180, 160),
        "egress",
        &notes(&["builds frames,", "fetches their payload"]),
    );
    drawing.rectangle(
        "",
        place(310, 520, 570, 80),
        "registers",
        &notes(&["set the blocks up, count, open and close", "connections, and tell what becomes of them"]),
    );
    drawing.arrow("arrow", &[(130, 536), (310, 536)]);
    drawing.label(220, 531, "AXI4-Lite 32");

    let mut groups: BTreeMap<(&str, &str), Vec<&Stream>> = BTreeMap::new();
    for stream in &streams {
        groups.entry((&stream.from, &stream.to)).or_default().push(stream);
    }
    for ((from, to), streams) in groups {
        for (i, stream) in (0..).zip(streams) {
            let label = match stream.bits {
                Some(bits) => format!("{} {bits}", stream.name),
                None => stream.name.clone(),
            };
            let way = way(from, to, i).with_context(|| format!("the drawing has no place for {stream:?}"))?;
            let faint = [from, to].contains(&"registers") && ![from, to].contains(&HOST);
            drawing.arrow(if faint { "faint" } else { "arrow" }, &way.points);
            if let Some((x, y)) = way.label {
                drawing.label(x, y, &label);
            }
        }
    }
    Ok(drawing.finish())
}

fn notes(lines: &[&str]) -> Vec<String> {
    lines.iter().map(|line| (*line).to_owned()).collect()
}

/// The path of an arrow, and the place of its label.
struct Way {
    points: Vec<(i32, i32)>,
    label: Option<(i32, i32)>,
}

/// The path of the `i`-th stream from one place to another.
fn way(from: &str, to: &str, i: i32) -> Option<Way> {
    let across = |from: i32, to: i32, y: i32| Way {
        points: vec![(from, y), (to, y)],
        label: Some(((from + to) / 2, y - 5)),
    };
    let step = 28 * i;
    Some(match (from, to) {
        ("receiver", HOST) => across(310, 130, 105 + step),
        (HOST, "sender") => across(130, 310, 320 + step),
        ("sender", HOST) => across(310, 130, 370 + step),
        ("ingress", "receiver") => across(700, 510, 95 + step),
        ("sender", "egress") => across(510, 700, 410 + step),
        (NET, "ingress") => across(1020, 880, 120 + step),
        ("egress", NET) => across(880, 1020, 370 + step),
        ("receiver", "egress") => {
            Way { points: vec![(510, 165), (570, 165), (570, 320), (700, 320)], label: Some((635, 314)) }
        }
        ("ingress", "sender") => Way {
            points: vec![(700, 165), (640, 165), (640, 270), (540, 270), (540, 320), (510, 320)],
            label: Some((640, 210)),
        },
        ("ingress", HOST) => Way { points: vec![(790, 70), (790, 50), (130, 50)], label: Some((440, 45)) },
        (HOST, "egress") => Way {
            points: vec![(130, 475 + 22 * i), (770 + 60 * i, 475 + 22 * i), (770 + 60 * i, 450)],
            label: Some((220, 470 + 22 * i)),
        },
        ("egress", HOST) => Way { points: vec![(730, 450), (730, 505), (130, 505)], label: Some((220, 500)) },
        (HOST, "registers") => across(130, 310, 560 + step),
        ("registers", HOST) => across(310, 130, 584 + step),
        ("sender", "registers") => Way { points: vec![(440, 450), (440, 520)], label: None },
        ("receiver", "registers") => Way { points: vec![(510, 187), (540, 187), (540, 520)], label: None },
        ("registers", "sender") => Way { points: vec![(480, 520), (480, 450)], label: None },
        ("registers", "egress") => Way { points: vec![(860, 520), (860, 450)], label: None },
        ("registers", "receiver") => {
            let x = 528 - 8 * i;
            Way { points: vec![(x, 520), (x, 182 - 8 * i), (510, 182 - 8 * i)], label: None }
        }
        ("registers", "ingress") => Way { points: vec![(685, 520), (685, 180), (700, 180)], label: None },
        _ => return None,
    })
}

/// The streams between the blocks of `weft_nic`, and its own inputs and outputs.
fn streams(modules: &[Module]) -> Result<Vec<Stream>> {
    let text =
        |name: &str| modules.iter().find(|module| module.name == name).map(|module| module.text.as_str());
    let nic = text("weft_nic").context("no module weft_nic")?;
    let mut found = Vec::new();
    // Sources by the net of their tvalid: instance, stream, bits.
    let mut sources: BTreeMap<String, (String, String, Option<u32>)> = BTreeMap::new();
    let mut sinks: Vec<(String, String, String)> = Vec::new();
    for (module, instance, connections) in instances(nic) {
        let Some(ports) = text(module) else { continue };
        for (port, net) in connections {
            let Some(stream) = port.strip_suffix("_tvalid") else { continue };
            let bits = bits(ports, &format!("{stream}_tdata"));
            if let Some(name) = stream.strip_prefix("m_axis_") {
                sources.insert(net.to_owned(), (instance.to_owned(), name.to_owned(), bits));
            } else if let Some(name) = stream.strip_prefix("s_axis_") {
                sinks.push((net.to_owned(), instance.to_owned(), name.to_owned()));
                if net == format!("s_axis_{name}_tvalid") {
                    let from = if name == WIRE { NET } else { HOST };
                    let (from, to) = (from.to_owned(), instance.to_owned());
                    found.push(Stream { from, to, name: name.to_owned(), bits });
                }
            }
        }
    }
    for (net, (from, name, bits)) in sources {
        let sink = sinks.iter().find(|(sink, ..)| *sink == net);
        let outside = if name == WIRE { NET } else { HOST };
        let (to, name) = match sink {
            Some((_, to, name)) => (to.clone(), name.clone()),
            None => (outside.to_owned(), name),
        };
        found.push(Stream { from, to, name, bits });
    }
    found.sort();
    Ok(found)
}

/// An instance: its module, its name, and the net of each port.
type Instance<'a> = (&'a str, &'a str, Vec<(&'a str, &'a str)>);

/// The instances of a module.
fn instances(text: &str) -> Vec<Instance<'_>> {
    let mut found: Vec<Instance<'_>> = Vec::new();
    let mut inside = false;
    for line in text.lines().map(str::trim) {
        if let Some(connection) = line.strip_prefix('.') {
            let parts =
                connection.split_once('(').and_then(|(port, rest)| Some((port, rest.rsplit_once(')')?.0)));
            if let (true, Some((port, net)), Some(last)) = (inside, parts, found.last_mut()) {
                last.2.push((port.trim(), net.trim()));
            }
        } else if line.starts_with("weft_") && line.ends_with('(') {
            let mut words = line.split_whitespace();
            // Parameters may be between the two.
            if let (Some(module), Some(name)) = (words.next(), words.rfind(|word| *word != "(")) {
                found.push((module, name, Vec::new()));
                inside = true;
            }
        } else if line == ");" {
            inside = false;
        }
    }
    found
}

/// The width of a port of the module with this text.
fn bits(text: &str, port: &str) -> Option<u32> {
    let header = text.split(");").next()?;
    let line = header.lines().find(|line| {
        line.split([',', '/']).next().is_some_and(|l| l.trim().ends_with(&format!(" {port}")))
    })?;
    let Some((_, range)) = line.split_once('[') else { return Some(1) };
    range.split(':').next()?.trim().parse::<u32>().ok().map(|top| top + 1)
}
