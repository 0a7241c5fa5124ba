"""weft: packet spraying in data centres. The fabric simulator, and the bit-exact models of the NIC and of its blocks.

    run = weft_sim.run("examples/permutation.toml", seed=7, **{"hosts.ev_mode": "reps"})
    run.summary, run.flows, run.series
"""

from . import _native
from ._fabric import Fabric
from ._native import (
    Difference,
    Done,
    Incoming,
    Late,
    Nic,
    Outgoing,
    Received,
    Reps,
    RepsOutcome,
    SackRx,
    SackRxOutcome,
    SackTx,
    SackTxOutcome,
    Scoreboard,
    Sent,
    SetupError,
    Smartt,
    SmarttOutcome,
    Table,
)
from ._setup import Run, Setup, SetupWarning, run
from ._sweep import Sweep, sweep

__all__ = [
    "Difference",
    "Done",
    "Fabric",
    "Incoming",
    "Late",
    "Nic",
    "Outgoing",
    "Received",
    "Reps",
    "RepsOutcome",
    "Run",
    "SackRx",
    "SackRxOutcome",
    "SackTx",
    "SackTxOutcome",
    "Scoreboard",
    "Sent",
    "Setup",
    "SetupError",
    "SetupWarning",
    "Smartt",
    "SmarttOutcome",
    "Sweep",
    "Table",
    "run",
    "sweep",
]

# Results have the digest of the program that made them. Here that is the library, since all interpreters are
# alike.
_native.program_is(_native.__file__)
