//! `weft_reps_control`: the read-modify-write pipeline of the control words, one event per clock for any
//! connection pattern.
//!
//! Stage 1 reads the RAM. Stage 3 merges the results of older events and decodes. Stage 4 computes ([`Core`])
//! and draws. Stage 5 writes. An event uses the results of the four events before it: distances 4, 3 and 2 in
//! stage 3, distance 1 in stage 4.

use super::core::{Core, HEAD_AT};
use super::decode::Decode;
use crate::prelude::*;

/// The read-modify-write pipeline of the control words, one event per clock for any connection pattern. Stage
/// 1 reads the RAM. Stage 3 merges the results of older events and decodes. Stage 4 computes and draws. Stage
/// 5 writes.
///
/// # Parameters
///
/// `A` bits of connection number, `S` of slot number, `C` of count, `K` of control word.
#[derive(LogicBlock, BlockDefault)]
pub struct Control<const A: usize, const S: usize, const C: usize, const K: usize> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset.
    pub rst: Signal<In, Bit>,
    /// The pipeline moves.
    pub run: Signal<In, Bit>,
    /// Stage 1: an event.
    pub in_valid: Signal<In, Bit>,
    /// Stage 1: an event or a close of the sweep.
    pub in_live: Signal<In, Bit>,
    /// Stage 1: connection of the event.
    pub in_id: Signal<In, Bits<A>>,
    /// Stage 1: data of the event.
    pub in_data: Signal<In, Bits<32>>,
    /// Stage 1: ECN mark and kind of the event.
    pub in_user: Signal<In, Bits<4>>,
    /// Stage 1: time of the event.
    pub in_stamp: Signal<In, Bits<32>>,
    /// CSR: choice of entropy values.
    pub mode: Signal<In, Bits<2>>,
    /// CSR: ticks of a freeze.
    pub freeze_timeout: Signal<In, Bits<32>>,
    /// CSR: packets of one BDP.
    pub bdp_packets: Signal<In, Bits<16>>,
    /// CSR: every timeout is a failure.
    pub trimming: Signal<In, Bit>,
    /// CSR: ending a freeze empties the buffer.
    pub thaw_reset: Signal<In, Bit>,
    /// CSR: lowest high RTT.
    pub rtt_high: Signal<In, Bits<16>>,
    /// CSR: ticks during which a high RTT counts.
    pub rtt_window: Signal<In, Bits<32>>,
    /// Stage 4: use a random number.
    pub draw: Signal<Out, Bit>,
    /// Stage 4: seed the generator.
    pub seed: Signal<Out, Bit>,
    /// Stage 4: with this.
    pub seed_data: Signal<Out, Bits<32>>,
    /// Stage 4: mode 2024's number.
    pub number: Signal<Out, Bits<8>>,
    /// CSR: mode 2024.
    pub mode_2024: Signal<Out, Bit>,
    /// Stage 5: an event.
    pub valid: Signal<Out, Bit>,
    /// Stage 5: connection of the event.
    pub id: Signal<Out, Bits<A>>,
    /// Stage 5: kind of the event.
    pub kind: Signal<Out, Bits<3>>,
    /// Stage 5: entropy value of the event.
    pub given: Signal<Out, Bits<16>>,
    /// Stage 5: the connection was open, or need not be.
    pub accepted: Signal<Out, Bit>,
    /// Stage 5: the source of the entropy value.
    pub source: Signal<Out, Bits<2>>,
    /// Stage 5: freezing mode after the event.
    pub is_frozen: Signal<Out, Bit>,
    /// Stage 5: freezing mode began or ended.
    pub turned: Signal<Out, Bit>,
    /// Stage 5: the slot to read or write.
    pub slot: Signal<Out, Bits<S>>,
    /// Stage 5: read it.
    pub read: Signal<Out, Bit>,
    /// Stage 5: write it.
    pub write: Signal<Out, Bit>,
    /// Stage 5: use the random number or the number of mode 2024.
    pub drawn: Signal<Out, Bit>,

    ram: RamSdp<Bits<K>, A>,
    decode: Decode,
    core: Core<S, C, K>,
    s2_valid: Reg<Bit>,
    s2_live: Reg<Bit>,
    s2_id: Pipe<Bits<A>>,
    s2_data: Pipe<Bits<32>>,
    s2_user: Pipe<Bits<4>>,
    s2_time: Pipe<Bits<32>>,
    s2_near: Pipe<Bits<4>>,
    s3_valid: Reg<Bit>,
    s3_live: Reg<Bit>,
    s3_id: Pipe<Bits<A>>,
    s3_data: Pipe<Bits<32>>,
    s3_user: Pipe<Bits<4>>,
    s3_time: Pipe<Bits<32>>,
    s3_since: Pipe<Bits<32>>,
    s3_wraps: Pipe<Bit>,
    s3_rtt_is_high: Pipe<Bit>,
    s3_near1: Pipe<Bit>,
    s3_pick: Pipe<Bits<2>>,
    s4_valid: Reg<Bit>,
    s4_live: Reg<Bit>,
    s4_id: Pipe<Bits<A>>,
    s4_data: Pipe<Bits<32>>,
    s4_user: Pipe<Bits<4>>,
    s4_time: Pipe<Bits<32>>,
    s4_rtt_is_high: Pipe<Bit>,
    s4_op: Reg<Bits<12>>,
    s4_near1: Pipe<Bit>,
    s4_word: Pipe<Bits<K>>,
    s4_exploring: Pipe<Bit>,
    s4_elapsed: Pipe<Bit>,
    s4_elapsed_near: Pipe<Bit>,
    s5_valid: Reg<Bit>,
    s5_live: Reg<Bit>,
    s5_id: Pipe<Bits<A>>,
    s5_kind: Pipe<Bits<3>>,
    s5_given: Pipe<Bits<16>>,
    s5_open: Pipe<Bit>,
    s5_frozen: Pipe<Bit>,
    s5_high: Pipe<Bit>,
    s5_explore: Pipe<Bits<8>>,
    s5_low: Pipe<Bits<8>>,
    s5_middle: Pipe<Bits<8>>,
    s5_top: Pipe<Bits<16>>,
    s5_head: Pipe<Bits<S>>,
    s5_tail: Pipe<Bits<S>>,
    s5_some: Pipe<Bit>,
    s5_written: Pipe<Bits<C>>,
    s5_touched: Pipe<Bit>,
    s5_accepted: Pipe<Bit>,
    s5_source: Pipe<Bits<2>>,
    s5_is_frozen: Pipe<Bit>,
    s5_turned: Pipe<Bit>,
    s5_slot: Pipe<Bits<S>>,
    s5_read: Pipe<Bit>,
    s5_write: Pipe<Bit>,
    s5_drawn: Pipe<Bit>,
    s6_word: Pipe<Bits<K>>,
    s7_word: Pipe<Bits<K>>,
    #[new(255u64.to_bits())]
    bdp: Reg<Bits<8>>,
    near1: Signal<Local, Bit>,
    near2: Signal<Local, Bit>,
    near3: Signal<Local, Bit>,
    near4: Signal<Local, Bit>,
    limit: Signal<Local, Bits<32>>,
    merged: Signal<Local, Bits<K>>,
    s5_word: Signal<Local, Bits<K>>,
    word: Signal<Local, Bits<K>>,
    exploring: Signal<Local, Bit>,
    elapsed: Signal<Local, Bit>,
    in_2024: Signal<Local, Bit>,
    stamp: Signal<Local, Bits<32>>,
    early: Signal<Local, Bit>,
    late: Signal<Local, Bit>,
    early_near: Signal<Local, Bit>,
    late_near: Signal<Local, Bit>,
    #[new(((HEAD_AT + S) as u64).to_bits())]
    tail_at: Constant<Bits<8>>,
    #[new(((HEAD_AT + 2 * S) as u64).to_bits())]
    some_at: Constant<Bits<8>>,
    #[new(((HEAD_AT + 2 * S + 1) as u64).to_bits())]
    written_at: Constant<Bits<8>>,
}

