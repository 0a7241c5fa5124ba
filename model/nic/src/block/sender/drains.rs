//! The connections that drain, and the connections among them that have no outstanding work.

/// Number of messages posted on a connection that drains, modulo 32.
pub(super) type Mark = Option<u8>;

/// The marks, and the reports that are due.
#[derive(Clone, Debug)]
pub(super) struct Drains {
    marks: Vec<Mark>,
    /// A mark that ending messages do not find yet.
    young: Option<(u32, Mark)>,
    /// Reported in this order.
    front: Option<u32>,
    back: Option<u32>,
    /// The last report.
    id: u32,
}

impl Drains {
    pub(super) fn new(connections: u32) -> Self {
        let marks = vec![None; connections as usize];
        Self { marks, young: None, front: None, back: None, id: 0 }
    }

    /// The connection drains, with the write of this clock applied.
    pub(super) fn draining(&self, connection: u32, write: Option<(u32, Mark)>) -> bool {
        let newest = write.into_iter().chain(self.young).find(|(id, _)| *id == connection);
        newest.map_or(self.marks[connection as usize], |(_, mark)| mark).is_some()
    }

    /// Rule 18: the connection whose last message has ended.
    pub(super) fn tells(&self, done: Option<(u32, u8)>) -> Option<u32> {
        done.filter(|(id, count)| self.marks[*id as usize] == Some(*count)).map(|(id, _)| id)
    }

    /// A report is due.
    pub(super) fn left(&self) -> bool {
        self.front.is_some()
    }

    /// The present report, or the last one.
    pub(super) fn offered(&self) -> (bool, u32) {
        (self.left(), self.id)
    }

    /// A clock: a mark is written; a connection's last message has ended; a connection is found to have no
    /// outstanding work.
    pub(super) fn clock(
        &mut self,
        write: Option<(u32, Mark)>,
        tells: Option<u32>,
        settled: Option<u32>,
        ready: bool,
    ) {
        if let Some((id, mark)) = std::mem::replace(&mut self.young, write) {
            self.marks[id as usize] = mark;
        }
        let pushed = tells.or(settled);
        if self.front.is_none() || ready {
            self.front = self.back.take();
        }
        if let Some(id) = pushed {
            let place = if self.front.is_none() { &mut self.front } else { &mut self.back };
            *place = Some(id);
        }
        self.id = self.front.unwrap_or(self.id);
    }
}
