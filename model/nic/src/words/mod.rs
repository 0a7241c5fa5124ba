//! The words between the blocks of the NIC, as named fields and as the words of the RTL's ports. All numbers are as
//! the protocol counts them, not in network byte order.

mod axil;
mod host;
mod packed;
mod packet;
mod stream;

pub use axil::{AxilInputs, AxilOutputs};
pub use host::{Place, Received, Sent, Status, Work, Write};
pub use packed::{Packed, Unpacked};
pub use packet::{Acknowledgement, Arrival, ArrivalKind, Listed, Order, Passed, Reply};
pub use stream::{Beat, Offer};
