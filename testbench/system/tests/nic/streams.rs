//! Page `docs/streams.md`: each stream of the NIC clock by clock, recorded from the RTL. The wire leads back into the NIC.

mod lanes;

use crate::latency::{FETCH, FRAME, SENT, WRITE};
use crate::loopback::{KEY, driver};
use lanes::{Stream, diagram};
use std::collections::VecDeque;
use weft_bench::page::{Page, committed};
use weft_bench::timing::{Diagram, Lane};
use weft_nic::nic::{Inputs, Outputs};
use weft_nic::words::{Beat, Work};
use weft_params::SackParams;
use weft_params::registers::offsets;
use weft_system::nic::{Access, AnyNic, Axil, Device, Driver, Maker, RegisterDriver, View};

const PAGE: &str = include_str!("../../../../docs/streams.md");
const NIC: Page = Page(include_str!("../../../../docs/blocks/nic.md"));

const MTU: u32 = 256;
/// Address to which the peer writes.
const REMOTE: u64 = 0x2000;
/// Clocks from a DMA read request to its data, and from the last word of a frame to the first word of the
/// returning frame.
const DMA: u64 = 8;
const WIRE: u64 = 20;
/// Number of clocks in which all effects of a step are over.
const CALM: usize = 1_500;

/// A clock: inputs, and outputs before the edge.
type Clock = (Inputs, Outputs);

/// Streams that the NIC offers, in the order of `offered`.
const OFFERED: usize = 7;
/// Number of words before the waiting word in each stream, and number of clocks of the wait.
const WAITS: [(u32, u32); OFFERED] = [(2, 1), (1, 2), (1, 1), (0, 2), (0, 2), (0, 3), (1, 1)];

fn offered(outputs: &Outputs) -> [bool; OFFERED] {
    let Outputs { net, fetch, write, received, sent, event, bypass, .. } = outputs;
    [net.valid, fetch.valid, write.valid, received.valid, sent.valid, event.valid, bypass.valid]
}

/// The NIC between a host and a wire.
struct Bench {
    nic: AnyNic,
    driver: RegisterDriver,
    axil: Axil,
    clocks: Vec<Clock>,
    wire: VecDeque<(u64, Beat)>,
    reads: VecDeque<(u64, Beat)>,
    work: VecDeque<(u32, Work)>,
    bypass: VecDeque<Beat>,
    buffer: Option<(u32, u8)>,
    frame: Vec<Beat>,
    /// Words accepted in each stream that the NIC offers, and clocks that one has waited.
    taken: [u32; OFFERED],
    waited: [u32; OFFERED],
}

impl Bench {
    fn new() -> Self {
        let maker = Maker::new(SackParams { connections: 4 }, true).expect("the Verilog builds");
        let mut nic = maker.device(View::Rtl, 1).expect("a NIC");
        nic.clock(&Inputs { rst: true, ..Inputs::default() }).expect("a reset");
        let mut it = Self {
            nic,
            driver: driver(MTU, REMOTE, 0x1000),
            axil: Axil::default(),
            clocks: Vec::new(),
            wire: VecDeque::new(),
            reads: VecDeque::new(),
            work: VecDeque::new(),
            bypass: VecDeque::new(),
            buffer: None,
            frame: Vec::new(),
            taken: [0; OFFERED],
            waited: [0; OFFERED],
        };
        while !it.driver.is_idle() {
            it.clock();
        }
        it.step(|_| ());
        it
    }

    /// Runs an idle clock, then `set_off` and its effects. Returns their clocks.
    fn step(&mut self, set_off: impl FnOnce(&mut Self)) -> Vec<Clock> {
        self.clocks.clear();
        (self.taken, self.waited) = ([0; OFFERED], [0; OFFERED]);
        self.clock();
        set_off(self);
        (0..CALM).for_each(|_| self.clock());
        std::mem::take(&mut self.clocks)
    }

