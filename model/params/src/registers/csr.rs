//! Registers as the fields of the structs that the blocks' models take.

use crate::nic::{EgressCsr, IngressCsr, ReceiverCsr, SenderCsr};
use crate::reps::EvMode;
use crate::smartt::Signals;
use serde::{Deserialize, Serialize};

/// All of the NIC's configuration.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct NicCsr {
    /// A tick has 2 to the power of this clocks, 0 to 15.
    pub tick_shift: u8,
    /// The `cfg_*` ports of `weft_ingress`.
    pub ingress: IngressCsr,
    /// The `cfg_*` ports of `weft_egress`.
    pub egress: EgressCsr,
    /// The `cfg_*` ports of `weft_receiver`.
    pub receiver: ReceiverCsr,
    /// The `cfg_*` ports of `weft_sender`.
    pub sender: SenderCsr,
}

/// A field of [`NicCsr`].
#[derive(Clone, Copy, Debug)]
pub(super) struct Place {
    /// The class, for a field with one value for each class.
    pub(super) lane: usize,
    pub(super) get: fn(&NicCsr, usize) -> u128,
    pub(super) set: fn(&mut NicCsr, usize, u128),
}

impl Place {
    pub(super) fn get(&self, csr: &NicCsr) -> u128 {
        (self.get)(csr, self.lane)
    }

    pub(super) fn set(&self, csr: &mut NicCsr, value: u128) {
        (self.set)(csr, self.lane, value);
    }
}

/// The [`Place`] of a path such as `sender.idle_ticks`.
macro_rules! place {
    ($($path:tt)+) => {
        Place {
            lane: 0,
            get: |csr, _| csr.$($path)+.number(),
            set: |csr, _, value| csr.$($path)+ = Number::of(value),
        }
    };
}

/// The [`Place`] of a constant of a class.
macro_rules! lane {
    ($lane:expr, $block:ident, $field:ident) => {
        Place {
            lane: $lane,
            get: |csr, lane| csr.sender.$block.classes[lane].$field.number(),
            set: |csr, lane, value| csr.sender.$block.classes[lane].$field = Number::of(value),
        }
    };
}

pub(super) use {lane, place};

/// The value of a register, as a number of that many bits.
pub(super) trait Number {
    fn number(self) -> u128;
    fn of(value: u128) -> Self;
}

macro_rules! unsigned {
    ($($type:ty),+) => {
        $(impl Number for $type {
            fn number(self) -> u128 {
                self as u128
            }

            fn of(value: u128) -> Self {
                value as Self
            }
        })+
    };
}

unsigned!(u8, u16, u32, u64, u128);

impl Number for bool {
    fn number(self) -> u128 {
        self.into()
    }

    fn of(value: u128) -> Self {
        value & 1 == 1
    }
}

/// Numbers of eight bits each, the first one lowest.
impl Number for [u32; 15] {
    fn number(self) -> u128 {
        self.into_iter().rev().fold(0, |all, weight| all << 8 | u128::from(weight & 0xFF))
    }

    fn of(value: u128) -> Self {
        std::array::from_fn(|at| (value >> (8 * at)) as u32 & 0xFF)
    }
}

impl Number for EvMode {
    fn number(self) -> u128 {
        self as u128
    }

    fn of(value: u128) -> Self {
        [Self::Reps, Self::Ops, Self::Fixed, Self::Reps2024][value as usize & 3]
    }
}

impl Number for Signals {
    fn number(self) -> u128 {
        self as u128
    }

    /// 3 counts as 0, as in the block.
    fn of(value: u128) -> Self {
        [Self::Both, Self::Ecn, Self::Delay, Self::Both][value as usize & 3]
    }
}
