//! `weft_reps_core`: one event on the control word of its connection, combinational. This RTL corresponds to
//! the model's `step_with`, and the proof compares both.

use crate::prelude::*;

/// The bits of a control word, low to high: open, frozen, high, explore (8), stamp (32), head (S), tail (S),
/// some, written (C). If `some` is set, the slots from `tail` to before `head` are valid; otherwise no slot
/// is valid, and `tail` equals `head`.
pub const HEAD_AT: usize = 43;

/// One event on the control word of its connection, combinational.
///
/// # Parameters
///
/// Slots have `S` bits of number, counts `C = S + 1`, control words `K = 43 + S + 2 C`.
#[derive(LogicBlock, BlockDefault)]
#[requires(C == S + 1 && K == HEAD_AT + S + 2 * C)]
pub struct Core<const S: usize, const C: usize, const K: usize> {
    /// Control word before the event.
    pub control: Signal<In, Bits<K>>,
    /// Field `explore` of the control word is not 0.
    pub exploring: Signal<In, Bit>,
    /// The event as [`Decode`](super::decode::Decode) gives it; at most one bit is set.
    pub op: Signal<In, Bits<12>>,
    /// The acknowledged packet was ECN-marked.
    pub ecn: Signal<In, Bit>,
    /// The round-trip time is high.
    pub rtt_is_high: Signal<In, Bit>,
    /// The freeze (ACK) or the window of the last high RTT (timeout) is over.
    pub elapsed: Signal<In, Bit>,
    /// Time of the event.
    pub now: Signal<In, Bits<32>>,
    /// NUM_PKTS_BDP, at most 255.
    pub bdp_packets: Signal<In, Bits<8>>,
    /// CSR: every timeout is a failure.
    pub trimming: Signal<In, Bit>,
    /// CSR: the end of a freeze empties the buffer.
    pub thaw_reset: Signal<In, Bit>,
    /// CSR: mode 2024.
    pub mode_2024: Signal<In, Bit>,
    /// The connection is open after the event.
    pub next_open: Signal<Out, Bit>,
    /// The connection is frozen after the event.
    pub next_frozen: Signal<Out, Bit>,
    /// Bit `high` after the event.
    pub next_high: Signal<Out, Bit>,
    /// Counter `explore` after the event.
    pub next_explore: Signal<Out, Bits<8>>,
    /// Bits 7:0 of the stamp after the event; in mode 2024 the next number.
    pub next_low: Signal<Out, Bits<8>>,
    /// Bits 15:8 of the stamp after the event; in mode 2024 the cached number.
    pub next_middle: Signal<Out, Bits<8>>,
    /// Bits 31:16 of the stamp after the event.
    pub next_top: Signal<Out, Bits<16>>,
    /// Head of the ring after the event.
    pub next_head: Signal<Out, Bits<S>>,
    /// Tail of the ring after the event.
    pub next_tail: Signal<Out, Bits<S>>,
    /// Bit `some` after the event.
    pub next_some: Signal<Out, Bit>,
    /// Counter `written` after the event.
    pub next_written: Signal<Out, Bits<C>>,
    /// The connection was open, or the event does not need an open one.
    pub accepted: Signal<Out, Bit>,
    /// Source of the entropy value.
    pub source: Signal<Out, Bits<2>>,
    /// Freezing mode after the event.
    pub is_frozen: Signal<Out, Bit>,
    /// Freezing mode began or ended.
    pub turned: Signal<Out, Bit>,
    /// The time was set to `now`.
    pub touched: Signal<Out, Bit>,
    /// Read the entropy value in `slot`.
    pub read: Signal<Out, Bit>,
    /// Write the event's entropy value into `slot`.
    pub write: Signal<Out, Bit>,
    /// The slot to read or write.
    pub slot: Signal<Out, Bits<S>>,
    /// Use a random number.
    pub draw: Signal<Out, Bit>,
    /// Use `entropy` in place of a random number.
    pub indexed: Signal<Out, Bit>,
    /// Mode 2024: the entropy index.
    pub entropy: Signal<Out, Bits<8>>,

    send: Signal<Local, Bit>,
    send_ops: Signal<Local, Bit>,
    send_fixed: Signal<Local, Bit>,
    send_2024: Signal<Local, Bit>,
    ack: Signal<Local, Bit>,
    ack_2024: Signal<Local, Bit>,
    timeout: Signal<Local, Bit>,
    path_ok: Signal<Local, Bit>,
    idle: Signal<Local, Bit>,
    opening: Signal<Local, Bit>,
    closing: Signal<Local, Bit>,
    seed: Signal<Local, Bit>,

