//! Bits of `tuser` that pass with frames of other software (rule 1), from `s_axis_bypass` over the wire to
//! `m_axis_bypass`, RTL and model in lockstep. The wire leads back into the NIC, which meanwhile sends a
//! message to itself.

use crate::loopback::{KEY, driver};
use std::collections::VecDeque;
use verilator_sys::Reset;
use weft_bench::Rtl;
use weft_blocks::nic::{Dut, verilator};
use weft_nic::nic::{Inputs, Nic};
use weft_nic::words::{Beat, Work};
use weft_params::NicParams;
use weft_random::Rng;
use weft_system::nic::Driver;

const BYTES: u32 = 30_000;
const FRAMES: usize = 300;

/// A frame of other software of up to 5 words; each carries other bits.
fn frame(rng: &mut Rng, user: u32) -> Vec<Beat> {
    let bytes: Vec<u8> = (0..60 + rng.below(260)).map(|_| rng.draw() as u8 | 1).collect();
    let mask = u128::MAX >> (129 - user);
    let any = |rng: &mut Rng| (u128::from(rng.draw()) << 64 | u128::from(rng.draw())) & mask;
    Beat::frame(&bytes).into_iter().map(|beat| Beat { user: any(rng), ..beat }).collect()
}

fn tags_pass<const USER: u32>() {
    let params = NicParams { connections: 4, bypass_user: USER, ..NicParams::default() };
    let library = verilator(&params).unwrap().load().unwrap();
    let mut rtl = Rtl::<Dut<64, USER>>::new(&library, Reset::Random(USER)).unwrap();
    let mut model = Nic::new(params.blocks());
    let mut software = driver(1024, 0x40, BYTES);
    let mut rng = Rng::new(USER.into());
    let given: Vec<Beat> = (0..FRAMES).flat_map(|_| frame(&mut rng, USER)).collect();
    let (mut giving, mut leaving, mut coming) = (given.iter(), given.iter(), given.iter());
    let mut offered = giving.next();
    let work = Work { remote: 0x40, key: KEY, length: BYTES, ..Work::default() };
    let (mut work, mut reads, mut wire) = (Some((0, work)), VecDeque::new(), None);
    let (mut own, mut sent, mut others) = (0, false, false);
    rtl.clock(&Inputs { rst: true, ..Inputs::default() }).unwrap();
    model.clock(&Inputs { rst: true, ..Inputs::default() });
    for cycle in 1..40_000 {
        assert_eq!(rtl.compare(cycle, model.outputs()), None);
        let outputs = *model.outputs();
        let inputs = Inputs {
            axil: software.poll(&outputs.axil).unwrap(),
            net: wire.take(),
            net_ready: true,
            bypass: offered.copied(),
            bypass_ready: rng.below(8) > 0,
            work: work.filter(|_| software.is_idle()),
            fetch_ready: true,
            read: reads.front().copied(),
            write_ready: true,
            sent_ready: true,
            ..Inputs::default()
        };
        if outputs.bypass_ready {
            offered = giving.next();
        }
        if inputs.work.is_some() && outputs.work_ready {
            work = None;
        }
        if outputs.read_ready {
            reads.pop_front();
        }
        if let Some((_, place)) = outputs.fetch.get() {
            reads.extend(Beat::frame(&vec![0; place.bytes.into()]));
        }
        wire = outputs.net.get().map(|(_, beat)| beat);
        if let Some(beat) = wire {
            // Frames of ours are to our own address; others are random bytes.
            others |= leaving.as_slice().first() == Some(&beat);
            if others {
                assert_eq!(leaving.next(), Some(&beat), "cycle {cycle}: on m_axis_net");
                others = !beat.last;
            } else {
                assert_eq!(beat.user, 0, "cycle {cycle}: a frame of ours carries bits");
                own += 1;
            }
        }
        if let Some((_, beat)) = outputs.bypass.get().filter(|_| inputs.bypass_ready) {
            assert_eq!(coming.next(), Some(&beat), "cycle {cycle}: on m_axis_bypass");
        }
        sent |= outputs.sent.valid;
        if sent && coming.as_slice().is_empty() {
            assert!(own > BYTES / 64);
            return;
        }
        rtl.clock(&inputs).unwrap();
        model.clock(&inputs);
    }
    panic!("{} words have not come back, sent {sent}", coming.as_slice().len());
}

#[test]
#[ignore = "soak: a build of the NIC each; `make test` has these bits at ingress and egress"]
fn bits_pass_with_frames_of_others() {
    tags_pass::<97>();
    tags_pass::<2>();
    tags_pass::<17>();
    tags_pass::<128>();
}
