//! The words of one stream in a recording, and their lanes in a timing diagram.

use super::Clock;
use std::fmt::Display;
use std::ops::Range;
use weft_bench::timing::{Diagram, Head, Lane, Value};
use weft_nic::words::Beat;

/// Neighbouring words have different shades.
const SHADES: [char; 4] = ['5', '3', '7', '8'];

/// A stream: the clocks in which it offers a word, and those in which the word may be accepted.
pub(super) struct Stream<'a> {
    /// The names of its ports without the signal: `s_axis_work_t`, `s_axil_aw`.
    name: &'static str,
    clocks: &'a [Clock],
    valid: Vec<bool>,
    /// A stream without `tready` accepts every word.
    ready: Option<Vec<bool>>,
}

impl<'a> Stream<'a> {
    pub(super) fn new(
        name: &'static str,
        clocks: &'a [Clock],
        valid: impl Fn(&Clock) -> bool,
        ready: impl Fn(&Clock) -> bool,
    ) -> Self {
        let all = |flag: &dyn Fn(&Clock) -> bool| clocks.iter().map(flag).collect();
        Self { name, clocks, valid: all(&valid), ready: Some(all(&ready)) }
    }

    pub(super) fn without_ready(
        name: &'static str,
        clocks: &'a [Clock],
        valid: impl Fn(&Clock) -> bool,
    ) -> Self {
        Self { ready: None, ..Self::new(name, clocks, valid, |_| true) }
    }

    /// The clocks in which the words of the first packet are accepted.
    pub(super) fn packet(&self, is_last: impl Fn(&Clock) -> bool) -> Vec<usize> {
        let mut ended = false;
        let in_it = |at: &usize| !std::mem::replace(&mut ended, is_last(&self.clocks[*at]));
        self.taken().into_iter().take_while(in_it).collect()
    }

    /// The clocks in which a word is accepted.
    pub(super) fn taken(&self) -> Vec<usize> {
        (0..self.clocks.len()).filter(|&clock| self.is_taken(clock)).collect()
    }

    fn is_taken(&self, clock: usize) -> bool {
        self.valid[clock] && self.ready.as_ref().is_none_or(|ready| ready[clock])
    }

    pub(super) fn clock(&self, at: usize) -> &Clock {
        &self.clocks[at]
    }

    /// The first clock in which a word is offered.
    pub(super) fn first(&self) -> usize {
        self.valid.iter().position(|valid| *valid).unwrap_or_else(|| panic!("{} offers nothing", self.name))
    }

    /// A word waits in some clock.
    pub(super) fn has_waited(&self) -> bool {
        (0..self.clocks.len()).any(|clock| self.valid[clock] && !self.is_taken(clock))
    }

    /// The lanes of the handshake.
    pub(super) fn handshake(&self) -> Vec<Lane> {
        let level = |signal, levels: &Vec<bool>| Lane::level(&self.port(signal), levels.iter().copied());
        let ready = self.ready.as_ref().map(|ready| level("ready", ready));
        [Some(level("valid", &self.valid)), ready].into_iter().flatten().collect()
    }

    fn port(&self, signal: &str) -> String {
        format!("{}{signal}", self.name)
    }

    /// A lane with the values of the words.
    pub(super) fn data<T: Display>(&self, signal: &str, mut value: impl FnMut(&Clock) -> T) -> Lane {
        let mut taken = 0;
        let values = self.clocks.iter().enumerate().map(|(at, clock)| -> Option<Value> {
            let shade = SHADES[taken % SHADES.len()];
            taken += usize::from(self.is_taken(at));
            let value = value(clock).to_string();
            self.valid[at].then_some((shade, value))
        });
        Lane::data(&self.port(signal), values)
    }

    /// The lanes of words of bytes but `tid` and `tuser`. `beat` is the word of a clock, if there is one; a
    /// word is named by its bytes of the frame or packet.
    pub(super) fn bytes(&self, beat: impl Fn(&Clock) -> Option<Beat>) -> Vec<Lane> {
        let bytes = |clock: &Clock| beat(clock).map_or(0, |beat| beat.keep.count_ones());
        let mut before = 0;
        let begins: Vec<u32> = (0..self.clocks.len())
            .map(|at| {
                let begin = before;
                if self.is_taken(at) {
                    let is_last = beat(&self.clocks[at]).is_some_and(|beat| beat.last);
                    before = if is_last { 0 } else { begin + bytes(&self.clocks[at]) };
                }
                begin
            })
            .collect();
        let mut begins = begins.iter();
        let name = |clock: &Clock| {
            let begin = begins.next().copied().unwrap_or(0);
            format!("{begin}-{}", (begin + bytes(clock)).saturating_sub(1))
        };
        vec![
            self.data("data bytes", name),
            self.data("keep ones", bytes),
            self.flag("last", |clock| beat(clock).is_some_and(|beat| beat.last)),
        ]
    }

    /// A lane of one bit, which is valid with a word only.
    pub(super) fn flag(&self, signal: &str, is_set: impl Fn(&Clock) -> bool) -> Lane {
        let level = |(at, clock)| self.valid[at] && is_set(clock);
        Lane::level(&self.port(signal), self.clocks.iter().enumerate().map(level))
    }
}

/// A diagram of these clocks and their neighbours; with `span` the clocks from one to another.
pub(super) fn diagram(
    clocks: usize,
    lanes: Vec<Vec<Lane>>,
    span: Option<(usize, usize)>,
    shown: impl IntoIterator<Item = usize>,
) -> Diagram {
    let gap = span.map_or_else(Lane::default, |(from, to)| Lane::span(from, to));
    let gaps = std::iter::once(gap).chain(std::iter::repeat(Lane::default()));
    let groups = gaps.zip(lanes).map(|(gap, lanes)| [vec![gap], lanes].concat());
    let signal = std::iter::once(Lane::clock("clk", clocks)).chain(groups.flatten()).collect();
    let edge = span.map(|(from, to)| format!("a<->b {} clocks", to - from)).into_iter().collect();
    // Space for the text of the span beside the clocks left out.
    let room = span.into_iter().flat_map(|(from, _)| from + 1..from + 4);
    let mut shown: Vec<usize> = shown.into_iter().chain(room).collect();
    shown.sort_unstable();
    let mut kept: Vec<Range<usize>> = Vec::new();
    for clock in shown {
        let (from, to) = (clock.saturating_sub(1), clock + 2);
        match kept.last_mut() {
            // A strip for a single clock takes as much space as the clock.
            Some(before) if from <= before.end + 1 => before.end = to.max(before.end),
            _ => kept.push(from..to),
        }
    }
    Diagram { signal, edge, head: Head::default() }.cut(&kept)
}
