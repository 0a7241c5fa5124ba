//! The clocked view: the ports of `weft_nic` and their values on every clock.

use super::counters::stats;
use super::holds::{Holds, Seen};
use crate::block::{egress, ingress, receiver, registers, sender};
use crate::words::{
    AxilInputs, AxilOutputs, Beat, Offer, Place, Received, Sent, Status, Unpacked, Work, Write,
};
use weft_params::registers::{COUNTERS, NicCsr};
use weft_params::{NicParams, SackParams};

/// The input ports of `weft_nic` during one clock. A stream that is `None` has `tvalid` low and zeros.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Inputs {
    /// Synchronous reset.
    pub rst: bool,
    /// Registers.
    pub axil: AxilInputs,
    /// `s_axis_net`: from the MAC; the NIC always accepts.
    pub net: Option<Beat>,
    /// `m_axis_net_tready`
    pub net_ready: bool,
    /// `s_axis_bypass`: frames of other software to send.
    pub bypass: Option<Beat>,
    /// `m_axis_bypass_tready`
    pub bypass_ready: bool,
    /// `s_axis_work`: work requests, with their connection.
    pub work: Option<(u32, Work)>,
    /// `m_axis_fetch_tready`
    pub fetch_ready: bool,
    /// `s_axis_read`: DMA read data.
    pub read: Option<Beat>,
    /// `m_axis_write_tready`
    pub write_ready: bool,
    /// `m_axis_received_tready`
    pub received_ready: bool,
    /// `m_axis_sent_tready`
    pub sent_ready: bool,
    /// `s_axis_buffer`: the state of a connection's buffer.
    pub buffer: Option<(u32, u8)>,
    /// `m_axis_event_tready`
    pub event_ready: bool,
}

impl Inputs {
    /// Inputs with idle streams, and with space for every output.
    pub fn taking() -> Self {
        Self {
            net_ready: true,
            bypass_ready: true,
            fetch_ready: true,
            write_ready: true,
            received_ready: true,
            sent_ready: true,
            event_ready: true,
            ..Self::default()
        }
    }
}

/// The output ports of `weft_nic` during one clock: registers, or functions of registers.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Outputs {
    /// Registers.
    pub axil: AxilOutputs,
    /// `m_axis_net`: to the MAC.
    pub net: Offer<Beat>,
    /// `s_axis_bypass_tready`
    pub bypass_ready: bool,
    /// `m_axis_bypass`: frames that are not RoCE for this NIC.
    pub bypass: Offer<Beat>,
    /// `s_axis_work_tready`
    pub work_ready: bool,
    /// `m_axis_fetch`: DMA read requests.
    pub fetch: Offer<Place>,
    /// `s_axis_read_tready`
    pub read_ready: bool,
    /// `m_axis_write`: DMA write data.
    pub write: Offer<Write>,
    /// `m_axis_received`: completions of received messages.
    pub received: Offer<Received>,
    /// `m_axis_sent`: completions of work requests.
    pub sent: Offer<Sent>,
    /// `s_axis_buffer_tready`
    pub buffer_ready: bool,
    /// `m_axis_event`: state of a connection after an event; `irq` is its `tvalid`.
    pub event: Offer<u8>,
}

/// `weft_nic`, clock for clock.
#[derive(Clone, Debug)]
pub struct Nic {
    ingress: ingress::Clocked,
    receiver: receiver::Clocked,
    sender: sender::Clocked,
    egress: egress::Clocked,
    registers: registers::Clocked,
    holds: Holds,
    /// Values of the blocks' `cfg_*` ports.
    csr: NicCsr,
    outputs: Outputs,
}

impl Nic {
    /// A NIC in its first clock after one with `rst`.
    pub fn new(params: SackParams) -> Self {
        Self::of_shape(&params.into())
    }

