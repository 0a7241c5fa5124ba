//! The engine's read half: it copies host memory into the block's RAM, with completions and statuses in any
//! order.

use super::block::Block;
use super::books::Books;
use super::segments::{Descriptor, Piece, WORD, bits, rows};
use crate::network::fault::happens;
use std::collections::{BTreeMap, VecDeque};
use weft_random::Rng;

/// Clocks from a descriptor to its first data: 1 us on average.
const LATENCY_CLOCKS: std::ops::RangeInclusive<u64> = 200..=300;
/// Maximum number of further clocks of each completion.
const SPREAD_CLOCKS: u32 = 40;
/// Maximum number of reads in progress in the shell.
const DEPTH: usize = 64;
/// One read in this number fails: only a part of its data arrives, and its status reports the error.
const FAILS: u32 = 1_000;

struct Job {
    descriptor: Descriptor,
    /// Pieces that have not been answered.
    left: usize,
    /// Error code of its status.
    error: u64,
}

/// The read half.
pub(super) struct Reads {
    card: usize,
    rng: Rng,
    /// Share of clocks in which a segment stalls.
    stalls: f64,
    /// Jobs by tag.
    under_way: BTreeMap<u64, Job>,
    /// Completions by the clock of their arrival.
    completions: BTreeMap<(u64, u64), Vec<Piece>>,
    completion: u64,
    /// Pieces of the completion on the bus, and pieces that wait at the segments.
    bus: VecDeque<Piece>,
    waiting: [VecDeque<Piece>; 2],
    offered: [Option<Piece>; 2],
    unanswered: [VecDeque<u64>; 2],
    ended: Vec<u64>,
    ready: bool,
    /// Maximum number of reads in progress at once, and number of failed reads.
    pub(super) most: usize,
    pub(super) failed: u64,
}

impl Reads {
    pub(super) fn new(card: usize, stalls: f64, rng: Rng) -> Self {
        Self {
            card,
            rng,
            stalls,
            under_way: BTreeMap::new(),
            completions: BTreeMap::new(),
            completion: 0,
            bus: VecDeque::new(),
            waiting: Default::default(),
            offered: [None; 2],
            unanswered: Default::default(),
            ended: Vec::new(),
            ready: false,
            most: 0,
            failed: 0,
        }
    }

    /// Applies the engine's inputs of this clock.
    pub(super) fn drive(&mut self, clock: u64, block: &mut Block, books: &mut Books) -> Result<(), String> {
        self.ready = self.under_way.len() < DEPTH && !happens(&mut self.rng, self.stalls);
        block.m_axis_data_dma_read_desc_ready(self.ready.into());
        let ended =
            (!self.ended.is_empty()).then(|| self.ended.swap_remove(self.rng.index(self.ended.len())));
        block.s_axis_data_dma_read_desc_status_valid(ended.is_some().into());
        block.s_axis_data_dma_read_desc_status_tag(ended.unwrap_or_else(|| self.rng.draw()));
        if let Some(Job { error, .. }) = ended.and_then(|tag| self.under_way.remove(&tag)) {
            block.s_axis_data_dma_read_desc_status_error(error);
        }
        self.move_data(clock);
        let mut changed = false;
        for segment in 0..2 {
            let idle = self.offered[segment].is_none() && !happens(&mut self.rng, self.stalls);
            if idle && let Some(piece) = self.waiting[segment].pop_front() {
                self.offered[segment] = Some(piece);
                changed = true;
            }
        }
        block.data_dma_ram_wr_cmd_valid(bits(&self.offered));
        if changed {
            self.offer(block, books)?;
        }
        Ok(())
    }

    /// Moves 64 bytes of the bus in a clock. These bytes are in one word of the RAM or in two.
    fn move_data(&mut self, clock: u64) {
        if self.bus.is_empty()
            && let Some(first) = self.completions.first_entry().filter(|it| it.key().0 <= clock)
        {
            self.bus.extend(first.remove());
        }
        let (mut bytes, mut used) = (0, [false; 2]);
        while let Some(piece) = self.bus.front() {
            let full = self.waiting[piece.segment].len() >= 8 || used[piece.segment];
            if full || bytes + piece.bytes > WORD {
                break;
            }
            bytes += piece.bytes;
            used[piece.segment] = true;
            self.waiting[piece.segment].push_back(*piece);
            self.bus.pop_front();
        }
    }

