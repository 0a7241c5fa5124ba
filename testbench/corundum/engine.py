"""A model of a segmented DMA engine, made only from the rules of docs/corundum.md.

Two segments of 512 bits: byte address / 64 is a word, the even words are segment 0, a row is one of each. The engine
writes the data that it has read into the RAM, and reads the data to write from the RAM; each segment has its own
handshake.
"""

from collections import deque
from dataclasses import dataclass, field

import cocotb
from cocotb.triggers import RisingEdge

from memory import Memory

WORD, PAGE = 64, 4096


@dataclass
class Job:
    """A descriptor that was accepted."""

    dma: int
    ram: int
    length: int
    tag: int
    at: int
    error: int = 0
    left: int = 0
    due: int | None = None
    data: dict = field(default_factory=dict)


class Half:
    """The common part of reads and writes: descriptors in, statuses out."""

    def __init__(self, dut, desc, status, ram_bits, rng, memory: Memory, latency, ready=1.0):
        self.dut, self.rng, self.memory, self.latency, self.ready = dut, rng, memory, latency, ready
        self.ram_bits, self.row_bits = ram_bits, ram_bits - 7
        get = lambda name: getattr(dut, f"{desc}_{name}")
        self.desc = {name: get(name) for name in ("dma_addr", "ram_addr", "len", "tag")}
        self.desc_valid, self.desc_ready = get("valid"), get("ready")
        self.status_valid, self.status_error = getattr(dut, f"{status}_valid"), getattr(dut, f"{status}_error")
        self.status_tag = getattr(dut, f"{status}_tag", None)
        self.desc_ready.value = 0
        self.status_valid.value = 0
        self.now, self.under_way, self.most, self.jobs, self.open, self.hold_status = 0, {}, 0, 0, False, False
        self.allow = None  # statuses that are given until it is hold_status
        self.on_take = lambda job: None
        cocotb.start_soon(self._run())

    def wait(self):
        return self.now + self.rng.randint(*self.latency)

    def pieces(self, job, cut=PAGE):
        """The words of the RAM that a job uses: segment, row, first byte there, bytes, offset in the job. Words are
        also cut at host addresses that are multiples of `cut`."""
        offset = 0
        while offset < job.length:
            at = (job.ram + offset) % (1 << self.ram_bits)
            size = min(WORD - at % WORD, job.length - offset, cut - (job.dma + offset) % cut)
            yield at >> 6 & 1, at >> 7, at % WORD, size, offset
            offset += size

    async def _run(self):
        clock = RisingEdge(self.dut.clk)
        while True:
            await clock
            self.now += 1
            if self.dut.rst.value == 1:
                continue
            if self.open and self.desc_valid.value == 1:
                job = Job(*(int(self.desc[name].value) for name in ("dma_addr", "ram_addr", "len", "tag")), self.now)
                assert job.length, "a descriptor of no bytes"
                assert job.tag not in self.under_way, f"tag {job.tag} is in use"
                self.under_way[job.tag] = job
                self.jobs += 1
                self.most = max(self.most, len(self.under_way))
                self.take(job)
                self.on_take(job)
            self.clock()
            job = None if self.hold_status else self.ended()
            self.status_valid.value = int(job is not None)
            if job is not None:
                if self.allow is not None:
                    self.allow -= 1
                    self.hold_status = self.allow == 0
                del self.under_way[job.tag]
                self.status_error.value = job.error
                if self.status_tag is not None:
                    self.status_tag.value = job.tag
            self.open = self.room() and (self.ready >= 1 or self.rng.random() < self.ready)
            self.desc_ready.value = int(self.open)


