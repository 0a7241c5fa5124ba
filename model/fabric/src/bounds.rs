//! Lower bounds for every network.

/// The settings of OFAN appendix B: times of one packet in picoseconds.
#[derive(Clone, Copy, Debug)]
pub struct Permutation {
    /// Links on the path.
    pub hops: u64,
    /// Time to send a data packet.
    pub data_ps: u64,
    /// Time to send an ACK.
    pub ack_ps: u64,
    /// Time of the gap after each packet.
    pub gap_ps: u64,
    /// Propagation delay of the path, in one direction.
    pub propagation_ps: u64,
    /// Data packets of a host.
    pub packets: u64,
}

impl Permutation {
    /// The least time of a permutation up to the last ACK, if each host sends data and ACKs in turn (OFAN
    /// appendix B). The paper prints the formula of the third mode with the time of a data packet for each
    /// further hop of an ACK. The number that the paper prints follows only with the time of an ACK. This
    /// function uses that time, because the hop carries an ACK.
    pub fn least_ps(&self) -> u64 {
        let Self { hops, data_ps, ack_ps, gap_ps, propagation_ps, packets } = *self;
        let (data, ack) = (data_ps + gap_ps, ack_ps + gap_ps);
        let first = self.first();
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

    /// The least time of the same permutation up to the last data packet. A host sends an ACK before each
    /// data packet except the first ones.
    pub fn least_data_ps(&self) -> u64 {
        let Self { hops, data_ps, ack_ps, gap_ps, propagation_ps, packets } = *self;
        let (data, ack) = (data_ps + gap_ps, ack_ps + gap_ps);
        (packets - 1) * data + (packets - self.first()) * ack + hops * data_ps + propagation_ps
    }

    /// Data packets before the first ACK.
    fn first(&self) -> u64 {
        let Self { hops, data_ps, gap_ps, propagation_ps, packets, .. } = *self;
        ((propagation_ps + (hops - 1) * data_ps).div_ceil(data_ps + gap_ps) + 1).min(packets)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// OFAN appendix B: packets of 4,096 bytes plus 62 bytes of headers, ACKs of 64 bytes, a gap of 20 bytes,
    /// 800 Gb/s, six links of 0.5 us.
    fn example(packets: u64) -> Permutation {
        let byte_ps = 10;
        Permutation {
            hops: 6,
            data_ps: 4158 * byte_ps,
            ack_ps: 64 * byte_ps,
            gap_ps: 20 * byte_ps,
            propagation_ps: 3_000_000,
            packets,
        }
    }

    /// 17.05694 us for 256 packets.
    #[test]
    fn the_papers_example_is_met_exactly() {
        assert_eq!(example(256).least_ps(), 17_056_940);
    }

    /// By hand: 78 packets leave before the first ACK (3,207,900 ps of 41,780 each). So 60 packets need 59 x
    /// 41,780 + 6 x 41,580 + 3,000,000 ps, and 104 packets need 44 x 41,780 + 26 x 840 ps more.
    #[test]
    fn the_last_data_packet_waits_for_few_acks() {
        assert_eq!(example(60).least_data_ps(), 5_714_500);
        assert_eq!(example(104).least_data_ps(), 5_714_500 + 1_838_320 + 21_840);
    }
}
