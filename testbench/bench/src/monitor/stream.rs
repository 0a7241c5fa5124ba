//! A stream, or a channel of AXI4-Lite: the promises of `valid` and `ready`, and of frames.

use super::{Pins, Port, WORDS_MAX};
use crate::rules::{Rule, Terms};

/// A stream and its history.
#[derive(Clone, Debug)]
pub(super) struct Stream {
    pub(super) name: &'static str,
    /// The block drives `valid`, so the monitor judges the block; otherwise it judges the bench.
    by_block: bool,
    pub(super) valid: Option<usize>,
    pub(super) ready: Option<usize>,
    keep: Option<usize>,
    last: Option<usize>,
    /// All words that must not change: port, name, words.
    payload: Vec<(usize, &'static str, usize)>,
    /// Bytes of a word.
    bytes: u32,
    gapless: bool,
    longest: u32,
    /// Rules that the bench may break on this stream.
    broken: Vec<Rule>,
    /// A word was offered in the last clock and not accepted: its payload.
    held: bool,
    word: Vec<u64>,
    /// Words of the frame so far.
    words: u32,
}

impl Stream {
    pub(super) fn new(name: &'static str, terms: &Terms) -> Self {
        Self {
            name,
            by_block: false,
            valid: None,
            ready: None,
            keep: None,
            last: None,
            payload: Vec::new(),
            bytes: 0,
            gapless: terms.gapless.contains(&name),
            longest: terms.longest.iter().find(|(of, _)| *of == name).map_or(u32::MAX, |(_, words)| *words),
            broken: terms.broken.iter().filter(|(of, _)| *of == name).map(|(_, rule)| *rule).collect(),
            held: false,
            word: Vec::new(),
            words: 0,
        }
    }

    /// Adds one of the stream's ports.
    pub(super) fn add(&mut self, signal: &'static str, number: usize, port: &Port) {
        match signal {
            "valid" => (self.valid, self.by_block) = (Some(number), port.is_output),
            "ready" => self.ready = Some(number),
            _ => {
                let words = port.bits.div_ceil(64) as usize;
                self.payload.push((number, port.name, words));
                self.word.resize(self.word.len() + words, 0);
            }
        }
        match signal {
            "keep" => self.keep = Some(number),
            "last" => self.last = Some(number),
            "data" => self.bytes = port.bits / 8,
            _ => {}
        }
    }

    /// The payload's port whose name has this ending.
    pub(super) fn payload_port(&self, end: &str) -> Option<usize> {
        self.payload.iter().find(|(_, name, _)| name.ends_with(end)).map(|(port, ..)| *port)
    }

    /// Whether a word is offered, and whether it is accepted in the same clock.
    pub(super) fn handshake(&self, pins: &impl Pins) -> (bool, bool) {
        let valid = self.valid.is_some_and(|port| pins.bit(port));
        (valid, valid && self.ready.is_none_or(|port| pins.bit(port)))
    }

    fn refuse(&self, port: &'static str, rule: Rule) -> Result<(), (&'static str, Rule)> {
        if self.broken.contains(&rule) { Ok(()) } else { Err((port, rule)) }
    }

    #[inline]
    pub(super) fn clock(
        &mut self,
        pins: &impl Pins,
        reset: bool,
        reset_before: bool,
    ) -> Result<(), (&'static str, Rule)> {
        let (valid, taken) = self.handshake(pins);
        if reset || reset_before {
            // The inputs of a block in reset must not matter, so the bench sets any.
            if reset_before && valid && self.by_block {
                return Err((self.name, Rule::Reset));
            }
            if reset {
                (self.held, self.words) = (false, 0);
                return Ok(());
            }
        }
        if !valid {
            if std::mem::take(&mut self.held) {
                self.refuse(self.name, Rule::Withdrawn)?;
            }
            return if self.gapless && self.words > 0 { self.refuse(self.name, Rule::Gap) } else { Ok(()) };
        }
        if self.held {
            self.same(pins)?;
        } else {
            self.is_full(pins)?;
            if !taken {
                self.hold(pins);
            }
        }
        self.held = !taken;
        if let (true, Some(last)) = (taken, self.last) {
            self.words += 1;
            if self.words > self.longest {
                self.refuse(self.name, Rule::Long)?;
            }
            if pins.bit(last) {
                self.words = 0;
            }
        }
        Ok(())
    }

    fn hold(&mut self, pins: &impl Pins) {
        let mut at = 0;
        for &(port, _, words) in &self.payload {
            pins.words(port, &mut self.word[at..at + words]);
            at += words;
        }
    }

    fn same(&self, pins: &impl Pins) -> Result<(), (&'static str, Rule)> {
        let (mut at, mut now) = (0, [0; WORDS_MAX]);
        for &(port, name, words) in &self.payload {
            pins.words(port, &mut now[..words]);
            if now[..words] != self.word[at..at + words] {
                self.refuse(name, Rule::Changed)?;
            }
            at += words;
        }
        Ok(())
    }

    fn is_full(&self, pins: &impl Pins) -> Result<(), (&'static str, Rule)> {
        let (Some(port), Some(last)) = (self.keep, self.last) else { return Ok(()) };
        let mut keep = [0];
        pins.words(port, &mut keep);
        let [keep] = keep;
        let full = u64::MAX >> (64 - self.bytes.clamp(1, 64));
        // The value has contiguous ones from byte 0 on if adding 1 clears all of them.
        let fits =
            keep == full || (keep != 0 && keep & keep.wrapping_add(1) == 0 && keep < full && pins.bit(last));
        if fits { Ok(()) } else { self.refuse(self.name, Rule::Keep) }
    }
}
