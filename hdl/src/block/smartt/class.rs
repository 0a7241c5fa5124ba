//! `weft_smartt_*_class`: the constants of a class.

use crate::prelude::*;

/// The constants of one class: one of four lanes of each.
#[derive(LogicBlock, Default)]
pub struct Class {
    /// The class.
    pub select: Signal<In, Bits<2>>,
    /// CSR: four classes. Smallest window and full packet, bytes.
    pub all_mtu: Signal<In, Bits<56>>,
    /// CSR: four classes. Largest window, bytes.
    pub all_max_cwnd: Signal<In, Bits<104>>,
    /// CSR: four classes. BDP over fair-decrease constant, bytes.
    pub all_fair_decrease: Signal<In, Bits<104>>,
    /// CSR: four classes. RTT of an empty network, ticks.
    pub all_base_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. Target RTT, ticks.
    pub all_target_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. Largest RTT that FastIncrease treats as the base RTT, ticks.
    pub all_fast_rtt: Signal<In, Bits<64>>,
    /// CSR: four classes. MTU times multiplicative-increase constant, 2^-8 bytes.
    pub all_multiplicative_increase: Signal<In, Bits<128>>,
    /// CSR: four classes. MTU times fair-increase constant, 2^-10 bytes.
    pub all_fair_increase: Signal<In, Bits<120>>,
    /// Smallest window and full packet, bytes.
    pub mtu: Signal<Out, Bits<14>>,
    /// Largest window, bytes.
    pub max_cwnd: Signal<Out, Bits<26>>,
    /// BDP over fair-decrease constant, bytes.
    pub fair_decrease: Signal<Out, Bits<26>>,
    /// RTT of an empty network, ticks.
    pub base_rtt: Signal<Out, Bits<16>>,
    /// Target RTT, ticks.
    pub target_rtt: Signal<Out, Bits<16>>,
    /// Largest RTT that FastIncrease treats as the base RTT, ticks.
    pub fast_rtt: Signal<Out, Bits<16>>,
    /// MTU times multiplicative-increase constant, 2^-8 bytes.
    pub multiplicative_increase: Signal<Out, Bits<32>>,
    /// MTU times fair-increase constant, 2^-10 bytes.
    pub fair_increase: Signal<Out, Bits<30>>,
}

impl Logic for Class {
    #[hdl_gen]
    fn update(&mut self) {
        self.mtu.next = self.all_mtu.val().get_bits::<14>(0);
        self.max_cwnd.next = self.all_max_cwnd.val().get_bits::<26>(0);
        self.fair_decrease.next = self.all_fair_decrease.val().get_bits::<26>(0);
        self.base_rtt.next = self.all_base_rtt.val().get_bits::<16>(0);
        self.target_rtt.next = self.all_target_rtt.val().get_bits::<16>(0);
        self.fast_rtt.next = self.all_fast_rtt.val().get_bits::<16>(0);
        self.multiplicative_increase.next = self.all_multiplicative_increase.val().get_bits::<32>(0);
        self.fair_increase.next = self.all_fair_increase.val().get_bits::<30>(0);
        if self.select.val() == 1 {
            self.mtu.next = self.all_mtu.val().get_bits::<14>(14);
            self.max_cwnd.next = self.all_max_cwnd.val().get_bits::<26>(26);
            self.fair_decrease.next = self.all_fair_decrease.val().get_bits::<26>(26);
            self.base_rtt.next = self.all_base_rtt.val().get_bits::<16>(16);
            self.target_rtt.next = self.all_target_rtt.val().get_bits::<16>(16);
            self.fast_rtt.next = self.all_fast_rtt.val().get_bits::<16>(16);
            self.multiplicative_increase.next = self.all_multiplicative_increase.val().get_bits::<32>(32);
            self.fair_increase.next = self.all_fair_increase.val().get_bits::<30>(30);
        } else if self.select.val() == 2 {
            self.mtu.next = self.all_mtu.val().get_bits::<14>(28);
            self.max_cwnd.next = self.all_max_cwnd.val().get_bits::<26>(52);
            self.fair_decrease.next = self.all_fair_decrease.val().get_bits::<26>(52);
            self.base_rtt.next = self.all_base_rtt.val().get_bits::<16>(32);
            self.target_rtt.next = self.all_target_rtt.val().get_bits::<16>(32);
            self.fast_rtt.next = self.all_fast_rtt.val().get_bits::<16>(32);
            self.multiplicative_increase.next = self.all_multiplicative_increase.val().get_bits::<32>(64);
            self.fair_increase.next = self.all_fair_increase.val().get_bits::<30>(60);
        } else if self.select.val() == 3 {
            self.mtu.next = self.all_mtu.val().get_bits::<14>(42);
            self.max_cwnd.next = self.all_max_cwnd.val().get_bits::<26>(78);
            self.fair_decrease.next = self.all_fair_decrease.val().get_bits::<26>(78);
            self.base_rtt.next = self.all_base_rtt.val().get_bits::<16>(48);
            self.target_rtt.next = self.all_target_rtt.val().get_bits::<16>(48);
            self.fast_rtt.next = self.all_fast_rtt.val().get_bits::<16>(48);
            self.multiplicative_increase.next = self.all_multiplicative_increase.val().get_bits::<32>(96);
            self.fair_increase.next = self.all_fair_increase.val().get_bits::<30>(90);
        }
    }
}
