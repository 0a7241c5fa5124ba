//! Helpers of several tests: sample packets of every kind, and random numbers.
#![allow(dead_code)] // each test file uses a part

use weft_random::Rng;
use weft_wire::frame::encode;
use weft_wire::headers::*;
use weft_wire::{Ack, Addresses, Body, Data, Ecn, Envelope, Nack, Plain, Vlan};

/// Random bytes.
pub(crate) fn bytes(rng: &mut Rng, len: usize) -> Vec<u8> {
    let mut bytes = vec![0; len];
    rng.fill(&mut bytes);
    bytes
}

/// Number of kinds that [`body`] makes.
pub(crate) const KINDS: usize = 9;

pub(crate) fn envelope(rng: &mut Rng) -> Envelope {
    let mut at = |len| bytes(rng, len);
    let v4: [u8; 8] = at(8).try_into().unwrap();
    let v6: [u8; 32] = at(32).try_into().unwrap();
    let mac: [u8; 12] = at(12).try_into().unwrap();
    let [src, dst] = [&v6[..16], &v6[16..]].map(|half| <[u8; 16]>::try_from(half).unwrap());
    let vlans = [Vlan { tpid: 0x88A8, tci: rng.draw() as u16 }, Vlan { tpid: 0x8100, tci: 7 }];
    Envelope {
        dst_mac: mac[..6].try_into().unwrap(),
        src_mac: mac[6..].try_into().unwrap(),
        vlans: match rng.index(3) {
            0 => [None; 2],
            1 => [Some(vlans[1]), None],
            _ => vlans.map(Some),
        },
        ip: if rng.index(2) == 0 {
            let [a, b, c, d, e, f, g, h] = v4;
            Addresses::V4 { src: [a, b, c, d].into(), dst: [e, f, g, h].into() }
        } else {
            let flow_label = rng.draw() as u32 & 0xF_FFFF;
            Addresses::V6 { src: src.into(), dst: dst.into(), flow_label }
        },
        // The tests of trimming use the code points of trimmed packets, 12 and 16.
        dscp: [0, 4, 8, 46][rng.index(4)],
        ecn: Ecn::from_tos(rng.draw() as u8),
        ttl: rng.draw() as u8 | 1,
        source_port: rng.draw() as u16 | 0xC000,
    }
}

/// A body of each kind with random contents, and its BTH.
pub(crate) fn body<'a>(kind: usize, rng: &mut Rng, payload: &'a [u8]) -> (Bth, Body<'a>) {
    let mut word = || rng.draw() as u32;
    let (qp, psn, half) = (word(), word(), word() as u16);
    let immediate = (half & 1 == 0).then(&mut word);
    match kind {
        0 => {
            let bth = Bth::data(qp, psn).with_ack_request(half & 2 == 0).with_retransmission(half & 4 == 0);
            let reth =
                Reth::default().with_va(u64::from(word()) << 7).with_r_key(word()).with_dma_length(word());
            let xeth = Xeth::new(half, word() as u16, word() as u16);
            (bth, Body::Data(Data { reth, immediate, xeth, payload }))
        }
        1 | 2 => {
            let mut ack = Ack::new(psn, psn.wrapping_add(u32::from(half & 0xFF)), half);
            ack.seth =
                ack.seth.with_m(word() as u8).with_bitmap(word().into()).with_probe_reply(half & 1 == 0);
            ack.cc_state = CcState::default().with_rcvd_bytes(word()).with_ooo_count(word() as u16);
            ack.cc_state = ack.cc_state.with_rc(half & 2 == 0).with_rcv_cwnd_pend(word() as u8);
            if kind == 2 {
                ack = ack.with_bitmap([word().into(), u64::from(word()) << 32, word().into(), word().into()]);
            }
            if kind == 2 && half & 4 == 0 {
                let entries: Vec<_> = (0..1 + half % 16).map(|_| (word() as u16, word() & 1 == 1)).collect();
                ack = ack.with_list(Evx::new(&entries));
            }
            (Bth::acknowledge(qp, psn), Body::Ack(ack))
        }
        3 => {
            let mut nack = Nack::new(psn, nack_reason::TRIMMED, half, word() as u16);
            nack.neth = nack.neth.with_m(half as u8);
            (Bth::acknowledge(qp, psn), Body::Nack(nack))
        }
        4 => (Bth::probe(qp, psn), Body::Probe(Peth::new(half, word() as u16))),
        5 => (Bth::cnp(qp), Body::Cnp),
        6 => {
            let (code, reth, aeth, immediate) = plain_opcode(half);
            let plain = Plain {
                reth: reth.then(|| Reth::default().with_va(word().into()).with_dma_length(word())),
                aeth: aeth.then(|| Aeth::default().with_syndrome(word() as u8).with_msn(word())),
                immediate: immediate.then(&mut word),
                payload: if code == opcode::READ_REQUEST { &[] } else { payload },
            };
            (Bth::plain(code, qp, psn), Body::Plain(plain))
        }
        7 => {
            let aeth = Some(Aeth::default().with_syndrome([0x1F, 0x20, 0x60][usize::from(half) % 3]));
            let plain = Plain { reth: None, aeth, immediate: None, payload: &[] };
            (Bth::plain(opcode::ACKNOWLEDGE, qp, psn), Body::Plain(plain))
        }
        // UD SEND Only: an opcode that is not decoded.
        _ => (Bth::plain(0x64, qp, psn), Body::Other(payload)),
    }
}

/// A plain RC opcode and whether RETH, AETH, ImmDt follow.
fn plain_opcode(pick: u16) -> (u8, bool, bool, bool) {
    use opcode::*;
    [
        (SEND_FIRST, false, false, false),
        (SEND_LAST_IMMEDIATE, false, false, true),
        (SEND_ONLY_IMMEDIATE, false, false, true),
        (WRITE_FIRST, true, false, false),
        (WRITE_MIDDLE, false, false, false),
        (WRITE_LAST_IMMEDIATE, false, false, true),
        (WRITE_ONLY, true, false, false),
        (WRITE_ONLY_IMMEDIATE, true, false, true),
        (READ_REQUEST, true, false, false),
        (READ_RESPONSE_FIRST, false, true, false),
        (READ_RESPONSE_MIDDLE, false, false, false),
        (READ_RESPONSE_ONLY, false, true, false),
        (COMPARE_SWAP, false, false, false),
    ][usize::from(pick >> 3) % 13]
}

/// A frame of a random kind.
pub(crate) fn any_frame(rng: &mut Rng) -> Vec<u8> {
    let len = rng.index(80);
    let payload = bytes(rng, len);
    let envelope = envelope(rng);
    let kind = rng.index(KINDS);
    let (bth, body) = body(kind, rng, &payload);
    encode(&envelope, bth, &body).unwrap()
}

/// Folder of captures that are available only to the developers.
pub(crate) fn shared(file: &str) -> Option<std::path::PathBuf> {
    let path = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/data/pcap").join(file);
    if !path.exists() {
        println!("skipped: {file} is not here");
        return None;
    }
    Some(path)
}
