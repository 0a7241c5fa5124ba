//! Frames of the traces.

use std::net::Ipv4Addr;
use weft_params::RepsCsr;
use weft_wire::frame::{self, FrameError};
use weft_wire::headers::{PSN_MASK, Reth, Xeth};
use weft_wire::{Ack, Body, Bth, Dscp, Ecn, Envelope};

const NIC: Ipv4Addr = Ipv4Addr::new(10, 0, 0, 1);

/// Packets of a message. The last one carries an immediate.
const MESSAGE_PACKETS: u32 = 64;

/// Receiver of a connection: each receiving host has two connections.
fn receiver(connection: u32) -> Ipv4Addr {
    let [_, _, high, low] = (connection / 2 + 1).to_be_bytes();
    Ipv4Addr::new(10, 1, high, low)
}

fn sender_qp(connection: u32) -> u32 {
    0x100 + connection
}

fn receiver_qp(connection: u32) -> u32 {
    0x2000 + connection
}

/// First PSNs of connections are far apart. The second connection begins shortly before PSNs wrap.
pub(super) fn first_psn(connection: u32) -> u32 {
    0x3F_A2C4_u32.wrapping_add(connection.wrapping_mul(0xC0_5CBC)) & PSN_MASK
}

/// The EV of a connection that does not spray.
pub(super) fn fixed_ev(connection: u32, csr: &RepsCsr) -> u16 {
    (csr.ev_base + connection.wrapping_mul(0x3A5) % csr.evs_size) as u16
}

/// Contents of a data packet.
pub(super) struct Data {
    pub(super) connection: u32,
    pub(super) psn: u32,
    pub(super) again: bool,
    pub(super) ev: u16,
    pub(super) tx_timestamp: u16,
    pub(super) payload_len: usize,
}

pub(super) fn data(data: &Data) -> Result<Vec<u8>, FrameError> {
    let &Data { connection, psn, again, ev, tx_timestamp, payload_len } = data;
    let number = psn.wrapping_sub(first_psn(connection)) & PSN_MASK;
    let message = (number / MESSAGE_PACKETS) as u16;
    let is_last = number % MESSAGE_PACKETS == MESSAGE_PACKETS - 1;
    let payload: Vec<u8> = (0..payload_len).map(|i| (number as usize + i) as u8).collect();
    let body = Body::Data(weft_wire::Data {
        reth: Reth::default()
            .with_va((u64::from(connection) << 32) + u64::from(number) * payload_len as u64)
            .with_r_key(0x1000 + connection)
            .with_dma_length(payload_len as u32),
        immediate: is_last.then_some(message.into()),
        xeth: Xeth::new(tx_timestamp, message, message),
        payload: &payload,
    });
    let dscp = if again { Dscp::DEFAULT.trimmable_retransmission } else { Dscp::DEFAULT.trimmable };
    let envelope = Envelope::v4(NIC, receiver(connection), ev).marked(dscp, Ecn::Ect0);
    let bth = Bth::data(receiver_qp(connection), psn).with_retransmission(again);
    frame::encode(&envelope, bth, &body)
}

/// Encodes an ACK, which returns on the entropy value that it echoes.
pub(super) fn ack(connection: u32, ack: Ack) -> Result<Vec<u8>, FrameError> {
    let ev = ack.seth.echoed_ev() as u16;
    let envelope = Envelope::v4(receiver(connection), NIC, ev).marked(Dscp::DEFAULT.control, Ecn::NotEct);
    let bth = Bth::acknowledge(sender_qp(connection), ack.seth.cack_psn());
    frame::encode(&envelope, bth, &Body::Ack(ack))
}
