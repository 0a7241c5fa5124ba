//! The clocked view: the ports of `weft_registers` and their values on every clock.

use super::bus::Bus;
use super::status::{Book, Sources};
use super::ticks::Ticks;
use super::totals::Scanner;
use super::transaction::Registers;
use crate::block::receiver::Bar;
use crate::words::{AxilInputs, AxilOutputs, Offer};
use weft_params::registers::{COUNTERS, NicCsr, offsets};
use weft_params::{NicParams, SackParams};

/// The input ports during one clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Inputs {
    /// Synchronous reset.
    pub rst: bool,
    /// `s_axil_*`
    pub axil: AxilInputs,
    /// Values of the `stat_*` ports of the counters, by the index of [`weft_params::registers::counters`].
    /// The counters of a block are those of [`weft_params::registers::counters_of`]. Each counter has the low
    /// bits that fit into its port.
    pub stats: [u32; COUNTERS],
    /// `stat_rtt_latest`, `stat_rtt_smallest`
    pub rtt: [u16; 2],
    /// `window_view`: the sender's view of the connection in QUERY, low word first.
    pub window: [u64; 2],
    /// `s_axis_sender_failed`: a connection that the sender ended. `true`: the peer denied a packet; `false`:
    /// the peer did not answer.
    pub failed: Option<(u32, bool)>,
    /// `s_axis_freeze`: a freeze began or ended.
    pub freeze: Option<(u32, bool)>,
    /// `s_axis_drained`: a draining connection has no more outstanding work.
    pub drained: Option<u32>,
    /// `s_axis_breach`: a packet was not permitted to write to its address.
    pub breach: Option<u32>,
    /// `s_axis_buffer`: the state of the host's buffer.
    pub buffer: Option<(u32, u8)>,
    /// `m_axis_event_tready`
    pub event_ready: bool,
    /// `m_axis_sender_failure_tready`
    pub failure_ready: bool,
    /// `m_axis_ingress_peer_tready`
    pub ingress_peer_ready: bool,
    /// `m_axis_egress_peer_tready`
    pub egress_peer_ready: bool,
    /// `m_axis_receiver_control_tready`
    pub receiver_control_ready: bool,
    /// `m_axis_sender_control_tready`
    pub sender_control_ready: bool,
}

impl Default for Inputs {
    fn default() -> Self {
        Self {
            rst: false,
            axil: AxilInputs::default(),
            stats: [0; COUNTERS],
            rtt: [0; 2],
            window: [0; 2],
            failed: None,
            freeze: None,
            drained: None,
            breach: None,
            buffer: None,
            event_ready: false,
            failure_ready: false,
            ingress_peer_ready: false,
            egress_peer_ready: false,
            receiver_control_ready: false,
            sender_control_ready: false,
        }
    }
}

/// The output ports during one clock: registers, or functions of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// `s_axil_*`
    pub axil: AxilOutputs,
    /// `now`: the time in ticks.
    pub now: u32,
    /// `query`: the connection in QUERY.
    pub query: u32,
    /// The `cfg_*` ports. (A register with an undefined code has the code that the page defines.)
    pub csr: NicCsr,
    /// `s_axis_sender_failed_tready`
    pub failed_ready: bool,
    /// `s_axis_freeze_tready`
    pub freeze_ready: bool,
    /// `s_axis_drained_tready`
    pub drained_ready: bool,
    /// `s_axis_breach_tready`
    pub breach_ready: bool,
    /// `s_axis_buffer_tready`
    pub buffer_ready: bool,
    /// `m_axis_bar`: new treatment of a connection's packets. The receiver always accepts.
    pub bar: Offer<Bar>,
    /// `m_axis_sender_failure`: a connection has failed at this end. `true`: the connection's buffer failed;
    /// `false`: a packet of the peer was not permitted to write to its address.
    pub failure: Offer<bool>,
    /// `m_axis_event`: state of a connection after an event; `irq` is its `tvalid`.
    pub event: Offer<u8>,
    /// `m_axis_ingress_peer`: open 1, v6 1, address 128.
    pub ingress_peer: Offer<[u64; 3]>,
    /// `m_axis_egress_peer`: v6 1, address 128, mac 48, tagged 1, tag 16, qp 24.
    pub egress_peer: Offer<[u64; 4]>,
    /// `m_axis_receiver_control`: open 1, psn 24, base 64, length 32, key 32.
    pub receiver_control: Offer<[u64; 3]>,
    /// `m_axis_sender_control`: op 3, psn 24, class 2, ev 16, seed 32.
    pub sender_control: Offer<[u64; 2]>,
}

