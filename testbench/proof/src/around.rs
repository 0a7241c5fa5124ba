//! The wiring around the NIC, by the structure of the elaborated Verilog: the converters of a NIC with narrow
//! streams, and the queues and clocks of `weft_nic_cdc`. A shell replaces the contents of each instance. The
//! claims say that each input of a shell has the source in the tables here.

use crate::{Error, async_fifo, wiring};
use weft_hdl::{Floor, Module};
use weft_symbolic::{Design, Node, Proof, Signals, Yosys};

/// The modules around the NIC, as their files are.
const CROSSINGS: [(&str, &str); 5] = [
    ("weft_reset_sync", include_str!("../../../fpga/cdc/weft_reset_sync.v")),
    ("weft_async_fifo", async_fifo::QUEUE),
    ("weft_mac_rx", include_str!("../../../fpga/cdc/weft_mac_rx.v")),
    ("weft_cdc_fence", include_str!("../../../fpga/cdc/weft_cdc_fence.v")),
    ("weft_nic_cdc", include_str!("../../../fpga/cdc/weft_nic_cdc.v")),
];

/// A top with shells, and the claims about it.
struct Table {
    whole: Design,
    registers: Signals,
    expected: Signals,
    actual: Signals,
}

impl Table {
    fn new(whole: Design) -> Self {
        let registers = whole.registers();
        Self { whole, registers, expected: Signals::new(), actual: Signals::new() }
    }

    /// The value that drives an input: an output of an instance, `instance.port`, or an input of the whole.
    fn source(&self, name: &str) -> Result<Node, Error> {
        Ok(match name.split_once('.') {
            Some((instance, port)) => self.registers.node(&format!("{instance}.any_{port}"))?,
            None => self.whole.inputs.node(name)?,
        })
    }

    /// The value at a sink: an input of an instance, or an output of the whole.
    fn sink(&self, name: &str) -> Result<Node, Error> {
        Ok(if name.contains('.') { self.whole.wires.node(name)? } else { self.whole.outputs.node(name)? })
    }

    fn is(&mut self, sink: &str, value: Node) -> Result<(), Error> {
        let actual = self.sink(sink)?;
        self.expected.insert(sink, value);
        self.actual.insert(sink, actual);
        Ok(())
    }

    /// Adds claims that each sink has the value of its source.
    fn joins(&mut self, wires: &[(&str, &str)]) -> Result<(), Error> {
        wires.iter().try_for_each(|(sink, source)| self.is(sink, self.source(source)?))
    }

    /// A stream from a source to a sink, its words field by field; `ready` has the opposite direction.
    fn stream(&mut self, from: &str, to: &str, fields: &[&str]) -> Result<(), Error> {
        for field in [&["valid"], fields].concat() {
            self.is(&format!("{to}{field}"), self.source(&format!("{from}{field}"))?)?;
        }
        self.is(&format!("{from}ready"), self.source(&format!("{to}ready"))?)
    }

    /// The concatenation of values, the first in the high bits.
    fn beside(&self, names: &[String]) -> Result<Node, Error> {
        let mut nodes = names.iter().map(|name| self.source(name));
        let first = nodes.next().ok_or_else(|| Error::Unlike("a word without fields".into()))??;
        nodes.try_fold(first, |high, low| Ok(high.cat(low?)))
    }

    /// The sinks have the parts of a word, the first the high bits.
    fn spread(&mut self, word: Node, sinks: &[String]) -> Result<(), Error> {
        let mut high = word.width();
        for sink in sinks {
            let width = self.sink(sink)?.width();
            high = high.checked_sub(width).ok_or_else(|| Error::Unlike(format!("{sink} is too wide")))?;
            self.is(sink, word.slice(high, width))?;
        }
        Ok(())
    }

