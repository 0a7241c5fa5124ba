"""Each block through Python and through libweft: 100,000 random events, every field of every answer."""

import ctypes
import random
import unittest

import libweft
import weft_sim

EVENTS = 100_000
CONNECTIONS = 16

# The names of codes, in their order.
REPS = ["send", "ack", "timeout", "path_ok", "idle", "open", "close", "seed"]
SOURCES = ["given", "explored", "recycled", "reused"]
SMARTT = ["ack", "trim", "timeout", "open", "close"]
CASES = [
    "none", "fair_decrease", "multiplicative_decrease", "fair_increase", "multiplicative_increase", "held", "waiting",
    "ignored", "loss", "quick_adapt", "fast_increase", "both",
]  # fmt: skip
SACK_RX = ["data", "trimmed", "flush", "probe", "open", "close"]
VERDICTS = ["none", "placed", "duplicate", "outside", "trimmed"]
RESPONSES = ["none", "ack", "nack"]
SACK_TX = ["post", "ack", "nack", "window", "open", "close", "send", "timeout", "epoch", "probe"]
REASONS = ["none", "never_sent", "stale", "refused"]


class Block:
    """A block behind both doors."""

    def __init__(self, name, model, *shape):
        self.name, self.model, self.handle = name, model, libweft.new(name, *shape)
        self.event = libweft.STRUCTS[f"weft_{name}_event"]()
        self.outcome = libweft.STRUCTS[f"weft_{name}_outcome"]()

    def c(self, **event):
        for name, value in event.items():
            setattr(self.event, name, (ctypes.c_uint64 * 4)(*value) if isinstance(value, list) else value)
        libweft.call(f"weft_{self.name}_step", self.handle, ctypes.byref(self.event), ctypes.byref(self.outcome))
        return libweft.fields(self.outcome)


def connection(rng):
    """Mostly small numbers, so that some connections are used often and progress far."""
    return rng.randrange(3) if rng.random() < 0.75 else rng.randrange(CONNECTIONS)


def words(number):
    return [number >> 64 * at & (1 << 64) - 1 for at in range(4)]


