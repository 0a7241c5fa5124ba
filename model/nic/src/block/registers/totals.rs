//! The counters of 64 bits, which accumulate the counts of the blocks (rule 18).

use weft_params::registers::{self, COUNTER, COUNTERS, COUNTERS_AT, PAGE};

/// Clocks of a visit.
const VISIT: u8 = 8;
/// The clock of a visit in which a counter is read, and the number of clocks until a requested word is ready.
const LOOK: u8 = 1;
const READY: u8 = 6;

/// A counter.
#[derive(Clone, Copy, Debug, Default)]
struct Total {
    sum: u64,
    /// The block's count at the last visit.
    before: u32,
    /// The high word at the last read of the low word.
    held: u32,
}

/// All counters.
#[derive(Clone, Debug)]
pub(super) struct Totals([Total; COUNTERS]);

impl Totals {
    pub(super) fn new() -> Self {
        Self([Total::default(); COUNTERS])
    }

    /// A visit: the block has counted up to `now`, which has `bits` bits.
    fn visit(&mut self, counter: usize, now: u32, bits: u32) {
        let total = &mut self.0[counter];
        let more = now.wrapping_sub(total.before) & (u32::MAX >> (32 - bits));
        total.sum = total.sum.wrapping_add(more.into());
        total.before = now;
    }

    /// A read of a word, which is a visit. A read of a low word stores the high word of that clock (rule 19)
    /// and may clear the counter (rule 20).
    pub(super) fn read(&mut self, counter: usize, high: bool, now: u32, bits: u32, clear: bool) -> u32 {
        self.visit(counter, now, bits);
        let total = &mut self.0[counter];
        if high {
            return total.held;
        }
        total.held = (total.sum >> 32) as u32;
        let low = total.sum as u32;
        if clear {
            total.sum = 0;
        }
        low
    }
}

/// The place of the counter at an offset, and whether that is of its high word.
fn place(offset: u16) -> (u16, bool) {
    let at = offset - COUNTERS_AT;
    (at / COUNTER, !at.is_multiple_of(COUNTER))
}

/// The scanner: visits the counters in a fixed order, clock for clock (rule 21).
#[derive(Clone, Debug)]
pub(super) struct Scanner {
    /// For each place the counter, if there is one, and the width of the count in its block.
    places: Vec<Option<(usize, u32)>>,
    step: u8,
    first_round: bool,
    scanned: u16,
    visited: u16,
    /// The visit is a read: of the high word, with a clear.
    asking: Option<(bool, bool)>,
    /// The requested word, before it is ready.
    word: u32,
    ready: Option<u32>,
}

impl Scanner {
    pub(super) fn new() -> Self {
        let pages = registers::pages().iter().filter(|page| page.offset >= COUNTERS_AT).count();
        let mut places = vec![None; pages * usize::from(PAGE / COUNTER)];
        for (counter, register) in registers::counters().enumerate() {
            let bits = register.port.as_ref().map_or(32, |port| port.bits);
            places[usize::from(place(register.offset).0)] = Some((counter, bits));
        }
        Self {
            places,
            step: 0,
            first_round: true,
            scanned: 0,
            visited: 0,
            asking: None,
            word: 0,
            ready: None,
        }
    }

    /// The word that is ready.
    pub(super) fn ready(&self) -> Option<u32> {
        self.ready
    }

    /// A clock edge. `asked`: the offset of a counter with a waiting read.
    pub(super) fn clock(
        &mut self,
        totals: &mut Totals,
        stats: &[u32; COUNTERS],
        asked: Option<u16>,
        clear: bool,
    ) {
        let last = self.places.len() as u16 - 1;
        match self.step {
            0 => {
                let turn = asked.filter(|_| !self.first_round);
                match turn.map(place) {
                    Some((visited, high)) => {
                        self.visited = visited;
                        self.asking = Some((high, clear && !high));
                    }
                    None => {
                        self.visited = self.scanned;
                        self.asking = None;
                        self.scanned = if self.scanned == last { 0 } else { self.scanned + 1 };
                    }
                }
            }
            LOOK => {
                if let Some((counter, bits)) = self.places[usize::from(self.visited)] {
                    let now = stats[counter];
                    match self.asking {
                        Some((high, clear)) => self.word = totals.read(counter, high, now, bits, clear),
                        None => totals.visit(counter, now, bits),
                    }
                }
            }
            _ => {}
        }
        let done = self.step == READY && self.asking.is_some();
        self.ready = asked.and(if done { Some(self.word) } else { self.ready });
        if self.step == VISIT - 1 && self.visited == last {
            self.first_round = false;
        }
        self.step = (self.step + 1) % VISIT;
    }
}
