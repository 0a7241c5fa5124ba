//! AXI4-Lite: which response answers which request.

use super::Pins;
use super::stream::Stream;
use crate::rules::Rule;

/// Clocks from a request to its response, without clocks in which another response is offered.
const LATEST_CLOCKS: u32 = 32;

/// Clocks after reset that do not count: a read of a counter waits until the first round of the scanner is over.
const FIRST_ROUND_CLOCKS: u32 = 800;

/// Requests and responses of one direction.
#[derive(Clone, Debug)]
struct Way {
    /// The ports of a request: address and data, or the address.
    requests: Vec<usize>,
    response: usize,
    /// The response's code.
    code: Option<usize>,
    /// Parts of requests accepted, and responses accepted.
    taken: Vec<u64>,
    answered: u64,
    waits: u32,
    /// Clocks since reset. The count stops at `FIRST_ROUND_CLOCKS`.
    age: u32,
}

/// Both directions of AXI4-Lite. The channels are streams, and the monitor of streams judges their words.
#[derive(Clone, Debug)]
pub(super) struct Axil {
    ways: Vec<Way>,
}

impl Axil {
    /// Makes the monitor, if a block has an AXI4-Lite side.
    pub(super) fn of(streams: &[Stream]) -> Option<Self> {
        let named = |name: &str| streams.iter().position(|stream| stream.name == name);
        let way = |requests: &[&str], response: &str| {
            let requests: Vec<usize> = requests.iter().filter_map(|name| named(name)).collect();
            let response = named(response)?;
            let code = streams[response].payload_port("resp");
            let taken = vec![0; requests.len()];
            Some(Way { requests, response, code, taken, answered: 0, waits: 0, age: 0 })
        };
        let write = way(&["s_axil_aw", "s_axil_w"], "s_axil_b")?;
        let read = way(&["s_axil_ar"], "s_axil_r")?;
        Some(Self { ways: vec![write, read] })
    }

    #[inline]
    pub(super) fn clock(
        &mut self,
        streams: &[Stream],
        pins: &impl Pins,
        reset: bool,
    ) -> Result<(), (&'static str, Rule)> {
        // A block may have one access at a time: while a response waits for its reader, other accesses are
        // not late.
        let answering = self.ways.iter().any(|way| streams[way.response].handshake(pins).0);
        self.ways.iter_mut().try_for_each(|way| way.clock(streams, pins, reset, answering))
    }
}

impl Way {
    fn clock(
        &mut self,
        streams: &[Stream],
        pins: &impl Pins,
        reset: bool,
        answering: bool,
    ) -> Result<(), (&'static str, Rule)> {
        if reset {
            self.taken.fill(0);
            (self.answered, self.waits, self.age) = (0, 0, 0);
            return Ok(());
        }
        let response = &streams[self.response];
        let (answers, answered) = response.handshake(pins);
        if answers {
            if self.taken.iter().any(|taken| *taken <= self.answered) {
                return Err((response.name, Rule::Unasked));
            }
            let mut code = [0];
            if let Some(port) = self.code {
                pins.words(port, &mut code);
            }
            if code == [1] {
                return Err((response.name, Rule::Response));
            }
        }
        // Parts may arrive in any order, and the block may wait for all of them.
        let mut whole = true;
        for (at, taken) in self.requests.iter().zip(&mut self.taken) {
            let (offered, takes) = streams[*at].handshake(pins);
            whole &= offered || *taken > self.answered;
            *taken += u64::from(takes);
        }
        self.answered += u64::from(answered);
        self.age = FIRST_ROUND_CLOCKS.min(self.age + 1);
        let waits = whole && !answers && self.age == FIRST_ROUND_CLOCKS;
        self.waits = if waits { self.waits + u32::from(!answering) } else { 0 };
        if self.waits > LATEST_CLOCKS { Err((response.name, Rule::Late)) } else { Ok(()) }
    }
}
