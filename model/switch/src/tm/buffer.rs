//! The shared buffer and who holds how much of it.

use super::settings::Alpha;

/// The bytes that one holder of buffer (a queue, or a lossless class of an ingress port) holds.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Account {
    /// Bytes, first of its reserve, then of the shared buffer.
    held: u64,
    /// Bytes of its headroom.
    headroom: u64,
}

/// The limits of a holder.
#[derive(Clone, Copy, Debug)]
pub struct Terms {
    /// Bytes of its own.
    pub reserve: u64,
    /// Its share of the free bytes.
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
    /// With so many shared bytes.
    pub fn new(shared: u64) -> Self {
        Self { shared, used: 0, peak: 0 }
    }

    /// Shared bytes in use.
    pub fn used(&self) -> u64 {
        self.used
    }

    /// The most that were.
    pub fn peak(&self) -> u64 {
        self.peak
    }

    /// Bytes without a holder; 0 if queues that were resumed hold more than there is.
    fn free(&self) -> u64 {
        self.shared.saturating_sub(self.used)
    }

    /// Takes buffer for an item if the terms allow it: of reserve and shared bytes if the holder then has no more than
    /// alpha x the free bytes and that much is free, else all of headroom.
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

    /// Takes buffer for an item that is already inside, beyond all limits if need be.
    pub fn take_anyway(&mut self, account: &mut Account, terms: &Terms, bytes: u32) {
        self.hold(account, terms, bytes.into());
    }

    fn hold(&mut self, account: &mut Account, terms: &Terms, bytes: u64) {
        let before = account.shared(terms);
        account.held += bytes;
        self.used += account.shared(terms) - before;
        self.peak = self.peak.max(self.used);
    }

    /// Gives the buffer of an item back: headroom first, then shared bytes, then the reserve.
    pub fn give(&mut self, account: &mut Account, terms: &Terms, bytes: u32) {
        let of_headroom = account.headroom.min(bytes.into());
        account.headroom -= of_headroom;
        let before = account.shared(terms);
        account.held -= u64::from(bytes) - of_headroom;
        self.used -= before - account.shared(terms);
    }

    /// The holder should be paused: it uses headroom or has reached its threshold.
    pub fn is_over(&self, account: &Account, terms: &Terms) -> bool {
        let shared = account.shared(terms);
        account.headroom > 0 || (shared > 0 && shared >= terms.alpha.of(self.free()))
    }

    /// The holder may go on. Either it uses no headroom and is by `offset` bytes below its threshold, or its shared
    /// bytes are 0.
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
