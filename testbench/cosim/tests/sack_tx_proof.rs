//! The proof of `weft_sack_tx` holds, and can fail: bugs in the RTL and in the model.

use weft_cosim::blocks::sack_tx::prove::prove;
use weft_cosim::prove::Solvers;
use weft_symbolic::Yosys;
use weft_word::{Bits, Word};

fn yosys() -> Option<Yosys> {
    Yosys::find().map_err(|error| println!("skipped: {error}")).ok()
}

#[test]
fn it_is_proved_in_every_shape() {
    if yosys().is_none() {
        return;
    }
    let report = prove(&Solvers::find(), None, &mut |claims| {
        for claim in claims {
            println!(
                "{:?} {:.2} {}: {} {:?}",
                claim.outcome, claim.seconds, claim.part, claim.name, claim.details
            );
        }
    })
    .unwrap();
    report.notes.iter().for_each(|note| println!("{note}"));
    println!("{} claims", report.claims.len());
    assert!(report.is_proved());
}

/// What the proof takes for granted of products, tried on every number of packets and every MTU.
#[test]
fn one_more_packet_is_one_mtu_more() {
    type Bytes = Bits<23>;
    for mtu in 0..1 << 14 {
        let mtu: Bits<14> = Bits::lit(mtu);
        let mut bytes: Bytes = Bits::lit(0);
        for packets in 0..1 << 9 {
            let packets: Bits<9> = Bits::lit(packets);
            assert_eq!(packets.times::<14, 23>(mtu), bytes);
            bytes = bytes + mtu.widen::<23>();
        }
    }
}
