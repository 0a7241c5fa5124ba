//! Rule 9: the bitmaps of ACKs in windows of 256, 512 and 1,024 PSNs.

use weft_blocks::ingress::frames::{Frames, Mix};
use weft_blocks::ingress::oracle::{Fate, fate};
use weft_nic::block::ingress::{Ingress, Packet, Peer};
use weft_params::{PSNS, SackParams};

const CONNECTIONS: u32 = 4;

#[test]
fn the_bitmap_of_an_ack_is_understood_in_every_window() {
    for psns in PSNS {
        let mut frames = Frames::new(psns.into(), CONNECTIONS);
        let csr = frames.csr();
        let mut ingress = Ingress::with_psns(SackParams { connections: CONNECTIONS }, psns, csr);
        let peers: Vec<Peer> = (0..CONNECTIONS).map(|id| frames.peer(id)).collect();
        (0..).zip(&peers).for_each(|(id, peer)| ingress.set_peer(id, *peer));
        let (mut usual, mut moved, mut none) = (0, 0, 0);
        for _ in 0..20_000 {
            let frame = frames.frame(Mix::Answers);
            let Fate::Acknowledgement(connection, said) = fate(&csr, &peers, &frame, psns) else { continue };
            let got = ingress.receive(&frame.bytes, frame.bad).expect("a frame of ours");
            assert_eq!(got, (connection, Packet::Acknowledgement(said)), "a window of {psns}");
            let ahead = said.trigger.wrapping_sub(said.expected) & 0xFF_FFFF;
            let count = match (said.bitmap == [0; 4], (256..psns).contains(&ahead)) {
                (true, _) => &mut none,
                (_, true) => &mut moved,
                _ => &mut usual,
            };
            *count += u32::from(!said.nack);
        }
        assert!(usual > 500 && none > 500 && (moved > 100) == (psns > 256), "{psns}: {usual} {moved} {none}");
    }
}
