//! The buffer that the ports of a switch share, and PFC (page `docs/switches.md`, rules 6 to 9, 13 and 14):
//! the shares of ports and queues, and the peers that must stop.

use crate::packet::{MADE, Packet};
use weft_switch::tm::{Account, Alpha, Buffer, Pfc, Terms};

/// A buffer that ports share.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Shared {
    /// Bytes of the whole buffer, headroom included.
    pub bytes: u64,
    /// The longest packet.
    pub frame_bytes: u16,
    /// Settings of PFC, if data is lossless.
    pub pfc: Option<Pfc>,
}

impl Shared {
    /// Headroom with which a port loses no packet. These bytes can still arrive: the bytes of the link for a
    /// round trip, while a pause is on its way; the packet that met the threshold; the switch's own packet
    /// that had begun; the PFC frame; the peer's packet that had begun.
    fn headroom(&self, gap_bytes: u16, (gbps, way_ps): (u32, u64)) -> u64 {
        let [frame, pause] = [self.frame_bytes, PAUSE_BYTES].map(|bytes| u64::from(bytes + gap_bytes));
        let way = (way_ps * u64::from(gbps)).div_ceil(8_000);
        if self.pfc.is_some() { way + 3 * frame + pause } else { 0 }
    }

    /// Headroom of all ports of a switch. `ways` has the rate of each port's link, and its delay there and
    /// back.
    pub fn kept(&self, gap_bytes: u16, ways: &[(u32, u64)]) -> u64 {
        ways.iter().map(|way| self.headroom(gap_bytes, *way)).sum()
    }
}

/// A PFC frame with its FCS.
pub(crate) const PAUSE_BYTES: u16 = 64;

/// The buffer of one switch.
#[derive(Clone, Debug)]
pub(crate) struct Holders {
    buffer: Buffer,
    pfc: Option<Pfc>,
    /// Queues of each port: its data queue, its control queue, its reorder queues.
    queues: Vec<Vec<Account>>,
    /// Data that arrived by each port, under PFC.
    ingress: Vec<Ingress>,
    /// Ports whose peers must get a PFC frame.
    news: Vec<u16>,
}

/// The bytes that arrived by a port.
#[derive(Clone, Copy, Debug)]
struct Ingress {
    account: Account,
    headroom: u64,
    is_stopped: bool,
}

impl Holders {
    /// Makes the buffer of a switch. `ways` has the rate of each port's link, and its delay there and back in
    /// ps.
    pub(crate) fn new(shared: &Shared, gap_bytes: u16, ways: &[(u32, u64)]) -> Self {
        let ingress = |way: &(u32, u64)| {
            let headroom = shared.headroom(gap_bytes, *way);
            Ingress { account: Account::default(), headroom, is_stopped: false }
        };
        Self {
            buffer: Buffer::new(shared.bytes.saturating_sub(shared.kept(gap_bytes, ways))),
            pfc: shared.pfc,
            queues: vec![vec![Account::default(); 2]; ways.len()],
            ingress: ways.iter().map(ingress).collect(),
            news: Vec::new(),
        }
    }

    /// Reserves space for a packet in a queue of a port: a reorder queue, or the queue of the packet's kind
    /// (0). Returns `false` if there is no space.
    pub(crate) fn take(&mut self, port: u16, queue: u8, packet: &Packet) -> bool {
        let fits = self.with((port, queue), packet, |buffer, account, terms| {
            buffer.take(account, terms, packet.bytes.into())
        });
        self.watch(packet);
        fits
    }

    /// The packet leaves the queue.
    pub(crate) fn give(&mut self, port: u16, queue: u8, packet: &Packet) {
        self.with((port, queue), packet, |buffer, account, terms| {
            buffer.give(account, terms, packet.bytes.into())
        });
        self.watch(packet);
    }

    /// Calls a function with the account of a packet's holder: the ingress port if the packet is lossless,
    /// otherwise its queue.
    fn with<T>(
        &mut self,
        (port, queue): (u16, u8),
        packet: &Packet,
        work: impl FnOnce(&mut Buffer, &mut Account, &Terms) -> T,
    ) -> T {
        let Self { buffer, queues, ingress, pfc, .. } = self;
        match pfc {
            Some(pfc) if is_lossless(packet) => {
                let it = &mut ingress[usize::from(packet.ingress)];
                work(buffer, &mut it.account, &terms(pfc.alpha, it.headroom))
            }
            _ => {
                let queues = &mut queues[usize::from(port)];
                let at = if queue == 0 { usize::from(packet.is_control()) } else { 1 + usize::from(queue) };
                if queues.len() <= at {
                    queues.resize(at + 1, Account::default());
                }
                work(buffer, &mut queues[at], &terms(Alpha::ONE, 0))
            }
        }
    }