    /// The core of a NIC of this shape, which its registers report. Its streams have 512 bits.
    pub fn of_shape(shape: &NicParams) -> Self {
        let params = shape.blocks();
        let csr = NicCsr::default();
        let mut nic = Self {
            ingress: ingress::Clocked::with_psns(params, shape.psns, csr.ingress),
            receiver: receiver::Clocked::with_psns(params, shape.psns, csr.receiver),
            sender: sender::Clocked::of_shape(shape.sender(), csr.sender),
            egress: egress::Clocked::with_psns(params, shape.psns, csr.egress),
            registers: registers::Clocked::of_shape(shape),
            holds: Holds::default(),
            csr,
            outputs: Outputs::default(),
        };
        nic.show();
        nic
    }

    /// The output ports before the next clock edge.
    #[inline]
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// The time in ticks.
    pub fn now(&self) -> u32 {
        self.registers.outputs().now
    }

    /// Advances the time by a number of ticks at once, for tests with idle minutes.
    pub fn pass(&mut self, ticks: u32) {
        self.registers.pass(ticks);
    }

    /// The receiver in the NIC.
    pub fn receiver(&self) -> &receiver::Clocked {
        &self.receiver
    }

    /// The sender in the NIC.
    pub fn sender(&self) -> &sender::Clocked {
        &self.sender
    }

    /// Counts of all blocks, modulo 2^32. The registers add the counts in 64 bits.
    pub fn counters(&self) -> [u32; COUNTERS] {
        let (ingress, egress) = (self.ingress.outputs(), self.egress.outputs());
        let (receiver, sender) = (self.receiver.outputs(), self.sender.outputs());
        stats(&ingress.stats, &egress.counters, &receiver.stats, &sender.counters, self.holds.counts())
    }

    /// A clock edge with these inputs. Every block's outputs are registers, hence all are read before any
    /// block moves.
    pub fn clock(&mut self, inputs: &Inputs) {
        let rst = inputs.rst;
        let registers = *self.registers.outputs();
        let ingress = *self.ingress.outputs();
        let receiver = *self.receiver.outputs();
        let sender = *self.sender.outputs();
        let egress = *self.egress.outputs();
        if self.csr != registers.csr {
            self.csr = registers.csr;
            self.ingress.set_csr(self.csr.ingress);
            self.receiver.set_csr(self.csr.receiver);
            self.sender.set_csr(self.csr.sender);
            self.egress.set_csr(self.csr.egress);
        }

        self.registers.clock(&registers::Inputs {
            rst,
            axil: inputs.axil,
            stats: stats(
                &ingress.stats,
                &egress.counters,
                &receiver.stats,
                &sender.counters,
                self.holds.counts(),
            ),
            rtt: [sender.counters.rtt.latest, sender.counters.rtt.smallest],
            window: sender.window,
            failed: sender.failed.get(),
            freeze: sender.freeze.get(),
            drained: sender.drained.get().map(|(id, ())| id),
            breach: receiver.breach.get().map(|(id, ())| id),
            buffer: inputs.buffer,
            event_ready: inputs.event_ready,
            failure_ready: sender.failure_ready,
            ingress_peer_ready: ingress.peer_ready,
            egress_peer_ready: egress.peer_ready,
            receiver_control_ready: receiver.control_ready,
            sender_control_ready: sender.control_ready,
        });
        self.ingress.clock(&ingress::Inputs {
            rst,
            net: inputs.net,
            peer: registers.ingress_peer.get().map(|(id, words)| (id, ingress_peer(&words))),
            arrival_ready: receiver.arrival_ready,
            payload_ready: receiver.payload_ready,
            acknowledgement_ready: sender.acknowledgement_ready,
            bypass_ready: inputs.bypass_ready,
        });
        self.receiver.clock(&receiver::Inputs {
            rst,
            now: registers.now,
            arrival: ingress.arrival.get(),
            payload: ingress.payload.get().map(|(_, beat)| beat),
            control: registers.receiver_control.get().map(|(id, words)| (id, receiver::Control::of(&words))),
            bar: registers.bar.get(),
            breach_ready: registers.breach_ready,
            reply_ready: egress.reply_ready,
            write_ready: inputs.write_ready,
            received_ready: inputs.received_ready,
        });
        self.sender.clock(&sender::Inputs {
            rst,
            now: registers.now,
            work: inputs.work,
            acknowledgement: ingress.acknowledgement.get(),
            control: registers.sender_control.get().map(|(id, words)| (id, sender_control(&words))),
            failure: registers.failure.get().map(|(id, broken)| (id, failure(broken))),
            fetch_ready: inputs.fetch_ready,
            order_ready: egress.order_ready,
            sent_ready: inputs.sent_ready,
            freeze_ready: registers.freeze_ready,
            drained_ready: registers.drained_ready,
            failed_ready: registers.failed_ready,
            query: registers.query,
        });
        self.egress.clock(&egress::Inputs {
            rst,
            now: registers.now,
            reply: receiver.reply.get(),
            order: sender.order.get(),
            passed: sender.passed.get(),
            read: inputs.read,
            bypass: inputs.bypass,
            peer: registers.egress_peer.get().map(|(id, words)| (id, egress::Peer::of(&words))),
            net_ready: inputs.net_ready,
        });
        self.holds.clock(rst, seen(inputs, &self.outputs));
        self.show();
    }

