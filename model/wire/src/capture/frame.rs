//! Frames of captures.

/// Longest frame that is read or written. A record that claims more is damaged or is not Ethernet.
pub const MAX_FRAME_LEN: usize = 256 * 1024;

/// One captured Ethernet frame, without FCS.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Frame {
    /// Nanoseconds since the epoch (or since the start of a simulation).
    pub time_ns: u64,
    /// Length on the wire in bytes, as given by the file; more than `data.len()` if the capture cut the frame
    /// off.
    pub original_len: u32,
    /// The bytes captured.
    pub data: Vec<u8>,
    /// Comment of the frame; only pcapng has such comments.
    pub comment: Option<String>,
}

impl Frame {
    /// A whole frame without a comment.
    pub fn new(time_ns: u64, data: Vec<u8>) -> Self {
        Self { time_ns, original_len: data.len() as u32, data, comment: None }
    }

    /// The capture kept fewer bytes than were on the wire.
    pub fn is_cut_off(&self) -> bool {
        self.data.len() < self.original_len as usize
    }
}
