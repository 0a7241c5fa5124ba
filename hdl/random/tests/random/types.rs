//! An enum and structs for random blocks.

use crate::common::Word;
use weft_hdl::prelude::*;

#[derive(Clone, Copy, Debug, PartialEq, LogicState)]
pub enum Mode {
    Idle,
    Run,
    Halt,
}

impl Word for Mode {
    fn from_word(word: u128) -> Self {
        match word {
            0 => Mode::Idle,
            1 => Mode::Run,
            _ => Mode::Halt,
        }
    }
    fn word(self) -> u128 {
        self as u128
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Rec {
    pub tag: Bits<3>,
    pub data: Bits<8>,
    pub flag: Bit,
    pub mode: Mode,
}

impl Word for Rec {
    fn from_word(word: u128) -> Self {
        Rec {
            tag: Bits::from_word(word),
            data: Bits::from_word(word >> 3),
            flag: bool::from_word(word >> 11),
            mode: Mode::from_word(word >> 12 & 3),
        }
    }
    fn word(self) -> u128 {
        let bits: Bits<14> = self.into();
        bits.to_u128()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Inner {
    pub a: Bits<5>,
    pub b: Bit,
    pub c: Bits<9>,
}

impl Word for Inner {
    fn from_word(word: u128) -> Self {
        Inner { a: Bits::from_word(word), b: bool::from_word(word >> 5), c: Bits::from_word(word >> 6) }
    }
    fn word(self) -> u128 {
        let bits: Bits<15> = self.into();
        bits.to_u128()
    }
}

#[derive(Clone, Copy, Debug, Default, PartialEq, LogicStruct)]
pub struct Outer {
    pub tag: Bits<3>,
    pub inner: Inner,
    pub mode: Mode,
    pub tail: Bits<16>,
    pub second: Inner,
}

impl Word for Outer {
    fn from_word(word: u128) -> Self {
        Outer {
            tag: Bits::from_word(word),
            inner: Inner::from_word(word >> 3),
            mode: Mode::from_word(word >> 18 & 3),
            tail: Bits::from_word(word >> 20),
            second: Inner::from_word(word >> 36),
        }
    }
    fn word(self) -> u128 {
        let bits: Bits<51> = self.into();
        bits.to_u128()
    }
}