    /// Inputs of `instance` that are missing in the table.
    fn open(&self, instance: &str, ports: &Module) -> Vec<String> {
        let ports = weft_bench::verilog::ports(&ports.text);
        let inputs =
            ports.iter().filter(|port| !port.is_output).map(|port| format!("{instance}.{}", port.name));
        inputs.filter(|name| self.expected.node(name).is_err()).collect()
    }

    fn prove(&self, name: &str, open: &[String], proof: &mut Proof) -> Result<(), Error> {
        proof.equal(
            &format!("{name}: every input is what the table says"),
            &[],
            &self.expected,
            &self.actual,
        )?;
        let complete = if open.is_empty() {
            format!("{name}: the table speaks of every input and output")
        } else {
            format!("{name}: the table does not speak of {}", open.join(", "))
        };
        proof.claim(&complete, &[], Node::bit(open.is_empty()))?;
        Ok(())
    }
}

fn names(prefix: &str, fields: &[&str]) -> Vec<String> {
    fields.iter().map(|field| format!("{prefix}{field}")).collect()
}

fn module<'a>(modules: &'a [Module], name: &str) -> Result<&'a Module, Error> {
    modules.iter().find(|module| module.name == name).ok_or_else(|| Error::Module(name.to_owned()))
}

/// Outputs of the top that the table does not mention.
fn open_outputs(table: &Table) -> Vec<String> {
    table.whole.outputs.names().filter(|name| table.expected.node(name).is_err()).map(str::to_owned).collect()
}

const AXIL_IN: [&str; 11] = [
    "awaddr", "awprot", "awvalid", "wdata", "wstrb", "wvalid", "bready", "araddr", "arprot", "arvalid",
    "rready",
];
const AXIL_OUT: [&str; 8] = ["awready", "wready", "bresp", "bvalid", "arready", "rdata", "rresp", "rvalid"];

/// The converters of a NIC with narrow streams.
pub fn narrow(yosys: &Yosys, modules: &[Module], proof: &mut Proof) -> Result<(), Error> {
    let (whole, instances) = wiring::shells(yosys, modules, "weft_nic", &[])?;
    let mut table = Table::new(whole);
    for (_, name) in &instances {
        table.joins(&[(&format!("{name}.clk"), "clk"), (&format!("{name}.rst"), "rst")])?;
    }
    for name in AXIL_IN {
        table.joins(&[(&format!("core.s_axil_{name}"), &format!("s_axil_{name}"))])?;
    }
    for name in AXIL_OUT {
        table.joins(&[(&format!("s_axil_{name}"), &format!("core.s_axil_{name}"))])?;
    }
    for (stream, fields) in [("work", &["id", "data", "user"][..]), ("buffer", &["id", "data"])] {
        table.stream(&format!("s_axis_{stream}_t"), &format!("core.s_axis_{stream}_t"), fields)?;
    }
    for (stream, fields) in
        [("fetch", &["id", "data"][..]), ("sent", &["id", "data", "user"]), ("event", &["id", "data"])]
    {
        table.stream(&format!("core.m_axis_{stream}_t"), &format!("m_axis_{stream}_t"), fields)?;
    }
    table.joins(&[("irq", "core.irq")])?;
    for (stream, converter) in [("net", "net_in"), ("bypass", "bypass_in"), ("read", "read_in")] {
        for field in ["valid", "data", "keep", "last", "user"] {
            table.joins(&[
                (&format!("{converter}.in_{field}"), &format!("s_axis_{stream}_t{field}")),
                (&format!("core.s_axis_{stream}_t{field}"), &format!("{converter}.out_{field}")),
            ])?;
        }
        if stream == "net" {
            table.is("net_in.out_ready", Node::bit(true))?;
        } else {
            table.joins(&[
                (&format!("s_axis_{stream}_tready"), &format!("{converter}.in_ready")),
                (&format!("{converter}.out_ready"), &format!("core.s_axis_{stream}_tready")),
            ])?;
        }
    }
    for (stream, converter, side) in [
        ("net", "net_out", &["user"][..]),
        ("bypass", "bypass_out", &["user"]),
        ("write", "write_out", &["id", "user"]),
    ] {
        for field in ["valid", "data", "keep", "last"] {
            table.joins(&[
                (&format!("{converter}.in_{field}"), &format!("core.m_axis_{stream}_t{field}")),
                (&format!("m_axis_{stream}_t{field}"), &format!("{converter}.out_{field}")),
            ])?;
        }
        table.joins(&[
            (&format!("core.m_axis_{stream}_tready"), &format!("{converter}.in_ready")),
            (&format!("{converter}.out_ready"), &format!("m_axis_{stream}_tready")),
        ])?;
        let word = table.beside(&names(&format!("core.m_axis_{stream}_t"), side))?;
        table.is(&format!("{converter}.in_side"), word)?;
        let word = table.source(&format!("{converter}.out_side"))?;
        table.spread(word, &names(&format!("m_axis_{stream}_t"), side))?;
    }
    // Completions stay behind the payload that is converted.
    let word = table.beside(&names("core.m_axis_received_t", &["id", "data"]))?;
    table.is("received_behind.in_word", word)?;
    let word = table.source("received_behind.out_word")?;
    table.spread(word, &names("m_axis_received_t", &["id", "data"]))?;
    table.joins(&[
        ("received_behind.in_valid", "core.m_axis_received_tvalid"),
        ("core.m_axis_received_tready", "received_behind.in_ready"),
        ("m_axis_received_tvalid", "received_behind.out_valid"),
        ("received_behind.out_ready", "m_axis_received_tready"),
        ("received_behind.idle", "write_out.idle"),
    ])?;
    let leaves = table.source("write_out.out_valid")? & table.source("m_axis_write_tready")?;
    table.is("received_behind.leaves", leaves)?;
    let mut open = open_outputs(&table);
    for (of, name) in &instances {
        open.extend(table.open(name, module(modules, of)?));
    }
    table.prove("narrow NIC", &open, proof)
}

