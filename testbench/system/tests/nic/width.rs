//! The NIC with streams of 128 and 256 bits (rule 10): RTL and model on every port and clock. A message goes
//! from one connection to another of the same NIC, whose wire leads back into the NIC.

use crate::loopback::KEY;
use std::collections::VecDeque;
use verilator_sys::Reset;
use weft_bench::Rtl;
use weft_blocks::nic::{Dut, verilator};
use weft_nic::nic::Inputs;
use weft_nic::nic::narrow::AnyWidth;
use weft_nic::words::{Beat, Status, Work};
use weft_params::NicParams;
use weft_random::Rng;
use weft_system::nic::Driver;

const FROM: u64 = 0x1003;
const TO: u64 = 0x9_0001;
const BYTES: u32 = 20_000;

/// Bytes in words of a stream.
fn cut(payload: &[u8], bytes: usize) -> impl Iterator<Item = Beat> + '_ {
    let count = payload.len().div_ceil(bytes);
    let word = move |(i, chunk): (usize, &[u8])| Beat { last: i + 1 == count, ..Beat::frame(chunk)[0] };
    payload.chunks(bytes).enumerate().map(word)
}

fn message_to_itself<const WORD: usize>() {
    let (bytes, width) = (WORD, WORD as u32 * 8);
    let params = NicParams { connections: 4, width, ..NicParams::default() };
    assert_eq!(params.bytes(), bytes);
    let library = verilator(&params).unwrap().load().unwrap();
    let mut rtl = Rtl::<Dut<WORD>>::new(&library, Reset::Random(width)).unwrap();
    let mut model = AnyWidth::new(params);
    let mut driver = crate::loopback::driver(1024, TO, BYTES);
    let mut rng = Rng::new(width.into());
    let message: Vec<u8> = (0..BYTES).map(|_| rng.draw() as u8).collect();
    let work =
        Work { local: FROM, remote: TO, key: KEY, length: BYTES, immediate: 9, id: 3, with_immediate: true };
    let mut memory = vec![0; message.len()];
    let (mut read, mut at, mut wire) = (VecDeque::new(), None, None);
    let (mut posted, mut sent, mut received) = (false, false, false);
    for cycle in 0..60_000u64 {
        let rst = cycle == 0;
        let outputs = if rst { Default::default() } else { *model.outputs() };
        let ready = [(); 5].map(|()| rng.below(4) > 0);
        let mut inputs = Inputs {
            rst,
            // The wire leads straight back: no word may be lost, so the NIC always accepts words.
            net: wire.take(),
            net_ready: true,
            bypass_ready: ready[0],
            fetch_ready: ready[1],
            read: read.front().copied(),
            write_ready: ready[2],
            received_ready: ready[3],
            sent_ready: ready[4],
            ..Inputs::default()
        };
        if !rst {
            inputs.axil = driver.poll(&outputs.axil).unwrap();
            wire = outputs.net.get().map(|(_, beat)| beat);
            if driver.is_idle() && !posted {
                inputs.work = Some((0, work));
                posted = outputs.work_ready;
            }
            if outputs.read_ready && inputs.read.is_some() {
                read.pop_front();
            }
            if let Some((_, place)) = outputs.fetch.get().filter(|_| inputs.fetch_ready) {
                let start = (place.address - FROM) as usize;
                read.extend(cut(&message[start..start + usize::from(place.bytes)], bytes));
            }
            if let Some((connection, write)) = outputs.write.get().filter(|_| inputs.write_ready) {
                assert_eq!(connection, 1);
                let start = at.unwrap_or((write.place.address - TO) as usize);
                let end = write.beat.bytes().zip(start..).map(|(byte, at)| memory[at] = byte).count() + start;
                at = (!write.beat.last).then_some(end);
            }
            if let Some((connection, it)) = outputs.received.get().filter(|_| inputs.received_ready) {
                assert_eq!((connection, it.immediate, it.message), (1, 9, 0));
                assert!(memory == message, "the completion is behind the data");
                received = true;
            }
            if let Some((connection, it)) = outputs.sent.get().filter(|_| inputs.sent_ready) {
                assert_eq!((connection, it.id, it.status), (0, 3, Status::Done));
                sent = true;
            }
        }
        model.clock(&inputs);
        rtl.clock(&inputs).unwrap();
        assert_eq!(rtl.compare(cycle, model.outputs()), None);
        if sent && received {
            return;
        }
    }
    panic!("{width} bits: no completion; posted {posted}, received {received}, sent {sent}");
}

#[test]
fn a_message_to_itself_through_narrow_streams() {
    message_to_itself::<16>();
}

#[test]
#[ignore = "soak: the other widths, a build each"]
fn a_message_to_itself() {
    message_to_itself::<32>();
    message_to_itself::<64>();
}
