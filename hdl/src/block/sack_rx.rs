//! `weft_sack_rx`: receiver of the out-of-order transport (page `docs/blocks/sack_rx.md`).

pub mod account;
pub mod cover;
pub mod front;
pub mod window;
pub mod words;

use crate::block::told;
use crate::emit::{EmitError, Module};
use crate::part::counter::Counter;
use crate::part::skid::Skid;
use crate::part::slots::Slots;
use crate::prelude::*;
use account::Account;
use front::Front;
use weft_params::SackParams;
use window::Window;

/// Receiver of the out-of-order transport: the packets of a connection that have arrived, the complete
/// messages, and the answers.
///
/// # Parameters
///
/// `A` bits of connection number; `W = A + 392` (outcome, except the fields that the receiver decides by); those of
/// [`Window`]; `U = N + 18` (the other fields).
#[derive(LogicBlock, BlockDefault)]
pub struct SackRx<
    const A: usize,
    const W: usize,
    const S: usize = 8,
    const N: usize = 9,
    const P: usize = 256,
    const G: usize = 16,
    const H: usize = 4,
    const E: usize = 0,
    const X: usize = 0,
    const K: usize = 1,
    const B: usize = 1,
    const U: usize = 27,
> {
    /// Clock.
    pub clk: Signal<In, Clock>,
    /// Synchronous reset. Afterwards a sweep closes all connections, one per clock.
    pub rst: Signal<In, Bit>,
    /// Events in.
    pub s_axis_event_tvalid: Signal<In, Bit>,
    /// Low during the sweep, behind an open or a close, and while outcomes wait.
    pub s_axis_event_tready: Signal<Out, Bit>,
    /// Connection.
    pub s_axis_event_tid: Signal<In, Bits<A>>,
    /// PSN in bits 23:0, bytes 39:24, tag 71:40.
    pub s_axis_event_tdata: Signal<In, Bits<72>>,
    /// Kind in bits 2:0, ECN mark 3, ACK request 4, last packet of a message 5.
    pub s_axis_event_tuser: Signal<In, Bits<6>>,
    /// Outcomes out, one per event, in order.
    pub m_axis_outcome_tvalid: Signal<Out, Bit>,
    /// Back-pressure.
    pub m_axis_outcome_tready: Signal<In, Bit>,
    /// Connection.
    pub m_axis_outcome_tid: Signal<Out, Bits<A>>,
    /// Bitmap 255:0, cumulative PSN 279:256, PSN 303:280, messages 327:304, received 351:328, tag 383:352, completed 399:384, out of order 407:400, waited 415:408.
    pub m_axis_outcome_tdata: Signal<Out, Bits<416>>,
    /// Kind in bits 2:0, accepted 3, verdict 6:4, response 8:7, ECN mark 9.
    pub m_axis_outcome_tuser: Signal<Out, Bits<10>>,
    /// CSR: number of new packets after which the receiver sends an ACK.
    pub cfg_ack_packets: Signal<In, Bits<8>>,
    /// CSR: bytes of new packets after which the receiver sends an ACK, 0 never.
    pub cfg_ack_bytes: Signal<In, Bits<16>>,
    /// Events of connections that were not open, modulo 2^16.
    pub stat_not_open_events: Signal<Out, Bits<16>>,
    /// Packets received before, modulo 2^16.
    pub stat_duplicates: Signal<Out, Bits<16>>,
    /// Packets beyond the window, modulo 2^16.
    pub stat_outside: Signal<Out, Bits<16>>,

    front: Front<A>,
    window: Window<A, S, N, P, G, H, E, X, K, B>,
    account: Account<A, S, N, E>,
    skid: Skid<U>,
    slots: Slots<Bits<W>>,
    not_open: Counter,
    duplicates: Counter,
    outside: Counter,
    #[new(392u64.to_bits())]
    id_at: Constant<Bits<16>>,
    run: Signal<Local, Bit>,
    valids: Reg<Bits<21>>,
    valid: Signal<Local, Bit>,
    rounded: Signal<Local, Bits<32>>,
    beyond: [Signal<Local, Bits<S>>; E],
    out_of_order: Signal<Local, Bits<8>>,
    user: Signal<Local, Bits<10>>,
    data: Signal<Local, Bits<392>>,
}
impl<
    const A: usize,
    const W: usize,
    const S: usize,
    const N: usize,
    const P: usize,
    const G: usize,
    const H: usize,
    const E: usize,
    const X: usize,
    const K: usize,
    const B: usize,
    const U: usize,