/// A queue of `weft_nic_cdc`: source and destination of its words, their fields from the high bits on, and
/// whether they make frames.
struct Queue {
    name: &'static str,
    from: &'static str,
    to: &'static str,
    fields: &'static [&'static str],
    frames: bool,
}

const FRAME: &[&str] = &["tuser", "tkeep", "tdata"];

const QUEUES: [Queue; 11] = [
    Queue { name: "mac_tx", from: "nic.m_axis_net_", to: "mac_tx_", fields: FRAME, frames: true },
    Queue {
        name: "bypass_out",
        from: "nic.m_axis_bypass_",
        to: "m_axis_bypass_",
        fields: FRAME,
        frames: true,
    },
    Queue {
        name: "bypass_in",
        from: "s_axis_bypass_",
        to: "nic.s_axis_bypass_",
        fields: FRAME,
        frames: true,
    },
    Queue { name: "read", from: "s_axis_read_", to: "nic.s_axis_read_", fields: FRAME, frames: true },
    Queue {
        name: "work",
        from: "s_axis_work_",
        to: "nic.s_axis_work_",
        fields: &["tid", "tuser", "tdata"],
        frames: false,
    },
    Queue {
        name: "buffer",
        from: "s_axis_buffer_",
        to: "nic.s_axis_buffer_",
        fields: &["tid", "tdata"],
        frames: false,
    },
    Queue {
        name: "fetch",
        from: "nic.m_axis_fetch_",
        to: "m_axis_fetch_",
        fields: &["tid", "tdata"],
        frames: false,
    },
    Queue { name: "aw", from: "s_axil_aw", to: "nic.s_axil_aw", fields: &["addr"], frames: false },
    Queue { name: "w", from: "s_axil_w", to: "nic.s_axil_w", fields: &["strb", "data"], frames: false },
    Queue { name: "ar", from: "s_axil_ar", to: "nic.s_axil_ar", fields: &["addr"], frames: false },
    Queue { name: "b", from: "nic.s_axil_b", to: "s_axil_b", fields: &["resp"], frames: false },
];

