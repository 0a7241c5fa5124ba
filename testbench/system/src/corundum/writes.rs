//! The engine's write half: copies the block's RAM into host memory and gives statuses, both in the order of
//! descriptors.

use super::block::Block;
use super::books::Books;
use super::segments::{Descriptor, Piece, WORD, bits, rows};
use crate::network::fault::happens;
use std::collections::VecDeque;
use weft_random::Rng;

/// Clocks until the host sees the bytes read from the RAM.
const LATENCY_CLOCKS: std::ops::RangeInclusive<u64> = 50..=250;
/// Maximum number of further clocks until the status, counted from the status before.
const STATUS_CLOCKS: u32 = 5;
/// Maximum number of writes in progress in the shell.
const DEPTH: usize = 32;

struct Job {
    descriptor: Descriptor,
    data: Vec<u8>,
    /// Pieces that have not been read.
    left: usize,
    /// Clock from which on the host sees the bytes.
    due: u64,
}

/// The write half.
pub(super) struct Writes {
    card: usize,
    rng: Rng,
    stalls: f64,
    /// Jobs in order. Jobs before `first` are in host memory.
    jobs: VecDeque<Job>,
    first: u64,
    /// Pieces to be read with their jobs; pieces at the segments; pieces requested.
    pieces: VecDeque<(u64, Piece)>,
    waiting: [VecDeque<(u64, Piece)>; 2],
    offered: [Option<Piece>; 2],
    job_of: [u64; 2],
    asked: [VecDeque<(u64, Piece)>; 2],
    listens: u64,
    /// Statuses, each with the clock from which on it is given.
    statuses: VecDeque<(u64, u64)>,
    last: u64,
    ready: bool,
    /// Maximum number of writes in progress at once.
    pub(super) most: usize,
}

impl Writes {
    pub(super) fn new(card: usize, stalls: f64, rng: Rng) -> Self {
        Self {
            card,
            rng,
            stalls,
            jobs: VecDeque::new(),
            first: 0,
            pieces: VecDeque::new(),
            waiting: Default::default(),
            offered: [None; 2],
            job_of: [0; 2],
            asked: Default::default(),
            listens: 0,
            statuses: VecDeque::new(),
            last: 0,
            ready: false,
            most: 0,
        }
    }

    /// Applies the engine's inputs of this clock, and moves due bytes into host memory.
    pub(super) fn drive(&mut self, clock: u64, block: &mut Block, books: &mut Books) -> Result<(), String> {
        while let Some(job) = self.jobs.front().filter(|job| job.left == 0 && job.due <= clock) {
            books.written(self.card, job.descriptor.host, &job.data)?;
            self.last = self.last.max(clock) + 1 + u64::from(self.rng.below(STATUS_CLOCKS));
            self.statuses.push_back((self.last, job.descriptor.tag));
            self.jobs.pop_front();
            self.first += 1;
        }
        let status = self.statuses.front().filter(|(due, _)| *due <= clock).map(|(_, tag)| *tag);
        block.s_axis_data_dma_write_desc_status_valid(status.is_some().into());
        block.s_axis_data_dma_write_desc_status_tag(status.unwrap_or_else(|| self.rng.draw()));
        if status.is_some() {
            self.statuses.pop_front();
        }
        self.ready = self.jobs.len() + self.statuses.len() < DEPTH && !happens(&mut self.rng, self.stalls);
        block.m_axis_data_dma_write_desc_ready(self.ready.into());
        // The bus moves one word of 64 bytes a clock.
        if let Some(&(job, piece)) = self.pieces.front()
            && self.waiting[piece.segment].len() < 4
        {
            self.waiting[piece.segment].push_back((job, piece));
            self.pieces.pop_front();
        }
        self.listens = 0;
        for segment in 0..2 {
            let idle = self.offered[segment].is_none() && self.asked[segment].len() < 16;
            if idle
                && !happens(&mut self.rng, self.stalls)
                && let Some((job, piece)) = self.waiting[segment].pop_front()
            {
                (self.job_of[segment], self.offered[segment]) = (job, Some(piece));
            }
            self.listens |= u64::from(!happens(&mut self.rng, self.stalls)) << segment;
        }
        block.data_dma_ram_rd_cmd_valid(bits(&self.offered));
        block.data_dma_ram_rd_cmd_addr(rows(&self.offered));
        block.data_dma_ram_rd_resp_ready(self.listens);
        Ok(())
    }

    /// Accepts the block's transfers of this clock.
    pub(super) fn take(&mut self, clock: u64, block: &Block) -> Result<(), String> {
        let heard = block.data_dma_ram_rd_resp_valid() & self.listens;
        let taken = block.data_dma_ram_rd_cmd_ready();
        let data = if heard == 0 { [0; 16] } else { block.data_dma_ram_rd_resp_data() };
        for segment in 0..2 {
            if heard >> segment & 1 == 1 {
                let (job, piece) =
                    self.asked[segment].pop_front().ok_or("the RAM answers what it was not asked")?;
                let word = bytes_of(&data[8 * segment..8 * segment + 8]);
                let job = &mut self.jobs[(job - self.first) as usize];
                job.data[piece.offset..piece.offset + piece.bytes]
                    .copy_from_slice(&word[piece.first..piece.first + piece.bytes]);
                job.left -= 1;
                job.due = clock + self.rng.range(LATENCY_CLOCKS);
            }
            if taken >> segment & 1 == 1 {
                let job = self.job_of[segment];
                self.asked[segment].extend(self.offered[segment].take().map(|piece| (job, piece)));
            }
        }
        if self.ready && block.m_axis_data_dma_write_desc_valid() == 1 {
            let descriptor = Descriptor {
                host: block.m_axis_data_dma_write_desc_dma_addr(),
                ram: block.m_axis_data_dma_write_desc_ram_addr() as u32,
                bytes: block.m_axis_data_dma_write_desc_len() as u32,
                tag: block.m_axis_data_dma_write_desc_tag(),
            };
            let pieces = descriptor.pieces(u64::MAX);
            if pieces.is_empty() {
                return Err("a write of no bytes".into());
            }
            let number = self.first + self.jobs.len() as u64;
            let data = vec![0; descriptor.bytes as usize];
            self.jobs.push_back(Job { descriptor, data, left: pieces.len(), due: 0 });
            self.pieces.extend(pieces.into_iter().map(|piece| (number, piece)));
            self.most = self.most.max(self.jobs.len());
        }
        Ok(())
    }
}

/// Bytes of a word, the low one first.
fn bytes_of(words: &[u64]) -> [u8; WORD] {
    let mut bytes = [0; WORD];
    for (to, word) in bytes.chunks_exact_mut(8).zip(words) {
        to.copy_from_slice(&word.to_le_bytes());
    }
    bytes
}