    fn clock(&mut self) {
        let now = self.clocks.len() as u64;
        let outputs = *self.nic.outputs();
        let axil = if self.driver.is_idle() {
            self.axil.clock(&outputs.axil).expect("registers answer").0
        } else {
            self.driver.poll(&outputs.axil).expect("registers answer")
        };
        let mut ready = [true; OFFERED];
        for (stream, is_offered) in offered(&outputs).into_iter().enumerate().filter(|(_, it)| *it) {
            let (before, clocks) = WAITS[stream];
            ready[stream] = self.taken[stream] != before || self.waited[stream] == clocks;
            self.taken[stream] += u32::from(ready[stream] && is_offered);
            self.waited[stream] += u32::from(!ready[stream]);
        }
        let [net_ready, fetch_ready, write_ready, received_ready, sent_ready, event_ready, bypass_ready] =
            ready;
        let arrives = self.wire.front().is_some_and(|(due, _)| *due <= now);
        let inputs = Inputs {
            rst: false,
            axil,
            net: if arrives { self.wire.pop_front().map(|(_, beat)| beat) } else { None },
            net_ready,
            bypass: self.bypass.front().copied(),
            bypass_ready,
            work: self.work.front().copied(),
            fetch_ready,
            read: self.reads.front().filter(|(due, _)| *due <= now).map(|(_, beat)| *beat),
            write_ready,
            received_ready,
            sent_ready,
            buffer: self.buffer,
            event_ready,
        };
        if outputs.work_ready {
            self.work.pop_front();
        }
        if outputs.bypass_ready {
            self.bypass.pop_front();
        }
        if outputs.buffer_ready {
            self.buffer = None;
        }
        if inputs.read.is_some() && outputs.read_ready {
            self.reads.pop_front();
        }
        if let Some((_, place)) = outputs.fetch.get().filter(|_| fetch_ready) {
            let beats = Beat::frame(&vec![0x5A; place.bytes.into()]);
            self.reads.extend(beats.into_iter().map(|beat| (now + DMA, beat)));
        }
        if let Some((_, beat)) = outputs.net.get().filter(|_| net_ready) {
            self.frame.push(beat);
            if beat.last {
                self.wire.extend(self.frame.drain(..).map(|beat| (now + WIRE, beat)));
            }
        }
        self.nic.clock(&inputs).expect("the NIC runs");
        self.clocks.push((inputs, outputs));
    }
}

/// A frame of other software.
fn of_others(bytes: usize) -> Vec<Beat> {
    Beat::frame(&vec![0xEE; bytes])
}

fn hex(number: impl Into<u64>) -> String {
    format!("{:#x}", number.into())
}

/// A picture: the stream that it shows, and its diagram.
type Picture = (&'static str, Diagram);

/// The pictures of a step. Each has the lanes of the stream, and above them those of its cause.
struct Pictures<'a> {
    clocks: &'a [Clock],
    drawn: Vec<Picture>,
}

impl Pictures<'_> {
    /// The stream alone, in the clocks in which its words are accepted.
    fn alone(&mut self, name: &'static str, stream: &Stream<'_>, words: Vec<Lane>) {
        let lanes = vec![[stream.handshake(), words].concat()];
        self.drawn.push((name, diagram(self.clocks.len(), lanes, None, stream.taken())));
    }

    /// The stream, in these clocks, and the clock `cause` of the event that caused them.
    fn after(
        &mut self,
        name: &'static str,
        (cause, above): (usize, Vec<Lane>),
        stream: &Stream<'_>,
        words: Vec<Lane>,
        shown: impl IntoIterator<Item = usize>,
    ) -> u64 {
        let lanes = vec![above, [stream.handshake(), words].concat()];
        let (from, to) = (cause, stream.first());
        let shown = [from, to].into_iter().chain(shown);
        self.drawn.push((name, diagram(self.clocks.len(), lanes, Some((from, to)), shown)));
        (to - from) as u64
    }

    fn lane(&self, name: &str, level: impl Fn(&Clock) -> bool) -> Lane {
        Lane::level(name, self.clocks.iter().map(level))
    }
}

/// The clock of the cause, `clocks` clocks before the first word is offered.
fn before(stream: &Stream<'_>, clocks: u64, is_cause: impl Fn(&Clock) -> bool) -> usize {
    let at = stream.first() - clocks as usize;
    assert!(is_cause(stream.clock(at)), "{clocks} clocks before the first word");
    at
}

/// The last clock before `end` in which one of these words is accepted.
fn last(stream: &Stream<'_>, clocks: &[Clock], end: usize, is_it: impl Fn(&Clock) -> bool) -> usize {
    stream.taken().into_iter().rev().find(|&at| at < end && is_it(&clocks[at])).expect("such a word")
}