/// The clock and the reset of an instance.
fn domain(end: &str) -> (&'static str, &'static str) {
    match end {
        end if end.starts_with("nic.") => ("core_clk", "reset.rst"),
        end if end.starts_with("mac_tx") => ("mac_tx_clk", "mac_tx_rst"),
        end if end.starts_with("mac_rx") => ("mac_rx_clk", "mac_rx_rst"),
        _ => ("host_clk", "host_rst"),
    }
}

impl Table {
    fn domains(&mut self, queue: &str, from: &str, to: &str) -> Result<(), Error> {
        for (side, end) in [("s", from), ("m", to)] {
            let (clock, reset) = domain(end);
            self.joins(&[(&format!("{queue}.{side}_clk"), clock), (&format!("{queue}.{side}_rst"), reset)])?;
        }
        Ok(())
    }

    fn queue(&mut self, queue: &Queue) -> Result<(), Error> {
        let Queue { name, from, to, fields, frames } = queue;
        self.domains(name, from, to)?;
        // AXI4-Lite has no t in its names.
        let t = if from.contains("axil") || to.contains("axil") { "" } else { "t" };
        let word = self.beside(&names(from, fields))?;
        self.is(&format!("{name}.s_axis_tdata"), word)?;
        let word = self.source(&format!("{name}.m_axis_tdata"))?;
        self.spread(word, &names(to, fields))?;
        self.joins(&[
            (&format!("{name}.s_axis_tvalid"), &format!("{from}{t}valid")),
            (&format!("{from}{t}ready"), &format!("{name}.s_axis_tready")),
            (&format!("{to}{t}valid"), &format!("{name}.m_axis_tvalid")),
            (&format!("{name}.m_axis_tready"), &format!("{to}{t}ready")),
        ])?;
        if *frames {
            self.joins(&[
                (&format!("{name}.s_axis_tlast"), &format!("{from}tlast")),
                (&format!("{to}tlast"), &format!("{name}.m_axis_tlast")),
            ])
        } else {
            self.is(&format!("{name}.s_axis_tlast"), Node::bit(true))
        }
    }
}

