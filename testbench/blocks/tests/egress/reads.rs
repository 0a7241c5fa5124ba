//! `weft_egress`: read data that fits an order (rule 5).

use weft_blocks::egress::stimulus::{any_order, beats};
use weft_nic::block::egress::{Clocked, Egress, Inputs, Peer};
use weft_nic::words::{Beat, Order};
use weft_params::{EgressCsr, SackParams};
use weft_random::Rng;

/// Sends an order with its read data, and then a whole order. Returns the payload that was sent for the first
/// order, if any.
fn sent(order: &Order, read: &[Beat]) -> Option<Vec<u8>> {
    let mut rng = Rng::new(2);
    let mut block = Clocked::new(SackParams { connections: 4 }, EgressCsr::default());
    block.clock(&Inputs { rst: true, ..Inputs::default() });
    let behind = Order { psn: 1, ..any_order(&mut rng, 200) };
    let mut orders = vec![behind, *order];
    let mut reads = beats(&mut rng, 200);
    reads.reverse();
    reads.extend(read.iter().rev());
    let (mut frame, mut frames) = (Vec::new(), Vec::new());
    for _ in 0..600 {
        let outputs = *block.outputs();
        let inputs = Inputs {
            order: orders.last().map(|order| (0, *order)),
            read: reads.last().copied(),
            net_ready: true,
            ..Inputs::default()
        };
        block.clock(&inputs);
        if outputs.order_ready {
            orders.pop();
        }
        if outputs.read_ready {
            reads.pop();
        }
        if let Some((_, beat)) = outputs.net.get() {
            frame.extend(beat.bytes());
            if beat.last {
                frames.push(std::mem::take(&mut frame));
            }
        }
    }
    let last = frames.pop().expect("the one behind");
    assert_eq!(last.len(), if behind.last { 286 } else { 282 });
    assert_eq!(block.outputs().counters.read_errors, u32::from(frames.is_empty()));
    frames.pop()
}

/// Rule of the page: the last word has at least the order's bytes, from byte 0 on; every word before it is
/// full.
fn right(bytes: u16, read: &[Beat]) -> bool {
    let words = usize::from(bytes).div_ceil(Beat::BYTES);
    let needed = usize::from(bytes) - Beat::BYTES * (words - 1);
    read.len() == words
        && read.iter().enumerate().all(|(i, beat)| {
            let counted: Vec<usize> = (0..Beat::BYTES).filter(|at| beat.keep >> at & 1 == 1).collect();
            let contiguous = counted.iter().enumerate().all(|(at, byte)| at == *byte);
            let enough = if i + 1 == words { needed } else { Beat::BYTES };
            contiguous && counted.len() >= enough
        })
}

#[test]
fn the_last_word_has_the_orders_bytes_at_least() {
    let mut rng = Rng::new(1);
    for bytes in [1, 2, 63, 64, 65, 127, 128, 150] {
        let order = Order { last: false, ..any_order(&mut rng, bytes) };
        let whole = beats(&mut rng, bytes.into());
        let payload: Vec<u8> = whole.iter().flat_map(Beat::bytes).collect();
        for kept in 0..=64_u32 {
            let mut read = whole.clone();
            read[whole.len() - 1].keep = u64::MAX.checked_shr(64 - kept).unwrap_or(0);
            let frame = sent(&order, &read);
            assert_eq!(frame.is_some(), right(bytes, &read), "{bytes} bytes, {kept} kept");
            // Bytes behind the order's bytes never leave.
            let at = 14 + 20 + 8 + 12 + 16 + 8;
            assert!(frame.is_none_or(|frame| frame[at..at + payload.len()] == payload));
        }
    }
}

#[test]
fn no_byte_is_missing_before_the_last_one() {
    let mut rng = Rng::new(3);
    for bytes in [40, 64, 130] {
        let order = any_order(&mut rng, bytes);
        let whole = beats(&mut rng, bytes.into());
        for word in 0..whole.len() {
            for at in 0..64 {
                let mut read = whole.clone();
                read[word].keep ^= 1 << at;
                assert_eq!(sent(&order, &read).is_some(), right(bytes, &read), "{bytes}, {word}, {at}");
            }
        }
    }
}

#[test]
fn the_transaction_view_takes_the_same() {
    let mut rng = Rng::new(4);
    let mut egress = Egress::new(EgressCsr::default());
    egress.set_peer(0, Peer::default());
    let bytes: Vec<u8> = (0..400).map(|at| at as u8).collect();
    for wanted in 1..200_u16 {
        let order = any_order(&mut rng, wanted);
        let exact = egress.data(0, &order, Some(&bytes[..wanted.into()]), false, 0);
        assert!(exact.is_some());
        for there in 0..400 {
            let words = |bytes: usize| bytes.div_ceil(Beat::BYTES);
            let fits = there >= wanted.into() && words(there) == words(wanted.into());
            let frame = egress.data(0, &order, Some(&bytes[..there]), false, 0);
            assert_eq!(frame, exact.clone().filter(|_| fits), "{wanted} of {there}");
        }
    }
}
