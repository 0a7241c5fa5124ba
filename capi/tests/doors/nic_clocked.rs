//! The NIC clock by clock. The NIC sends messages to itself: its connections 0 and 1 are peers, and so are 2
//! and 3. The inputs depend on earlier outputs, so drawing them needs a NIC of its own.

use crate::answers::{Block, CONNECTIONS, chance, zeroed};
use ::weft_nic::nic;
use ::weft_nic::words::{AxilInputs, Beat, Work};
use std::collections::VecDeque;
use weft::*;
use weft_params::SackParams;
use weft_params::registers::offsets;
use weft_random::Rng;

const ADDRESS: u32 = 0x0A00_0001;
const REGION: u32 = 1 << 16;
/// Clocks of the sweep over all connections, after which registers may be written.
const SWEEP: u32 = 2 * CONNECTIONS + 100;
/// The clock of the second reset.
const RESET: u32 = 50_000;

#[derive(Default)]
struct Seen {
    frames: u32,
    writes: u32,
    completions: u32,
    bypassed: u32,
    reads: u32,
}

pub(crate) struct Nic {
    model: nic::Nic,
    /// Writes of registers that remain to be done: address, word.
    script: VecDeque<(u16, u32)>,
    taken: [bool; 2],
    /// Words on the wire, DMA reads that are to be answered, the frame that leaves.
    wire: VecDeque<weft_beat>,
    answers: VecDeque<weft_beat>,
    leaving: Vec<weft_beat>,
    work: Option<(u32, weft_work)>,
    seen: Seen,
}

/// The writes that open connections 0 to 3.
fn set_up() -> VecDeque<(u16, u32)> {
    let mut script = VecDeque::from([
        (offsets::INGRESS_IPV4, ADDRESS),
        (offsets::EGRESS_IPV4, ADDRESS),
        (offsets::SENDER_MTU_SHIFT, 10),
        (offsets::SACK_TX_CLASS0_RTO, 60),
        (offsets::PEER_ADDRESS, ADDRESS),
        (offsets::REGION_LENGTH, REGION),
        (offsets::REGION_KEY, 7),
    ]);
    for connection in 0..4 {
        script.push_back((offsets::PEER_QP, connection ^ 1));
        script.push_back((offsets::COMMAND, 1 << 16 | connection));
        // A read-only register: time for the command.
        script.extend([(offsets::ID, 0); 40]);
    }
    script
}

fn beat(word: &Beat) -> weft_beat {
    weft_beat { tdata: word.data, tkeep: word.keep, tlast: word.last.into(), tuser: word.bad.into() }
}

fn word(beat: &weft_beat, valid: u8) -> Option<Beat> {
    let &weft_beat { tdata: data, tkeep: keep, tlast, tuser } = beat;
    (valid == 1).then_some(Beat { data, keep, last: tlast == 1, bad: tuser == 1, user: 0 })
}

/// A random frame, or payload, of so many bytes.
fn random_words(rng: &mut Rng, bytes: u32) -> impl Iterator<Item = weft_beat> {
    (0..bytes.div_ceil(64)).map(move |at| {
        let left = bytes - 64 * at;
        let tkeep = if left >= 64 { u64::MAX } else { (1 << left) - 1 };
        weft_beat { tdata: std::array::from_fn(|_| rng.draw()), tkeep, tlast: u8::from(left <= 64), tuser: 0 }
    })
}

impl Nic {
    /// The AXI4-Lite ports: the script, and reads of counters.
    fn registers(&mut self, rng: &mut Rng, at: u32, inputs: &mut weft_nic_inputs) {
        let axil = self.model.outputs().axil;
        if let (Some(&(address, value)), true) = (self.script.front(), at % RESET > SWEEP) {
            inputs.axil_awaddr = address;
            inputs.axil_wdata = value;
            inputs.axil_wstrb = 15;
            inputs.axil_awvalid = u8::from(!self.taken[0]);
            inputs.axil_wvalid = u8::from(!self.taken[1]);
            self.taken[0] |= axil.write_address_ready;
            self.taken[1] |= axil.write_data_ready;
            if self.taken == [true; 2] {
                self.taken = [false; 2];
                self.script.pop_front();
            }
        }
        inputs.axil_bready = 1;
        inputs.axil_rready = 1;
        inputs.axil_araddr = (0x1000 + 4 * rng.below(160)) as u16;
        inputs.axil_arvalid = 1;
    }