    open: Signal<Local, Bit>,
    frozen: Signal<Local, Bit>,
    high: Signal<Local, Bit>,
    explore: Signal<Local, Bits<8>>,
    stamp: Signal<Local, Bits<32>>,
    head: Signal<Local, Bits<S>>,
    tail: Signal<Local, Bits<S>>,
    some: Signal<Local, Bit>,
    written: Signal<Local, Bits<C>>,

    any_written: Signal<Local, Bit>,
    at_written: Signal<Local, Bit>,
    random: Signal<Local, Bit>,
    take: Signal<Local, Bit>,
    reuse: Signal<Local, Bit>,
    cache: Signal<Local, Bit>,
    freeze: Signal<Local, Bit>,
    thaw: Signal<Local, Bit>,
    emptied: Signal<Local, Bit>,
    at_head: Signal<Local, Bit>,
    drops: Signal<Local, Bit>,
    clear: Signal<Local, Bit>,
    number: Signal<Local, Bit>,
    number_sent: Signal<Local, Bit>,
    number_cached: Signal<Local, Bit>,
    all_tried: Signal<Local, Bit>,
    next_number: Signal<Local, Bits<8>>,
    cached_number: Signal<Local, Bits<8>>,

    #[new(((HEAD_AT + S) as u64).to_bits())]
    tail_at: Constant<Bits<8>>,
    #[new(((HEAD_AT + 2 * S) as u64).to_bits())]
    some_at: Constant<Bits<8>>,
    #[new(((HEAD_AT + 2 * S + 1) as u64).to_bits())]
    written_at: Constant<Bits<8>>,
}

