//! `weft_linear`: a linear map over bits.

use super::instance;
use rust_hdl_core::prelude::*;

/// `weft_linear`: combinational, output bit *i* is the parity of the input bits that row *i* selects.
#[derive(Clone, Debug, LogicBlock)]
pub struct Linear<const I: usize, const O: usize> {
    /// Input bits.
    pub x: Signal<In, Bits<I>>,
    /// Output bits.
    pub y: Signal<Out, Bits<O>>,
    _rows: Vec<Bits<I>>,
}

impl<const I: usize, const O: usize> Linear<I, O> {
    /// The map with columns `column(j)`: column *j* is the output for input bit *j* alone.
    pub fn new(column: impl Fn(usize) -> Bits<O>) -> Self {
        let columns: Vec<_> = (0..I).map(column).collect();
        let row = |i| {
            let set = |row: Bits<I>, (j, column): (usize, &Bits<O>)| row.replace_bit(j, column.get_bit(i));
            columns.iter().enumerate().fold(Bits::default(), set)
        };
        Linear { x: Signal::default(), y: Signal::default(), _rows: (0..O).map(row).collect() }
    }
}

impl<const I: usize, const O: usize> Logic for Linear<I, O> {
    fn update(&mut self) {
        let x = self.x.val();
        let bit = |y: Bits<O>, (i, row): (usize, &Bits<I>)| y.replace_bit(i, (x & *row).xor());
        self.y.next = self._rows.iter().enumerate().fold(Bits::default(), bit);
    }

    fn connect(&mut self) {
        self.y.connect();
    }

    fn hdl(&self) -> Verilog {
        // The rows as one number, the last row first.
        let bits = self._rows.iter().rev().flat_map(|row| (0..I).rev().map(|j| row.get_bit(j)));
        let bits: Vec<bool> = bits.collect();
        let digit = |nibble: &[bool]| nibble.iter().fold(0, |digit, &bit| 2 * digit + u32::from(bit));
        let head = bits.len() % 4;
        let digits = (head > 0).then(|| digit(&bits[..head])).into_iter();
        let digits: String = digits
            .chain(bits[head..].chunks(4).map(digit))
            .filter_map(|digit| char::from_digit(digit, 16))
            .collect();
        instance(
            "weft_linear",
            &[("I", I.to_string()), ("O", O.to_string()), ("MATRIX", format!("{}'h{digits}", I * O))],
            include_str!("../../verilog/prim/weft_linear.v"),
        )
    }
}