    /// Queues a PFC frame for a peer that must stop or continue, by the account of that peer's packets.
    fn watch(&mut self, packet: &Packet) {
        let Some(pfc) = self.pfc.filter(|_| is_lossless(packet)) else { return };
        let it = &mut self.ingress[usize::from(packet.ingress)];
        let terms = terms(pfc.alpha, it.headroom);
        let changes = match it.is_stopped {
            true => self.buffer.is_under(&it.account, &terms, pfc.xon_offset_bytes.into()),
            false => self.buffer.is_over(&it.account, &terms),
        };
        if changes {
            it.is_stopped = !it.is_stopped;
            self.news.push(packet.ingress.into());
        }
    }

    /// The next port whose peer must get a PFC frame, and whether the frame stops the peer.
    pub(crate) fn news(&mut self) -> Option<(u16, bool)> {
        let port = self.news.pop()?;
        Some((port, self.ingress[usize::from(port)].is_stopped))
    }

    /// Maximum number of shared bytes that were in use.
    pub(crate) fn peak(&self) -> u64 {
        self.buffer.peak()
    }
}

/// Whether the packet's ingress port has headroom for it. A switch's own packets have no ingress port.
fn is_lossless(packet: &Packet) -> bool {
    !packet.is_control() && packet.flags & MADE == 0
}

fn terms(alpha: Alpha, headroom: u64) -> Terms {
    Terms { reserve: 0, alpha, headroom }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::CONTROL;
    use weft_random::Rng;
    use weft_switch::tm::{Item, Port, Rate, Settings, TrafficManager, Verdict};

    /// A packet as an item of the traffic manager.
    #[derive(Clone, Debug)]
    struct Given(Packet);

    impl Item for Given {
        fn bytes(&self) -> u32 {
            self.0.bytes.into()
        }

        fn came_by(&self) -> u16 {
            self.0.ingress.into()
        }

        fn trim(&mut self, _: bool) -> bool {
            false
        }

        fn mark(&mut self) -> bool {
            false
        }
    }

    /// Random packets arrive and leave. After each packet, the accounts, the stopped peers, and the count of
    /// packets without space equal those of the traffic manager.
    fn compare(pfc: Option<Pfc>, seed: u64) -> [u32; 3] {
        let ways = [(100, 2_000_000), (100, 1_000_000), (400, 500_000), (100, 0)];
        let shared = Shared { bytes: 400_000, frame_bytes: 4_168, pfc };
        let mut holders = Holders::new(&shared, 24, &ways);
        let port = |way: &(u32, u64)| {
            let mut port = Port::new(Rate::gbps(100), 0);
            port.headroom_bytes = shared.headroom(24, *way) as u32;
            port
        };
        let settings = Settings { pfc, ..Settings::new(ways.iter().map(port).collect(), shared.bytes) };
        let mut manager: TrafficManager<Given> = TrafficManager::new(settings, 1).expect("it can be");
        let (mut rng, mut clock, mut seen) = (Rng::new(seed), 0u64, [0u32; 3]);
        for round in 0..20_000 {
            clock += u64::from(rng.below(60));
            while let Some(at) = manager.next(0).filter(|at| *at <= clock) {
                while manager.take_pause(at).is_some() {}
                if let Some(gone) = manager.dequeue(at) {
                    holders.give(gone.port, 0, &gone.item.0);
                }
            }
            // The traffic changes in turn: many ports send to one, or each sends to any.
            let is_incast = round / 1_000 % 2 == 0;
            let to = if is_incast { 3 } else { rng.below(4) };
            let (is_control, bytes) = (rng.chance(1, 5), 64 + rng.below(4_000) as u16);
            let flags = if is_control { CONTROL } else { 0 };
            // A stopped peer sends the packets that are under way, and then no more.
            let ingress = rng.below(4) as u8;
            if holders.ingress[usize::from(ingress)].is_stopped && !rng.chance(1, 3) {
                continue;
            }
            let packet = Packet { ingress, bytes, flags, ..Packet::default() };
            let verdict = manager.enqueue(clock, to as u16, is_control.into(), Given(packet), None);
            let fits = holders.take(to as u16, 0, &packet);
            assert_eq!(fits, verdict == Verdict::Queued, "round {round}");
            assert_eq!((holders.buffer.used(), holders.peak()), manager.shared_bytes(), "round {round}");
            for (port, it) in (0..).zip(&holders.ingress) {
                assert_eq!(it.is_stopped, manager.is_stopped(port, 3), "round {round}, port {port}");
            }
            let stopped = holders.ingress.iter().any(|it| it.is_stopped);
            let counts = [stopped, !fits, holders.news().is_some()];
            seen.iter_mut().zip(counts).for_each(|(seen, count)| *seen += u32::from(count));
        }
        seen
    }

    #[test]
    fn accounts_are_those_of_the_traffic_manager() {
        for seed in 1..=3 {
            let [stopped, lost, news] = compare(Some(Pfc::CONWEAVE), seed);
            assert!(stopped > 100 && lost > 10 && news > 20, "{stopped} {lost} {news}");
            let [stopped, lost, _] = compare(None, seed);
            assert!(stopped == 0 && lost > 100, "{stopped} {lost}");
        }
    }
}