impl<const S: usize, const C: usize, const K: usize> Logic for Core<S, C, K> {
    #[clocked]
    #[hdl_gen]
    fn update(&mut self) {
        // The event.
        self.send.next = self.op.val().get_bit(0);
        self.send_ops.next = self.op.val().get_bit(1);
        self.send_fixed.next = self.op.val().get_bit(2);
        self.send_2024.next = self.op.val().get_bit(3);
        self.ack.next = self.op.val().get_bit(4);
        self.ack_2024.next = self.op.val().get_bit(5);
        self.timeout.next = self.op.val().get_bit(6);
        self.path_ok.next = self.op.val().get_bit(7);
        self.idle.next = self.op.val().get_bit(8);
        self.opening.next = self.op.val().get_bit(9);
        self.closing.next = self.op.val().get_bit(10);
        self.seed.next = self.op.val().get_bit(11);

        // The fields of the control word.
        self.open.next = self.control.val().get_bit(0);
        self.frozen.next = self.control.val().get_bit(1);
        self.high.next = self.control.val().get_bit(2);
        self.explore.next = self.control.val().get_bits::<8>(3);
        self.stamp.next = self.control.val().get_bits::<32>(11);
        self.head.next = self.control.val().get_bits::<S>(43);
        self.tail.next = self.control.val().get_bits::<S>(self.tail_at.val().index());
        self.some.next = self.control.val().get_bit(self.some_at.val().index());
        self.written.next = self.control.val().get_bits::<C>(self.written_at.val().index());
        self.any_written.next = self.written.val().any();
        // Head is at most this until all slots are written.
        self.at_written.next = bit_cast::<C, S>(self.head.val()) == self.written.val();

        // Algorithm 2: explore, take the oldest valid entropy value, or reuse one while frozen. A closed
        // connection is all zero, valid slots are written, and a frozen connection does not explore.
        self.take.next = self.send.val() & self.some.val() & !self.exploring.val();
        self.reuse.next = self.send.val() & self.any_written.val() & !self.some.val() & self.frozen.val();
        self.random.next = self.send.val()
            & self.open.val()
            & (self.exploring.val() | (!self.some.val() & (!self.any_written.val() | !self.frozen.val())));

        // Algorithm 1: cache, freeze, thaw.
        self.cache.next = self.ack.val() & self.open.val() & !self.ecn.val();
        self.freeze.next = self.timeout.val()
            & self.open.val()
            & !self.frozen.val()
            & !self.exploring.val()
            & (self.trimming.val() | !self.high.val() | self.elapsed.val());
        self.thaw.next = self.frozen.val()
            & ((((self.ack.val() & !self.ecn.val()) | self.timeout.val()) & self.elapsed.val())
                | self.path_ok.val());
        self.emptied.next = self.thaw.val() & self.thaw_reset.val();
        self.clear.next = self.opening.val() | self.closing.val();
        self.touched.next = self.freeze.val()
            | (self.ack.val() & self.open.val() & !self.frozen.val() & self.rtt_is_high.val());

        // Mode 2024: entropies are numbers; the next one is in stamp[7:0], the cached one in stamp[15:8].
        self.next_number.next = self.stamp.val().get_bits::<8>(0);
        self.cached_number.next = self.stamp.val().get_bits::<8>(8);
        self.number_sent.next = self.send_2024.val() & self.exploring.val();
        self.number_cached.next = self.ack_2024.val() & self.open.val() & self.ecn.val();
        self.number.next = self.number_sent.val() | self.number_cached.val();
        self.all_tried.next = self.number.val() & self.next_number.val().all();

        // The slot to read or write.
        self.at_head.next =
            (self.reuse.val() & !self.at_written.val()) | (self.cache.val() & !self.emptied.val());
        self.slot.next = if self.take.val() {
            self.tail.val()
        } else if self.at_head.val() {
            self.head.val()
        } else {
            0.into()
        };

        // The control word after the event.
        self.next_open.next = (self.open.val() | self.opening.val()) & !self.closing.val();
        self.next_frozen.next =
            (self.frozen.val() | self.freeze.val()) & !self.thaw.val() & !self.clear.val();
        self.next_high.next = if self.clear.val() {
            self.opening.val() & self.mode_2024.val()
        } else if self.freeze.val() | (self.ack_2024.val() & !self.ecn.val() & self.open.val()) {
            false
        } else if self.touched.val() | self.number_cached.val() {
            true
        } else {
            self.high.val()
        };

        self.next_explore.next =
            if (self.clear.val() & !(self.opening.val() & self.mode_2024.val())) | self.all_tried.val() {
                0.into()
            } else if self.opening.val()
                | self.thaw.val()
                | (self.idle.val() & self.open.val() & !self.frozen.val())
            {
                self.bdp_packets.val()
            } else if self.exploring.val() & (self.send.val() | self.send_2024.val()) {
                self.explore.val() - 1
            } else {
                self.explore.val()
            };

        self.next_low.next = if self.clear.val() {
            0.into()
        } else if self.touched.val() {
            self.now.val().get_bits::<8>(0)
        } else if self.number.val() {
            self.next_number.val() + 1
        } else {
            self.next_number.val()
        };
        self.next_middle.next = if self.clear.val() {
            0.into()
        } else if self.touched.val() {
            self.now.val().get_bits::<8>(8)
        } else if self.number_cached.val() {
            self.next_number.val()
        } else {
            self.cached_number.val()
        };
        self.next_top.next = if self.clear.val() {
            0.into()
        } else if self.touched.val() {
            self.now.val().get_bits::<16>(16)
        } else {
            self.stamp.val().get_bits::<16>(16)
        };

        self.next_head.next = if self.at_head.val() {
            self.head.val() + 1
        } else if self.cache.val() | self.reuse.val() {
            1.into()
        } else if self.clear.val() | self.emptied.val() {
            0.into()
        } else {
            self.head.val()
        };

        // A full buffer loses its oldest entropy value. If none is valid, the tail moves with the head.
        self.drops.next = self.at_head.val()
            & (self.reuse.val() | (self.some.val() & (self.head.val() == self.tail.val())));
        self.next_tail.next = if self.take.val() | self.drops.val() {
            self.tail.val() + 1
        } else if self.reuse.val() {
            1.into()
        } else if self.clear.val() | self.emptied.val() {
            0.into()
        } else {
            self.tail.val()
        };
        self.next_some.next = if self.take.val() {
            self.head.val() != self.tail.val() + 1
        } else if self.cache.val() {
            true
        } else if self.clear.val() | self.emptied.val() {
            false
        } else {
            self.some.val()
        };

        self.next_written.next = if self.clear.val() | self.emptied.val() {
            bit_cast::<C, 1>(self.cache.val().into())
        } else if self.cache.val() & self.at_written.val() {
            self.written.val() + 1
        } else {
            self.written.val()
        };

        // Meaning of the event outside of this module.
        self.accepted.next = self.open.val() | self.opening.val() | self.seed.val();
        self.source.next =
            if self.random.val() | (self.send_ops.val() & self.open.val()) | self.number_sent.val() {
                1.into()
            } else if self.take.val() | (self.send_2024.val() & self.open.val()) {
                2.into()
            } else if self.reuse.val() {
                3.into()
            } else {
                0.into()
            };
        self.is_frozen.next = self.next_frozen.val() & !self.seed.val();
        self.turned.next = self.freeze.val() | self.thaw.val();
        self.draw.next = self.random.val() | (self.send_ops.val() & self.open.val());
        self.indexed.next =
            self.number_sent.val() | (self.send_2024.val() & self.open.val() & self.high.val());
        self.read.next = self.take.val()
            | self.reuse.val()
            | (self.send_fixed.val() & self.open.val())
            | (self.send_2024.val() & self.open.val() & !self.exploring.val() & !self.high.val());
        self.write.next =
            self.cache.val() | self.opening.val() | (self.ack_2024.val() & self.open.val() & !self.ecn.val());
        self.entropy.next =
            if self.exploring.val() { self.next_number.val() } else { self.cached_number.val() };
    }
}