    fn show(&mut self) {
        let ingress = self.ingress.outputs();
        let receiver = self.receiver.outputs();
        let sender = self.sender.outputs();
        let egress = self.egress.outputs();
        self.outputs = Outputs {
            axil: self.registers.outputs().axil,
            net: egress.net,
            bypass_ready: egress.bypass_ready,
            bypass: ingress.bypass,
            work_ready: sender.work_ready,
            fetch: sender.fetch,
            read_ready: egress.read_ready,
            write: receiver.write,
            received: receiver.received,
            sent: sender.sent,
            buffer_ready: self.registers.outputs().buffer_ready,
            event: self.registers.outputs().event,
        };
    }
}

fn failure(broken: bool) -> Status {
    if broken { Status::Broken } else { Status::Breach }
}

fn ingress_peer(words: &[u64; 3]) -> ingress::Peer {
    let mut fields = Unpacked::new(words);
    let (open, v6, address) = (fields.flag(), fields.flag(), fields.take(128));
    let (tagged, tag) = (fields.flag(), fields.take(16) as u16);
    let vlan = if tagged { tag & ingress::VLAN } else { 0 };
    ingress::Peer { open, v6, address, vlan, pkey: fields.take(16) as u16 }
}

fn sender_control(words: &[u64; 2]) -> sender::Control {
    let mut fields = Unpacked::new(words);
    let kinds = [
        sender::ControlKind::Close,
        sender::ControlKind::Open,
        sender::ControlKind::Seed,
        sender::ControlKind::PathOk,
    ];
    let kind = |code: usize| kinds.get(code).copied().unwrap_or(sender::ControlKind::Drain);
    sender::Control {
        kind: kind(fields.take(3) as usize),
        psn: fields.take(24) as u32,
        class: fields.take(2) as u8,
        ev: fields.take(16) as u16,
        seed: fields.take(32) as u32,
    }
}

/// Handshakes on the streams in this clock.
fn seen(inputs: &Inputs, outputs: &Outputs) -> Seen {
    Seen {
        full: outputs.net.valid && !inputs.net_ready,
        quiet: !outputs.net.valid,
        offered: outputs.fetch.valid,
        asked: outputs.fetch.valid && inputs.fetch_ready,
        answered: outputs.read_ready && inputs.read.is_some_and(|beat| beat.last),
        unwritten: outputs.write.valid && !inputs.write_ready,
        untold: outputs.received.valid && !inputs.received_ready || outputs.sent.valid && !inputs.sent_ready,
        begun: inputs.work.is_some() && outputs.work_ready,
        over: outputs.sent.valid && inputs.sent_ready,
    }
}