fn ends(beat: Option<Beat>) -> bool {
    beat.is_some_and(|beat| beat.last)
}

/// A message of two packets and one of one, from the work requests to their completions.
fn of_messages(clocks: &[Clock]) -> Vec<Picture> {
    let work = Stream::new("s_axis_work_t", clocks, |it| it.0.work.is_some(), |it| it.1.work_ready);
    let fetch = Stream::new("m_axis_fetch_t", clocks, |it| it.1.fetch.valid, |it| it.0.fetch_ready);
    let read = Stream::new("s_axis_read_t", clocks, |it| it.0.read.is_some(), |it| it.1.read_ready);
    let net = Stream::new("m_axis_net_t", clocks, |it| it.1.net.valid, |it| it.0.net_ready);
    let back = Stream::without_ready("s_axis_net_t", clocks, |it| it.0.net.is_some());
    let write = Stream::new("m_axis_write_t", clocks, |it| it.1.write.valid, |it| it.0.write_ready);
    let received =
        Stream::new("m_axis_received_t", clocks, |it| it.1.received.valid, |it| it.0.received_ready);
    let sent = Stream::new("m_axis_sent_t", clocks, |it| it.1.sent.valid, |it| it.0.sent_ready);
    assert!([&fetch, &net, &write, &received, &sent].iter().all(|stream| stream.has_waited()));
    let mut pictures = Pictures { clocks, drawn: Vec::new() };

    let of = |it: &Clock| it.0.work.unwrap_or_default();
    let words = vec![
        work.data("id", |it| of(it).0),
        work.data("data[63:0] local", |it| hex(of(it).1.local)),
        work.data("data[127:64] remote", |it| hex(of(it).1.remote)),
        work.data("data[159:128] key", |it| hex(of(it).1.key)),
        work.data("data[191:160] bytes", |it| of(it).1.length),
        work.data("data[223:192] immediate", |it| hex(of(it).1.immediate)),
        work.data("data[255:224] id", |it| hex(of(it).1.id)),
        work.data("user", |it| u8::from(of(it).1.with_immediate)),
    ];
    pictures.alone("s_axis_work", &work, words);

    let words = vec![
        fetch.data("id", |it| it.1.fetch.id),
        fetch.data("data[63:0] address", |it| hex(it.1.fetch.word.address)),
        fetch.data("data[77:64] bytes", |it| it.1.fetch.word.bytes),
    ];
    let cause = (work.taken()[0], work.handshake());
    let wait = pictures.after("m_axis_fetch", cause, &fetch, words, fetch.taken());
    assert!((FETCH.0..=FETCH.1).contains(&wait), "{wait}");

    let words =
        [read.bytes(|it| it.0.read), vec![read.flag("user", |it| it.0.read.is_some_and(|it| it.bad))]]
            .concat();
    let cause = (fetch.taken()[0], fetch.handshake());
    let wait = pictures.after("s_axis_read", cause, &read, words, read.packet(|it| ends(it.0.read)));
    assert_eq!(wait, DMA);

    let is_last = |it: &Clock| ends(it.0.read);
    let above = [read.handshake(), vec![pictures.lane("s_axis_read_tlast", is_last)]].concat();
    let cause = (before(&net, FRAME, is_last), above);
    let words =
        [net.bytes(|it| Some(it.1.net.word)), vec![net.flag("user", |it| it.1.net.word.bad)]].concat();
    pictures.after("m_axis_net", cause, &net, words, net.packet(|it| it.1.net.word.last));

    let is_last = |it: &Clock| ends(it.0.net);
    let above = [back.handshake(), vec![pictures.lane("s_axis_net_tlast", is_last)]].concat();
    let words = [
        vec![write.data("id", |it| it.1.write.id)],
        write.bytes(|it| Some(it.1.write.word.beat)),
        vec![
            write.data("user[63:0] address", |it| hex(it.1.write.word.place.address)),
            write.data("user[77:64] bytes", |it| it.1.write.word.place.bytes),
        ],
    ];
    let cause = (before(&write, WRITE, is_last), above.clone());
    pictures.after(
        "m_axis_write",
        cause,
        &write,
        words.concat(),
        write.packet(|it| it.1.write.word.beat.last),
    );

    let words = vec![
        sent.data("id", |it| it.1.sent.id),
        sent.data("data", |it| hex(it.1.sent.word.id)),
        sent.data("user", |it| it.1.sent.word.status as u8),
    ];
    let cause = (before(&sent, SENT, is_last), above);
    pictures.after("m_axis_sent", cause, &sent, words, sent.packet(|_| true));

    let is_last = |it: &Clock| it.1.write.valid && it.1.write.word.beat.last;
    let id = write.data("id", |it| it.1.write.id);
    let above = [write.handshake(), vec![id, pictures.lane("m_axis_write_tlast", is_last)]].concat();
    let words = vec![
        received.data("id", |it| it.1.received.id),
        received.data("data[31:0] immediate", |it| hex(it.1.received.word.immediate)),
        received.data("data[55:32] number", |it| it.1.received.word.message),
    ];
    let cause = (last(&write, clocks, received.first(), is_last), above);
    pictures.after("m_axis_received", cause, &received, words, received.taken());
    pictures.drawn
}

