//! Compares every field of every header with a second transcription of the wire format. The transcription
//! counts bytes of the UDP payload, and the test picks the bits one by one.

use proptest::prelude::*;
use weft_wire::headers::*;
use zerocopy::{FromBytes, IntoBytes};

trait Value {
    fn to(self) -> u64;
    fn of(bits: u64) -> Self;
}
macro_rules! value {
    ($($integer:ty as $unsigned:ty),*) => { $(impl Value for $integer {
        fn to(self) -> u64 { (self as $unsigned).into() }
        fn of(bits: u64) -> Self { bits as $integer }
    })* };
}
value!(u8 as u8, u16 as u16, i16 as u16, u32 as u32, u64 as u64);
impl Value for bool {
    fn to(self) -> u64 {
        self.into()
    }
    fn of(bits: u64) -> Self {
        bits & 1 == 1
    }
}

/// Indices, counted from the first bit on the wire, of the bits `high..=low` of the big-endian word at
/// `byte`. The word has 64 bits if `high` needs them.
fn wire_bits(byte: usize, high: usize, low: usize) -> impl DoubleEndedIterator<Item = usize> {
    let width = if high < 32 { 32 } else { 64 };
    (low..=high).rev().map(move |bit| byte * 8 + (width - 1 - bit))
}

fn pick(bytes: &[u8], indices: impl Iterator<Item = usize>) -> u64 {
    indices.fold(0, |value, i| value << 1 | u64::from(bytes[i / 8] >> (7 - i % 8) & 1))
}

/// `Header (size) from first byte in the UDP payload: (getter setter byte high low), ...`.
macro_rules! layout {
    ($test:ident: $header:ident, $size:literal from $base:literal:
     $(($get:ident $with:ident $byte:literal $high:literal $low:literal))*) => {
        proptest! {
            #![proptest_config(ProptestConfig { failure_persistence: None, ..Default::default() })]
            #[test]
            fn $test(bytes in prop::array::uniform::<_, $size>(any::<u8>()), value: u64) {
                prop_assert_eq!($header::LEN, $size);
                let header = $header::read_from_bytes(&bytes).unwrap();
                prop_assert_eq!(header.as_bytes(), &bytes);
                let names = $header::LAYOUT.iter().map(|field| field.name);
                prop_assert_eq!(names.collect::<Vec<_>>(), [$(stringify!($get)),*]);
                $({
                    let bits: Vec<usize> = wire_bits($byte - $base, $high, $low).collect();
                    prop_assert_eq!(Value::to(header.$get()), pick(&bytes, bits.iter().copied()), "{}", stringify!($get));

                    let set = header.$with(Value::of(value));
                    let kept = value & (u64::MAX >> (63 - ($high - $low)));
                    prop_assert_eq!(Value::to(set.$get()), kept, "{}", stringify!($with));
                    for i in (0..$size * 8).filter(|i| !bits.contains(i)) {
                        prop_assert_eq!(pick(set.as_bytes(), [i].into_iter()), pick(&bytes, [i].into_iter()));
                    }
                })*
            }
        }
    };
}

layout! { bth: Bth, 12 from 0:
    (opcode with_opcode 0 31 24) (solicited_event with_solicited_event 0 23 23)
    (migration_request with_migration_request 0 22 22) (pad_count with_pad_count 0 21 20)
    (transport_version with_transport_version 0 19 16) (p_key with_p_key 0 15 0)
    (resv8a with_resv8a 4 31 24) (fecn with_fecn 4 31 31) (becn with_becn 4 30 30)
    (dest_qp with_dest_qp 4 23 0)
    (ack_request with_ack_request 8 31 31) (resv7 with_resv7 8 30 24)
    (retransmission with_retransmission 8 29 29) (sprayed with_sprayed 8 28 28) (psn with_psn 8 23 0)
}
layout! { reth: Reth, 16 from 12:
    (va with_va 12 63 0) (r_key with_r_key 20 31 0) (dma_length with_dma_length 24 31 0)
}
layout! { aeth: Aeth, 4 from 12: (syndrome with_syndrome 12 31 24) (msn with_msn 12 23 0) }
layout! { immdt: ImmDt, 4 from 28: (data with_data 28 31 0) }
layout! { xeth: Xeth, 8 from 28:
    (tx_timestamp with_tx_timestamp 28 31 16) (tsr with_tsr 28 15 15) (ftype with_ftype 28 3 0)
    (rqmsn with_rqmsn 32 31 16) (msn with_msn 32 15 0)
}
layout! { seth: Seth, 28 from 16:
    (kind with_kind 16 31 28) (next with_next 16 27 23) (m with_m 16 22 21)
    (probe_reply with_probe_reply 16 17 17) (ack_psn_offset with_ack_psn_offset 16 15 0)
    (echoed_ev with_echoed_ev 20 31 0)
    (spdcid with_spdcid 24 31 16) (dpdcid with_dpdcid 24 15 0)
    (cack_psn with_cack_psn 28 23 0)
    (cc_type with_cc_type 32 31 28) (xev with_xev 32 25 25) (x256 with_x256 32 24 24) (mpr with_mpr 32 23 16)
    (sack_offset with_sack_offset 32 15 0)
    (bitmap with_bitmap 36 63 0)
}
layout! { cc_state: CcState, 8 from 44:
    (tx_timestamp with_tx_timestamp 44 31 16) (ooo_count with_ooo_count 44 14 0)
    (rc with_rc 48 31 31) (rcv_cwnd_pend with_rcv_cwnd_pend 48 30 24) (rcvd_bytes with_rcvd_bytes 48 23 0)
}
layout! { sackx: Sackx, 24 from 52:
    (bitmap1 with_bitmap1 52 63 0) (bitmap2 with_bitmap2 60 63 0) (bitmap3 with_bitmap3 68 63 0)
}
layout! { evx: Evx, 36 from 76:
    (there with_there 76 31 16) (marked with_marked 76 15 0)
    (evs0 with_evs0 80 63 0) (evs1 with_evs1 88 63 0) (evs2 with_evs2 96 63 0) (evs3 with_evs3 104 63 0)
}
layout! { neth: Neth, 20 from 16:
    (m with_m 16 22 21) (reason with_reason 16 15 8) (vendor with_vendor 16 7 0)
    (echoed_ev with_echoed_ev 20 31 0)
    (spdcid with_spdcid 24 31 16) (dpdcid with_dpdcid 24 15 0)
    (nack_psn with_nack_psn 28 23 0)
    (cc_type with_cc_type 32 31 28) (tx_timestamp with_tx_timestamp 32 15 0)
}
layout! { peth: Peth, 16 from 12:
    (vendor with_vendor 12 7 0) (probe_id with_probe_id 16 31 16)
    (spdcid with_spdcid 20 31 16) (dpdcid with_dpdcid 20 15 0)
    (tx_timestamp with_tx_timestamp 24 31 16) (tsr with_tsr 24 15 15) (ftype with_ftype 24 3 0)
}