impl<const A: usize, const S: usize, const C: usize, const K: usize> Logic for Control<A, S, C, K> {
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 1: read the control word.
        self.ram.read = self.in_id.val();
        self.near1.next = self.s2_live.q.val() & (self.in_id.val() == self.s2_id.q.val());
        self.near2.next = self.s3_live.q.val() & (self.in_id.val() == self.s3_id.q.val());
        self.near3.next = self.s4_live.q.val() & (self.in_id.val() == self.s4_id.q.val());
        self.near4.next = self.s5_live.q.val() & (self.in_id.val() == self.s5_id.q.val());
        self.s2_valid.reg = self.in_valid.val();
        self.s2_live.reg = self.in_live.val();
        self.s2_id.pipe = self.in_id.val();
        self.s2_data.pipe = self.in_data.val();
        self.s2_user.pipe = self.in_user.val();
        self.s2_time.pipe = self.in_stamp.val();
        self.s2_near.pipe = bit_cast::<4, 1>(self.near1.val().into())
            | (bit_cast::<4, 1>(self.near2.val().into()) << 1)
            | (bit_cast::<4, 1>(self.near3.val().into()) << 2)
            | (bit_cast::<4, 1>(self.near4.val().into()) << 3);

        // Stage 2: the RAM's output register; the limits of time and round-trip time.
        self.limit.next = if self.s2_user.q.val().get_bits::<3>(0) == 1 {
            self.freeze_timeout.val()
        } else {
            self.rtt_window.val()
        };
        self.s3_valid.reg = self.s2_valid.q.val();
        self.s3_live.reg = self.s2_live.q.val();
        self.s3_id.pipe = self.s2_id.q.val();
        // The data moves on with an event only, so that tools make no shift register of it, which
        // takes a LUT a bit.
        self.s3_data.pipe = when(self.run.val() & self.s2_live.q.val(), self.s2_data.q.val());
        self.s3_user.pipe = self.s2_user.q.val();
        self.s3_time.pipe = self.s2_time.q.val();
        self.s3_since.pipe = self.s2_time.q.val() - self.limit.val();
        self.s3_wraps.pipe = self.s2_time.q.val() < self.limit.val();
        self.s3_rtt_is_high.pipe = self.s2_data.q.val().get_bits::<16>(16) >= self.rtt_high.val();
        self.s3_near1.pipe = self.s2_near.q.val().get_bit(0);
        // The youngest result that stage 3 can have, as a code: one LUT a bit there.
        self.s3_pick.pipe = if self.s2_near.q.val().get_bit(1) {
            1.into()
        } else if self.s2_near.q.val().get_bit(2) {
            2.into()
        } else if self.s2_near.q.val().get_bit(3) {
            3.into()
        } else {
            0.into()
        };

