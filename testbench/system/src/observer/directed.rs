//! Directed runs: an index is opened again while something of its earlier opening remains (rule 12 of the NIC;
//! rule 12 of the registers).

use super::far::Far;
use super::op::{Climate, RETRIES};
use super::ports::Stream;
use super::run::Run;
use super::software::Command;
use super::world::{Checked, Identity, peer};
use crate::host::device::Device;
use weft_random::Rng;

/// One kind of remainder of an earlier opening.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Stale {
    /// Name on the command line.
    pub name: &'static str,
    stream: Stream,
    /// The later opening has the same peer.
    same_peer: bool,
}

/// The remainders. Each run holds a stream, closes the index, opens it again, and releases the stream.
pub const STALE: &[Stale] = &[
    Stale { name: "read data", stream: Stream::Read, same_peer: false },
    Stale { name: "read data, same peer", stream: Stream::Read, same_peer: true },
    Stale { name: "placed data", stream: Stream::Write, same_peer: false },
    Stale { name: "placed data, same peer", stream: Stream::Write, same_peer: true },
    Stale { name: "completions", stream: Stream::Sent, same_peer: false },
    Stale { name: "reports", stream: Stream::Received, same_peer: false },
    Stale { name: "frames", stream: Stream::Net, same_peer: false },
    Stale { name: "fetches", stream: Stream::Fetch, same_peer: false },
    Stale { name: "work", stream: Stream::Work, same_peer: false },
];

const CLIMATE: Climate = Climate {
    mtu: 256,
    ack_packets: 1,
    ack_bytes: 0x4000,
    ack_timeout: 125,
    stalls: 0,
    lost: 0,
    doubled: 0,
    damaged: 0,
    trimmed: 0,
    nacks: 0,
    late: 20,
    fixed_ev: false,
    retries: RETRIES,
};

const FIRST: Identity = Identity {
    index: 3,
    peer: peer_of_first(),
    peer_qp: 0x900,
    pkey: 0xFFFF,
    peer_pkey: 0xFFFF,
    send_psn: 0x100,
    receive_psn: 0x200,
    base: 0x7_0000_0000,
    length: 0x1_0000,
    key: 0xBEEF,
    remote_key: 0xCAFE,
    ev: 0xC007,
};

const fn peer_of_first() -> super::world::Peer {
    let address = std::net::IpAddr::V4(std::net::Ipv4Addr::new(10, 0, 1, 1));
    super::world::Peer { address, mac: [2, 0, 10, 0, 1, 0], tag: None }
}

/// Clocks for which the stream is held. Most of them arrive after the close.
const HELD: u64 = 4_000;

/// Runs one operation: traffic both ways, a held stream, close, open, traffic, and the release of the stream.
pub(super) fn run<D: Device>(device: D, stale: &Stale) -> (Checked, u64) {
    let mut run = match Run::new(device, 1, CLIMATE, false) {
        Ok(run) => run,
        Err(violation) => return (Err(violation), 0),
    };
    run.books.late = Some(Vec::new());
    let result = close_and_open(&mut run, stale);
    let late = run.books.late.take().unwrap_or_default();
    let result = match (result, late.first()) {
        (Ok(()), Some(first)) => Err(first.clone()),
        (result, _) => result,
    };
    (result, run.ports.clock)
}

fn close_and_open<D: Device>(run: &mut Run<D>, stale: &Stale) -> Checked {
    let mut rng = Rng::new(7);
    let second = if stale.same_peer { FIRST } else { Identity { peer: peer(1), ..FIRST } };
    run.ports.software.ask(Command::Open(FIRST));
    run.until(100_000, |run| run.books.open(FIRST.index).is_some())?;
    run.ports.holds[stale.stream as usize] = run.ports.clock + HELD;
    traffic(run, &mut rng);
    run.pause(600)?;
    run.ports.software.ask(Command::Close(FIRST.index));
    run.ports.software.ask(Command::Open(second));
    run.pause(600)?;
    if run.books.open(FIRST.index).is_some() {
        traffic(run, &mut rng);
    }
    run.until(1_000_000, |run| run.books.open(FIRST.index).is_some() && run.ports.software.is_idle())?;
    traffic(run, &mut rng);
    run.finish()
}

/// Starts messages in both directions.
fn traffic<D: Device>(run: &mut Run<D>, rng: &mut Rng) {
    for length in [700, 0, 256] {
        run.post(FIRST.index, length, rng);
    }
    let far: Option<&mut Far> = run.fars[FIRST.index as usize].as_mut();
    if let Some(far) = far {
        far.message(rng, 4, 256);
        far.message(rng, 1, 256);
    }
}
