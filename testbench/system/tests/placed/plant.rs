//! Faults between a NIC and its ports.

use weft_nic::nic::{Inputs, Outputs};
use weft_nic::words::Beat;
use weft_system::nic::{Device, DeviceError};

/// A fault.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Plant {
    /// Flips a bit of the fifth word that is written into memory.
    Written,
    /// Flips the lowest bit of this byte in the third data frame. The frame gets a right ICRC.
    Frame(usize),
    /// Delays completions of received messages by this many clocks.
    Late(u32),
}

/// Offset of BTH's opcode in a frame, and the opcode of an ACK.
const OPCODE: usize = 42;
const ACKNOWLEDGE: u8 = 0x11;

/// A NIC with a fault.
pub(super) struct Planted {
    device: Box<dyn Device + Send>,
    plant: Plant,
    outputs: Outputs,
    /// Words written, data frames sent, and bytes sent of the current frame.
    words: u32,
    frames: u32,
    frame: Vec<u8>,
    /// Clocks for which a completion has waited.
    waited: u32,
}

impl Planted {
    pub(super) fn new(device: Box<dyn Device + Send>, plant: Plant) -> Self {
        let outputs = *device.outputs();
        Self { device, plant, outputs, words: 0, frames: 0, frame: Vec::new(), waited: 0 }
    }

    /// Changes a word of the faulty frame at this byte. The last word gets the right ICRC.
    fn changed(&self, beat: Beat, at: usize) -> Beat {
        let is_data = |bytes: &[u8]| bytes.get(OPCODE).is_some_and(|opcode| *opcode != ACKNOWLEDGE);
        let mut bytes: Vec<u8> = self.frame.iter().copied().chain(beat.bytes()).collect();
        if self.frames != 2 || !is_data(&bytes) {
            return beat;
        }
        if self.frame.is_empty() {
            bytes[at] ^= 1;
        }
        if beat.last {
            let icrc = weft_wire::icrc::icrc(&bytes).expect("it is RoCEv2");
            let end = bytes.len() - 4;
            bytes[end..].copy_from_slice(&icrc.to_le_bytes());
        }
        let word = Beat::frame(&bytes[self.frame.len()..]).remove(0);
        Beat { last: beat.last, ..word }
    }
}

impl Device for Planted {
    fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    fn clock(&mut self, inputs: &Inputs) -> Result<(), DeviceError> {
        let Outputs { net, write, .. } = self.outputs;
        if let Some((_, beat)) = net.get().filter(|_| inputs.net_ready) {
            self.frame.extend(beat.bytes());
            if beat.last {
                self.frames += u32::from(self.frame[OPCODE] != ACKNOWLEDGE);
                self.frame.clear();
            }
        }
        self.words += u32::from(write.valid && inputs.write_ready);
        let takes = inputs.received_ready && self.outputs.received.valid;
        self.device.clock(&Inputs { received_ready: takes, ..*inputs })?;
        self.outputs = *self.device.outputs();
        match self.plant {
            Plant::Written if self.words == 4 => self.outputs.write.word.beat.data[0] ^= 1 << 9,
            Plant::Written => {}
            Plant::Frame(at) => self.outputs.net.word = self.changed(self.outputs.net.word, at),
            Plant::Late(clocks) => {
                let waits = self.outputs.received.valid && self.waited < clocks;
                self.waited = if waits { self.waited + 1 } else { 0 };
                self.outputs.received.valid &= !waits;
            }
        }
        Ok(())
    }
}
