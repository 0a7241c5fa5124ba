//! The shared buffer and the shares of its holders.

use super::settings::Alpha;

/// The bytes of one holder of buffer (a queue, or a lossless class of an ingress port).
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Bytes, first of the holder's reserve, then of the shared buffer.
    held: u64,
    /// Bytes of the holder's headroom.
    headroom: u64,
}

/// The limits of a holder.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Bytes that belong to the holder.
    pub reserve: u64,
    /// The holder's share of the free bytes.
    pub alpha: Alpha,
    /// Bytes of headroom.
    pub headroom: u64,
}

/// The shared part of the buffer.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Buffer {
    shared: u64,
    used: u64,
    peak: u64,
}

impl Buffer {
    /// Makes a buffer with a number of shared bytes.
    pub fn new(shared: u64) -> Self {
        Self { shared, used: 0, peak: 0 }
    }

    /// Shared bytes in use.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The maximum number of shared bytes in use so far.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Number of bytes without a holder; 0 if resumed queues contain more bytes than the buffer has.
    fn free(&self) -> u64 {
        self.shared.saturating_sub(self.used)
    }

    /// Charges an item to its holder if the terms allow it. Reserve and shared bytes are used if, afterwards,
    /// the user has at most alpha x the free bytes, and enough bytes are free. Otherwise all bytes come from
    /// headroom.
    pub fn take(&mut self, account: &mut Account, terms: &Terms, bytes: u32) -> bool {
        let bytes = u64::from(bytes);
        let (before, after) = (account.shared(terms), (account.held + bytes).saturating_sub(terms.reserve));
        let free = self.free();
        if after == 0 || (after <= terms.alpha.of(free) && after - before <= free) {
            self.hold(account, terms, bytes);
            return true;
        }
        let fits = account.headroom + bytes <= terms.headroom;
        if fits {
            account.headroom += bytes;
        }
        fits
    }

    /// Charges an item that is already inside, even beyond all limits.
    pub fn take_anyway(&mut self, account: &mut Account, terms: &Terms, bytes: u32) {
        self.hold(account, terms, bytes.into());
    }

    fn hold(&mut self, account: &mut Account, terms: &Terms, bytes: u64) {
        let before = account.shared(terms);
        account.held += bytes;
        self.used += account.shared(terms) - before;
        self.peak = self.peak.max(self.used);
    }

    /// Frees the buffer of an item: headroom first, then shared bytes, then the reserve.
    pub fn give(&mut self, account: &mut Account, terms: &Terms, bytes: u32) {
        let of_headroom = account.headroom.min(bytes.into());
        account.headroom -= of_headroom;
        let before = account.shared(terms);
        account.held -= u64::from(bytes) - of_headroom;
        self.used -= before - account.shared(terms);
    }

    /// Whether the user should be paused: it uses headroom or has reached its threshold.
    pub fn is_over(&self, account: &Account, terms: &Terms) -> bool {
        let shared = account.shared(terms);
        account.headroom > 0 || (shared > 0 && shared >= terms.alpha.of(self.free()))
    }

    /// Whether the user may continue: it uses no headroom, and is `offset` bytes below its threshold or has
    /// no shared bytes.
    pub fn is_under(&self, account: &Account, terms: &Terms, offset: u64) -> bool {
        let shared = account.shared(terms);
        account.headroom == 0 && (shared == 0 || shared + offset <= terms.alpha.of(self.free()))
    }
}

impl Account {
    fn shared(&self, terms: &Terms) -> u64 {
        self.held.saturating_sub(terms.reserve)
    }
}
