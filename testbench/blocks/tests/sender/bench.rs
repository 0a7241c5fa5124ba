//! A sender and its outputs.

use weft_blocks::sender::default_csr;
use weft_nic::block::sender::{Clocked, Control, ControlKind, Inputs, Outputs};
use weft_nic::words::{Acknowledgement, Order, Sent, Status, Work};
use weft_params::{SackParams, SenderCsr};

/// Clocks of a tick.
pub(crate) const TICK: u64 = 8;
/// Payload bytes of a full packet.
pub(crate) const MTU: u32 = 1 << 12;

/// Registers for windows of `packets` packets, timers of `rto_ticks` ticks, and epochs of at most a tenth.
pub(crate) fn csr(packets: u32, rto_ticks: u32) -> SenderCsr {
    let mut csr = default_csr();
    csr.sack = csr.sack.with_rto(rto_ticks).with_epoch((rto_ticks / 10).clamp(1, 281));
    for class in &mut csr.smartt.classes {
        class.mtu_bytes = MTU;
        class.max_cwnd_bytes = packets * MTU;
    }
    csr
}

pub(crate) struct Bench {
    pub(crate) model: Clocked,
    pub(crate) at: u64,
    /// The outputs that are ready.
    pub(crate) ready: Inputs,
    pub(crate) orders: Vec<(u32, Order)>,
    pub(crate) fetches: usize,
    pub(crate) sent: Vec<(u32, Sent)>,
    pub(crate) drained: Vec<u32>,
    /// Failures that the block reported, with the clocks.
    pub(crate) failed: Vec<(u64, u32, bool)>,
    ids: u32,
}

impl Bench {
    /// The bench with connections 0 to 3 open, the first PSN 0.
    pub(crate) fn new(csr: SenderCsr) -> Self {
        Self::of(16, 4, csr)
    }

    /// A sender with `connections` connections; the first ones are open with first PSN 0.
    pub(crate) fn of(connections: u32, opened: u32, csr: SenderCsr) -> Self {
        let ready = Inputs {
            fetch_ready: true,
            order_ready: true,
            sent_ready: true,
            freeze_ready: true,
            drained_ready: true,
            failed_ready: true,
            ..Inputs::default()
        };
        let model = Clocked::new(SackParams { connections }, csr);
        let (orders, sent, drained, failed) = Default::default();
        let mut bench = Self { model, at: 0, ready, orders, fetches: 0, sent, drained, failed, ids: 0 };
        bench.clock(Inputs { rst: true, ..ready });
        bench.idle(u64::from(connections));
        (0..opened).for_each(|connection| bench.command(connection, open(0)));
        bench.idle(300);
        bench
    }

    /// Runs a clock; returns the outputs before it.
    pub(crate) fn clock(&mut self, inputs: Inputs) -> Outputs {
        let outputs = *self.model.outputs();
        self.orders.extend(outputs.order.get().filter(|_| inputs.order_ready));
        self.fetches += usize::from(outputs.fetch.valid && inputs.fetch_ready);
        self.sent.extend(outputs.sent.get().filter(|_| inputs.sent_ready));
        self.drained.extend(outputs.drained.get().filter(|_| inputs.drained_ready).map(|(id, ())| id));
        let failed = outputs.failed.get().filter(|_| inputs.failed_ready);
        self.failed.extend(failed.map(|(id, denied)| (self.at, id, denied)));
        self.model.clock(&Inputs { now: self.now(), ..inputs });
        self.at += 1;
        outputs
    }

    pub(crate) fn now(&self) -> u32 {
        (self.at / TICK) as u32
    }

    pub(crate) fn idle(&mut self, clocks: u64) {
        (0..clocks).for_each(|_| _ = self.clock(self.ready));
    }

    pub(crate) fn command(&mut self, connection: u32, control: Control) {
        while !self.clock(Inputs { control: Some((connection, control)), ..self.ready }).control_ready {}
    }

    /// Posts a message of `packets` packets.
    pub(crate) fn work(&mut self, connection: u32, packets: u32) {
        let work = self.some_work(packets);
        while !self.clock(Inputs { work: Some((connection, work)), ..self.ready }).work_ready {}
    }

    pub(crate) fn some_work(&mut self, packets: u32) -> Work {
        self.ids += 1;
        Work { length: packets * MTU, id: self.ids, ..Work::default() }
    }

    pub(crate) fn answer(&mut self, connection: u32, answer: Acknowledgement) {
        let acknowledgement = Some((connection, answer));
        while !self.clock(Inputs { acknowledgement, ..self.ready }).acknowledgement_ready {}
    }

    /// The connection has failed at this end.
    pub(crate) fn fail(&mut self, connection: u32, cause: Status) {
        let failure = Some((connection, cause));
        while !self.clock(Inputs { failure, ..self.ready }).failure_ready {}
    }

    /// Offers a close until it is accepted. Returns the number of clocks.
    pub(crate) fn close(&mut self, connection: u32, most: u64) -> Option<u64> {
        let control = Some((connection, CLOSE));
        (1..=most).find(|_| self.clock(Inputs { control, ..self.ready }).control_ready)
    }

    /// Orders of a connection.
    pub(crate) fn orders_of(&self, connection: u32) -> usize {
        self.orders.iter().filter(|(id, _)| *id == connection).count()
    }
}

pub(crate) const CLOSE: Control = Control { kind: ControlKind::Close, psn: 0, class: 0, ev: 0, seed: 0 };

pub(crate) const DRAIN: Control = Control { kind: ControlKind::Drain, ..CLOSE };

pub(crate) fn open(psn: u32) -> Control {
    Control { kind: ControlKind::Open, psn, ..CLOSE }
}

/// The ACK of all before this PSN, of a packet sent just now.
pub(crate) fn ack(expected: u32, now: u32) -> Acknowledgement {
    let trigger = expected.wrapping_sub(1) & 0xFF_FFFF;
    Acknowledgement { expected, trigger, stamp: now as u16, ..Acknowledgement::default() }
}
