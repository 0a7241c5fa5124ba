//! Chooses the next frame, over words of any kind.

use weft_word::{Bit, Domain, Word};

/// The source of the next frame; if there is no source, the first three bits are clear.
#[derive(Clone, Copy, Debug)]
pub struct Turn<D: Domain> {
    /// A reply.
    pub reply: Bit<D>,
    /// An order.
    pub order: Bit<D>,
    /// A frame of other software is next.
    pub other: Bit<D>,
    /// Orders and frames of other software take turns: the next turn is that of an order.
    pub order_next: Bit<D>,
}

/// Rule 3: the next kind of frame among those that wait, in the turn of `order_next`.
pub fn turn<D: Domain>(reply: Bit<D>, order: Bit<D>, other: Bit<D>, order_next: Bit<D>) -> Turn<D> {
    let order = !reply & order & (order_next | !other);
    let other = !reply & other & !order;
    Turn { reply, order, other, order_next: other.when(order | other, order_next) }
}
