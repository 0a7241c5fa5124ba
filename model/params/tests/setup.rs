//! The registers of a NIC on a wire, for slow wires and short round trips too.

use weft_params::{Network, Setup, WindowAlgorithm};

/// The transport counts whole packets, and in these the largest window has room for all bytes that fill the
/// link: those of the wire's round trip, of the two NICs, of the DMA read and of the words of a packet.
#[test]
fn the_largest_window_fills_the_link_with_whole_packets() {
    let mut raised = 0;
    for window in [WindowAlgorithm::Smartt, WindowAlgorithm::Nscc] {
        for link_gbps in [10, 25, 100] {
            for mtu_bytes in [1_024, 4_096, 8_192] {
                for base_rtt_ns in (2_000..30_000).step_by(250) {
                    let network = Network {
                        link_gbps,
                        base_rtt_ns: vec![base_rtt_ns],
                        mtu_bytes,
                        ..Network::default()
                    };
                    let setup = Setup { network, window, ..Setup::default() };
                    // A network whose largest window has no room for one packet is refused.
                    let Ok(csr) = setup.csr() else { continue };
                    let [class, ..] = csr.sender.smartt.classes;
                    let (core, share) =
                        (setup.core, if window == WindowAlgorithm::Nscc { 1.5 } else { 1.25 });
                    let full_ns = base_rtt_ns + core.rtt_ns() + core.wait_ns(mtu_bytes, setup.dma_ns);
                    let full_bytes = f64::from(link_gbps) * f64::from(full_ns) / 8.0;
                    let largest = class.max_cwnd_bytes;
                    let packets = largest / mtu_bytes;
                    let what = format!("{window:?}, {link_gbps} Gb/s, {base_rtt_ns} ns, MTU {mtu_bytes}");
                    assert!(
                        f64::from(packets * mtu_bytes) >= full_bytes - 1.0,
                        "{what}: {largest}, {full_bytes}"
                    );
                    let usual = share * full_bytes;
                    let is_usual = (f64::from(largest) - usual).abs() <= 1.0;
                    let is_raised =
                        largest % mtu_bytes == 0 && f64::from(largest) < full_bytes + f64::from(mtu_bytes);
                    assert!(is_usual || is_raised, "{what}: {largest}, {usual}");
                    raised += u32::from(!is_usual);
                }
            }
        }
    }
    assert!(raised > 20, "{raised}");
}