        // The contents of stage 5, as a word.
        self.s5_word.next = bit_cast::<K, 1>(self.s5_open.q.val().into())
            | (bit_cast::<K, 1>(self.s5_frozen.q.val().into()) << 1)
            | (bit_cast::<K, 1>(self.s5_high.q.val().into()) << 2)
            | (bit_cast::<K, 8>(self.s5_explore.q.val()) << 3)
            | (bit_cast::<K, 8>(self.s5_low.q.val()) << 11)
            | (bit_cast::<K, 8>(self.s5_middle.q.val()) << 19)
            | (bit_cast::<K, 16>(self.s5_top.q.val()) << 27)
            | (bit_cast::<K, S>(self.s5_head.q.val()) << 43)
            | (bit_cast::<K, S>(self.s5_tail.q.val()) << self.tail_at.val())
            | (bit_cast::<K, 1>(self.s5_some.q.val().into()) << self.some_at.val())
            | (bit_cast::<K, C>(self.s5_written.q.val()) << self.written_at.val());

        // Stage 3: the youngest result of the same connection, else the RAM's word; the time compares: whether the time
        // is outside of the range from the limit to now, where the circle of times may begin again; the event is
        // decoded.
        self.merged.next = if self.s3_pick.q.val().get_bit(1) {
            if self.s3_pick.q.val().get_bit(0) { self.s7_word.q.val() } else { self.s6_word.q.val() }
        } else if self.s3_pick.q.val().get_bit(0) {
            self.s5_word.val()
        } else {
            self.ram.rdata.val()
        };
        self.stamp.next = self.merged.val().get_bits::<32>(11);
        self.decode.live.next = self.s3_live.q.val();
        self.decode.kind.next = self.s3_user.q.val().get_bits::<3>(0);
        self.decode.mode.next = self.mode.val();
        self.s4_valid.reg = self.s3_valid.q.val();
        self.s4_live.reg = self.s3_live.q.val();
        self.s4_id.pipe = self.s3_id.q.val();
        self.s4_data.pipe = self.s3_data.q.val();
        self.s4_user.pipe = self.s3_user.q.val();
        self.s4_time.pipe = self.s3_time.q.val();
        self.s4_rtt_is_high.pipe = self.s3_rtt_is_high.q.val();
        self.s4_op.reg = self.decode.op.val();
        self.s4_near1.pipe = self.s3_near1.q.val();
        self.s4_word.pipe = self.merged.val();
        self.s4_exploring.pipe = self.merged.val().get_bits::<8>(3).any();
        self.early.next = self.stamp.val() < self.s3_since.q.val();
        self.late.next = self.s3_time.q.val() < self.stamp.val();
        self.early_near.next = self.s4_time.q.val() < self.s3_since.q.val();
        self.late_near.next = self.s3_time.q.val() < self.s4_time.q.val();
        self.s4_elapsed.pipe = if self.s3_wraps.q.val() {
            self.early.val() & self.late.val()
        } else {
            self.early.val() | self.late.val()
        };
        self.s4_elapsed_near.pipe = if self.s3_wraps.q.val() {
            self.early_near.val() & self.late_near.val()
        } else {
            self.early_near.val() | self.late_near.val()
        };

