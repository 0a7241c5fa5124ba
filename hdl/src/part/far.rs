//! `weft_far`: whether a PSN is far ahead of the first missing one, in windows above 256 PSNs.

use crate::prelude::*;

/// Whether a PSN of the window is 256 or more beyond the first missing one. The bitmap of an ACK of such a PSN ends with
/// that PSN; otherwise the bitmap begins with the first missing one.
///
/// # Parameters
///
/// `S` bits of a PSN of the window, `N = S + 1`.
#[derive(LogicBlock, Default)]
pub struct Far<const S: usize, const N: usize> {
    /// The PSN.
    pub psn: Signal<In, Bits<24>>,
    /// The first missing PSN.
    pub expected: Signal<In, Bits<24>>,
    /// The PSN is far.
    pub far: Signal<Out, Bit>,
    /// PSNs from the first missing one to the first of the bitmap.
    pub offset: Signal<Out, Bits<16>>,

    ahead: Signal<Local, Bits<24>>,
    is_far: Signal<Local, Bit>,
}

impl<const S: usize, const N: usize> Logic for Far<S, N> {
    #[hdl_gen]
    fn update(&mut self) {
        self.ahead.next = self.psn.val() - self.expected.val();
        for s in S..N {
            self.is_far.next =
                self.ahead.val().get_bits::<16>(8).any() & !self.ahead.val().get_bits::<16>(s).any();
        }
        self.far.next = self.is_far.val();
        self.offset.next = 0.into();
        if self.is_far.val() {
            self.offset.next = self.ahead.val().get_bits::<16>(0) - 255;
        }
    }
}
