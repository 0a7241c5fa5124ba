//! Rules 14 to 16: VLANs and P_Keys that a connection accepts.

use weft_nic::block::ingress::{Cause, Peer, Verdict, judge, meet};
use weft_params::IngressCsr;
use weft_wire::headers::{Peth, Reth, Xeth};
use weft_wire::{Ack, Body, Bth, Data, Dscp, Ecn, Envelope, Nack, Trimmed, Vlan, frame};

const HERE: u32 = 0x0A00_0001;
const THERE: u32 = 0x0A00_0002;

/// A frame of each kind.
fn frames(tag: Option<u16>, pkey: u16) -> Vec<Vec<u8>> {
    let mut envelope = Envelope::v4(THERE.into(), HERE.into(), 7);
    envelope.vlans[0] = tag.map(|tci| Vlan { tpid: 0x8100, tci });
    let reth = Reth::default().with_dma_length(4);
    let data = Data { reth, immediate: None, xeth: Xeth::new(0, 0, 0), payload: &[1; 4] };
    let rest = Trimmed { last_hop: false, reth: None, immediate: None, xeth: None, rest: &[] };
    let cut = envelope.marked(Dscp::DEFAULT.trimmed, Ecn::Ect0);
    [
        (envelope, Bth::data(0, 1), Body::Data(data)),
        (cut, Bth::data(0, 1), Body::Trimmed(rest)),
        (envelope, Bth::acknowledge(0, 1), Body::Ack(Ack::new(1, 1, 0))),
        (envelope, Bth::acknowledge(0, 1), Body::Nack(Nack::new(1, 1, 0, 0))),
        (envelope, Bth::probe(0, 1), Body::Probe(Peth::new(0, 0))),
    ]
    .map(|(envelope, bth, body)| frame::encode(&envelope, bth.with_p_key(pkey), &body).expect("short enough"))
    .to_vec()
}

/// The cause for which the block drops the frames, if it drops them; the cause is the same for all kinds.
#[track_caller]
fn cause((vlan, pkey): (u16, u16), tag: Option<u16>, sent: u16) -> Option<Cause> {
    let csr = IngressCsr { ipv4: HERE, ..IngressCsr::default() };
    let peer = Peer { open: true, v6: false, address: THERE.into(), vlan, pkey };
    let causes =
        frames(tag, sent).into_iter().map(|frame| match meet(judge(&csr, 4, &frame, false), |_| peer) {
            Verdict::Dropped(cause) => Some(cause),
            Verdict::Sound { .. } => None,
            Verdict::Foreign => panic!("a frame of ours"),
        });
    let causes: Vec<_> = causes.collect();
    assert!(causes.iter().all(|cause| *cause == causes[0]), "{causes:?}");
    causes[0]
}

#[test]
fn rule_14_a_connection_takes_the_frames_of_its_vlan() {
    let of = |vlan, tag| cause((vlan, 0xFFFF), tag, 0xFFFF);
    for (vlan, tag) in [(0x123, 0x123), (0x123, 0xF123), (0xFFE, 0x0FFE), (0, 0), (0, 0xE000), (1, 0x1001)] {
        assert_eq!(of(vlan, Some(tag)), None, "VLAN {vlan:#x}, tag {tag:#x}");
    }
    assert_eq!(of(0, None), None);
    for bit in 0..12 {
        assert_eq!(of(0x123, Some(0x123 ^ 1 << bit)), Some(Cause::Vlan), "bit {bit}");
        assert_eq!(of(0, Some(1 << bit)), Some(Cause::Vlan), "bit {bit}");
    }
    for tag in [None, Some(0), Some(0xE000)] {
        assert_eq!(of(0x123, tag), Some(Cause::Vlan), "tag {tag:?}");
    }
}

#[test]
fn rule_15_members_of_a_partition_hear_each_other_if_one_is_a_full_one() {
    let of = |here, there| cause((0, here), None, there);
    for (here, there) in [(0xFFFF, 0xFFFF), (0xFFFF, 0x7FFF), (0x7FFF, 0xFFFF), (0x8001, 0x0001)] {
        assert_eq!(of(here, there), None, "{here:#x} hears {there:#x}");
    }
    for bit in 0..15 {
        assert_eq!(of(0x9234, 0x9234 ^ 1 << bit), Some(Cause::Partition), "bit {bit}");
    }
    // The P_Keys are of limited members, or of no partition.
    for (here, there) in [(0x7FFF, 0x7FFF), (1, 1), (0x8000, 0x8000), (0x8000, 0), (0, 0x8000), (0, 0)] {
        assert_eq!(of(here, there), Some(Cause::Partition), "{here:#x} hears {there:#x}");
    }
}

#[test]
fn rule_03_the_first_cause_counts() {
    let all = |peer: Peer| {
        let csr = IngressCsr { ipv4: HERE, ..IngressCsr::default() };
        let frame = &frames(Some(5), 7)[0];
        match meet(judge(&csr, 4, frame, false), |_| peer) {
            Verdict::Dropped(cause) => cause,
            other => panic!("{other:?}"),
        }
    };
    let wrong = Peer { open: false, v6: false, address: 1, vlan: 6, pkey: 8 };
    assert_eq!(all(wrong), Cause::Unknown);
    assert_eq!(all(Peer { open: true, ..wrong }), Cause::Stranger);
    assert_eq!(all(Peer { open: true, address: THERE.into(), ..wrong }), Cause::Vlan);
    assert_eq!(all(Peer { open: true, address: THERE.into(), vlan: 5, ..wrong }), Cause::Partition);
}
