"""Wrong arguments for every function of every class: an exception of Python with a text, never a panic of Rust."""

import inspect
import pathlib
import random
import tempfile
import unittest

import weft_sim

ODD = [None, -1, 0, 1, 5, 255, 256, 1 << 16, 1 << 24, 1 << 31, 1 << 32, 1 << 64, 1 << 130, 1.5, "", "no", "\0", b"", b"\0", bytes(2000), [], {}, True]
NAMES = ["open", "ack", "data", "send", "reps_evs_size", "sender_mtu_shift", "ingress_data", "scratch", "10.0.0.2", "::1", "done", 0x2C0]
CALLS = 400
SETUP = """
topology = { kind = "leaf-spine", leaves = 2, spines = 2, hosts_per_leaf = 2 }
scheme = { name = "ecmp" }
workload = { kind = "none" }
"""
MAKERS = {
    weft_sim.Reps: weft_sim.Reps,
    weft_sim.Smartt: weft_sim.Smartt,
    weft_sim.SackRx: weft_sim.SackRx,
    weft_sim.SackTx: weft_sim.SackTx,
    weft_sim.Nic: lambda: weft_sim.Nic(4),
    weft_sim.Scoreboard: lambda: weft_sim.Scoreboard(4),
    weft_sim.Fabric: lambda: weft_sim.Fabric(weft_sim.Setup(text=SETUP)),
    weft_sim.Setup: lambda: weft_sim.Setup(text=SETUP),
}


def functions(kind):
    """The public functions of a class."""
    return [name for name, it in inspect.getmembers(kind) if callable(it) and not name.startswith("_")]


def parameters(function):
    try:
        return list(inspect.signature(function).parameters.values())
    except ValueError:
        return []


class Misuse(unittest.TestCase):
    def call(self, function, rng, odd):
        """Makes a call with this many odd arguments; the other arguments are small numbers, or names that the function may
        accept. Returns 1 if the call failed, else 0."""
        words, named = [], {}
        given = parameters(function)
        wrong = set(rng.sample(range(len(given)), min(odd, len(given))))
        for at, parameter in enumerate(given):
            value = rng.choice(ODD) if at in wrong else rng.choice([0, 1, 2, rng.choice(NAMES), b"\1\2\3\4"])
            if parameter.kind == parameter.VAR_KEYWORD:
                named[rng.choice(["hosts.ev_mode", "topology.leaves", "seed", "no"])] = rng.choice(ODD)
            elif parameter.kind == parameter.KEYWORD_ONLY:
                if at in wrong or parameter.default is parameter.empty or rng.random() < 0.3:
                    named[parameter.name] = value
            else:
                words.append(value)
        try:
            function(*words, **named)
            return 0
        except weft_sim.Difference:
            return 0
        except (ValueError, TypeError, OverflowError, OSError) as error:
            self.assertTrue(str(error), f"{function}{words}{named}: no text")
            return 1
        except BaseException as error:
            self.fail(f"{function.__qualname__}{tuple(words)} {named}: {type(error).__name__}: {error}")

    def test_wrong_arguments(self):
        for kind, make in MAKERS.items():
            rng = random.Random(kind.__name__)
            made, failed = make(), 0
            names = functions(kind)
            for _ in range(CALLS):
                failed += self.call(getattr(made, rng.choice(names)), rng, rng.randrange(4))
                # A fabric that has ended is of no more use.
                if kind is weft_sim.Fabric and rng.random() < 0.1:
                    made = make()
            self.assertGreater(failed, CALLS // 5, kind)

    def test_shapes(self):
        for kind in (weft_sim.Reps, weft_sim.Smartt, weft_sim.SackRx, weft_sim.SackTx, weft_sim.Nic, weft_sim.Scoreboard):
            for value in (None, -1, 0, 5, 1 << 40, "no", 4.0):
                with self.assertRaises((ValueError, TypeError, OverflowError), msg=f"{kind} {value}"):
                    kind(connections=value)

    def test_a_sweep_without_jobs(self):
        with tempfile.TemporaryDirectory() as out, self.assertRaisesRegex(ValueError, "jobs 0: use 1 or more"):
            setup = pathlib.Path(out, "setup.toml")
            setup.write_text(SETUP.replace('"none"', '"tornado", bytes = 1'))
            weft_sim.sweep(setup, {"scheme.name": ["ecmp"]}, out=f"{out}/results", jobs=0)

    def test_cocotb_without_the_ports(self):
        try:
            import weft_sim.cocotb
        except ImportError:
            self.skipTest("cocotb is not installed: scripts/setup.sh extra")
        with self.assertRaisesRegex(ValueError, "no port s_axis_net_tvalid"):
            weft_sim.cocotb.Scoreboard(object(), clock=object())
        with self.assertRaisesRegex(ValueError, "no stream m_axis_nett; use s_axis_net"):
            weft_sim.cocotb.Scoreboard(object(), clock=object(), prefixes={"m_axis_nett": "tx"})


if __name__ == "__main__":
    unittest.main()
