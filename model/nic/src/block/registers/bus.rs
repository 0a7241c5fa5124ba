//! AXI4-Lite, one access at a time (rule 2): look-up, answer, write.

use super::step;
use crate::words::{AxilInputs, AxilOutputs};

#[derive(Clone, Copy, Debug, Default)]
enum Step {
    #[default]
    Idle,
    /// The block looks up the word at the offset.
    Look,
    /// The word was found. `None` if the offset has no word.
    Answer(Option<u32>),
    /// The answer is offered.
    Done,
}

/// The bus.
#[derive(Clone, Debug, Default)]
pub(super) struct Bus {
    write_address: Option<u16>,
    write_data: Option<(u32, u8)>,
    read_address: Option<u16>,
    step: Step,
    /// Whether the access is a write. Without an access, the direction of the last one.
    writing: bool,
    /// Offset and word to write.
    pulse: Option<(u16, u32)>,
    /// The offered answers. The ready ports are functions of the other state.
    answer: AxilOutputs,
}

/// The offset of the word. The low two bits are ignored (rule 1).
fn word(address: u16) -> u16 {
    address & !3
}

impl Bus {
    /// Offset and word that are written at the next edge.
    pub(super) fn pulse(&self) -> Option<(u16, u32)> {
        self.pulse
    }

    /// The output ports.
    pub(super) fn outputs(&self) -> AxilOutputs {
        AxilOutputs {
            write_address_ready: self.write_address.is_none(),
            write_data_ready: self.write_data.is_none(),
            read_address_ready: self.read_address.is_none(),
            ..self.answer
        }
    }

    /// The offset of the read that waits for its word.
    pub(super) fn reads(&self) -> Option<u16> {
        self.read_address.map(word).filter(|_| !self.writing && matches!(self.step, Step::Answer(_)))
    }

    /// A clock edge. `late`: the word to read is a counter; its value is present when it is ready. `read`
    /// returns any other word at an offset. `accepts` returns whether the word may be written.
    pub(super) fn clock(
        &mut self,
        inputs: &AxilInputs,
        late: Option<Option<u32>>,
        read: impl FnOnce(u16) -> Option<u32>,
        accepts: impl FnOnce(u16, u32, u8) -> bool,
    ) {
        let ready = self.outputs();
        self.pulse = None;
        let response = |okay| if okay { 0 } else { 2 };
        let next = match (self.step, self.write_address, self.write_data, self.read_address) {
            (Step::Idle, Some(_), Some(_), read) if read.is_none() || !self.writing => {
                self.writing = true;
                Step::Look
            }
            (Step::Idle, _, _, Some(_)) => {
                self.writing = false;
                Step::Look
            }
            (Step::Look, Some(address), _, _) if self.writing => Step::Answer(read(word(address))),
            (Step::Look, _, _, Some(address)) => Step::Answer(read(word(address))),
            (Step::Answer(found), Some(address), Some((data, strobes)), _) if self.writing => {
                let offset = word(address);
                let okay = found.is_some() && accepts(offset, data, strobes);
                self.pulse = okay.then_some((offset, step::merged(found, data, strobes)));
                self.answer.write_done = true;
                self.answer.write_response = response(okay);
                Step::Done
            }
            (Step::Answer(found), ..) if late == Some(None) => Step::Answer(found),
            (Step::Answer(found), ..) => {
                let found = late.unwrap_or(found);
                self.answer.read_done = true;
                self.answer.read_response = response(found.is_some());
                self.answer.read_data = found.unwrap_or(0);
                Step::Done
            }
            (Step::Done, ..) if self.writing && inputs.write_ready => {
                self.answer.write_done = false;
                (self.write_address, self.write_data) = (None, None);
                Step::Idle
            }
            (Step::Done, ..) if !self.writing && inputs.read_ready => {
                self.answer.read_done = false;
                self.read_address = None;
                Step::Idle
            }
            (step, ..) => step,
        };
        self.step = next;
        // Ports that were ready accept the offered values.
        if ready.write_address_ready {
            self.write_address = inputs.write_address;
        }
        if ready.write_data_ready {
            self.write_data = inputs.write_data;
        }
        if ready.read_address_ready {
            self.read_address = inputs.read_address;
        }
    }
}
