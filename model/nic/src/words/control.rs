//! Commands for connections.

/// The action of a command for the sender.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
#[repr(u8)]
pub enum ControlKind {
    /// Closes the connection.
    #[default]
    Close = 0,
    /// Opens it.
    Open = 1,
    /// Seeds the generator of entropy values.
    Seed = 2,
    /// A probe shows that the failed path is back.
    PathOk = 3,
    /// The connection accepts no more work; the sender reports when all posted work has ended.
    Drain = 5,
}

super::number::codes!(ControlKind: Close Open Seed PathOk Drain);
