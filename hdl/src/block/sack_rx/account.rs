//! `weft_sack_rx_tail`: stages 18 to 22, the counters of a connection, and whether to answer.

use super::words::{Judged, Tail};
use crate::part::context::Context;
use crate::prelude::*;

/// Stages 18 to 22: the counters of a connection, and whether to answer.
///
/// # Parameters
///
/// `A` bits of connection number; `S` bits of a slot's number, `N = S + 1`; `E` = 1 for windows above 256 PSNs, else 0.
#[derive(LogicBlock, BlockDefault)]
pub struct Account<const A: usize, const S: usize = 8, const N: usize = 9, const E: usize = 0> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves in the next clock.
    pub next_run: Signal<In, Bit>,
    /// Stage 18: an event or a close of the sweep.
    pub s18_live: Signal<In, Bit>,
    /// Stage 18: connection of the event.
    pub s18_id: Signal<In, Bits<A>>,
    /// Stage 20: the decisions so far.
    pub s20_judged: Signal<In, Judged<S>>,
    /// Stage 20: the PSN is far.
    pub s20_far: [Signal<In, Bit>; E],
    /// Stage 21: messages completed since the connection was opened.
    pub messages: Signal<In, Bits<24>>,
    /// CSR: number of new packets after which the receiver sends an ACK.
    pub ack_packets: Signal<In, Bits<8>>,
    /// CSR: bytes after which the receiver sends an ACK.
    pub ack_bytes: Signal<In, Bits<16>>,
    /// Stage 22: the counters after the event.
    pub tail: Signal<Out, Tail<S>>,
    /// Stage 22: messages that the event completed.
    pub completed: Signal<Out, Bits<N>>,
    /// Stage 22: packets that waited for an ACK before the event.
    pub waited: Signal<Out, Bits<8>>,
    /// Stage 22: the reply to send.
    pub response: Signal<Out, Bits<2>>,
    /// Stage 22: the connection was open, or the event opens it.
    pub accepted: Signal<Out, Bit>,
    /// Stage 22: the verdict on the packet.
    pub verdict: Signal<Out, Bits<3>>,

    run: Enable,
    s21_far: [Pipe<Bit>; E],
    words: Context<Tail<S>, A>,
    s21_judged: Pipe<Judged<S>>,
    early: Signal<Local, Judged<S>>,
    s21_packets_before: Pipe<Bits<8>>,
    short: Signal<Local, Bits<17>>,
    s21_bytes_before: Pipe<Bits<16>>,
    s21_by_bytes: Pipe<Bit>,
    now: Signal<Local, Judged<S>>,
    prior: Signal<Local, Tail<S>>,
    keep: Signal<Local, Bit>,
    ended: Signal<Local, Bits<N>>,
    some_ended: Signal<Local, Bit>,
    packets: Signal<Local, Bits<8>>,
    sum: Signal<Local, Bits<17>>,
    bytes: Signal<Local, Bits<16>>,
    enough: Signal<Local, Bit>,
    ack: Signal<Local, Bit>,
    after: Signal<Local, Tail<S>>,
    s22_completed: Pipe<Bits<N>>,
    s22_waited: Pipe<Bits<8>>,
    s22_nack: Pipe<Bit>,
    s22_ack: Pipe<Bit>,
    s22_accepted: Pipe<Bit>,
    s22_verdict: Pipe<Bits<3>>,
}

