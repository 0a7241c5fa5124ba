//! A NIC whose wire leads back into the NIC: its connections 0 and 1, and 2 and 3, are each other's peers.

use weft_params::EvMode;
use weft_system::nic::{Connection, Driver, Identity, Rate, RegisterDriver, configuration};

const MAC: [u8; 6] = [2, 0, 0, 0, 0, 1];
/// Queue pair of connection 0.
pub(crate) const QP_BASE: u32 = 8;
const PSN: u32 = 5;
/// Remote key of both regions.
pub(crate) const KEY: u32 = 0x77;

/// Begins to bring a NIC of 4 connections up; all may be written to in the same region.
pub(crate) fn driver(mtu: u32, region_base: u64, region_length: u32) -> RegisterDriver {
    let address = std::net::Ipv4Addr::new(10, 0, 0, 1).into();
    let identity = Identity {
        number: 0,
        mac: MAC,
        address,
        qp_base: QP_BASE,
        connections: 4,
        mtu,
        rate: Rate::GBPS_100,
        base_rtt_clocks: 2_000,
        trims: true,
        pauses: false,
        seed: 1,
    };
    let mut driver = RegisterDriver::new(&identity, &configuration(&identity, EvMode::Reps).unwrap());
    for number in 0..4 {
        driver.connect(&Connection {
            number,
            peer_mac: MAC,
            peer_address: address,
            tag: None,
            peer_qp: QP_BASE + (number ^ 1),
            send_psn: PSN,
            receive_psn: PSN,
            region_base,
            region_length,
            region_key: KEY,
            class: 0,
            ev: 0,
        });
    }
    driver
}
