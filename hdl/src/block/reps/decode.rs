//! `weft_reps_decode`: the requests of an event in the mode that is set, one bit each; combinational.

use crate::prelude::*;

/// The requests of an event in the mode that is set, one bit each; combinational. Bits of `op`: 0 send, 1 send in mode
/// OPS, 2 fixed, 3 2024, 4 ack, 5 ack in mode 2024, 6 timeout, 7 path ok, 8 idle, 9 open, 10 close, 11 seed. A request
/// that the mode ignores sets no bit.
#[derive(LogicBlock, Default)]
pub struct Decode {
    /// The stage has an event.
    pub live: Signal<In, Bit>,
    /// Kind of the event.
    pub kind: Signal<In, Bits<3>>,
    /// CSR: choice of entropy values.
    pub mode: Signal<In, Bits<2>>,
    /// The decoded event.
    pub op: Signal<Out, Bits<12>>,

    reps: Signal<Local, Bit>,
    ops: Signal<Local, Bit>,
    fixed: Signal<Local, Bit>,
    variant_2024: Signal<Local, Bit>,
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
}

impl Logic for Decode {
    #[hdl_gen]
    fn update(&mut self) {
        self.reps.next = self.live.val() & (self.mode.val() == 0);
        self.ops.next = self.live.val() & (self.mode.val() == 1);
        self.fixed.next = self.live.val() & (self.mode.val() == 2);
        self.variant_2024.next = self.live.val() & (self.mode.val() == 3);
        self.send.next = self.reps.val() & (self.kind.val() == 0);
        self.send_ops.next = self.ops.val() & (self.kind.val() == 0);
        self.send_fixed.next = self.fixed.val() & (self.kind.val() == 0);
        self.send_2024.next = self.variant_2024.val() & (self.kind.val() == 0);
        self.ack.next = self.reps.val() & (self.kind.val() == 1);
        self.ack_2024.next = self.variant_2024.val() & (self.kind.val() == 1);
        self.timeout.next = self.reps.val() & (self.kind.val() == 2);
        self.path_ok.next = self.reps.val() & (self.kind.val() == 3);
        self.idle.next = self.reps.val() & (self.kind.val() == 4);
        self.opening.next = self.live.val() & (self.kind.val() == 5);
        self.closing.next = self.live.val() & (self.kind.val() == 6);
        self.seed.next = self.live.val() & (self.kind.val() == 7);
        self.op.next = bit_cast::<12, 1>(self.send.val().into())
            | (bit_cast::<12, 1>(self.send_ops.val().into()) << 1)
            | (bit_cast::<12, 1>(self.send_fixed.val().into()) << 2)
            | (bit_cast::<12, 1>(self.send_2024.val().into()) << 3)
            | (bit_cast::<12, 1>(self.ack.val().into()) << 4)
            | (bit_cast::<12, 1>(self.ack_2024.val().into()) << 5)
            | (bit_cast::<12, 1>(self.timeout.val().into()) << 6)
            | (bit_cast::<12, 1>(self.path_ok.val().into()) << 7)
            | (bit_cast::<12, 1>(self.idle.val().into()) << 8)
            | (bit_cast::<12, 1>(self.opening.val().into()) << 9)
            | (bit_cast::<12, 1>(self.closing.val().into()) << 10)
            | (bit_cast::<12, 1>(self.seed.val().into()) << 11);
    }
}