> Logic for SackRx<A, W, S, N, P, G, H, E, X, K, B, U>
{
    #[clocked(en = run)]
    #[hdl_gen]
    fn update(&mut self) {
        self.run.next = self.skid.run.val();
        wire!(self.window.*, self.account.* <- self.skid.*: next_run);

        // Stage 1: events in.
        wire!(self.front.* <- self.*: clk, rst, run);
        self.front.event_valid.next = self.s_axis_event_tvalid.val();
        self.s_axis_event_tready.next = self.front.event_ready.val();
        self.front.event_id.next = self.s_axis_event_tid.val();
        self.front.event_data.next = self.s_axis_event_tdata.val();
        self.front.event_user.next = self.s_axis_event_tuser.val();
        // Bit i: an event is in stage i + 2.
        self.valids.reg = (self.valids.q.val() << 1) | bit_cast::<21, 1>(self.front.valid.val().into());

        // Stages 1 to 20: the window.
        wire!(self.window.* <- self.*: clk, rst);
        wire!(self.window.in_* <- self.front.*: live, id);
        self.window.in_event.next = self.front.entry.val();

        // Stages 18 to 22: the counters.
        wire!(self.account.* <- self.*: clk, rst);
        wire!(self.account.* <- self.window.*: s18_live, s18_id, s20_judged);
        for e in 0..E {
            self.account.s20_far[e].next = self.window.s20_far[e].val();
        }
        self.account.messages.next = self.window.s21_messages.val();
        wire!(self.account.* <- self.cfg_*: ack_packets, ack_bytes);

        // Stage 22: the outcome.
        self.valid.next = self.run.val() & self.valids.q.val().get_bit(20);
        wire!(self.not_open.*, self.duplicates.*, self.outside.* <- self.*: clk, rst);
        self.not_open.one.next = self.valid.val() & !self.account.accepted.val();
        self.stat_not_open_events.next = self.not_open.count.val();
        self.duplicates.one.next = self.valid.val() & (self.account.verdict.val() == 2);
        self.stat_duplicates.next = self.duplicates.count.val();
        self.outside.one.next = self.valid.val() & (self.account.verdict.val() == 3);
        self.stat_outside.next = self.outside.count.val();

        self.rounded.next = self.account.tail.val().bytes + 255;
        self.out_of_order.next = self.account.tail.val().total.get_bits::<8>(0)
            - self.window.s22_seen.val().expected.get_bits::<8>(0);
        for e in 0..E {
            self.beyond[e].next =
                self.account.tail.val().total - self.window.s22_seen.val().expected.get_bits::<S>(0);
            if self.beyond[e].val().get_bits::<B>(8).any() {
                self.out_of_order.next = 255.into();
            }
        }
        self.user.next = bit_cast::<10, 3>(self.window.s22_along.val().kind)
            | (bit_cast::<10, 1>(self.account.accepted.val().into()) << 3)
            | (bit_cast::<10, 3>(self.account.verdict.val()) << 4)
            | (bit_cast::<10, 2>(self.account.response.val()) << 7)
            | (bit_cast::<10, 1>(self.window.s22_along.val().ce.into()) << 9);
        self.data.next = bit_cast::<392, 256>(self.window.s22_bitmap.val())
            | (bit_cast::<392, 24>(self.window.s22_seen.val().expected) << 256)
            | (bit_cast::<392, 24>(self.window.s22_along.val().psn) << 280)
            | (bit_cast::<392, 24>(self.window.s22_seen.val().messages) << 304)
            | (bit_cast::<392, 24>(self.rounded.val().get_bits::<24>(8)) << 328)
            | (bit_cast::<392, 32>(self.window.s22_along.val().tag) << 352)
            | (bit_cast::<392, 8>(self.out_of_order.val()) << 384);

        // Stage 23: outcomes out; the fields that the receiver decides by are registers.
        wire!(self.skid.*, self.slots.* <- self.*: clk, rst);
        self.skid.in_valid.next = self.valids.q.val().get_bit(20);
        self.skid.in_word.next = bit_cast::<U, 10>(self.user.val())
            | (bit_cast::<U, N>(self.account.completed.val()) << 10)
            | (bit_cast::<U, 8>(self.account.waited.val()) << 19);
        for _larger in 0..E {
            self.skid.in_word.next = bit_cast::<U, 10>(self.user.val())
                | (bit_cast::<U, 8>(self.account.waited.val()) << 10)
                | (bit_cast::<U, N>(self.account.completed.val()) << 18);
        }
        self.slots.put.next = self.valid.val();
        self.slots.word.next = bit_cast::<W, 392>(self.data.val())
            | (bit_cast::<W, A>(self.window.s22_id.val()) << self.id_at.val());
        self.skid.out_ready.next = self.m_axis_outcome_tready.val();
        self.slots.take.next = self.skid.out_valid.val() & self.m_axis_outcome_tready.val();
        self.m_axis_outcome_tvalid.next = self.skid.out_valid.val();
        self.m_axis_outcome_tuser.next = self.skid.out_word.val().get_bits::<10>(0);
        self.m_axis_outcome_tdata.next = bit_cast::<416, 384>(self.slots.first.val().get_bits::<384>(0))
            | (bit_cast::<416, N>(self.skid.out_word.val().get_bits::<N>(10)) << 384)
            | (bit_cast::<416, 8>(self.slots.first.val().get_bits::<8>(384)) << 400)
            | (bit_cast::<416, 8>(self.skid.out_word.val().get_bits::<8>(19)) << 408);
        for _larger in 0..E {
            self.m_axis_outcome_tdata.next = bit_cast::<416, 384>(self.slots.first.val().get_bits::<384>(0))
                | (bit_cast::<416, N>(self.skid.out_word.val().get_bits::<N>(18)) << 384)
                | (bit_cast::<416, 8>(self.slots.first.val().get_bits::<8>(384)) << 400)
                | (bit_cast::<416, 8>(self.skid.out_word.val().get_bits::<8>(10)) << 408);
        }
        self.m_axis_outcome_tid.next = self.slots.first.val().get_bits::<A>(self.id_at.val().index());
    }
}