class ReadEngine(Half):
    """Host memory to RAM. Jobs, their chunks, and statuses come in any order."""

    def __init__(self, dut, rng, memory, *, desc="m_axis_desc", status="s_axis_status", ram="ram", ram_bits=17,
                 latency=(5, 60), ready=1.0, stall=0.0, depth=256, shuffle=True, error_rate=0.0):
        self.stall, self.depth, self.shuffle, self.error_rate = stall, depth, shuffle, error_rate
        get = lambda name: getattr(dut, f"{ram}_wr_{name}")
        self.command = {name: get(f"cmd_{name}") for name in ("be", "addr", "data", "valid")}
        self.command_ready, self.done = get("cmd_ready"), get("done")
        self.chunks, self.beat, self.queues = [], deque(), (deque(), deque())
        self.offered, self.unanswered, self.finished = [None, None], (deque(), deque()), []
        self.command["valid"].value = 0
        super().__init__(dut, f"{desc}", status, ram_bits, rng, memory, latency, ready)

    def room(self):
        return len(self.under_way) < self.depth

    def take(self, job):
        if self.rng.random() < self.error_rate:
            job.error = self.rng.randint(1, 15)
        due = self.wait()
        size = self.rng.choice((64, 128, 256, 512)) if self.shuffle else 512
        chunk = []
        for piece in self.pieces(job, size):
            chunk.append((job, *piece))
            end = job.dma + piece[4] + piece[3]
            # A completion ends at a multiple of its size in host memory, so in the middle of a word of the RAM.
            if end % size == 0:
                self._chunk(job, due, chunk)
                chunk = []
        self._chunk(job, due, chunk)

    def _chunk(self, job, due, chunk):
        # A failed job delivers a part of its data, or none.
        if chunk and not (job.error and self.rng.random() < 0.7):
            job.left += len(chunk)
            self.chunks.append((due + (self.rng.randint(0, 40) if self.shuffle else 0), chunk))
        elif job.left == 0:
            job.due = due

    def clock(self):
        rng = self.rng
        # Answers to the writes before.
        pulses = int(self.done.value)
        for s in range(2):
            if pulses >> s & 1:
                job = self.unanswered[s].popleft()
                job.left -= 1
                if job.left == 0:
                    job.due = self.now + (rng.randint(1, 30) if self.shuffle else 1)
        taken = int(self.command_ready.value)
        for s in range(2):
            if self.offered[s] is not None and taken >> s & 1:
                self.unanswered[s].append(self.offered[s][0])
                self.offered[s] = None
        # At most a word of 64 bytes comes from the bus in a clock.
        if not self.beat and self.chunks:
            due = [chunk for chunk in self.chunks if chunk[0] <= self.now]
            if due:
                chunk = rng.choice(due) if self.shuffle else due[0]
                self.chunks.remove(chunk)
                self.beat.extend(chunk[1])
        if self.beat and all(len(queue) < 8 for queue in self.queues):
            piece = self.beat.popleft()
            self.queues[piece[1]].append(piece)
        changed = False
        for s in range(2):
            if self.offered[s] is None and self.queues[s] and rng.random() >= self.stall:
                self.offered[s] = self.queues[s].popleft()
                changed = True
        self.command["valid"].value = sum(1 << s for s in range(2) if self.offered[s] is not None)
        if changed:
            be = address = 0
            data = bytearray(rng.randbytes(2 * WORD))
            for s, piece in enumerate(self.offered):
                if piece is not None:
                    job, _, row, first, size, offset = piece
                    be |= ((1 << size) - 1) << first + WORD * s
                    address |= row << self.row_bits * s
                    data[WORD * s + first:WORD * s + first + size] = self.memory.read(job.dma + offset, size)
            self.command["be"].value, self.command["addr"].value = be, address
            self.command["data"].value = int.from_bytes(data, "little")

    def ended(self):
        ready = [job for job in self.under_way.values() if job.left == 0 and job.due is not None and job.due <= self.now]
        if not ready:
            return None
        return self.rng.choice(ready) if self.shuffle else ready[0]


class WriteEngine(Half):
    """RAM to host memory, in the order of the descriptors, statuses too. Written data is visible after a delay."""

    def __init__(self, dut, rng, memory, *, desc="m_axis_desc", status="s_axis_status", ram="ram", ram_bits=17,
                 latency=(5, 60), ready=1.0, stall=0.0, depth=32, error_rate=0.0):
        self.stall, self.depth, self.error_rate = stall, depth, error_rate
        get = lambda name: getattr(dut, f"{ram}_rd_{name}")
        self.command_address, self.command_valid, self.command_ready = get("cmd_addr"), get("cmd_valid"), get("cmd_ready")
        self.answer_data, self.answer_valid, self.answer_ready = get("resp_data"), get("resp_valid"), get("resp_ready")
        self.order, self.status_order = deque(), deque()
        self.beat, self.queues, self.expected = deque(), (deque(), deque()), (deque(), deque())
        self.offered, self.listening = [None, None], 0
        self.on_commit = lambda job, data: None
        self.command_valid.value = 0
        self.answer_ready.value = 0
        super().__init__(dut, desc, status, ram_bits, rng, memory, latency, ready)

    def room(self):
        return len(self.under_way) < self.depth

    def take(self, job):
        if self.rng.random() < self.error_rate:
            job.error = self.rng.randint(1, 15)
        pieces = list(self.pieces(job))
        job.left = len(pieces)
        self.beat.extend((job, *piece) for piece in pieces)
        self.order.append(job)

    def clock(self):
        rng = self.rng
        heard = int(self.answer_valid.value) & self.listening
        if heard:
            data = self.answer_data.value
            for s in range(2):
                if heard >> s & 1:
                    job, _, _, first, size, offset = self.expected[s].popleft()
                    word = int(data[512 * s + 511:512 * s])
                    job.data[offset] = word.to_bytes(WORD, "little")[first:first + size]
                    job.left -= 1
                    if job.left == 0:
                        job.due = self.wait()
        taken = int(self.command_ready.value)
        for s in range(2):
            if self.offered[s] is not None and taken >> s & 1:
                self.expected[s].append(self.offered[s])
                self.offered[s] = None
        # A word of 64 bytes in a clock.
        if self.beat and all(len(queue) < 4 for queue in self.queues):
            piece = self.beat.popleft()
            self.queues[piece[1]].append(piece)
        for s in range(2):
            if self.offered[s] is None and self.queues[s] and len(self.expected[s]) < 16 and rng.random() >= self.stall:
                self.offered[s] = self.queues[s].popleft()
        self.command_valid.value = sum(1 << s for s in range(2) if self.offered[s] is not None)
        self.command_address.value = sum(piece[2] << self.row_bits * s for s, piece in enumerate(self.offered) if piece is not None)
        self.listening = sum(1 << s for s in range(2) if rng.random() >= self.stall)
        self.answer_ready.value = self.listening
        # The packet leaves: the host sees it.
        while self.order and self.order[0].left == 0 and self.order[0].due <= self.now:
            job = self.order.popleft()
            data = b"".join(job.data[offset] for offset in sorted(job.data))
            if not job.error:
                self.memory.write(job.dma, data)
            self.on_commit(job, data)
            job.due = self.wait()
            self.status_order.append(job)

    def ended(self):
        if self.status_order and self.status_order[0].due <= self.now:
            return self.status_order.popleft()
        return None