/// The queues, clocks and resets of `weft_nic_cdc` around the NIC in `nic`, with streams of `width` bits and
/// 2^`a` connections. `text` is the wrapper's text, if it differs from this tree's.
pub fn crossings(
    yosys: &Yosys,
    nic: &[Module],
    (a, width): (u32, u32),
    text: Option<&str>,
    proof: &mut Proof,
) -> Result<(), Error> {
    let mut modules = vec![module(nic, "weft_nic")?.clone()];
    for (name, own) in CROSSINGS {
        let text = text.filter(|_| name == "weft_nic_cdc").unwrap_or(own);
        modules.push(Module { name: name.into(), text: text.into(), floor: Floor::Block });
    }
    let (bits, log) = (width.to_string(), a.to_string());
    let parameters = [("A", log.as_str()), ("WIDTH", bits.as_str())];
    let (whole, instances) = wiring::shells(yosys, &modules, "weft_nic_cdc", &parameters)?;
    let mut table = Table::new(whole);
    QUEUES.iter().try_for_each(|queue| table.queue(queue))?;
    // Sources of the MAC's side.
    table.domains("mac_rx", "mac_rx", "nic.")?;
    for field in ["valid", "data", "keep", "last", "user"] {
        table.joins(&[
            (&format!("mac_rx.s_axis_t{field}"), &format!("mac_rx_t{field}")),
            (&format!("nic.s_axis_net_t{field}"), &format!("mac_rx.m_axis_t{field}")),
        ])?;
    }
    table.is("mac_rx.m_axis_tready", Node::bit(true))?;
    table.joins(&[("mac_rx_dropped", "mac_rx.dropped")])?;
    // Clock and reset of the NIC, which the host's reset begins, a clock of the host later.
    table.joins(&[("nic.clk", "core_clk"), ("nic.rst", "reset.rst"), ("reset.clk", "core_clk")])?;
    let host_resets = table.registers.node("host_resets")?;
    table.is("reset.from", host_resets)?;
    let next = table.whole.next().node("host_resets")?;
    table.expected.insert("host_resets, a clock later", table.source("host_rst")?);
    table.actual.insert("host_resets, a clock later", next);
    table.is("nic.s_axil_awprot", Node::lit(3, 0))?;
    table.is("nic.s_axil_arprot", Node::lit(3, 0))?;
    // The answer to a read waits at two fences.
    let (gone, told) = (table.source("answer_fence.m_valid")?, table.source("told_fence.m_valid")?);
    let late = table.source("answer_fence.m_late")? | table.source("told_fence.m_late")?;
    let free = table.source("r.s_axis_tready")?;
    let data = table.source("nic.s_axil_rdata")?;
    let answer = table.source("nic.s_axil_rresp")?.cat(data.slice(31, 1) | late).cat(data.slice(0, 31));
    table.domains("r", "nic.", "host")?;
    table.is("r.s_axis_tvalid", gone & told)?;
    table.is("nic.s_axil_rready", gone & told & free)?;
    table.is("r.s_axis_tdata", answer)?;
    table.is("r.s_axis_tlast", Node::bit(true))?;
    table.joins(&[("s_axil_rvalid", "r.m_axis_tvalid"), ("r.m_axis_tready", "s_axil_rready")])?;
    let word = table.source("r.m_axis_tdata")?;
    table.spread(word, &names("s_axil_r", &["resp", "data"]))?;
    let begun = table.registers.node("writes_command")? & table.source("nic.s_axil_bvalid")?;
    let waits = table.registers.node("reads_command")? & !data.slice(31, 1);
    for (fence, counted, other, gone_there) in [
        ("answer_fence", "happening", "told_fence", told),
        ("told_fence", "event_queue", "answer_fence", gone),
    ] {
        table.joins(&[
            (&format!("{fence}.clk"), "core_clk"),
            (&format!("{fence}.rst"), "reset.rst"),
            (&format!("{fence}.written"), &format!("{counted}.s_written")),
            (&format!("{fence}.taken"), &format!("{counted}.s_taken")),
            (&format!("{fence}.keeps"), &format!("{other}.m_late")),
            (&format!("{fence}.s_valid"), "nic.s_axil_rvalid"),
        ])?;
        table.is(&format!("{fence}.counted"), Node::bit(true))?;
        table.is(&format!("{fence}.anew"), begun)?;
        table.is(&format!("{fence}.s_waits"), waits)?;
        table.is(&format!("{fence}.m_ready"), free & gone_there)?;
    }
    // Events follow the completions that led to them.
    table.domains("event_queue", "nic.", "host")?;
    let word = table.beside(&names("nic.m_axis_event_t", &["id", "data"]))?;
    table.is("event_queue.s_axis_tdata", word)?;
    table.is("event_queue.s_axis_tlast", Node::bit(true))?;
    let word = table.source("event_queue.m_axis_tdata")?;
    table.spread(word, &names("m_axis_event_t", &["id", "data"]))?;
    let tells = table.source("event_fence.m_valid")? & table.source("event_queue.s_axis_tready")?;
    table.is("nic.m_axis_event_tready", tells)?;
    table.joins(&[
        ("event_queue.s_axis_tvalid", "event_fence.m_valid"),
        ("m_axis_event_tvalid", "event_queue.m_axis_tvalid"),
        ("irq", "event_queue.m_axis_tvalid"),
        ("event_queue.m_axis_tready", "m_axis_event_tready"),
        ("event_fence.clk", "core_clk"),
        ("event_fence.rst", "reset.rst"),
        ("event_fence.written", "happening.s_written"),
        ("event_fence.taken", "happening.s_taken"),
        ("event_fence.s_valid", "nic.m_axis_event_tvalid"),
        ("event_fence.m_ready", "event_queue.s_axis_tready"),
    ])?;
    for (port, value) in [("counted", true), ("anew", false), ("keeps", false), ("s_waits", true)] {
        table.is(&format!("event_fence.{port}"), Node::bit(value))?;
    }
    happening(&mut table)?;
    let mut open = open_outputs(&table);
    for (of, name) in &instances {
        open.extend(table.open(name, module(&modules, of)?));
    }
    table.prove(&format!("clocks, {width} bits"), &open, proof)
}

