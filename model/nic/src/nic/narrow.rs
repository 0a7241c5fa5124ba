//! The NIC with narrow streams: the core, and converters at its ports, clock for clock.

use super::behind::Behind;
use super::clocked::{Inputs, Nic, Outputs};
use crate::part::narrow::Narrow;
use crate::part::widen::Widen;
use crate::words::{Offer, Place, Received, Write};
use weft_params::NicParams;

/// `weft_nic` of any width. The words of its streams are in the low bytes of a beat.
#[derive(Clone, Debug)]
pub enum AnyWidth {
    /// 512 bits.
    Wide(Box<Nic>),
    /// 128 or 256 bits.
    Narrow(Box<NarrowNic>),
}

impl AnyWidth {
    /// A NIC in its first clock after one with `rst`.
    pub fn new(params: NicParams) -> Self {
        match params.width {
            512 => Self::Wide(Box::new(Nic::of_shape(&params))),
            _ => Self::Narrow(Box::new(NarrowNic::new(params))),
        }
    }

    /// The output ports before the next clock edge.
    #[inline]
    pub fn outputs(&self) -> &Outputs {
        match self {
            Self::Wide(nic) => nic.outputs(),
            Self::Narrow(nic) => nic.outputs(),
        }
    }

    /// A clock edge with these inputs.
    #[inline]
    pub fn clock(&mut self, inputs: &Inputs) {
        match self {
            Self::Wide(nic) => nic.clock(inputs),
            Self::Narrow(nic) => nic.clock(inputs),
        }
    }
}

/// `weft_nic` with streams of 128 or 256 bits.
#[derive(Clone, Debug)]
pub struct NarrowNic {
    params: NicParams,
    core: Nic,
    net_in: Widen,
    bypass_in: Widen,
    read_in: Widen,
    net_out: Narrow<()>,
    bypass_out: Narrow<()>,
    /// Connection and place accompany DMA write data.
    write_out: Narrow<(u32, Place)>,
    /// Completions of received messages stay behind their data.
    received: Behind<(u32, Received)>,
    outputs: Outputs,
}

impl NarrowNic {
    /// A NIC in its first clock after one with `rst`.
    pub fn new(params: NicParams) -> Self {
        let bytes = params.bytes();
        let mut nic = Self {
            params,
            core: Nic::of_shape(&params),
            net_in: Widen::new(bytes),
            bypass_in: Widen::new(bytes),
            read_in: Widen::new(bytes),
            net_out: Narrow::new(bytes),
            bypass_out: Narrow::new(bytes),
            write_out: Narrow::new(bytes),
            received: Behind::default(),
            outputs: Outputs::default(),
        };
        nic.show();
        nic
    }

    /// The output ports before the next clock edge.
    pub fn outputs(&self) -> &Outputs {
        &self.outputs
    }

    /// A clock edge with these inputs.
    pub fn clock(&mut self, inputs: &Inputs) {
        let core = *self.core.outputs();
        self.core.clock(&Inputs {
            net: self.net_in.offered(),
            net_ready: self.net_out.ready(),
            bypass: self.bypass_in.offered(),
            bypass_ready: self.bypass_out.ready(),
            read: self.read_in.offered(),
            write_ready: self.write_out.ready(),
            received_ready: self.received.ready(),
            ..*inputs
        });
        if inputs.rst {
            *self = Self { core: self.core.clone(), ..Self::new(self.params) };
        } else {
            self.net_in.clock(inputs.net.as_ref(), true);
            self.bypass_in.clock(inputs.bypass.as_ref(), core.bypass_ready);
            self.read_in.clock(inputs.read.as_ref(), core.read_ready);
            self.net_out.clock(core.net.get().map(|(_, beat)| (beat, ())), inputs.net_ready);
            self.bypass_out.clock(core.bypass.get().map(|(_, beat)| (beat, ())), inputs.bypass_ready);
            let leaves = self.write_out.output().offers() && inputs.write_ready;
            self.received.clock(core.received.get(), leaves, self.write_out.idle(), inputs.received_ready);
            let write = core.write.get().map(|(id, write)| (write.beat, (id, write.place)));
            self.write_out.clock(write, inputs.write_ready);
        }
        self.show();
    }

    fn show(&mut self) {
        let offer = |narrow: &Narrow<()>| {
            let output = narrow.output();
            Offer { valid: output.offers(), id: 0, word: output.word().0 }
        };
        let (received_id, received) = self.received.word();
        let (beat, (id, place)) = self.write_out.output().word();
        self.outputs = Outputs {
            net: offer(&self.net_out),
            bypass_ready: self.bypass_in.ready(self.core.outputs().bypass_ready),
            bypass: offer(&self.bypass_out),
            read_ready: self.read_in.ready(self.core.outputs().read_ready),
            write: Offer { valid: self.write_out.output().offers(), id, word: Write { beat, place } },
            received: Offer { valid: self.received.offers(), id: received_id, word: received },
            ..*self.core.outputs()
        };
    }
}
