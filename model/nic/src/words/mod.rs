//! The words between the blocks of the NIC, as named fields and as the words of the RTL's ports. All numbers
//! are in the order of the protocol's arithmetic, not in network byte order.

mod axil;
mod codes;
mod described;
mod host;
mod number;
pub mod over;
mod packed;
mod packet;
mod stream;

pub use axil::{AxilInputs, AxilOutputs};
pub use codes::{ArrivalKind, ControlKind, Status};
pub use described::{
    Acknowledgement, Arrival, Bar, EgressPeer, IngressPeer, Order, Passed, Place, Received, ReceiverControl,
    Reply, SenderControl, Sent, Work,
};
pub use host::Write;
pub use packed::{Packed, Unpacked};
pub use packet::Listed;
pub use stream::{Beat, Offer};