/// Adds the claims about payload and completions in one queue: completions of work first, then those of
/// messages. Each completion leaves as it entered.
fn happening(table: &mut Table) -> Result<(), Error> {
    let (sent, received) =
        (table.source("nic.m_axis_sent_tvalid")?, table.source("nic.m_axis_received_tvalid")?);
    let write = table.source("nic.m_axis_write_tvalid")?;
    let room = table.source("happening.s_axis_tready")?;
    table.domains("happening", "nic.", "host")?;
    table.is("happening.s_axis_tvalid", sent | received | write)?;
    table.is("happening.s_axis_tlast", Node::bit(true))?;
    table.is("nic.m_axis_sent_tready", room)?;
    table.is("nic.m_axis_received_tready", room & !sent)?;
    table.is("nic.m_axis_write_tready", room & !sent & !received)?;
    let (data, out) = (table.sink("happening.s_axis_tdata")?, table.source("happening.m_axis_tdata")?);
    let width = out.width();
    // A word consists of its last bit, two bits of kind, and the fields of the kind: connection on top, all
    // other fields in the low bits.
    let kind = out.slice(width - 3, 2);
    let tid = out.slice(
        width - 3 - table.source("nic.m_axis_write_tid")?.width(),
        table.source("nic.m_axis_write_tid")?.width(),
    );
    for (stream, code, offered, fields) in [
        ("sent", 2, sent, &["user", "data"][..]),
        ("received", 1, received & !sent, &["data"]),
        ("write", 0, write & !received & !sent, &["user", "keep", "data"]),
    ] {
        let (from, to) = (format!("nic.m_axis_{stream}_t"), format!("m_axis_{stream}_t"));
        let word = table.beside(&names(&from, fields))?;
        let connection = table.source(&format!("{from}id"))?;
        let is = data.slice(width - 3, 2).equals(Node::lit(2, code))
            & data.slice(width - 3 - connection.width(), connection.width()).equals(connection)
            & data.slice(0, word.width()).equals(word);
        table.expected.insert(format!("a word of {stream} in the queue"), Node::bit(true));
        table.actual.insert(format!("a word of {stream} in the queue"), offered.implies(is));
        let here = kind.equals(Node::lit(2, code));
        let valid = table.source("happening.m_axis_tvalid")?;
        table.is(&format!("{to}valid"), valid & here)?;
        table.is(&format!("{to}id"), tid)?;
        table.spread(out.slice(0, word.width()), &names(&to, fields))?;
        let ready = table.sink("happening.m_axis_tready")?;
        table.expected.insert(format!("the queue's ready for {stream}"), Node::bit(true));
        table.actual.insert(
            format!("the queue's ready for {stream}"),
            here.implies(ready.equals(table.source(&format!("{to}ready"))?)),
        );
    }
    table.is("m_axis_write_tlast", out.slice(width - 1, 1))?;
    let last = table.source("nic.m_axis_write_tlast")?;
    let is_last = (write & !received & !sent).implies(data.slice(width - 1, 1).equals(last));
    table.expected.insert("the last word of payload in the queue", Node::bit(true));
    table.actual.insert("the last word of payload in the queue", is_last);
    // The claims above cover the remaining two.
    for name in ["happening.s_axis_tdata", "happening.m_axis_tready"] {
        let node = table.sink(name)?;
        table.is(name, node)?;
    }
    Ok(())
}