impl<const A: usize, const S: usize, const N: usize, const E: usize> Logic for Account<A, S, N, E> {
    #[clocked(en = run.q)]
    #[hdl_gen]
    fn update(&mut self) {
        wire!(self.run.*, self.words.* <- self.*: clk, rst, next_run);
        wire!(self.words.in_* <- self.s18_*: live, id);

        // Stage 20: the packets and bytes that must wait before this packet so that the packet gets an ACK.
        self.s21_judged.pipe = self.s20_judged.val();
        self.early.next = self.s20_judged.val();
        self.s21_packets_before.pipe =
            if self.ack_packets.val().any() { self.ack_packets.val() - 1 } else { 0.into() };
        self.short.next =
            bit_cast::<17, 16>(self.ack_bytes.val()) - bit_cast::<17, 16>(self.early.val().counted);
        self.s21_bytes_before.pipe =
            if self.short.val().get_bit(16) { 0.into() } else { self.short.val().get_bits::<16>(0) };
        self.s21_by_bytes.pipe = self.ack_bytes.val().any();

        // Stage 21.
        self.now.next = self.s21_judged.q.val();
        self.prior.next = self.words.prior.val();
        self.keep.next = self.now.val().accepted & !self.now.val().clear;
        self.ended.next = if self.keep.val() {
            self.messages.val().get_bits::<N>(0) - self.prior.val().messages.get_bits::<N>(0)
        } else {
            0.into()
        };
        self.some_ended.next = self.keep.val()
            & (self.messages.val().get_bits::<N>(0) != self.prior.val().messages.get_bits::<N>(0));
        self.packets.next = if self.now.val().fresh & !self.prior.val().pending_packets.all() {
            self.prior.val().pending_packets + 1
        } else {
            self.prior.val().pending_packets
        };
        self.sum.next =
            bit_cast::<17, 16>(self.prior.val().pending_bytes) + bit_cast::<17, 16>(self.now.val().counted);
        self.bytes.next = if self.now.val().fresh {
            if self.sum.val().get_bit(16) { 0xFFFF.into() } else { self.sum.val().get_bits::<16>(0) }
        } else {
            self.prior.val().pending_bytes
        };
        self.enough.next = self.now.val().fresh
            & ((self.prior.val().pending_packets >= self.s21_packets_before.q.val())
                | (self.s21_by_bytes.q.val()
                    & (self.prior.val().pending_bytes >= self.s21_bytes_before.q.val())));
        self.ack.next = self.now.val().at_once
            | self.some_ended.val()
            | self.enough.val()
            | (self.now.val().flush & self.prior.val().pending_packets.any());

        for e in 0..E {
            // A packet that is far is answered at once, and alone: it does not wait, and what waits goes on waiting.
            self.s21_far[e].pipe = self.s20_far[e].val();
            if self.s21_far[e].q.val() {
                self.packets.next = self.prior.val().pending_packets;
                self.bytes.next = self.prior.val().pending_bytes;
            }
            self.ack.next = self.now.val().at_once
                | self.some_ended.val()
                | self.enough.val()
                | (self.now.val().fresh & self.s21_far[e].q.val())
                | (self.now.val().flush & self.prior.val().pending_packets.any());
        }

        self.after.next = self.prior.val();
        if self.now.val().fresh {
            self.after.next.bytes = self.prior.val().bytes + bit_cast::<32, 16>(self.now.val().bytes);
            self.after.next.total = self.prior.val().total + 1;
        }
        self.after.next.messages = self.messages.val();
        self.after.next.pending_packets = self.packets.val();
        self.after.next.pending_bytes = self.bytes.val();
        if self.ack.val() | !self.keep.val() {
            self.after.next.pending_packets = 0.into();
            self.after.next.pending_bytes = 0.into();
        }
        for e in 0..E {
            if self.s21_far[e].q.val() & self.keep.val() {
                self.after.next.pending_packets = self.packets.val();
                self.after.next.pending_bytes = self.bytes.val();
            }
        }
        if !self.keep.val() {
            self.after.next.messages = 0.into();
            self.after.next.bytes = 0.into();
            self.after.next.total = if self.now.val().opening { self.now.val().psn } else { 0.into() };
        }
        self.words.word.next = self.after.val();
        self.tail.next = self.words.after.val();

        self.s22_completed.pipe = self.ended.val();
        self.s22_waited.pipe = if self.keep.val() { self.prior.val().pending_packets } else { 0.into() };
        self.s22_nack.pipe = self.now.val().nack;
        self.s22_ack.pipe = self.ack.val();
        self.s22_accepted.pipe = self.now.val().accepted;
        self.s22_verdict.pipe = self.now.val().verdict;
        self.completed.next = self.s22_completed.q.val();
        self.waited.next = self.s22_waited.q.val();
        self.response.next = bit_cast::<2, 1>((self.s22_ack.q.val() & !self.s22_nack.q.val()).into())
            | (bit_cast::<2, 1>(self.s22_nack.q.val().into()) << 1);
        self.accepted.next = self.s22_accepted.q.val();
        self.verdict.next = self.s22_verdict.q.val();
    }
}