    /// Offers the words at both segments. Bytes that are not enabled have random values.
    fn offer(&mut self, block: &mut Block, books: &mut Books) -> Result<(), String> {
        let mut enables = [0; 2];
        let mut data = [0; 16].map(|_: u64| self.rng.draw());
        for piece in self.offered.iter().flatten() {
            let descriptor = self.under_way[&piece.tag].descriptor;
            let mut bytes = [0; WORD];
            books.read(self.card, descriptor.host + piece.offset as u64, &mut bytes[..piece.bytes])?;
            for (at, byte) in (piece.first..).zip(&bytes[..piece.bytes]) {
                let word = &mut data[8 * piece.segment + at / 8];
                *word = *word & !(0xFF << (8 * (at % 8))) | u64::from(*byte) << (8 * (at % 8));
                enables[piece.segment] |= 1 << at;
            }
        }
        block.data_dma_ram_wr_cmd_be(&enables);
        block.data_dma_ram_wr_cmd_addr(rows(&self.offered));
        block.data_dma_ram_wr_cmd_data(&data);
        Ok(())
    }

    /// Accepts the block's transfers of this clock.
    pub(super) fn take(&mut self, clock: u64, block: &Block) -> Result<(), String> {
        let done = block.data_dma_ram_wr_done();
        let taken = block.data_dma_ram_wr_cmd_ready();
        for segment in 0..2 {
            if done >> segment & 1 == 1 {
                let tag = self.unanswered[segment]
                    .pop_front()
                    .ok_or("a write to the RAM is answered that was not made")?;
                if let Some(job) = self.under_way.get_mut(&tag) {
                    job.left -= 1;
                    if job.left == 0 {
                        self.ended.push(tag);
                    }
                }
            }
            if taken >> segment & 1 == 1 {
                self.unanswered[segment].extend(self.offered[segment].take().map(|piece| piece.tag));
            }
        }
        if self.ready && block.m_axis_data_dma_read_desc_valid() == 1 {
            let descriptor = Descriptor {
                host: block.m_axis_data_dma_read_desc_dma_addr(),
                ram: block.m_axis_data_dma_read_desc_ram_addr() as u32,
                bytes: block.m_axis_data_dma_read_desc_len() as u32,
                tag: block.m_axis_data_dma_read_desc_tag(),
            };
            self.begin(clock, descriptor)?;
        }
        Ok(())
    }

    /// Cuts a read into completions, which end where the host's address is a multiple of their size and
    /// arrive in any order.
    fn begin(&mut self, clock: u64, descriptor: Descriptor) -> Result<(), String> {
        let size = *self.rng.pick(&[128, 256, 512]);
        let pieces = descriptor.pieces(size);
        if pieces.is_empty() || self.under_way.contains_key(&descriptor.tag) {
            return Err(format!("a read of {} bytes with tag {}", descriptor.bytes, descriptor.tag));
        }
        let of = |piece: &Piece| (descriptor.host + piece.offset as u64) / size;
        let mut completions: Vec<_> = pieces.chunk_by(|a, b| of(a) == of(b)).map(<[Piece]>::to_vec).collect();
        let mut job = Job { descriptor, left: pieces.len(), error: 0 };
        if self.rng.chance(1, FAILS) {
            completions.truncate(1 + self.rng.index(completions.len()));
            job.left = completions.iter().map(Vec::len).sum();
            job.error = self.rng.range(1..=15);
            self.failed += 1;
        }
        self.under_way.insert(descriptor.tag, job);
        self.most = self.most.max(self.under_way.len());
        let due = clock + self.rng.range(LATENCY_CLOCKS);
        for completion in completions {
            self.completion += 1;
            let comes = due + u64::from(self.rng.below(SPREAD_CLOCKS));
            self.completions.insert((comes, self.completion), completion);
        }
        Ok(())
    }
}
