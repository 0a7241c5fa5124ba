//! The NIC's driver. The driver gives one command after the other and stages no values while COMMAND is busy.

use super::world::{Checked, Identity, Violation};
use crate::host::axil::{Access, Axil};
use std::collections::VecDeque;
use std::net::IpAddr;
use weft_nic::nic::{AxilInputs, AxilOutputs};
use weft_params::registers::{NicCsr, Op, Staged, counters, register, writes};

/// The bit of COMMAND that marks a command in progress.
const BUSY: u32 = 1 << 31;

/// A command of software.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Command {
    /// Open or re-open.
    Open(Identity),
    /// Close a connection.
    Close(u32),
    /// Report that the paths of a connection work again.
    PathOk(u32),
    /// Change the next hop of the peer.
    Peer(Identity),
    /// Drain a connection: it accepts no more work.
    Drain(u32),
    /// Read all counters and the time.
    Counters,
}

/// Progress of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) enum Told {
    /// COMMAND is being written.
    Asked(Command),
    /// COMMAND reads as not busy.
    Done(Command),
    /// The counters by name.
    Counters(Vec<(&'static str, u64)>),
    /// The NIC's time.
    Now(u32),
}

#[derive(Clone, Copy, Debug)]
enum Step {
    Write(u16, u32),
    Start(Command, Op, u32),
    Settle(Option<Command>),
    /// A counter's low word, then its high word.
    Low(usize),
    High(usize),
    Now,
}

/// The driver.
#[derive(Debug, Default)]
pub(super) struct Software {
    axil: Axil,
    waiting: VecDeque<Command>,
    /// Command whose values are being staged.
    staged: Option<Command>,
    steps: VecDeque<Step>,
    step: Option<Step>,
    counters: Vec<(&'static str, u64)>,
    /// Low word of the counter that is being read.
    low: u32,
}

fn offset(name: &str) -> u16 {
    register(name).map_or(0, |register| register.offset)
}

fn staged(identity: &Identity) -> Staged {
    let (address, v6) = match identity.peer.address {
        IpAddr::V4(address) => (u128::from(u32::from(address)), false),
        IpAddr::V6(address) => (address.into(), true),
    };
    Staged {
        peer_address: address,
        peer_v6: v6,
        peer_mac: identity.peer.mac.iter().fold(0, |number, &byte| number << 8 | u64::from(byte)),
        peer_tag: identity.peer.tag,
        peer_pkey: Some(identity.pkey),
        peer_qp: identity.peer_qp,
        send_psn: identity.send_psn,
        receive_psn: identity.receive_psn,
        region_base: identity.base,
        region_length: identity.length,
        region_key: identity.key,
        class: 0,
        ev: identity.ev,
        seed: 0,
    }
}

impl Software {
    /// A driver that begins to bring the NIC up.
    pub(super) fn new(csr: &NicCsr) -> Self {
        let steps = writes(csr).into_iter().map(|(offset, value)| Step::Write(offset, value));
        Self { steps: steps.chain([Step::Settle(None), Step::Now]).collect(), ..Self::default() }
    }

    /// Queues a command behind all others.
    pub(super) fn ask(&mut self, command: Command) {
        self.waiting.push_back(command);
    }

    /// Commands that have not begun.
    pub(super) fn waiting(&self) -> impl Iterator<Item = &Command> {
        self.staged.iter().chain(&self.waiting)
    }

    pub(super) fn is_idle(&self) -> bool {
        self.waiting.is_empty() && self.steps.is_empty() && self.step.is_none()
    }

    /// One clock of the driver. The caller decides by `may_begin` whether the next command may begin: a
    /// command for an index with unfinished work waits.
    pub(super) fn clock(
        &mut self,
        bus: &AxilOutputs,
        may_begin: impl Fn(&Command) -> bool,
        told: &mut Vec<Told>,
    ) -> Checked<AxilInputs> {
        if self.step.is_none() && self.steps.is_empty() && self.waiting.front().is_some_and(may_begin) {
            let command = self.waiting.pop_front();
            command.into_iter().for_each(|command| self.lay_out(command));
        }
        if self.step.is_none()
            && let Some(step) = self.steps.pop_front()
        {
            self.begin(step, told);
        }
        let refused = |breach| Violation { rule: 'g', seen: format!("software: {breach}") };
        let (inputs, answer) = self.axil.clock(bus).map_err(refused)?;
        if let Some((_, value)) = answer {
            self.answered(value, told);
        }
        Ok(inputs)
    }

    fn lay_out(&mut self, command: Command) {
        let (op, connection) = match command {
            Command::Open(identity) | Command::Peer(identity) => {
                self.steps.push_back(Step::Settle(None));
                let writes = staged(&identity).writes();
                self.steps.extend(writes.into_iter().map(|(offset, value)| Step::Write(offset, value)));
                let op = if matches!(command, Command::Open(_)) { Op::Open } else { Op::Peer };
                (op, identity.index)
            }
            Command::Close(index) => (Op::Close, index),
            Command::PathOk(index) => (Op::PathOk, index),
            Command::Drain(index) => (Op::Drain, index),
            Command::Counters => {
                self.steps.extend((0..counters().count()).flat_map(|at| [Step::Low(at), Step::High(at)]));
                return;
            }
        };
        self.staged = Some(command);
        self.steps.extend([Step::Start(command, op, connection), Step::Settle(Some(command))]);
    }

    fn begin(&mut self, step: Step, told: &mut Vec<Told>) {
        let access = match step {
            Step::Write(offset, value) => Access::Write(offset, value),
            Step::Start(command, op, connection) => {
                self.staged = None;
                told.push(Told::Asked(command));
                Access::Write(offset("command"), op.command(connection))
            }
            Step::Settle(_) => Access::Read(offset("command")),
            Step::Low(at) => Access::Read(counters().nth(at).map_or(0, |register| register.offset)),
            Step::High(at) => Access::Read(counters().nth(at).map_or(0, |register| register.offset + 4)),
            Step::Now => Access::Read(offset("now")),
        };
        self.axil.push(access);
        self.step = Some(step);
    }

    fn answered(&mut self, value: u32, told: &mut Vec<Told>) {
        match self.step.take() {
            Some(Step::Settle(command)) if value & BUSY != 0 => self.begin(Step::Settle(command), told),
            Some(Step::Settle(Some(command))) => told.push(Told::Done(command)),
            Some(Step::Low(_)) => self.low = value,
            Some(Step::High(at)) => {
                let name = counters().nth(at).map_or("", |register| register.name.as_str());
                self.counters.push((name, u64::from(value) << 32 | u64::from(self.low)));
                if self.counters.len() == counters().count() {
                    told.push(Told::Counters(std::mem::take(&mut self.counters)));
                }
            }
            Some(Step::Now) => told.push(Told::Now(value)),
            _ => {}
        }
    }
}
