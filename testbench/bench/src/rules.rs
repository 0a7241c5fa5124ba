//! The rules that the monitors of the ports watch, and the terms that a block adds.

use thiserror::Error as ThisError;

/// The rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Rule {
    /// An offered word stays offered until it is accepted.
    Withdrawn,
    /// An offered word stays the same.
    Changed,
    /// A source offers no word in reset and in the first clock after reset.
    Reset,
    /// Every path from an input to `tvalid` or `tready` has a register, so the two do not wait for each other
    /// in the same clock.
    Path,
    /// `tkeep` is contiguous from byte 0 on, not 0, and full except in a frame's last word.
    Keep,
    /// `tvalid` stays high inside a frame.
    Gap,
    /// A frame has at most a number of words.
    Long,
    /// A response answers a request that was accepted before, and each request has one response.
    Unasked,
    /// A response arrives in time.
    Late,
    /// AXI4-Lite has no response 1 (EXOKAY).
    Response,
}

impl Rule {
    /// All rules.
    pub const ALL: [Self; 10] = [
        Self::Withdrawn,
        Self::Changed,
        Self::Reset,
        Self::Path,
        Self::Keep,
        Self::Gap,
        Self::Long,
        Self::Unasked,
        Self::Late,
        Self::Response,
    ];

    /// The observation.
    fn seen(self) -> &'static str {
        match self {
            Self::Withdrawn => "is withdrawn before it was accepted",
            Self::Changed => "changes before it was accepted",
            Self::Reset => "is offered in reset, or in the first clock after it",
            Self::Path => "follows an input in the same clock",
            Self::Keep => "has a tkeep that is 0, has a hole, or is not full before the frame's last word",
            Self::Gap => "pauses inside a frame",
            Self::Long => "has a frame with more words than its page says",
            Self::Unasked => "answers what was not asked",
            Self::Late => "does not answer in time",
            Self::Response => "answers EXOKAY, which AXI4-Lite has not",
        }
    }
}

/// The broken rule, its place and its clock.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ThisError)]
#[error("clock {clock}: {port} {}", rule.seen())]
pub struct Broken {
    /// Clocks since the start.
    pub clock: u64,
    /// The stream, the channel or the port.
    pub port: &'static str,
    /// The rule.
    pub rule: Rule,
}

/// The terms of a block's page for its streams, besides the rules of AXI.
#[derive(Clone, Copy, Debug, Default)]
pub struct Terms {
    /// Streams whose `tvalid` has no gap inside a frame.
    pub gapless: &'static [&'static str],
    /// The most words of a frame, by stream.
    pub longest: &'static [(&'static str, u32)],
    /// Rules that the bench breaks on purpose, because the page defines the effect.
    pub broken: &'static [(&'static str, Rule)],
}
