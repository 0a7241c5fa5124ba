//! Changes of the models' states that wait for their outcome.

/// Changes that wait for their outcome.
#[derive(Default)]
pub(super) struct Watched {
    /// The connection whose progress is checked next.
    pub(super) next: u32,
    pub(super) sender: Option<Change>,
    pub(super) receiver: Option<Change>,
}

/// A connection whose state changed in a compared clock, and the clock by which the outcome must have
/// arrived.
#[derive(Clone, Copy)]
pub(super) struct Change {
    pub(super) connection: u32,
    pub(super) until: u64,
}

impl Watched {
    pub(super) fn sender_says(&mut self, connection: u32) {
        self.sender.take_if(|change| change.connection == connection);
    }

    pub(super) fn receiver_says(&mut self, connection: u32) {
        self.receiver.take_if(|change| change.connection == connection);
    }
}
