//! A host's side of a NIC: the bus, DMA, the MAC, the driver, and the accounts of the NIC's duties.

pub(crate) mod axil;
pub(crate) mod breach;
pub(crate) mod card;
pub(crate) mod device;
pub(crate) mod dma;
pub(crate) mod driver;
pub(crate) mod ledger;
pub(crate) mod mac;
pub(crate) mod monitored;
pub(crate) mod registers;