        // Stage 4: the step. The event just before may have written the word and set its time.
        self.word.next = self.s4_word.q.val();
        self.exploring.next = self.s4_exploring.q.val();
        self.elapsed.next = self.s4_elapsed.q.val();
        if self.s4_near1.q.val() {
            self.word.next = self.s5_word.val();
            self.exploring.next = self.s5_explore.q.val().any();
            if self.s5_touched.q.val() {
                self.elapsed.next = self.s4_elapsed_near.q.val();
            }
        }
        // More than 255 packets count as 255, the value after reset.
        self.bdp.clk.next = self.clk.val();
        self.bdp.rst.next = self.bdp_packets.val().get_bits::<8>(8).any();
        self.bdp.en.next = true;
        self.bdp.d.next = self.bdp_packets.val().get_bits::<8>(0);
        self.in_2024.next = self.mode.val() == 3;
        self.core.control.next = self.word.val();
        self.core.op.next = self.s4_op.q.val();
        self.core.ecn.next = self.s4_user.q.val().get_bit(3);
        self.core.rtt_is_high.next = self.s4_rtt_is_high.q.val();
        wire!(self.core.* <- self.*: exploring, elapsed, trimming, thaw_reset);
        self.core.now.next = self.s4_time.q.val();
        self.core.bdp_packets.next = self.bdp.q.val();
        self.core.mode_2024.next = self.in_2024.val();
        self.draw.next = self.core.draw.val();
        self.seed.next = self.s4_op.q.val().get_bit(11);
        self.seed_data.next = self.s4_data.q.val();
        self.number.next = self.core.entropy.val();
        self.mode_2024.next = self.in_2024.val();
        self.s5_valid.reg = self.s4_valid.q.val();
        self.s5_live.reg = self.s4_live.q.val();
        self.s5_id.pipe = self.s4_id.q.val();
        self.s5_given.pipe = self.s4_data.q.val().get_bits::<16>(0);
        self.s5_kind.pipe = self.s4_user.q.val().get_bits::<3>(0);
        // A register for each field: yosys infers no enable or reset of a register that has an OR in front.
        self.s5_open.pipe = self.core.next_open.val();
        self.s5_frozen.pipe = self.core.next_frozen.val();
        self.s5_high.pipe = self.core.next_high.val();
        self.s5_explore.pipe = self.core.next_explore.val();
        self.s5_low.pipe = self.core.next_low.val();
        self.s5_middle.pipe = self.core.next_middle.val();
        self.s5_top.pipe = self.core.next_top.val();
        self.s5_head.pipe = self.core.next_head.val();
        self.s5_tail.pipe = self.core.next_tail.val();
        self.s5_some.pipe = self.core.next_some.val();
        self.s5_written.pipe = self.core.next_written.val();
        self.s5_touched.pipe = self.core.touched.val();
        self.s5_accepted.pipe = self.core.accepted.val();
        self.s5_source.pipe = self.core.source.val();
        self.s5_is_frozen.pipe = self.core.is_frozen.val();
        self.s5_turned.pipe = self.core.turned.val();
        self.s5_slot.pipe = self.core.slot.val();
        self.s5_read.pipe = self.core.read.val();
        self.s5_write.pipe = self.core.write.val();
        self.s5_drawn.pipe = self.core.draw.val() | self.core.indexed.val();

        // Stage 5: write.
        self.ram.write =
            when(self.run.val() & self.s5_live.q.val(), (self.s5_id.q.val(), self.s5_word.val()));
        self.s6_word.pipe = self.s5_word.val();
        self.s7_word.pipe = self.s6_word.q.val();
        self.valid.next = self.s5_valid.q.val();
        self.id.next = self.s5_id.q.val();
        self.kind.next = self.s5_kind.q.val();
        self.given.next = self.s5_given.q.val();
        self.accepted.next = self.s5_accepted.q.val();
        self.source.next = self.s5_source.q.val();
        self.is_frozen.next = self.s5_is_frozen.q.val();
        self.turned.next = self.s5_turned.q.val();
        self.slot.next = self.s5_slot.q.val();
        self.read.next = self.s5_read.q.val();
        self.write.next = self.s5_write.q.val();
        self.drawn.next = self.s5_drawn.q.val();
    }
}
