"""The model as the scoreboard of a NIC in a cocotb test (docs/verify-your-nic.md). Needs cocotb 2.

    board = weft_sim.cocotb.Scoreboard(dut)      # watches the streams of weft_nic by their names
    board.nic.open(5, address="10.0.0.2", ...)   # open the connections in the model as in the NIC
    board.settle(now_ticks=board.now_ticks)      # the NIC is quiet: no output is missing
"""

import cocotb
from cocotb.triggers import RisingEdge

import weft_sim
from weft_sim._native import STATUSES


class Scoreboard(weft_sim.Scoreboard):
    """Reports the NIC's accepted inputs and its outputs to the scoreboard. A difference ends the test.

    `prefixes` renames streams: {"m_axis_net": "tx"} for a NIC whose stream of frames to the MAC is `tx_tdata` and so
    on. None in place of a name leaves a stream out; the test then reports to the scoreboard itself
    (`board.frame(...)`). The test sets `now_ticks` whenever the NIC's time moves on."""

    def __new__(cls, dut, connections=256, **_):
        return super().__new__(cls, connections)

    def __init__(self, dut, connections=256, *, clock=None, prefixes=None):
        self.now_ticks = 0
        self._dut, self._clock, self._prefixes = dut, clock if clock is not None else dut.clk, prefixes or {}
        at = lambda: {"now_ticks": self.now_ticks}
        frames = {
            "s_axis_net": lambda frame, word: self.receive(frame, bad=bool(word("tuser") & 1), **at()),
            "s_axis_bypass": lambda frame, word: self.bypass(frame),
            "s_axis_read": lambda payload, word: self.read(None if word("tuser") & 1 else payload),
            "m_axis_net": lambda frame, word: self.frame(frame, **at()),
            "m_axis_bypass": lambda frame, word: self.bypassed(frame, bad=bool(word("tuser") & 1)),
            "m_axis_write": lambda payload, word: self.write(word("tid"), word("tuser") & (1 << 64) - 1, payload),
        }
        words = {
            "s_axis_work": self._work,
            "m_axis_fetch": lambda word: self.fetch(word("tid"), word("tdata") & (1 << 64) - 1, word("tdata") >> 64, **at()),
            "m_axis_received": lambda word: self.received(word("tid"), word("tdata") & 0xFFFF_FFFF, word("tdata") >> 32, **at()),
            "m_axis_sent": lambda word: self.sent(word("tid"), word("tdata"), STATUSES[word("tuser")], **at()),
            "m_axis_event": lambda word: self.event(word("tid"), word("tdata"), **at()),
        }
        for name in self._prefixes:
            if name not in frames | words:
                raise ValueError(f"prefixes: there is no stream {name}; use {', '.join(frames | words)}")
        for name, tell in frames.items():
            self._watch(name, self._packets, tell)
        for name, tell in words.items():
            self._watch(name, self._words, tell)

    def _watch(self, name, how, tell):
        prefix = self._prefixes.get(name, name)
        if prefix is None:
            return
        if not hasattr(self._dut, f"{prefix}_tvalid"):
            raise ValueError(f"the design has no port {prefix}_tvalid: prefixes renames {name}, or leaves it out with None")
        cocotb.start_soon(how(prefix, tell))

    def _stream(self, prefix):
        """Whether a word is transferred, and its fields."""
        field = lambda name: getattr(self._dut, f"{prefix}_{name}", None)
        valid, ready = field("tvalid"), field("tready")
        moves = lambda: valid.value == 1 and (ready is None or ready.value == 1)
        return moves, lambda name: int(field(name).value)

    async def _words(self, prefix, tell):
        moves, word = self._stream(prefix)
        while True:
            await RisingEdge(self._clock)
            if moves():
                tell(word)

    async def _packets(self, prefix, tell):
        moves, word = self._stream(prefix)
        packet = bytearray()
        while True:
            await RisingEdge(self._clock)
            if moves():
                count = word("tkeep").bit_count()
                packet += (word("tdata") & (1 << 8 * count) - 1).to_bytes(count, "little")
                if word("tlast"):
                    tell(bytes(packet), word)
                    packet.clear()

    def _work(self, word):
        data = word("tdata")
        part = lambda low, bits: data >> low & (1 << bits) - 1
        immediate = part(192, 32) if word("tuser") else None
        words = {"local": part(0, 64), "remote": part(64, 64), "key": part(128, 32), "length": part(160, 32), "id": part(224, 32)}
        self.work(word("tid"), immediate=immediate, now_ticks=self.now_ticks, **words)
