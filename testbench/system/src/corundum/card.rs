//! A card: the block, the shell's engine, the driver, the host's frames and the MAC, clock by clock.

use super::block::Block;
use super::books::Books;
use super::frames::Frames;
use super::reads::Reads;
use super::ring::Queues;
use super::writes::Writes;
use crate::host::mac::{Incoming, Outgoing};
use crate::network::seam::Frame;
use weft_nic::words::Beat;
use weft_random::Rng;

/// Reason why a card cannot continue.
pub(super) enum Wrong {
    Rtl(verilator_sys::Error),
    Told(String),
}

impl From<verilator_sys::Error> for Wrong {
    fn from(error: verilator_sys::Error) -> Self {
        Self::Rtl(error)
    }
}

impl From<String> for Wrong {
    fn from(what: String) -> Self {
        Self::Told(what)
    }
}

/// A card.
pub(super) struct Card {
    pub(super) block: Block,
    pub(super) queues: Queues,
    pub(super) reads: Reads,
    pub(super) writes: Writes,
    pub(super) frames: Frames,
    pub(super) incoming: Incoming,
    pub(super) outgoing: Outgoing,
    pub(super) rng: Rng,
}

impl Card {
    /// Clocks of reset.
    pub(super) fn reset(&mut self) -> Result<(), Wrong> {
        self.block.rst(1);
        for _ in 0..8 {
            self.edge()?;
        }
        self.block.rst(0);
        Ok(())
    }

    /// Runs a clock edge and its effects.
    fn edge(&mut self) -> Result<(), Wrong> {
        self.block.clk(1);
        self.block.eval()?;
        self.block.clk(0);
        Ok(self.block.eval()?)
    }

    /// One clock. Returns the frame whose last word leaves the card in this clock, and the host's tag of the
    /// frame's owner. With `more` the host begins further frames.
    pub(super) fn clock(
        &mut self,
        clock: u64,
        books: &mut Books,
        more: bool,
    ) -> Result<Option<(Frame, u16)>, Wrong> {
        self.queues.drive(&mut self.block, books)?;
        self.reads.drive(clock, &mut self.block, books)?;
        self.writes.drive(clock, &mut self.block, books)?;
        let block = &mut self.block;
        let from_host = self.frames.offer(more);
        block.s_axis_sync_tx_tvalid(from_host.is_some().into());
        if let Some(Beat { data, keep, last, user, .. }) = from_host {
            block.s_axis_sync_tx_tdata(&data);
            block.s_axis_sync_tx_tkeep(keep);
            block.s_axis_sync_tx_tlast(last.into());
            block.s_axis_sync_tx_tuser((user as u64) << 1);
        }
        let from_wire = self.incoming.clock();
        block.s_axis_sync_rx_tvalid(from_wire.is_some().into());
        if let Some(Beat { data, keep, last, bad, .. }) = from_wire {
            block.s_axis_sync_rx_tdata(&data);
            block.s_axis_sync_rx_tkeep(keep);
            block.s_axis_sync_rx_tlast(last.into());
            block.s_axis_sync_rx_tuser(bad.into());
        }
        self.outgoing.clock();
        let (to_wire, to_host) = (self.outgoing.is_ready(), !self.rng.chance(1, 10));
        block.m_axis_sync_tx_tready(to_wire.into());
        block.m_axis_sync_rx_tready(to_host.into());
        block.eval()?;
        let frame = self.take(clock, from_host.is_some(), to_wire, to_host)?;
        self.edge()?;
        Ok(frame)
    }

    /// Accepts the transfers of this clock.
    fn take(
        &mut self,
        clock: u64,
        from_host: bool,
        to_wire: bool,
        to_host: bool,
    ) -> Result<Option<(Frame, u16)>, String> {
        let block = &self.block;
        self.reads.take(clock, block)?;
        self.writes.take(clock, block)?;
        if from_host && block.s_axis_sync_tx_tready() == 1 {
            self.frames.taken();
        }
        if to_host && block.m_axis_sync_rx_tvalid() == 1 {
            self.frames.take(&Beat {
                data: block.m_axis_sync_rx_tdata(),
                keep: block.m_axis_sync_rx_tkeep(),
                last: block.m_axis_sync_rx_tlast() == 1,
                bad: block.m_axis_sync_rx_tuser() == 1,
                user: 0,
            })?;
        }
        if !to_wire || block.m_axis_sync_tx_tvalid() == 0 {
            return Ok(None);
        }
        let user = block.m_axis_sync_tx_tuser();
        let beat = Beat {
            data: block.m_axis_sync_tx_tdata(),
            keep: block.m_axis_sync_tx_tkeep(),
            last: block.m_axis_sync_tx_tlast() == 1,
            bad: user & 1 == 1,
            user: 0,
        };
        let Some(frame) = self.outgoing.take(Some(&beat)) else { return Ok(None) };
        let tag = (user >> 1) as u16;
        if tag != 0 {
            self.frames.is_on_wire(&frame, tag)?;
        }
        Ok(Some((frame, tag)))
    }
}
