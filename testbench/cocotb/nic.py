"""A driver for weft_nic on the simulator: registers over AXI4-Lite, frames, DMA and completions over AXI4-Stream."""

import cocotb
from cocotb.clock import Clock
from cocotb.triggers import ClockCycles, RisingEdge, with_timeout
from cocotbext.axi import AxiLiteBus, AxiLiteMaster, AxiStreamBus, AxiStreamFrame, AxiStreamSink, AxiStreamSource

from registers import offsets
from wire import Side

CONNECTIONS = 256
OPEN, CLOSE, DRAIN = 1, 0, 5


class Nic:
    """The NIC, its memory and its drivers."""

    def __init__(self, dut, me: Side):
        self.dut, self.me, self.offsets = dut, me, offsets()
        self.memory = {}
        self.written, self.reads = [], []
        cocotb.start_soon(Clock(dut.clk, 4, unit="ns").start())
        stream = lambda side, name: side(AxiStreamBus.from_prefix(dut, name), dut.clk, dut.rst)
        self.axil = AxiLiteMaster(AxiLiteBus.from_prefix(dut, "s_axil"), dut.clk, dut.rst)
        self.net_in = stream(AxiStreamSource, "s_axis_net")
        self.bypass_in = stream(AxiStreamSource, "s_axis_bypass")
        self.read_in = stream(AxiStreamSource, "s_axis_read")
        self.net_out = stream(AxiStreamSink, "m_axis_net")
        self.bypass_out = stream(AxiStreamSink, "m_axis_bypass")
        self.write_out = stream(AxiStreamSink, "m_axis_write")
        self.received = Words(dut, "m_axis_received")
        self.sent = Words(dut, "m_axis_sent")
        self.fetch = Words(dut, "m_axis_fetch")
        self.event = Words(dut, "m_axis_event")

    async def reset(self):
        dut = self.dut
        dut.s_axis_work_tvalid.value = 0
        dut.s_axis_buffer_tvalid.value = 0
        dut.rst.value = 1
        await ClockCycles(dut.clk, 8)
        dut.rst.value = 0
        # The sweep over all connections.
        await ClockCycles(dut.clk, 2 * CONNECTIONS + 100)
        cocotb.start_soon(self._serve_reads())
        cocotb.start_soon(self._take_writes())

    async def read(self, name, word=0):
        return await self.axil.read_dword(self.offsets[name] + 4 * word)

    async def count(self, name):
        """Reads a counter: its low word first, which latches the high one."""
        low = await self.read(name)
        return low | await self.read(name, 1) << 32

    async def counts(self, *names):
        return [await self.count(name) for name in names]

    async def rtts(self):
        """ACKs by round-trip time: the counters rtt_N, by N."""
        names = [name for name in self.offsets if name.startswith("rtt_") and name[4:].isdigit()]
        return {int(name[4:]): await self.count(name) for name in names}

    async def write(self, name, value, words=1):
        for i in range(words):
            await self.axil.write_dword(self.offsets[name] + 4 * i, value >> 32 * i & 0xFFFF_FFFF)

    async def set_up(self):
        """Sets the NIC's own addresses, and packets of 1 KiB."""
        await self.write("ingress_ipv4", ipv4(self.me.ip))
        await self.write("egress_ipv4", ipv4(self.me.ip))
        await self.write("egress_mac", mac(self.me.mac), 2)
        await self.write("sender_mtu_shift", 10)

    async def buffer(self, connection, word):
        """Reports the state of the host's buffer: 0 accepts packets, 1 accepts none, 2 failed."""
        dut = self.dut
        dut.s_axis_buffer_tid.value, dut.s_axis_buffer_tdata.value = connection, word
        dut.s_axis_buffer_tvalid.value = 1
        await RisingEdge(dut.clk)
        while dut.s_axis_buffer_tready.value != 1:
            await RisingEdge(dut.clk)
        dut.s_axis_buffer_tvalid.value = 0

    async def state(self, connection):
        await self.write("query", connection)
        return await self.read("state")

    async def command(self, connection, op):
        await self.write("command", op << 16 | connection)
        for _ in range(2 * CONNECTIONS):
            if not await self.read("command") >> 31:
                return
        raise AssertionError("the command stays busy")

    async def open(self, connection, peer: Side, *, psn=0, expected=0, base=0x10000, length=0x10000, key=0x77, vlan=None, pkey=0xFFFF):
        await self.write("peer_address", ipv4(peer.ip), 4)
        await self.write("peer_mac", mac(peer.mac), 2)
        await self.write("peer_qp", peer.qp)
        await self.write("peer_link", 0 if vlan is None else 1 << 16 | vlan)
        await self.write("peer_pkey", pkey)
        await self.write("send_psn", psn)
        await self.write("receive_psn", expected)
        await self.write("region_base", base, 2)
        await self.write("region_length", length)
        await self.write("region_key", key)
        await self.write("send_path", 0)
        await self.command(connection, OPEN)

    async def post(self, connection, *, local, remote, key, length, immediate=0, id=0, with_immediate=False):
        dut = self.dut
        word = local | remote << 64 | key << 128 | length << 160 | immediate << 192 | id << 224
        dut.s_axis_work_tid.value = connection
        dut.s_axis_work_tdata.value = word
        dut.s_axis_work_tuser.value = int(with_immediate)
        dut.s_axis_work_tvalid.value = 1
        while True:
            await RisingEdge(dut.clk)
            if dut.s_axis_work_tready.value:
                break
        dut.s_axis_work_tvalid.value = 0

    async def deliver(self, frame: bytes):
        await self.net_in.send(AxiStreamFrame(frame))

    async def frame(self, clocks=20_000) -> bytes:
        """The next frame on the wire."""
        return bytes((await with_timeout(self.net_out.recv(), 4 * clocks, "ns")).tdata)

    async def quiet(self, clocks=2_000):
        """Checks that no frame leaves for a number of clocks."""
        await ClockCycles(self.dut.clk, clocks)
        assert self.net_out.empty(), "a frame that nobody expected"

    async def _serve_reads(self):
        while True:
            _, word, _ = await self.fetch.take()
            address, length = word & (1 << 64) - 1, word >> 64
            self.reads.append((address, length))
            await self.read_in.send(AxiStreamFrame(bytes(self.memory.get(address + i, 0) for i in range(length))))

    async def _take_writes(self):
        while True:
            frame = await self.write_out.recv(compact=False)
            user = frame.tuser[0] if isinstance(frame.tuser, list) else frame.tuser
            payload = bytes(byte for byte, keep in zip(frame.tdata, frame.tkeep) if keep)
            address, length = user & (1 << 64) - 1, user >> 64
            assert length == len(payload)
            self.written.append((address, payload))


class Words:
    """A stream of single words with a connection."""

    def __init__(self, dut, prefix):
        self.clk = dut.clk
        signal = lambda name: getattr(dut, f"{prefix}_{name}", None)
        self.valid, self.ready = signal("tvalid"), signal("tready")
        self.id, self.data, self.user = signal("tid"), signal("tdata"), signal("tuser")
        self.ready.value = 0

    async def take(self, clocks=50_000):
        self.ready.value = 1
        for _ in range(clocks):
            await RisingEdge(self.clk)
            if self.valid.value == 1:
                word = int(self.id.value), int(self.data.value), int(self.user.value) if self.user is not None else 0
                self.ready.value = 0
                return word
        raise AssertionError("no word in time")


def ipv4(address: str) -> int:
    return int.from_bytes(bytes(int(part) for part in address.split(".")), "big")


def mac(address: str) -> int:
    return int(address.replace(":", ""), 16)
