//! Samples of the reorder queues of a switch: the number of queues in use of a port, and the number of
//! waiting bytes at the switch. A sample is the state before the events of its time. The state changes only
//! with some events, hence a switch records samples when the next such event happens.

use crate::port::Port;
use crate::tally::Histogram;

/// Samples of a switch.
#[derive(Clone, Debug, Default)]
pub(crate) struct Samples {
    every_ps: u64,
    next_ps: u64,
    /// Number of ports that lead to hosts; these ports are the first ones.
    hosts: usize,
    /// Number of samples.
    pub(crate) count: u64,
    /// Queues in use, a value for each port with hosts and sample.
    pub(crate) queues: Histogram,
    /// Bytes in all queues, a value for each sample.
    pub(crate) bytes: Histogram,
}

impl Samples {
    /// Makes samples at intervals of `every_ps`, the first at time 0, for a switch with `hosts` hosts.
    pub(crate) fn new(every_ps: u64, hosts: usize) -> Self {
        Self { every_ps: every_ps.max(1), hosts, ..Self::default() }
    }

    /// Takes all samples up to `now_ps`. Must be called before the ports change at that time.
    #[inline]
    pub(crate) fn reach(&mut self, now_ps: u64, ports: &[Port]) {
        if self.next_ps <= now_ps {
            let count = (now_ps - self.next_ps) / self.every_ps + 1;
            self.take(count, ports);
        }
    }

    /// Adds samples until there are `count`; the ports do not change any more.
    pub(crate) fn fill(&mut self, count: u64, ports: &[Port]) {
        self.take(count.saturating_sub(self.count), ports);
    }

    #[cold]
    fn take(&mut self, count: u64, ports: &[Port]) {
        let mut all = 0;
        for (queues, bytes) in ports[..self.hosts].iter().map(Port::early) {
            self.queues.add_many(queues.into(), count);
            all += u64::from(bytes);
        }
        self.bytes.add_many(all, count);
        self.count += count;
        self.next_ps += count * self.every_ps;
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::packet::Packet;
    use crate::plan::Plan;
    use crate::port::{Cause, Come, Sink};
    use crate::tally::Tally;
    use std::path::Path;

    const SETUP: &str = "[topology]\nkind = \"leaf-spine\"\nleaves = 2\nspines = 2\nhosts_per_leaf = 2\n\
        [scheme]\nname = \"conweave\"\n[workload]\nkind = \"permutation\"\nbytes = 1000\n";

    #[derive(Default)]
    struct Out(Tally);

    impl Sink for Out {
        fn send(&mut self, _: &Packet, _: Come) {}
        fn lose(&mut self, packet: Packet, cause: Cause) {
            panic!("{packet:?} is lost: {cause:?}");
        }
        fn tally(&mut self) -> &mut Tally {
            &mut self.0
        }
    }

    /// Computed by hand: two ports, a sample every 10 ps. A queue of the first port is held from 15 ps on. It
    /// gets 1,000 bytes at that time and 500 bytes at 20 ps. From 42 ps on the queue may send, but no packet
    /// leaves. The samples are twice 0, once 1,000 and four times 1,500 bytes; five samples have one queue.
    #[test]
    fn a_sample_is_what_was_there_before_its_time() {
        let plan = Plan::parse("hand.toml", SETUP, Path::new(""), &[]).expect("a plan");
        let (network, wiring) = (&plan.network, plan.network.wiring());
        let first = network.topology.hosts();
        let port = |number: u32| Port::new(network, number, &wiring.links[number as usize]);
        let (mut ports, mut out) = ([port(first), port(first + 1)], Out::default());
        let mut samples = Samples::new(10, 2);
        let mut come = |samples: &mut Samples, ports: &mut [Port; 2], time_ps: u64, bytes: u16| {
            samples.reach(time_ps, &*ports);
            ports[0].hold(3, true, time_ps);
            let mut packet = Packet { time_ps, bytes, ..Packet::default() };
            ports[0].arrive(network, &mut packet, 3, &mut out);
        };
        come(&mut samples, &mut ports, 15, 1_000);
        come(&mut samples, &mut ports, 20, 500);
        samples.reach(42, &ports);
        ports[0].hold(3, false, 42);
        assert_eq!(samples.count, 5);
        samples.fill(7, &ports);
        let (queues, bytes) = (samples.queues.figures(1.0), samples.bytes.figures(1.0));
        assert_eq!((queues.count, queues.mean, queues.most), (14, Some(5.0 / 14.0), Some(1.0)));
        assert_eq!((bytes.count, bytes.mean, bytes.most), (7, Some(1_000.0), Some(1_500.0)));
    }
}
