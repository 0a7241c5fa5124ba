"""Streams with valid and ready, driven and read word by word, with random stalls."""

from collections import deque

import cocotb
from cocotb.triggers import RisingEdge

WORD = 64


def words(data: bytes, user=0) -> list[dict]:
    """The words of a frame."""
    out = []
    for at in range(0, len(data), WORD):
        part = data[at:at + WORD]
        out.append(dict(tdata=int.from_bytes(part, "little"), tkeep=(1 << len(part)) - 1, tlast=int(at + WORD >= len(data)), tuser=user))
    return out


def number(name, field) -> int:
    """The value of a signal. Only bytes that are not valid may be unknown."""
    value = field.value
    if name == "tdata" and not value.is_resolvable:
        return int(str(value).translate(UNKNOWN), 2)
    return int(value)


UNKNOWN = str.maketrans("XZUW-", "00000")


def figure(dut, text):
    """A measured figure, which is printed and compared with the page."""
    print(f"{dut._name}: {text}", flush=True)


class Source:
    """Offers words with a probability `rate` per clock. `waiting` has words not yet accepted. An offered word stays."""

    def __init__(self, dut, prefix, rng, rate=1.0, valid="tvalid", ready="tready"):
        self.dut, self.prefix, self.rng, self.rate = dut, prefix, rng, rate
        self.waiting, self.offered, self.taken = deque(), False, 0
        self.valid, self.ready = getattr(dut, f"{prefix}_{valid}"), getattr(dut, f"{prefix}_{ready}", None)
        self.fields = {}
        self.valid.value = 0
        cocotb.start_soon(self._run())

    def send(self, frame: list[dict]):
        self.waiting.extend(frame)

    def _field(self, name):
        if name not in self.fields:
            self.fields[name] = getattr(self.dut, f"{self.prefix}_{name}", None)
        return self.fields[name]

    async def _run(self):
        clock = RisingEdge(self.dut.clk)
        while True:
            await clock
            if self.offered and (self.ready is None or self.ready.value == 1):
                self.waiting.popleft()
                self.taken += 1
                self.offered = False
                self.valid.value = 0
            if not self.offered and self.waiting and self.dut.rst.value == 0 and (self.rate >= 1 or self.rng.random() < self.rate):
                for name, value in self.waiting[0].items():
                    field = self._field(name)
                    if field is not None:
                        field.value = value
                self.valid.value = 1
                self.offered = True


class Sink:
    """Accepts words with a probability `rate` per clock. `words` has the accepted words, each with its clock as `at`."""

    def __init__(self, dut, prefix, rng, rate=1.0, valid="tvalid", ready="tready", fields=("tdata", "tkeep", "tlast", "tuser", "tid")):
        self.dut, self.rng, self.rate = dut, rng, rate
        self.words, self.clocks, self.on_word = deque(), 0, None
        self.valid, self.ready = getattr(dut, f"{prefix}_{valid}"), getattr(dut, f"{prefix}_{ready}", None)
        self.fields = {name: getattr(dut, f"{prefix}_{name}") for name in fields if hasattr(dut, f"{prefix}_{name}")}
        self.open = False
        if self.ready is not None:
            self.ready.value = 0
        cocotb.start_soon(self._run())

    async def _run(self):
        clock = RisingEdge(self.dut.clk)
        held = None
        while True:
            await clock
            self.clocks += 1
            if self.dut.rst.value == 1:
                held = None
                continue
            if self.valid.value == 1:
                word = {name: number(name, field) for name, field in self.fields.items()} if held is None or self.open else held
                assert held is None or word == held, "a word that was offered has changed"
                held = word
                if self.open or self.ready is None:
                    held = None
                    word["at"] = self.clocks
                    self.words.append(word)
                    if self.on_word:
                        self.on_word(word)
            else:
                assert held is None, "a word that was offered has gone"
            if self.ready is not None:
                self.open = self.rate >= 1 or self.rng.random() < self.rate
                self.ready.value = int(self.open)

    def frames(self):
        """Removes whole frames from the accepted words: (bytes, tuser of the last word, the words)."""
        out = []
        while True:
            last = next((i for i, word in enumerate(self.words) if word["tlast"]), None)
            if last is None:
                return out
            frame = [self.words.popleft() for _ in range(last + 1)]
            data = bytearray()
            for i, word in enumerate(frame):
                keep = word.get("tkeep", (1 << WORD) - 1)
                size = keep.bit_length()
                assert keep == (1 << size) - 1 and size and (i == last or size == WORD), f"tkeep {keep:x} in word {i} of {last}"
                data += word["tdata"].to_bytes(WORD, "little")[:size]
            out.append((bytes(data), frame[-1].get("tuser", 0), frame))