type P512<const A: usize, const W: usize> = SackRx<A, W, 9, 10, 512, 32, 5, 1, 1, 2, 1, 28>;
type P1024<const A: usize, const W: usize> = SackRx<A, W, 10, 11, 1024, 64, 6, 1, 3, 4, 2, 29>;

/// The Verilog of `weft_sack_rx`, one module per file, for parameters that passed their check.
pub fn emit(params: &SackParams) -> Result<Vec<Module>, EmitError> {
    emit_with(params, SackParams::WINDOW)
}

/// [`emit`], with a window of `psns`: 256, 512 or 1,024.
pub fn emit_with(params: &SackParams, psns: u32) -> Result<Vec<Module>, EmitError> {
    let emitter = told(crate::part::emitter().parameter("connections", params.connections), psns);
    // Widths are types in Rust-HDL: every shape is an instance of its own.
    macro_rules! shape {
        ($a:literal) => {
            match psns {
                512 => emitter.emit_new::<P512<$a, { $a + 392 }>>("weft_sack_rx"),
                1024 => emitter.emit_new::<P1024<$a, { $a + 392 }>>("weft_sack_rx"),
                _ => emitter.emit_new::<SackRx<$a, { $a + 392 }>>("weft_sack_rx"),
            }
        };
    }
    by_connections!(params.connections, shape)
}

/// Makes the block with a window of 512 or 1,024 PSNs, as a part of a receiver.
pub(super) fn part(connections: u32, psns: u32) -> fn() -> Box<dyn Block> {
    macro_rules! shape {
        ($a:literal) => {
            match psns {
                512 => || Box::new(P512::<$a, { $a + 392 }>::default()),
                _ => || Box::new(P1024::<$a, { $a + 392 }>::default()),
            }
        };
    }
    by_connections!(connections, shape)
}