    /// The wire, which returns each frame to the NIC, or loses or damages it.
    fn network(&mut self, rng: &mut Rng, inputs: &mut weft_nic_inputs) {
        inputs.net_tready = 1 - chance(rng, 4);
        if let (Some((_, offered)), 1) = (self.model.outputs().net.get(), inputs.net_tready) {
            self.leaving.push(beat(&offered));
            if offered.last {
                let mut frame = std::mem::take(&mut self.leaving);
                if chance(rng, 40) == 1 {
                    frame[0].tdata[rng.index(8)] ^= 1 << rng.below(64);
                }
                if chance(rng, 20) == 0 {
                    self.wire.extend(frame);
                }
            }
        }
        if chance(rng, 4) == 0
            && let Some(next) = self.wire.pop_front()
        {
            inputs.net = next;
            inputs.net_tvalid = 1;
        } else if self.wire.is_empty() && chance(rng, 500) == 1 {
            // Frames of others.
            let bytes = 64 + rng.below(300);
            self.wire.extend(random_words(rng, bytes));
        }
    }

    /// The host's memory, work and completions.
    fn host(&mut self, rng: &mut Rng, at: u32, inputs: &mut weft_nic_inputs) {
        let outputs = *self.model.outputs();
        inputs.fetch_tready = 1 - chance(rng, 3);
        if let (Some((_, place)), 1) = (outputs.fetch.get(), inputs.fetch_tready) {
            self.answers.extend(random_words(rng, place.bytes.into()));
            if chance(rng, 100) == 1
                && let Some(last) = self.answers.back_mut()
            {
                last.tuser = 1;
            }
        }
        if let Some(&next) = self.answers.front() {
            inputs.read = next;
            inputs.read_tvalid = 1;
            if outputs.read_ready {
                self.answers.pop_front();
            }
        }
        if self.work.is_none() && chance(rng, 60) == 1 && self.script.is_empty() && at % RESET > SWEEP {
            let mut work: weft_work = zeroed();
            work.local = rng.below(REGION).into();
            work.remote = rng.below(REGION / 2).into();
            (work.key, work.length) = (7, rng.below(3_000));
            (work.immediate, work.id) = (rng.draw() as u32, at);
            work.with_immediate = chance(rng, 2);
            self.work = Some((rng.below(4), work));
        }
        if let Some((connection, work)) = self.work {
            (inputs.work_tid, inputs.work, inputs.work_tvalid) = (connection, work, 1);
            if outputs.work_ready {
                self.work = None;
            }
        }
        inputs.bypass_tready = 1 - chance(rng, 3);
        inputs.write_tready = 1 - chance(rng, 3);
        inputs.received_tready = 1 - chance(rng, 3);
        inputs.sent_tready = 1 - chance(rng, 3);
        inputs.event_tready = 1 - chance(rng, 3);
        // Connection 5 is not open.
        (inputs.buffer_tid, inputs.buffer_tdata, inputs.buffer_tvalid) = (5, 1, chance(rng, 300));
        inputs.bypass = weft_beat { tdata: [rng.draw(); 8], tkeep: u64::MAX, tlast: 1, tuser: 0 };
        inputs.bypass_tvalid = chance(rng, 200);
    }
}

pub(crate) fn ports(given: &weft_nic_inputs) -> nic::Inputs {
    let &weft_work { local, remote, key, length, immediate, id, with_immediate } = &given.work;
    let work = Work { local, remote, key, length, immediate, id, with_immediate: with_immediate == 1 };
    nic::Inputs {
        rst: given.rst == 1,
        axil: AxilInputs {
            write_address: (given.axil_awvalid == 1).then_some(given.axil_awaddr),
            write_data: (given.axil_wvalid == 1).then_some((given.axil_wdata, given.axil_wstrb)),
            write_ready: given.axil_bready == 1,
            read_address: (given.axil_arvalid == 1).then_some(given.axil_araddr),
            read_ready: given.axil_rready == 1,
        },
        net: word(&given.net, given.net_tvalid),
        net_ready: given.net_tready == 1,
        bypass: word(&given.bypass, given.bypass_tvalid),
        bypass_ready: given.bypass_tready == 1,
        work: (given.work_tvalid == 1).then_some((given.work_tid, work)),
        fetch_ready: given.fetch_tready == 1,
        read: word(&given.read, given.read_tvalid),
        write_ready: given.write_tready == 1,
        received_ready: given.received_tready == 1,
        sent_ready: given.sent_tready == 1,
        buffer: (given.buffer_tvalid == 1).then_some((given.buffer_tid, given.buffer_tdata)),
        event_ready: given.event_tready == 1,
    }
}