/// A frame of other software through the NIC to the wire and back.
fn of_bypass(clocks: &[Clock]) -> Vec<Picture> {
    let bypass = Stream::new("s_axis_bypass_t", clocks, |it| it.0.bypass.is_some(), |it| it.1.bypass_ready);
    let mut pictures = Pictures { clocks, drawn: Vec::new() };
    let words = [
        bypass.bytes(|it| it.0.bypass),
        vec![bypass.flag("user", |it| it.0.bypass.is_some_and(|it| it.bad))],
    ];
    pictures.alone("s_axis_bypass", &bypass, words.concat());
    pictures.drawn
}

/// Two frames of other software from the MAC, the second one bad.
fn of_arrivals(clocks: &[Clock]) -> Vec<Picture> {
    let net = Stream::without_ready("s_axis_net_t", clocks, |it| it.0.net.is_some());
    let bypass = Stream::new("m_axis_bypass_t", clocks, |it| it.1.bypass.valid, |it| it.0.bypass_ready);
    assert!(bypass.has_waited());
    assert_eq!((net.taken().len(), bypass.taken().len()), (5, 5), "the NIC judges no frame of others");
    let mut pictures = Pictures { clocks, drawn: Vec::new() };
    let words =
        [net.bytes(|it| it.0.net), vec![net.flag("user", |it| it.0.net.is_some_and(|it| it.bad))]].concat();
    pictures.alone("s_axis_net", &net, words);
    let is_last = |it: &Clock| ends(it.0.net);
    let above = [net.handshake(), vec![pictures.lane("s_axis_net_tlast", is_last)]].concat();
    let words =
        [bypass.bytes(|it| Some(it.1.bypass.word)), vec![bypass.flag("user", |it| it.1.bypass.word.bad)]];
    let cause = (last(&net, clocks, net.taken()[3], is_last), above);
    pictures.after("m_axis_bypass", cause, &bypass, words.concat(), bypass.taken());
    pictures.drawn
}

/// The host's buffer of a connection has failed.
fn of_buffers(clocks: &[Clock]) -> Vec<Picture> {
    let buffer = Stream::new("s_axis_buffer_t", clocks, |it| it.0.buffer.is_some(), |it| it.1.buffer_ready);
    let event = Stream::new("m_axis_event_t", clocks, |it| it.1.event.valid, |it| it.0.event_ready);
    assert!(event.has_waited());
    let mut pictures = Pictures { clocks, drawn: Vec::new() };
    let words = vec![
        buffer.data("id", |it| it.0.buffer.map_or(0, |(id, _)| id)),
        buffer.data("data", |it| it.0.buffer.map_or(0, |(_, state)| state)),
    ];
    pictures.alone("s_axis_buffer", &buffer, words);
    let words = vec![
        event.data("id", |it| it.1.event.id),
        event.data("data", |it| hex(it.1.event.word)),
        pictures.lane("irq", |it| it.1.event.valid),
    ];
    let cause = (buffer.taken()[0], buffer.handshake());
    pictures.after("m_axis_event", cause, &event, words, event.taken());
    pictures.drawn
}

