//! Rule 12: once the block has accepted the word that closes a connection, no word of the connection leaves
//! until it is opened again.

use std::collections::VecDeque;

/// Checks the connection of every word that leaves.
#[derive(Clone, Debug)]
pub struct Identity {
    open: Vec<bool>,
    /// Connections whose arrivals have left before their payload.
    unpaid: VecDeque<u32>,
    /// Payloads that have left before their arrivals.
    early: u64,
    /// Words that closed a connection.
    pub closes: u64,
    /// First fault found.
    pub complaint: Option<String>,
}

impl Identity {
    /// State after reset: none of the connections is open.
    pub fn new(connections: u32) -> Self {
        Self {
            open: vec![false; connections as usize],
            unpaid: VecDeque::new(),
            early: 0,
            closes: 0,
            complaint: None,
        }
    }

    /// A reset closes all connections and drops all words.
    pub fn reset(&mut self) {
        self.open.fill(false);
        self.unpaid.clear();
        self.early = 0;
    }

    /// A word for the peers was accepted. Call this before the words that leave in the same clock.
    pub fn peer(&mut self, connection: u32, open: bool) {
        self.open[connection as usize] = open;
        self.closes += u64::from(!open);
        if !open && self.unpaid.contains(&connection) {
            self.wrong(format!("connection {connection} was closed before its payload was out"));
        }
    }

    /// An arrival left, with `bytes` bytes of payload.
    pub fn arrival(&mut self, connection: u32, bytes: u16) {
        self.is_open(connection, "an arrival");
        match self.early.checked_sub(1) {
            _ if bytes == 0 => (),
            Some(early) => self.early = early,
            None => self.unpaid.push_back(connection),
        }
    }

    /// A whole payload left.
    pub fn payload(&mut self) {
        if self.unpaid.pop_front().is_none() {
            self.early += 1;
        }
    }

    /// An acknowledgement left.
    pub fn acknowledgement(&mut self, connection: u32) {
        self.is_open(connection, "an acknowledgement");
    }

    fn is_open(&mut self, connection: u32, what: &str) {
        if !self.open[connection as usize] {
            self.wrong(format!("{what} of connection {connection}, which is closed"));
        }
    }

    fn wrong(&mut self, what: String) {
        self.complaint.get_or_insert(what);
    }
}
