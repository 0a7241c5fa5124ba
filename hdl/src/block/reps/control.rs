//! `weft_reps_control`: the read-modify-write pipeline of the control words, one event per clock for any
//! connection pattern.
//!
//! Stage 1 reads the RAM and decodes, 3 merges what older events have computed since, 4 computes
//! ([`Core`]), 5 writes. An event meets the results of the events up to four before it: distances 4, 3
//! and 2 in stage 3, distance 1 in stage 4.

use super::core::Core;
use super::decode::Decode;
use crate::prelude::*;

/// The read-modify-write pipeline of the control words, one event per clock for any connection pattern. Stage 1
/// reads the RAM and decodes, 3 merges what older events have computed since, 4 computes, 5 writes.
///
/// # Parameters
///
/// `A` bits of connection number, `S` of slot number, `C` of count, `K` of control word.
#[derive(LogicBlock, Default)]
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
    /// Stage 1: its connection.
    pub in_id: Signal<In, Bits<A>>,
    /// Stage 1: its data.
    pub in_data: Signal<In, Bits<32>>,
    /// Stage 1: its ECN mark and kind.
    pub in_user: Signal<In, Bits<4>>,
    /// Stage 1: its time.
    pub in_stamp: Signal<In, Bits<32>>,
    /// CSR: how entropy values are chosen.
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
    /// CSR: ticks for which a high RTT counts.
    pub rtt_window: Signal<In, Bits<32>>,
    /// Stage 5: an event.
    pub valid: Signal<Out, Bit>,
    /// Stage 5: its connection.
    pub id: Signal<Out, Bits<A>>,
    /// Stage 5: its kind.
    pub kind: Signal<Out, Bits<3>>,
    /// Stage 5: its data.
    pub data: Signal<Out, Bits<32>>,
    /// Stage 5: the connection was open, or needs not be.
    pub accepted: Signal<Out, Bit>,
    /// Stage 5: where the entropy value comes from.
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
    /// Stage 5: take a random number.
    pub draw: Signal<Out, Bit>,
    /// Stage 5: take `number`.
    pub indexed: Signal<Out, Bit>,
    /// Stage 5: mode 2024's number.
    pub number: Signal<Out, Bits<8>>,
    /// Stage 5: seed the generator.
    pub seed: Signal<Out, Bit>,

    ram: RamSdp<Bits<K>, A>,
    decode: Decode,
    core: Core<S, C, K>,
    s2_valid: Reg<Bit>,
    s2_live: Reg<Bit>,
    s2_id: Pipe<Bits<A>>,
    s2_data: Pipe<Bits<32>>,
    s2_user: Pipe<Bits<4>>,
    s2_time: Pipe<Bits<32>>,
    s2_since: Pipe<Bits<32>>,
    s2_rtt_is_high: Pipe<Bit>,
    s2_op: Reg<Bits<12>>,
    s2_near: Pipe<Bits<4>>,
    s3_valid: Reg<Bit>,
    s3_live: Reg<Bit>,
    s3_id: Pipe<Bits<A>>,
    s3_data: Pipe<Bits<32>>,
    s3_user: Pipe<Bits<4>>,
    s3_time: Pipe<Bits<32>>,
    s3_since: Pipe<Bits<32>>,
    s3_rtt_is_high: Pipe<Bit>,
    s3_op: Reg<Bits<12>>,
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
    s4_elapsed: Pipe<Bit>,
    s4_elapsed_near: Pipe<Bit>,
    s5_valid: Reg<Bit>,
    s5_live: Reg<Bit>,
    s5_id: Pipe<Bits<A>>,
    s5_data: Pipe<Bits<32>>,
    s5_kind: Pipe<Bits<3>>,
    s5_seed: Reg<Bit>,
    s5_word: Pipe<Bits<K>>,
    s5_touched: Pipe<Bit>,
    s5_accepted: Pipe<Bit>,
    s5_source: Pipe<Bits<2>>,
    s5_is_frozen: Pipe<Bit>,
    s5_turned: Pipe<Bit>,
    s5_slot: Pipe<Bits<S>>,
    s5_read: Pipe<Bit>,
    s5_write: Pipe<Bit>,
    s5_draw: Reg<Bit>,
    s5_indexed: Pipe<Bit>,
    s5_number: Pipe<Bits<8>>,
    s6_word: Pipe<Bits<K>>,
    s7_word: Pipe<Bits<K>>,
    bdp: Pipe<Bits<8>>,
    kind_in: Signal<Local, Bits<3>>,
    near1: Signal<Local, Bit>,
    near2: Signal<Local, Bit>,
    near3: Signal<Local, Bit>,
    near4: Signal<Local, Bit>,
    limit: Signal<Local, Bits<32>>,
    merged: Signal<Local, Bits<K>>,
    age: Signal<Local, Bits<32>>,
    age_near: Signal<Local, Bits<32>>,
    word: Signal<Local, Bits<K>>,
    elapsed: Signal<Local, Bit>,
    saturated: Signal<Local, Bits<8>>,
}