class Blocks(unittest.TestCase):
    def test_reps(self):
        rng, seen = random.Random(7), set()
        block = Block("reps", weft_sim.Reps(CONNECTIONS), CONNECTIONS, 8, 16)
        kinds = rng.choices(range(8), [40, 40, 4, 1, 2, 3, 1, 1], k=EVENTS)
        for at, kind in enumerate(kinds):
            event = {"connection": connection(rng), "ev": rng.randrange(1 << 16), "ecn": rng.random() < 0.25}
            event |= {"rtt_ticks": rng.randrange(2_000), "now_ticks": rng.randrange(1 << 20)}
            told = block.model.step(REPS[kind], **event).asdict()
            seen.add((told["source"], told["turned"]))
            told |= {"kind": REPS.index(told["kind"]), "source": SOURCES.index(told["source"])}
            self.assertEqual(told, block.c(kind=kind, **event), f"event {at}: {REPS[kind]}, {event}")
        self.assertEqual({source for source, _ in seen}, set(SOURCES))
        self.assertEqual({turned for _, turned in seen}, {False, True})

    def test_smartt(self):
        rng, seen = random.Random(7), set()
        block = Block("smartt", weft_sim.Smartt(CONNECTIONS), CONNECTIONS)
        # After reset classes 2 and 3 are equal. The second register has four words.
        for name, value in ("smartt_class3_max_cwnd", 0xF0000), ("smartt_wtd_alphas", int("e2ddd9d3ccc5bdb3a89b8d7d6a5540", 16)):
            block.model.write(name, value)
            self.assertEqual(block.model.read(name), value)
            for word, offset in enumerate(libweft.offsets(name)):
                libweft.call("weft_smartt_write", block.handle, offset, value >> 32 * word & 0xFFFF_FFFF)
        for at, kind in enumerate(rng.choices(range(5), [60, 4, 2, 2, 1], k=EVENTS)):
            event = {"connection": connection(rng), "in_flight_bytes": rng.randrange(1 << 20), "ecn": rng.random() < 0.5}
            event |= {"rtt_ticks": rng.randrange(1_200), "rtt_class": rng.randrange(4), "packets": 1 + rng.randrange(16)}
            event |= {"now_ticks": rng.randrange(1 << 14)}
            size_bytes = rng.randrange(1 << 16)
            told = block.model.step(SMARTT[kind], size_bytes=size_bytes, **event).asdict()
            seen.add(told["case"])
            told |= {"kind": SMARTT.index(told["kind"]), "what": CASES.index(told.pop("case"))}
            self.assertEqual(told, block.c(kind=kind, bytes=size_bytes, **event), f"event {at}: {SMARTT[kind]}, {event}")
        self.assertGreaterEqual(len(seen), 9, seen)

    def test_sack_rx(self):
        rng, seen = random.Random(7), set()
        block = Block("sack_rx", weft_sim.SackRx(CONNECTIONS), CONNECTIONS)
        for at, kind in enumerate(rng.choices(range(6), [300, 20, 5, 5, 2, 1], k=EVENTS)):
            event = {"connection": connection(rng), "psn": 0 if kind == 4 else rng.randrange(300)}
            event |= {"tag": rng.randrange(1 << 32), "ce": rng.random() < 0.125, "request": rng.random() < 0.125}
            event |= {"last": rng.random() < 0.3}
            size_bytes = rng.randrange(4_097)
            told = block.model.step(SACK_RX[kind], size_bytes=size_bytes, **event).asdict()
            seen.add(told["verdict"])
            told |= {"kind": SACK_RX.index(told["kind"]), "verdict": VERDICTS.index(told["verdict"])}
            told |= {"response": RESPONSES.index(told["response"]), "bitmap": words(told["bitmap"])}
            self.assertEqual(told, block.c(kind=kind, bytes=size_bytes, **event), f"event {at}: {SACK_RX[kind]}, {event}")
        self.assertEqual(seen, set(VERDICTS))

    def test_sack_tx(self):
        rng, count = random.Random(7), [0, 0, 0, 0]
        block = Block("sack_tx", weft_sim.SackTx(CONNECTIONS), CONNECTIONS)
        place = ctypes.byref(block.outcome)

        def compared(told, other, what):
            self.assertEqual(told is None, other is None, what)
            if told is not None:
                count[0] += told.acked
                count[1] += max(told.lost, 0)
                told = told.asdict()
                told |= {"kind": SACK_TX.index(told["kind"]), "reason": REASONS.index(told["reason"])}
                told["lost"] &= 0xFFFF
                self.assertEqual(told, other, what)

        for at, kind in enumerate(rng.choices(range(6), [10, 20, 5, 5, 2, 1], k=EVENTS)):
            now = 40 * at & 0xFF_FFFF
            event = {"connection": connection(rng), "psn": rng.randrange(64), "trigger": rng.randrange(64)}
            event |= {"cwnd_bytes": rng.randrange(1 << 20), "tag": rng.randrange(1 << 32), "now_ticks": now}
            event |= {"packets": 1 + rng.randrange(20), "denied": rng.random() < 0.05}
            bitmap = rng.randrange(1 << 64) | rng.randrange(1 << 64) << 192
            what = f"event {at}: {SACK_TX[kind]}, {event}"
            told = block.model.step(SACK_TX[kind], bitmap=bitmap, **event)
            compared(told, block.c(kind=kind, bitmap=words(bitmap), **event), what)
            there = libweft.call("weft_sack_tx_send", block.handle, now, place) == libweft.ONE
            count[2] += there
            compared(block.model.send(now_ticks=now), libweft.fields(block.outcome) if there else None, what)
            there = libweft.call("weft_sack_tx_timer", block.handle, event["connection"], now, place) == libweft.ONE
            count[3] += there
            own = block.model.timer(event["connection"], now_ticks=now)
            compared(own, libweft.fields(block.outcome) if there else None, what)
        self.assertTrue(all(each > 100 for each in count), count)

    def test_registers(self):
        reps = weft_sim.Reps()
        reps.write("reps_evs_size", 256)
        self.assertEqual(reps.read("reps_evs_size"), 256)
        # The same register by its offset.
        handle = libweft.new("reps", 256, 8, 16)
        (offset,), value = libweft.offsets("reps_evs_size"), ctypes.c_uint32()
        libweft.call("weft_reps_read", handle, offset, ctypes.byref(value))
        self.assertEqual(weft_sim.Reps().read(offset), value.value)
        for register, number in ("smartt_delay", 1), ("no", 1), (0xFFFC, 1), ("reps_evs_size", 1 << 40), ("reps_evs_size", 0):
            with self.assertRaises(ValueError, msg=register):
                reps.write(register, number)
        self.assertEqual(reps.read("reps_evs_size"), 256)

    def test_misuse_is_an_exception(self):
        for wrong in (
            lambda: weft_sim.Reps(5),
            lambda: weft_sim.Reps().step("no"),
            lambda: weft_sim.Reps().step("ack", 256),
            lambda: weft_sim.Smartt().step("ack", packets=17),
            lambda: weft_sim.SackRx().step("data", psn=1 << 24),
            lambda: weft_sim.SackTx().step("timeout"),
            lambda: weft_sim.Nic().frame(now_ticks=0),
            lambda: weft_sim.Nic().open(0, address="10.0.0"),
        ):
            with self.assertRaises(ValueError):
                wrong()


if __name__ == "__main__":
    unittest.main()