/// `weft_registers`, clock for clock.
#[derive(Clone, Debug)]
pub struct Clocked {
    shape: NicParams,
    bus: Bus,
    registers: Registers,
    ticks: Ticks,
    scanner: Scanner,
    book: Book,
    outputs: Outputs,
}

impl Clocked {
    /// A block in its first clock after one with `rst`.
    pub fn new(params: SackParams) -> Self {
        Self::of_shape(&params.into())
    }

    /// The registers of a NIC with this shape.
    pub fn of_shape(shape: &NicParams) -> Self {
        let mut clocked = Self {
            shape: *shape,
            bus: Bus::default(),
            registers: Registers::in_reset(shape),
            ticks: Ticks::default(),
            scanner: Scanner::new(),
            book: Book::new(shape.connections),
            outputs: Outputs::default(),
        };
        clocked.settle();
        clocked.drive();
        clocked
    }

    /// The output ports before the next clock edge.
    #[inline]
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// The stored word at an offset; 0 if there is none.
    pub fn stored(&self, offset: u16) -> u32 {
        self.registers.stored(offset)
    }

    /// Advances the time by a number of ticks at once.
    pub(crate) fn pass(&mut self, ticks: u32) {
        self.ticks.pass(ticks);
    }

    /// A clock edge with these inputs.
    pub fn clock(&mut self, inputs: &Inputs) {
        if inputs.rst {
            *self = Self::of_shape(&self.shape);
            return;
        }
        let Self { bus, registers, ticks, scanner, book, .. } = self;
        // All of these values are the ones before the edge.
        let write = bus.pulse();
        let busy = registers.busy();
        let asked = bus.reads().filter(|offset| registers.counter(*offset).is_some());
        let clears = registers.clears();
        bus.clock(
            &inputs.axil,
            asked.map(|_| scanner.ready()),
            |offset| match offset {
                offsets::STATE => Some(book.state()),
                offsets::QUERY_HISTORY => Some(book.history()),
                _ => registers.look(offset, ticks.now(), inputs.rtt, inputs.window),
            },
            |offset, data, strobes| registers.accepts(offset, data, strobes),
        );
        scanner.clock(registers.totals(), &inputs.stats, asked, clears);
        ticks.clock(registers.stored(offsets::TICK_SHIFT));
        let control = registers.status();
        let hears = book.hears(control);
        book.clock(&Sources {
            failed: inputs.failed,
            freeze: inputs.freeze,
            drained: inputs.drained,
            breach: inputs.breach,
            buffer: inputs.buffer,
            control: control.filter(|_| hears),
            event_ready: inputs.event_ready,
            failure_ready: inputs.failure_ready,
            query: registers.query(),
        });
        let ready = [
            inputs.ingress_peer_ready,
            inputs.egress_peer_ready,
            inputs.receiver_control_ready,
            inputs.sender_control_ready,
        ];
        registers.clock(ready, hears);
        if let Some((offset, word)) = write {
            registers.set(offset, word);
            self.settle();
        }
        if busy {
            self.offer();
        }
        self.drive();
    }

    /// Updates the ports that can change on every clock.
    fn drive(&mut self) {
        let Self { bus, registers, ticks, book, outputs, .. } = self;
        let turn = book.turn();
        outputs.failed_ready = book.failed_ready();
        outputs.failure = book.failure();
        outputs.freeze_ready = turn == Some(Book::FREEZE);
        outputs.drained_ready = turn == Some(Book::DRAINED);
        outputs.breach_ready = turn == Some(Book::BREACH);
        outputs.buffer_ready = turn == Some(Book::BUFFER);
        outputs.bar = book.bar();
        outputs.event = book.event();
        outputs.axil = bus.outputs();
        outputs.now = ticks.now();
        [
            outputs.ingress_peer.valid,
            outputs.egress_peer.valid,
            outputs.receiver_control.valid,
            outputs.sender_control.valid,
        ] = registers.waiting();
    }

    /// Updates the ports that only a write changes.
    fn settle(&mut self) {
        self.outputs.csr = self.registers.csr();
        self.outputs.query = self.registers.query() % self.shape.connections;
        self.offer();
    }

    /// Updates the words for the blocks, which also change with the phase of a command.
    fn offer(&mut self) {
        let Self { registers, outputs, .. } = self;
        outputs.ingress_peer = registers.offer(0);
        outputs.egress_peer = registers.offer(1);
        outputs.receiver_control = registers.offer(2);
        outputs.sender_control = registers.offer(3);
    }
}
