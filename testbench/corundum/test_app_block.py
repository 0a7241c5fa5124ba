"""Tests of mqnic_app_block through its ports: registers through the BAR, host memory behind the engine, frames of the host."""

import os
import random
import struct

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, Timer, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster

from engine import ReadEngine, WriteEngine
from memory import Memory
from nic import CLOSE, Nic, OPEN
from registers import offsets
from streams import Sink, Source, figure, words
from wire import Side

LONG = os.environ.get("WEFT_LONG") == "1"
PTP = os.environ.get("WEFT_PTP") == "1"
ME = Side("02:00:00:00:00:01", "10.0.0.1", 1)
RING, ENTRIES, KEY = 0x7_0000_1000, 32, 0x77
QUEUES = 0x10000
WEFT_PORT = (4791).to_bytes(2, "big")


class Bench(Nic):
    """The block, its host and a wire from its transmit side into its receive side."""

    def __init__(self, dut, seed, stall=0.2, latency=(5, 80), damage=lambda frame, number: None, gaps=0.2):
        self.dut, self.me, self.offsets = dut, ME, offsets()
        self.rng, self.memory = random.Random(seed), Memory(seed)
        self.head, self.entries, self.events, self.damage, self.ours = 0, [], [], damage, 0
        cocotb.start_soon(Clock(dut.clk, 4, unit="ns").start())
        self.axil = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil_app_ctrl"), dut.clk, dut.rst)
        self.host_in = Source(dut, "s_axis_sync_tx", self.rng, 1 - gaps)
        self.wire_in = Source(dut, "s_axis_sync_rx", self.rng)
        self.host_out = Sink(dut, "m_axis_sync_rx", self.rng, 0.9)
        self.wire_out = Sink(dut, "m_axis_sync_tx", self.rng, 0.9)
        self.wire_out.on_word = self._loop
        self.frame, self.sent_frames, self.host_stamps = [], [], []
        names = dict(ram="data_dma_ram", latency=latency, stall=stall, ready=0.7)
        self.reads = ReadEngine(dut, self.rng, self.memory, desc="m_axis_data_dma_read_desc", status="s_axis_data_dma_read_desc_status", **names)
        self.writes = WriteEngine(dut, self.rng, self.memory, desc="m_axis_data_dma_write_desc", status="s_axis_data_dma_write_desc_status",
                                  # The queue is so short that descriptors wait for each other.
                                  depth=3, **names)
        self.writes.on_commit = self._commit
        self.expected = {}

    async def start(self):
        self.dut.rst.value = 1
        await ClockCycles(self.dut.clk, 8)
        self.dut.rst.value = 0
        while await self.read("command") >> 31:
            pass
        await self.set_up()
        await self.set_queue(0x10, RING & 0xFFFF_FFFF)
        await self.set_queue(0x14, RING >> 32)
        self.memory.write(RING, bytes(16 * ENTRIES))
        await self.set_queue(0x18, 1 << 31 | ENTRIES.bit_length() - 1)

    async def set_queue(self, offset, value):
        await self.axil.write_dword(QUEUES + offset, value)

    async def get_queue(self, offset):
        return await self.axil.read_dword(QUEUES + offset)

    async def post(self, connection, *, local, remote, key, length, immediate=0, id=0, with_immediate=False):
        fields = (local & 0xFFFF_FFFF, local >> 32, remote & 0xFFFF_FFFF, remote >> 32, key, length, immediate, id, with_immediate << 31 | connection)
        for i, field in enumerate(fields):
            await self.set_queue(0x40 + 4 * i, field)

    def host_frame(self, data, tag, bad=0):
        self.sent_frames.append((data, tag << 1 | bad))
        self.host_in.send(words(data, user=tag << 1 | bad))

    def _loop(self, word):
        self.frame.append(word)
        if word["tlast"]:
            frame, self.frame = self.frame, []
            last = frame[-1]
            bad = last["tuser"] & 1
            data = b"".join(word["tdata"].to_bytes(64, "little") for word in frame)[:64 * (len(frame) - 1) + last["tkeep"].bit_length()]
            is_ours = data[36:38] == WEFT_PORT and data[12:14] == b"\x08\x00"
            if is_ours:
                self.ours += 1
                data, bad = self.damage(data, self.ours) or (data, bad)
            # If the shell gives the time of each frame, the time is above the bad bit.
            stamp = self.rng.getrandbits(96) << 1 if PTP else 0
            if not is_ours:
                self.host_stamps.append(stamp | bad)
            self.wire_in.send(words(data, user=stamp | bad))

    def _commit(self, job, data):
        """The host's view of the ring at once: an entry may be visible only if the data that it reports is visible."""
        if RING <= job.dma < RING + 16 * ENTRIES:
            assert job.length == 16 and not job.error
            first, second, kind, last = struct.unpack("<IIII", data)
            number = len(self.entries)
            assert job.dma == RING + 16 * (number % ENTRIES), "an entry is not where it belongs"
            assert last >> 31 == 1 - number // ENTRIES % 2, "phase"
            self.entries.append((kind >> 16, kind & 0xFFFF, first, second))
            if kind >> 16 == 1:
                source, target, length = self.expected[first]
                assert self.memory.read(target, length) == self.memory.read(source, length), "a completion ahead of its data"

    async def take(self, count, clocks, of_events=0):
        """The next completions, read from the ring as a driver reads them; events, which arrive between them, are kept
        apart."""
        out = []
        for _ in range(clocks // 20):
            await ClockCycles(self.dut.clk, 20)
            while True:
                first, second, kind, last = struct.unpack("<IIII", self.memory.read(RING + 16 * (self.head % ENTRIES), 16))
                if last >> 31 == (self.head // ENTRIES) % 2:
                    break
                entry = (kind >> 16, kind & 0xFFFF, first, second)
                (self.events if entry[0] == 3 else out).append(entry)
                self.head += 1
                await self.set_queue(0x1C, self.head & 0xFFFF)
            if len(out) >= count or of_events and len(self.events) >= of_events:
                return out
        raise AssertionError(f"{len(out)} entries of {count} in {clocks} clocks: {out}")


async def pair(dut, seed, **options) -> Bench:
    """Connection 0 writes through connection 1 into the same memory."""
    bench = Bench(dut, seed, **options)
    await bench.start()
    for connection, peer in ((0, 1), (1, 0)):
        await bench.open(connection, Side(ME.mac, ME.ip, peer), psn=0x123, expected=0x123, base=0x100_0000, length=0x10_0000, key=KEY)
    return bench


@cocotb.test()
async def windows_of_registers(dut):
    bench = Bench(dut, 1)
    await bench.start()
    assert (await bench.read("id")).to_bytes(4, "little") == b"WEFT"
    assert (await bench.get_queue(0)).to_bytes(4, "little") == b"WEFQ"
    await bench.write("scratch", 0x1234_5678)
    assert await bench.get_queue(0x10) == RING & 0xFFFF_FFFF and await bench.read("scratch") == 0x1234_5678
    others = (0x20000 + bench.offsets["scratch"], 0x800000 + bench.offsets["scratch"], 0x30010)
    for offset in (*others, QUEUES + 0x80, QUEUES + 0x1000, 0xFFFC):
        assert (await bench.axil.read(offset, 4)).resp == 2, f"SLVERR at {offset:x}"
        assert (await bench.axil.write(offset, bytes(4))).resp == 2
    assert await bench.read("scratch") == 0x1234_5678 and await bench.get_queue(0x10) == RING & 0xFFFF_FFFF


@cocotb.test()
async def messages_to_itself_beside_frames_of_the_host(dut):
    """Messages between any addresses, frames of the host on the same wire, some of them bad, and stalls on all streams."""
    bench = await pair(dut, 2)
    rng = bench.rng
    frames = 40 if not LONG else 600
    for tag in range(frames):
        data = b"\x02\x00\x00\x00\x00\x02\x02\x00\x00\x00\x00\x01\x08\x06" + rng.randbytes(rng.choice((46, 50, 51, 500, 1500, 9000 if tag % 20 == 0 else 100)))
        bench.host_frame(data, tag | 0x8000, bad=int(tag % 7 == 3))
    lengths = [6000, 1, 1024, 2049] if not LONG else [6000, 1, 63, 64, 65, 1024, 2049, *(rng.randint(1, 9000) for _ in range(60))]
    posted = 0
    for number, length in enumerate(lengths):
        source, target = 0x5_0000_0000 + 0x4000 * number + rng.randrange(64), 0x100_0000 + 0x3000 * number + rng.randrange(64)
        bench.expected[0xABC0 + number] = (source, target, length)
        await bench.post(0, local=source, remote=target, key=KEY, length=length, immediate=0xABC0 + number, id=number, with_immediate=True)
        posted += 1
        # 16 messages of a connection may be unfinished.
        if posted % 8 == 0:
            await take_pairs(bench, 8, posted - 8)
    rest = posted % 8 or 8 * (posted == 0)
    if rest:
        await take_pairs(bench, rest, posted - rest)
    for source, target, length in bench.expected.values():
        assert bench.memory.read(target, length) == bench.memory.read(source, length)
    # Frames of the host: on the wire once, with their tags, in their order, unharmed; ours have tag 0.
    for _ in range(500):
        await ClockCycles(dut.clk, 20)
        if not bench.host_in.waiting:
            break
    await ClockCycles(dut.clk, 500)
    on_wire = [(data, user) for data, user, _ in bench.wire_out.frames()]
    assert [frame for frame in on_wire if frame[1] >> 1] == bench.sent_frames
    assert all(data[36:38] == WEFT_PORT for data, user in on_wire if user == 0)
    back = [(data, user) for data, user, _ in bench.host_out.frames()]
    assert back == [(data, stamp) for (data, _), stamp in zip(bench.sent_frames, bench.host_stamps)]
    assert [stamp & 1 for stamp in bench.host_stamps] == [user & 1 for _, user in bench.sent_frames]
    assert await bench.get_queue(0x08) == 0
    figure(dut, f"{len(lengths)} messages and {frames} frames of the host, {bench.ours} of ours, in {bench.reads.now} clocks")


async def take_pairs(bench, count, first):
    """Checks that each of `count` messages is received once and sent once, in order."""
    entries = await bench.take(2 * count, 10_000)
    assert [entry for entry in entries if entry[0] == 1] == [(1, 1, 0xABC0 + n, n) for n in range(first, first + count)]
    assert [entry for entry in entries if entry[0] == 2] == [(2, 0, n, 0) for n in range(first, first + count)]
    assert len(entries) == 2 * count


@cocotb.test(skip=not LONG)
async def cut_and_bad_frames_are_sent_again(dut):
    """Frames of the NIC that the receive FIFO cut or the MAC marks bad: they do not reach memory, but the message does."""
    def damage(data, number):
        return {2: (data[:128], 1), 4: (data, 1)}.get(number)

    bench = await pair(dut, 3, damage=damage, stall=0.0)
    # Epochs of 400 clocks, an RTO of 2,400.
    await bench.write("sack_tx_class0_epoch", 50)
    await bench.write("sack_tx_class0_rto", 300)
    before = bench.memory.read(0x100_0000 - 64, 64)
    bench.expected[0xABC0] = (0x5_0000_0003, 0x100_0005, 5000)
    await bench.post(0, local=0x5_0000_0003, remote=0x100_0005, key=KEY, length=5000, immediate=0xABC0, id=0, with_immediate=True)
    await take_pairs(bench, 1, 0)
    assert bench.memory.read(0x100_0005, 5000) == bench.memory.read(0x5_0000_0003, 5000)
    assert bench.memory.read(0x100_0000 - 64, 64) == before
    errors, again = await bench.count("ingress_mac_errors"), await bench.count("recovery_again")
    assert errors >= 2 and again >= 2, f"{errors} frames were bad, {again} sent again"


@cocotb.test(skip=not LONG)
async def reads_that_fail_are_not_sent(dut):
    bench = await pair(dut, 4, stall=0.0)
    await bench.write("sack_tx_class0_epoch", 50)
    await bench.write("sack_tx_class0_rto", 300)
    bench.reads.error_rate = 0.3
    bench.expected[0xABC0] = (0x5_0000_0000, 0x100_0000, 8192)
    await bench.post(0, local=0x5_0000_0000, remote=0x100_0000, key=KEY, length=8192, immediate=0xABC0, id=0, with_immediate=True)
    for _ in range(100):
        await ClockCycles(dut.clk, 20)
        if bench.reads.jobs >= 8:
            break
    bench.reads.error_rate = 0.0
    await take_pairs(bench, 1, 0)
    assert await bench.count("egress_read_errors") > 0
    assert bench.memory.read(0x100_0000, 8192) == bench.memory.read(0x5_0000_0000, 8192)


@cocotb.test()
async def events_and_buffers(dut):
    """A failed buffer makes an event in the ring. Refused work makes a completion in the ring."""
    bench = await pair(dut, 5)
    await bench.set_queue(0x2C, 2 << 16 | 1)
    await bench.take(1, 2000, of_events=1)
    assert bench.events == [(3, 1, 0x81, 0)]
    await bench.post(5, local=0, remote=0, key=0, length=64, id=77)
    entries = await bench.take(1, 2000)
    assert entries[0][:3] == (2, 5, 77) and entries[0][3] in (1, 2)


async def close(bench, connection):
    """Closes a connection, and waits until the NIC has finished the close."""
    await bench.write("command", CLOSE << 16 | connection)
    await ClockCycles(bench.dut.clk, 200)


async def until(bench, name, bit, is_set, reads):
    """Reads a register until a bit has a value. No read may be delayed for long."""
    for number in range(reads):
        answer = await with_timeout(bench.read(name) if isinstance(name, str) else bench.get_queue(name), 4 * 300, "ns")
        if answer >> bit & 1 == is_set:
            return number
    raise AssertionError(f"{name}: bit {bit} is not {is_set} after {reads} reads")


@cocotb.test()
@cocotb.parametrize((("length", "with_immediate"), [(3000, False), (1, True)] if not LONG else [(3000, False), (1, True), (40_000, True)]))
async def a_close_waits_for_the_engine(dut, length, with_immediate):
    """COMMAND is busy while payload or completions of the closed connection are on their way to the host. Payload or
    completions are never blocked, so that the driver can continue. When COMMAND is not busy, all of them have arrived,
    and none arrives later."""
    bench = await pair(dut, 6, stall=0.0)
    bench.expected[0xABC0] = (0x5_0000_0003, 0x100_0005, length)
    bench.writes.ready = 0.0
    await bench.post(0, local=0x5_0000_0003, remote=0x100_0005, key=KEY, length=length, immediate=0xABC0, id=0, with_immediate=with_immediate)
    await ClockCycles(dut.clk, 800 + length // 20)
    assert bench.writes.jobs == 0
    await close(bench, 1)
    for _ in range(2):
        assert await until(bench, "command", 31, 1, 1) == 0, "not busy, and nothing has been written"
    bench.writes.ready = 0.5
    await until(bench, "command", 31, 0, 20)
    written, entries = bench.writes.jobs, len(bench.entries)
    assert not bench.writes.under_way and written > length // 1024
    assert bench.memory.read(0x100_0005, length) == bench.memory.read(0x5_0000_0003, length)
    assert [entry[:3] for entry in bench.entries if entry[0] == 1] == [(1, 1, 0xABC0)] * with_immediate
    # Only the sender's completion is possible.
    await ClockCycles(dut.clk, 300)
    late = bench.entries[entries:]
    assert bench.writes.jobs == written + len(late) and all(entry[:2] == (2, 0) for entry in late)


@cocotb.test()
async def entries_on_their_way(dut):
    """Entries arrive after the end of the ring or of a command. RING_SIZE and COMMAND report this until the last entry
    has arrived, also if there is no space for the entry yet."""
    bench = Bench(dut, 7, stall=0.0)
    await bench.start()
    await until(bench, 0x18, 30, 0, 5)
    bench.writes.ready = 0.0

    async def tell(count):
        """Work for a connection that is not open: its only result is an entry."""
        before = await bench.get_queue(0x20)
        for _ in range(count):
            await bench.set_queue(0x60, 5)
        for _ in range(100):
            if await bench.get_queue(0x20) == before + count:
                return
        raise AssertionError("entries are missing")

    async def both(busy, reads=1):
        await until(bench, 0x18, 30, busy, reads)
        await until(bench, "command", 31, busy, reads)

    async def give(count):
        """Lets a number of writes end."""
        bench.writes.hold_status, bench.writes.allow, bench.writes.ready = False, count, 0.5
        for _ in range(100 * count):
            await ClockCycles(dut.clk, 10)
            if bench.writes.hold_status:
                return
        raise AssertionError("statuses are missing")

    for i in range(8):
        await bench.set_queue(0x40 + 4 * i, 0)
    # 64 are in the adapter's ring, two in the join, and one waits in front of the join. The driver regards
    # all of them as done.
    for number, count in enumerate((30, 30, 7)):
        await bench.set_queue(0x1C, 30 * number)
        await tell(count)
    await bench.set_queue(0x18, 0)
    await close(bench, 5)
    await both(busy=1)
    await give(66)
    await both(busy=1)
    await give(1)
    await both(busy=0, reads=2)
    assert len(bench.entries) == 67 and not bench.writes.under_way
    # The next rings and commands end while entries are on their way that came after the end before.
    bench.writes.on_commit = lambda job, data: None
    await bench.set_queue(0x18, 1 << 31 | ENTRIES.bit_length() - 1)
    await tell(1)
    for _ in range(2):
        await bench.set_queue(0x18, 0)
        await close(bench, 5)
        await both(busy=1)
        await bench.set_queue(0x18, 1 << 31 | ENTRIES.bit_length() - 1)
        await tell(1)
    await bench.set_queue(0x18, 0)
    await close(bench, 5)
    for _ in range(3):
        await both(busy=1)
        await give(1)
    await both(busy=0, reads=2)
    assert not bench.writes.under_way


@cocotb.test()
async def what_is_not_ours_passes(dut):
    """The direct and the interface streams, and the completions of transmit tags: in and out are the same wires."""
    rng = random.Random(6)
    for stream, fields in (("direct_tx", "tdata tkeep tvalid tlast tuser"), ("direct_rx", "tdata tkeep tvalid tlast tuser"),
                           ("if_tx", "tdata tkeep tvalid tlast tuser tid tdest"), ("if_rx", "tdata tkeep tvalid tlast tuser tid tdest"),
                           ("direct_tx_cpl", "ts tag valid"), ("sync_tx_cpl", "ts tag valid"), ("if_tx_cpl", "ts tag valid")):
        ready = "ready" if "cpl" in stream else "tready"
        for _ in range(4):
            values = {field: rng.getrandbits(len(getattr(dut, f"s_axis_{stream}_{field}"))) for field in fields.split()}
            for field, value in values.items():
                getattr(dut, f"s_axis_{stream}_{field}").value = value
            can = rng.getrandbits(1)
            getattr(dut, f"m_axis_{stream}_{ready}").value = can
            await Timer(1, "ns")
            for field, value in values.items():
                assert int(getattr(dut, f"m_axis_{stream}_{field}").value) == value, f"{stream} {field}"
            assert int(getattr(dut, f"s_axis_{stream}_{ready}").value) == can