impl<const A: usize, const S: usize, const C: usize, const K: usize> Logic for Control<A, S, C, K> {
    #[hdl_gen]
    fn update(&mut self) {
        // Stage 1: read the control word, decode the event.
        self.ram.clk.next = self.clk.val();
        self.ram.re.next = self.run.val();
        self.ram.raddr.next = self.in_id.val();
        self.ram.oe.next = self.run.val();
        self.kind_in.next = self.in_user.val().get_bits::<3>(0);
        self.decode.live.next = self.in_live.val();
        self.decode.kind.next = self.kind_in.val();
        self.decode.mode.next = self.mode.val();
        self.near1.next = self.s2_live.q.val() & (self.in_id.val() == self.s2_id.q.val());
        self.near2.next = self.s3_live.q.val() & (self.in_id.val() == self.s3_id.q.val());
        self.near3.next = self.s4_live.q.val() & (self.in_id.val() == self.s4_id.q.val());
        self.near4.next = self.s5_live.q.val() & (self.in_id.val() == self.s5_id.q.val());
        self.limit.next = self.rtt_window.val();
        if self.kind_in.val() == 1 {
            self.limit.next = self.freeze_timeout.val();
        }
        self.s2_valid.clk.next = self.clk.val();
        self.s2_valid.rst.next = self.rst.val();
        self.s2_valid.en.next = self.run.val();
        self.s2_valid.d.next = self.in_valid.val();
        self.s2_live.clk.next = self.clk.val();
        self.s2_live.rst.next = self.rst.val();
        self.s2_live.en.next = self.run.val();
        self.s2_live.d.next = self.in_live.val();
        self.s2_id.clk.next = self.clk.val();
        self.s2_id.en.next = self.run.val();
        self.s2_id.d.next = self.in_id.val();
        self.s2_data.clk.next = self.clk.val();
        self.s2_data.en.next = self.run.val();
        self.s2_data.d.next = self.in_data.val();
        self.s2_user.clk.next = self.clk.val();
        self.s2_user.en.next = self.run.val();
        self.s2_user.d.next = self.in_user.val();
        self.s2_time.clk.next = self.clk.val();
        self.s2_time.en.next = self.run.val();
        self.s2_time.d.next = self.in_stamp.val();
        self.s2_since.clk.next = self.clk.val();
        self.s2_since.en.next = self.run.val();
        self.s2_since.d.next = self.in_stamp.val() - self.limit.val();
        self.s2_rtt_is_high.clk.next = self.clk.val();
        self.s2_rtt_is_high.en.next = self.run.val();
        self.s2_rtt_is_high.d.next = self.in_data.val().get_bits::<16>(16) >= self.rtt_high.val();
        self.s2_op.clk.next = self.clk.val();
        self.s2_op.rst.next = self.rst.val();
        self.s2_op.en.next = self.run.val();
        self.s2_op.d.next = self.decode.op.val();
        self.s2_near.clk.next = self.clk.val();
        self.s2_near.en.next = self.run.val();
        self.s2_near.d.next = bit_cast::<4, 1>(self.near1.val().into())
            | (bit_cast::<4, 1>(self.near2.val().into()) << 1)
            | (bit_cast::<4, 1>(self.near3.val().into()) << 2)
            | (bit_cast::<4, 1>(self.near4.val().into()) << 3);

        // Stage 2: the RAM's output register.
        self.s3_valid.clk.next = self.clk.val();
        self.s3_valid.rst.next = self.rst.val();
        self.s3_valid.en.next = self.run.val();
        self.s3_valid.d.next = self.s2_valid.q.val();
        self.s3_live.clk.next = self.clk.val();
        self.s3_live.rst.next = self.rst.val();
        self.s3_live.en.next = self.run.val();
        self.s3_live.d.next = self.s2_live.q.val();
        self.s3_id.clk.next = self.clk.val();
        self.s3_id.en.next = self.run.val();
        self.s3_id.d.next = self.s2_id.q.val();
        self.s3_data.clk.next = self.clk.val();
        self.s3_data.en.next = self.run.val();
        self.s3_data.d.next = self.s2_data.q.val();
        self.s3_user.clk.next = self.clk.val();
        self.s3_user.en.next = self.run.val();
        self.s3_user.d.next = self.s2_user.q.val();
        self.s3_time.clk.next = self.clk.val();
        self.s3_time.en.next = self.run.val();
        self.s3_time.d.next = self.s2_time.q.val();
        self.s3_since.clk.next = self.clk.val();
        self.s3_since.en.next = self.run.val();
        self.s3_since.d.next = self.s2_since.q.val();
        self.s3_rtt_is_high.clk.next = self.clk.val();
        self.s3_rtt_is_high.en.next = self.run.val();
        self.s3_rtt_is_high.d.next = self.s2_rtt_is_high.q.val();
        self.s3_op.clk.next = self.clk.val();
        self.s3_op.rst.next = self.rst.val();
        self.s3_op.en.next = self.run.val();
        self.s3_op.d.next = self.s2_op.q.val();
        self.s3_near1.clk.next = self.clk.val();
        self.s3_near1.en.next = self.run.val();
        self.s3_near1.d.next = self.s2_near.q.val().get_bit(0);
        // The youngest result that stage 3 can have, as a code: one LUT a bit there.
        self.s3_pick.clk.next = self.clk.val();
        self.s3_pick.en.next = self.run.val();
        self.s3_pick.d.next = 0.into();
        if self.s2_near.q.val().get_bit(1) {
            self.s3_pick.d.next = 1.into();
        } else if self.s2_near.q.val().get_bit(2) {
            self.s3_pick.d.next = 2.into();
        } else if self.s2_near.q.val().get_bit(3) {
            self.s3_pick.d.next = 3.into();
        }

        // Stage 3: the youngest result of the same connection, else the RAM's word; the time compares.
        self.merged.next = self.ram.rdata.val();
        if self.s3_pick.q.val() == 1 {
            self.merged.next = self.s5_word.q.val();
        } else if self.s3_pick.q.val() == 2 {
            self.merged.next = self.s6_word.q.val();
        } else if self.s3_pick.q.val() == 3 {
            self.merged.next = self.s7_word.q.val();
        }
        self.age.next = self.merged.val().get_bits::<32>(11) - self.s3_since.q.val();
        self.age_near.next = self.s4_time.q.val() - self.s3_since.q.val();
        self.s4_valid.clk.next = self.clk.val();
        self.s4_valid.rst.next = self.rst.val();
        self.s4_valid.en.next = self.run.val();
        self.s4_valid.d.next = self.s3_valid.q.val();
        self.s4_live.clk.next = self.clk.val();
        self.s4_live.rst.next = self.rst.val();
        self.s4_live.en.next = self.run.val();
        self.s4_live.d.next = self.s3_live.q.val();
        self.s4_id.clk.next = self.clk.val();
        self.s4_id.en.next = self.run.val();
        self.s4_id.d.next = self.s3_id.q.val();
        self.s4_data.clk.next = self.clk.val();
        self.s4_data.en.next = self.run.val();
        self.s4_data.d.next = self.s3_data.q.val();
        self.s4_user.clk.next = self.clk.val();
        self.s4_user.en.next = self.run.val();
        self.s4_user.d.next = self.s3_user.q.val();
        self.s4_time.clk.next = self.clk.val();
        self.s4_time.en.next = self.run.val();
        self.s4_time.d.next = self.s3_time.q.val();
        self.s4_rtt_is_high.clk.next = self.clk.val();
        self.s4_rtt_is_high.en.next = self.run.val();
        self.s4_rtt_is_high.d.next = self.s3_rtt_is_high.q.val();
        self.s4_op.clk.next = self.clk.val();
        self.s4_op.rst.next = self.rst.val();
        self.s4_op.en.next = self.run.val();
        self.s4_op.d.next = self.s3_op.q.val();
        self.s4_near1.clk.next = self.clk.val();
        self.s4_near1.en.next = self.run.val();
        self.s4_near1.d.next = self.s3_near1.q.val();
        self.s4_word.clk.next = self.clk.val();
        self.s4_word.en.next = self.run.val();
        self.s4_word.d.next = self.merged.val();
        self.s4_elapsed.clk.next = self.clk.val();
        self.s4_elapsed.en.next = self.run.val();
        self.s4_elapsed.d.next = self.age.val().get_bit(31);
        self.s4_elapsed_near.clk.next = self.clk.val();
        self.s4_elapsed_near.en.next = self.run.val();
        self.s4_elapsed_near.d.next = self.age_near.val().get_bit(31);

        // Stage 4: the step. The event just before may have written the word and set its time.
        self.word.next = self.s4_word.q.val();
        self.elapsed.next = self.s4_elapsed.q.val();
        if self.s4_near1.q.val() {
            self.word.next = self.s5_word.q.val();
            if self.s5_touched.q.val() {
                self.elapsed.next = self.s4_elapsed_near.q.val();
            }
        }
        self.saturated.next = self.bdp_packets.val().get_bits::<8>(0);
        if self.bdp_packets.val().get_bits::<8>(8).any() {
            self.saturated.next = 255.into();
        }
        self.bdp.clk.next = self.clk.val();
        self.bdp.en.next = true;
        self.bdp.d.next = self.saturated.val();
        self.core.control.next = self.word.val();
        self.core.op.next = self.s4_op.q.val();
        self.core.ecn.next = self.s4_user.q.val().get_bit(3);
        self.core.rtt_is_high.next = self.s4_rtt_is_high.q.val();
        self.core.elapsed.next = self.elapsed.val();
        self.core.now.next = self.s4_time.q.val();
        self.core.bdp_packets.next = self.bdp.q.val();
        self.core.trimming.next = self.trimming.val();
        self.core.thaw_reset.next = self.thaw_reset.val();
        self.core.mode_2024.next = self.mode.val() == 3;
        self.s5_valid.clk.next = self.clk.val();
        self.s5_valid.rst.next = self.rst.val();
        self.s5_valid.en.next = self.run.val();
        self.s5_valid.d.next = self.s4_valid.q.val();
        self.s5_live.clk.next = self.clk.val();
        self.s5_live.rst.next = self.rst.val();
        self.s5_live.en.next = self.run.val();
        self.s5_live.d.next = self.s4_live.q.val();
        self.s5_id.clk.next = self.clk.val();
        self.s5_id.en.next = self.run.val();
        self.s5_id.d.next = self.s4_id.q.val();
        self.s5_data.clk.next = self.clk.val();
        self.s5_data.en.next = self.run.val();
        self.s5_data.d.next = self.s4_data.q.val();
        self.s5_kind.clk.next = self.clk.val();
        self.s5_kind.en.next = self.run.val();
        self.s5_kind.d.next = self.s4_user.q.val().get_bits::<3>(0);
        self.s5_seed.clk.next = self.clk.val();
        self.s5_seed.rst.next = self.rst.val();
        self.s5_seed.en.next = self.run.val();
        self.s5_seed.d.next = self.s4_op.q.val().get_bit(11);
        self.s5_word.clk.next = self.clk.val();
        self.s5_word.en.next = self.run.val();
        self.s5_word.d.next = self.core.next_control.val();
        self.s5_touched.clk.next = self.clk.val();
        self.s5_touched.en.next = self.run.val();
        self.s5_touched.d.next = self.core.touched.val();
        self.s5_accepted.clk.next = self.clk.val();
        self.s5_accepted.en.next = self.run.val();
        self.s5_accepted.d.next = self.core.accepted.val();
        self.s5_source.clk.next = self.clk.val();
        self.s5_source.en.next = self.run.val();
        self.s5_source.d.next = self.core.source.val();
        self.s5_is_frozen.clk.next = self.clk.val();
        self.s5_is_frozen.en.next = self.run.val();
        self.s5_is_frozen.d.next = self.core.is_frozen.val();
        self.s5_turned.clk.next = self.clk.val();
        self.s5_turned.en.next = self.run.val();
        self.s5_turned.d.next = self.core.turned.val();
        self.s5_slot.clk.next = self.clk.val();
        self.s5_slot.en.next = self.run.val();
        self.s5_slot.d.next = self.core.slot.val();
        self.s5_read.clk.next = self.clk.val();
        self.s5_read.en.next = self.run.val();
        self.s5_read.d.next = self.core.read.val();
        self.s5_write.clk.next = self.clk.val();
        self.s5_write.en.next = self.run.val();
        self.s5_write.d.next = self.core.write.val();
        self.s5_draw.clk.next = self.clk.val();
        self.s5_draw.rst.next = self.rst.val();
        self.s5_draw.en.next = self.run.val();
        self.s5_draw.d.next = self.core.draw.val();
        self.s5_indexed.clk.next = self.clk.val();
        self.s5_indexed.en.next = self.run.val();
        self.s5_indexed.d.next = self.core.indexed.val();
        self.s5_number.clk.next = self.clk.val();
        self.s5_number.en.next = self.run.val();
        self.s5_number.d.next = self.core.entropy.val();

        // Stage 5: write.
        self.ram.we.next = self.run.val() & self.s5_live.q.val();
        self.ram.waddr.next = self.s5_id.q.val();
        self.ram.wdata.next = self.s5_word.q.val();
        self.s6_word.clk.next = self.clk.val();
        self.s6_word.en.next = self.run.val();
        self.s6_word.d.next = self.s5_word.q.val();
        self.s7_word.clk.next = self.clk.val();
        self.s7_word.en.next = self.run.val();
        self.s7_word.d.next = self.s6_word.q.val();
        self.valid.next = self.s5_valid.q.val();
        self.id.next = self.s5_id.q.val();
        self.kind.next = self.s5_kind.q.val();
        self.data.next = self.s5_data.q.val();
        self.accepted.next = self.s5_accepted.q.val();
        self.source.next = self.s5_source.q.val();
        self.is_frozen.next = self.s5_is_frozen.q.val();
        self.turned.next = self.s5_turned.q.val();
        self.slot.next = self.s5_slot.q.val();
        self.read.next = self.s5_read.q.val();
        self.write.next = self.s5_write.q.val();
        self.draw.next = self.s5_draw.q.val();
        self.indexed.next = self.s5_indexed.q.val();
        self.number.next = self.s5_number.q.val();
        self.seed.next = self.s5_seed.q.val();
    }
}