/// A register is written.
fn of_a_write(clocks: &[Clock]) -> Vec<Picture> {
    let address = Stream::new(
        "s_axil_aw",
        clocks,
        |it| it.0.axil.write_address.is_some(),
        |it| it.1.axil.write_address_ready,
    );
    let data =
        Stream::new("s_axil_w", clocks, |it| it.0.axil.write_data.is_some(), |it| it.1.axil.write_data_ready);
    let answer = Stream::new("s_axil_b", clocks, |it| it.1.axil.write_done, |it| it.0.axil.write_ready);
    let lanes = vec![
        [address.handshake(), vec![address.data("addr", |it| hex(it.0.axil.write_address.unwrap_or(0)))]]
            .concat(),
        [
            data.handshake(),
            vec![
                data.data("data", |it| hex(it.0.axil.write_data.unwrap_or_default().0)),
                data.data("strb", |it| hex(it.0.axil.write_data.unwrap_or_default().1)),
            ],
        ]
        .concat(),
        [answer.handshake(), vec![answer.data("resp", |it| it.1.axil.write_response)]].concat(),
    ];
    let shown = [address.taken(), data.taken(), answer.taken()].concat();
    vec![("s_axil_write", diagram(clocks.len(), lanes, None, shown))]
}

/// A register is read.
fn of_a_read(clocks: &[Clock]) -> Vec<Picture> {
    let address = Stream::new(
        "s_axil_ar",
        clocks,
        |it| it.0.axil.read_address.is_some(),
        |it| it.1.axil.read_address_ready,
    );
    let answer = Stream::new("s_axil_r", clocks, |it| it.1.axil.read_done, |it| it.0.axil.read_ready);
    let lanes = vec![
        [address.handshake(), vec![address.data("addr", |it| hex(it.0.axil.read_address.unwrap_or(0)))]]
            .concat(),
        [
            answer.handshake(),
            vec![
                answer.data("data", |it| hex(it.1.axil.read_data)),
                answer.data("resp", |it| it.1.axil.read_response),
            ],
        ]
        .concat(),
    ];
    let shown = [address.taken(), answer.taken()].concat();
    vec![("s_axil_read", diagram(clocks.len(), lanes, None, shown))]
}

#[test]
fn pictures_are_recordings_of_the_rtl() {
    let mut bench = Bench::new();
    let request = |length, remote, id, with_immediate| Work {
        local: 0x8000 + remote,
        remote: REMOTE + remote,
        key: KEY,
        length,
        immediate: if with_immediate { 0xCAFE } else { 0 },
        id,
        with_immediate,
    };
    let two = [(0, request(MTU + 200, 0, 0x11, true)), (2, request(64, 0x400, 0x12, false))];
    let pictures = [
        of_messages(&bench.step(|it| it.work.extend(two))),
        of_bypass(&bench.step(|it| it.bypass.extend(of_others(150)))),
        of_arrivals(&bench.step(|it| {
            let mut frames = [of_others(150), of_others(100)].concat();
            frames[4].bad = true;
            it.wire.extend(frames.into_iter().map(|beat| (0, beat)));
        })),
        of_buffers(&bench.step(|it| it.buffer = Some((1, 2)))),
        of_a_write(&bench.step(|it| it.axil.push(Access::Write(offsets::QUERY, 2)))),
        of_a_read(&bench.step(|it| it.axil.push(Access::Read(offsets::QUERY_NEXT)))),
    ]
    .concat();
    for (name, diagram) in &pictures {
        let file = format!("images/streams/{name}.svg");
        assert!(PAGE.contains(&format!("]({file})")), "the page shows no {file}");
        committed(&file, &diagram.to_svg());
    }
    // The streams of the NIC's page, each once; `irq` is with the events, and the registers have a picture for each way.
    let rows = NIC.table("Ports", "stream").into_iter().map(|row| row[0].trim_matches('`'));
    let mut streams: Vec<&str> = rows.filter(|name| *name != "irq" && *name != "s_axil").collect();
    streams.extend(["s_axil_read", "s_axil_write"]);
    let mut shown: Vec<&str> = pictures.iter().map(|(name, _)| *name).collect();
    streams.sort_unstable();
    shown.sort_unstable();
    assert_eq!(shown, streams);
}
