//! Fields that are codes.

use super::number::{Field, Number};
use super::packed::{Packed, Unpacked};

/// Makes an enum a field. An undefined code becomes the default.
macro_rules! codes {
    ($type:ident: $($name:ident)*) => {
        impl Field for $type {
            fn put<const N: usize>(self, to: Packed<N>, bits: u32) -> Packed<N> {
                to.put(self as u8, bits)
            }

            fn take(from: &mut Unpacked, bits: u32) -> Self {
                Self::number(from.take(bits) as u128)
            }
        }

        impl Number for $type {
            fn number(value: u128) -> Self {
                [$(Self::$name),*].into_iter().find(|one| *one as u128 == value).unwrap_or_default()
            }
        }
    };
}

/// The action of a command for the sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum ControlKind {
    /// Closes the connection.
    #[default]
    Close = 0,
    /// Opens the connection.
    Open = 1,
    /// Seeds the generator of entropy values.
    Seed = 2,
    /// Reports that a probe found the failed path to work again.
    PathOk = 3,
    /// Stops the acceptance of work for the connection. The sender reports the end of all posted work.
    Drain = 5,
}

/// The kind of an [`Arrival`](super::Arrival).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
#[repr(u8)]
pub enum ArrivalKind {
    /// A whole data packet with a correct ICRC.
    #[default]
    Data = 0,
    /// A data packet that a switch trimmed.
    Trimmed = 1,
    /// A request of the sender for an ACK.
    Probe = 2,
    /// No packet; the arrival only keeps the order.
    None = 3,
}

impl ArrivalKind {
    /// All kinds by their codes.
    pub const ALL: [Self; 4] = [Self::Data, Self::Trimmed, Self::Probe, Self::None];
}

/// The result of a work request.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum Status {
    /// All bytes have arrived and are acknowledged.
    #[default]
    Done = 0,
    /// The request ended unfinished: the connection was closed, or opened again.
    Error = 1,
    /// The request did not begin, because the connection was closed, the message was too long, or too many
    /// requests waited.
    Refused = 2,
    /// The request ended unfinished: the peer did not answer the last retry.
    Unanswered = 3,
    /// The request ended unfinished: the peer sent a packet that was not permitted to write to its address.
    Breach = 4,
    /// The request ended unfinished: the peer denied a packet.
    Denied = 5,
    /// The request ended unfinished: the host reported that its buffer had failed.
    Broken = 6,
}

codes!(ControlKind: Close Open Seed PathOk Drain);
codes!(ArrivalKind: Data Trimmed Probe None);
codes!(Status: Done Error Refused Unanswered Breach Denied Broken);
