//! Lower bounds for every network.

/// The settings of OFAN appendix B: times of one packet in picoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Permutation {
    /// Links on the way.
    pub hops: u64,
    /// Time to send a data packet, and an ACK.
    pub data_ps: u64,
    /// See there.
    pub ack_ps: u64,
    /// The gap behind each.
    pub gap_ps: u64,
    /// Light's way, one way.
    pub propagation_ps: u64,
    /// Data packets of a host.
    pub packets: u64,
}

impl Permutation {
    /// The least time of a permutation up to the last ACK, each host sending data and ACKs by turns (OFAN appendix B).
    /// The formula of the third mode is printed with the time of a data packet for each further hop of an ACK; the
    /// paper's own value comes out with that of an ACK, the packet that is sent there.
    pub fn least_ps(&self) -> u64 {
        let Self { hops, data_ps, ack_ps, gap_ps, propagation_ps, packets } = *self;
        let (data, ack) = (data_ps + gap_ps, ack_ps + gap_ps);
        // Data packets before the first ACK.
        let first = ((propagation_ps + (hops - 1) * data_ps).div_ceil(data) + 1).min(packets);
        let first_ack = propagation_ps + hops * data_ps + (first - 1) * data + ack;
        // The last ACK that has data between itself and the next.
        let last = packets - first + 1;
        let of = |number: u64| first_ack + (number - 1) * (data + ack);
        if last >= packets {
            return of(packets);
        }
        let by_sending = of(last) + (packets - last) * ack;
        let by_data = of(last) + (hops - 1) * ack_ps + propagation_ps;
        by_sending.max(by_data)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// OFAN appendix B: 17.05694 us for 256 packets of 4,096 bytes and 62 of headers, ACKs of 64 bytes, a gap of 20 bytes,
    /// 800 Gb/s, six links of 0.5 us.
    #[test]
    fn the_papers_example_is_met_exactly() {
        let byte_ps = 10;
        let it = Permutation {
            hops: 6,
            data_ps: 4158 * byte_ps,
            ack_ps: 64 * byte_ps,
            gap_ps: 20 * byte_ps,
            propagation_ps: 3_000_000,
            packets: 256,
        };
        assert_eq!(it.least_ps(), 17_056_940);
    }
}
