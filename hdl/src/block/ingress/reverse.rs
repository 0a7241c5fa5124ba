//! `weft_ingress_*_reverse`: bytes in the order of the network as a number.

use crate::prelude::*;

/// Every second group of `width` bits.
fn low(width: usize) -> Constant<Bits<512>> {
    Constant::new(
        (0..512).fold(Bits::default(), |bits, at| bits.replace_bit(at, (at / width).is_multiple_of(2))),
    )
}

/// Reverses 64 bytes in the order of the network into a number: six exchanges of neighbours, wires only.
#[derive(LogicBlock, BlockDefault)]
pub struct Reverse {
    /// The bytes, the first in the low bits.
    pub bytes: Signal<In, Bits<512>>,
    /// The number, the first byte in the high bits.
    pub number: Signal<Out, Bits<512>>,

    #[default(low(8))]
    low8: Constant<Bits<512>>,
    #[default(low(16))]
    low16: Constant<Bits<512>>,
    #[default(low(32))]
    low32: Constant<Bits<512>>,
    #[default(low(64))]
    low64: Constant<Bits<512>>,
    #[default(low(128))]
    low128: Constant<Bits<512>>,
    #[default(low(256))]
    low256: Constant<Bits<512>>,
    by8: Signal<Local, Bits<512>>,
    by16: Signal<Local, Bits<512>>,
    by32: Signal<Local, Bits<512>>,
    by64: Signal<Local, Bits<512>>,
    by128: Signal<Local, Bits<512>>,
}
impl Logic for Reverse {
    #[hdl_gen]
    fn update(&mut self) {
        self.by8.next =
            ((self.bytes.val() & self.low8.val()) << 8) | ((self.bytes.val() >> 8) & self.low8.val());
        self.by16.next =
            ((self.by8.val() & self.low16.val()) << 16) | ((self.by8.val() >> 16) & self.low16.val());
        self.by32.next =
            ((self.by16.val() & self.low32.val()) << 32) | ((self.by16.val() >> 32) & self.low32.val());
        self.by64.next =
            ((self.by32.val() & self.low64.val()) << 64) | ((self.by32.val() >> 64) & self.low64.val());
        self.by128.next =
            ((self.by64.val() & self.low128.val()) << 128) | ((self.by64.val() >> 128) & self.low128.val());
        self.number.next =
            ((self.by128.val() & self.low256.val()) << 256) | ((self.by128.val() >> 256) & self.low256.val());
    }
}
