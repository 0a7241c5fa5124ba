//! What a close means (rule 12): once its word is taken, nothing of the connection comes out until it is opened anew.

use std::collections::VecDeque;

/// Watches which connection everything belongs to that comes out.
#[derive(Clone, Debug)]
pub struct Identity {
    open: Vec<bool>,
    /// Connections whose arrivals are out and their payload is not.
    unpaid: VecDeque<u32>,
    /// Payloads that are out and their arrivals are not.
    early: u64,
    /// Words that closed a connection.
    pub closes: u64,
    /// What was wrong first.
    pub complaint: Option<String>,
}

impl Identity {
    /// After reset: none of so many connections is open.
    pub fn new(connections: u32) -> Self {
        Self {
            open: vec![false; connections as usize],
            unpaid: VecDeque::new(),
            early: 0,
            closes: 0,
            complaint: None,
        }
    }

    /// A reset: none is open, and nothing is on its way.
    pub fn reset(&mut self) {
        self.open.fill(false);
        self.unpaid.clear();
        self.early = 0;
    }

    /// A word for the peers was taken, before what comes out in the same clock.
    pub fn peer(&mut self, connection: u32, open: bool) {
        self.open[connection as usize] = open;
        self.closes += u64::from(!open);
        if !open && self.unpaid.contains(&connection) {
            self.wrong(format!("connection {connection} was closed before its payload was out"));
        }
    }

    /// An arrival is out, with so many bytes.
    pub fn arrival(&mut self, connection: u32, bytes: u16) {
        self.is_open(connection, "an arrival");
        match self.early.checked_sub(1) {
            _ if bytes == 0 => (),
            Some(early) => self.early = early,
            None => self.unpaid.push_back(connection),
        }
    }

    /// A whole payload is out.
    pub fn payload(&mut self) {
        if self.unpaid.pop_front().is_none() {
            self.early += 1;
        }
    }

    /// An acknowledgement is out.
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
