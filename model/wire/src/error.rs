//! The reason why a frame is not read.

/// The reason why a frame did not parse.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
#[non_exhaustive]
pub enum ParseError {
    /// Other traffic, which is not changed.
    #[error("not RoCEv2 ({0}); filter such frames with `udp dst port 4791`")]
    NotRoce(&'static str),
    /// RoCEv2, but the capture kept too few bytes of the frame.
    #[error(
        "cut off: the {header} ends at byte {need} of the UDP payload and {have} were captured; \
         capture with a snap length of at least 192"
    )]
    CutOff {
        /// The header that is not whole.
        header: &'static str,
        /// UDP payload bytes up to its end.
        need: usize,
        /// UDP payload bytes captured.
        have: usize,
    },
    /// RoCEv2 to the UDP port, but the lengths in the packet are too short for its headers.
    #[error(
        "malformed: the {header} ends at byte {need} and the packet's lengths leave {have}; \
         check who sends this to UDP port 4791"
    )]
    Malformed {
        /// The header that does not fit.
        header: &'static str,
        /// Bytes up to its end.
        need: usize,
        /// Bytes that the packet's own lengths leave for the header.
        have: usize,
    },
}

impl ParseError {
    /// The frame is other traffic, neither malformed nor cut off.
    pub fn is_not_roce(&self) -> bool {
        matches!(self, ParseError::NotRoce(_))
    }
}