impl Block for Nic {
    const NAME: &str = "nic_clocked";
    type Given = weft_nic_inputs;
    type Told = weft_nic_outputs;
    type Seen = Self::Told;

    fn new() -> Self {
        Self {
            model: nic::Nic::new(SackParams { connections: CONNECTIONS }),
            script: set_up(),
            taken: [false; 2],
            wire: VecDeque::new(),
            answers: VecDeque::new(),
            leaving: Vec::new(),
            work: None,
            seen: Seen::default(),
        }
    }

    fn seen(told: &Self::Told) -> Self::Seen {
        *told
    }

    fn draw(&mut self, rng: &mut Rng, at: u32) -> Self::Given {
        let mut inputs: weft_nic_inputs = zeroed();
        if at == RESET {
            let reset = Self::new();
            *self = Self { model: self.model.clone(), ..reset };
            inputs.rst = 1;
        } else {
            self.registers(rng, at, &mut inputs);
            self.network(rng, &mut inputs);
            self.host(rng, at, &mut inputs);
        }
        self.answer(&inputs);
        inputs
    }

    fn answer(&mut self, given: &Self::Given) -> Self::Seen {
        self.model.clock(&ports(given));
        let told = self.model.outputs();
        let (axil, write, fetch) = (&told.axil, &told.write, &told.fetch);
        let (received, sent, event) = (&told.received, &told.sent, &told.event);
        self.seen.frames += u32::from(told.net.valid && told.net.word.last);
        self.seen.writes += u32::from(write.valid);
        self.seen.completions += u32::from(sent.valid);
        self.seen.bypassed += u32::from(told.bypass.valid);
        self.seen.reads += u32::from(axil.read_done);
        weft_nic_outputs {
            net: beat(&told.net.word),
            net_tvalid: u8::from(told.net.valid),
            bypass: beat(&told.bypass.word),
            bypass_tvalid: u8::from(told.bypass.valid),
            bypass_tready: u8::from(told.bypass_ready),
            write: beat(&write.word.beat),
            write_tid: write.id,
            write_address: write.word.place.address,
            write_bytes: write.word.place.bytes,
            write_tvalid: u8::from(write.valid),
            fetch_tid: fetch.id,
            fetch_address: fetch.word.address,
            fetch_bytes: fetch.word.bytes,
            fetch_tvalid: u8::from(fetch.valid),
            read_tready: u8::from(told.read_ready),
            work_tready: u8::from(told.work_ready),
            received_tid: received.id,
            received_immediate: received.word.immediate,
            received_message: received.word.message,
            received_tvalid: u8::from(received.valid),
            sent_tid: sent.id,
            sent_id: sent.word.id,
            sent_status: sent.word.status as u8,
            sent_tvalid: u8::from(sent.valid),
            buffer_tready: u8::from(told.buffer_ready),
            event_tid: event.id,
            event_tdata: event.word,
            event_tvalid: u8::from(event.valid),
            axil_awready: u8::from(axil.write_address_ready),
            axil_wready: u8::from(axil.write_data_ready),
            axil_bvalid: u8::from(axil.write_done),
            axil_bresp: axil.write_response,
            axil_arready: u8::from(axil.read_address_ready),
            axil_rvalid: u8::from(axil.read_done),
            axil_rresp: axil.read_response,
            axil_rdata: axil.read_data,
        }
    }

    fn everything_happened(&self) {
        let Seen { frames, writes, completions, bypassed, reads } = self.seen;
        assert!(frames > 2_000 && writes > 5_000, "{frames} frames, {writes} writes");
        assert!(completions > 200 && bypassed > 20 && reads > 5_000, "{completions}, {bypassed}, {reads}");
    }
}
