from collections.abc import Callable
from os import PathLike
from typing import Any, Literal

class SetupError(ValueError):
    """A setup that is not valid. `file`, `line` and `key` give the place; each is None if it is not known."""

    file: str | None
    line: int | None
    key: str | None

def program_is(file: str | PathLike[str]) -> None: ...

STATUSES: list[str]
"""The results of work requests, by the code on `m_axis_sent_tuser`."""

class Table:
    """Columns of one length. pandas, polars, pyarrow and others read the columns without a copy, by Arrow's C stream interface."""

    @property
    def columns(self) -> list[str]: ...
    def __len__(self) -> int: ...
    def __getitem__(self, name: str) -> list[Any]:
        """A column as a list, with None in place of a missing value."""
    def asdict(self) -> dict[str, list[Any]]: ...
    def __arrow_c_stream__(self, requested_schema: object | None = None) -> object: ...

class Plan:
    @staticmethod
    def read(path: str | PathLike[str], sets: list[str]) -> Plan: ...
    @staticmethod
    def parse(name: str, text: str, folder: str | PathLike[str], sets: list[str]) -> Plan: ...
    @property
    def warnings(self) -> list[str]: ...
    @property
    def hosts(self) -> int: ...
    @property
    def switches(self) -> int: ...
    def json(self) -> str: ...
    def flows(self) -> Table: ...
    def run(
        self, conditions: str | None = None, oracle: bool = False, progress: Callable[[int, int], object] | None = None
    ) -> Run: ...

class Run:
    def json(self) -> str: ...
    def text(self, seconds: float) -> str: ...
    def csv(self, table: str) -> str: ...
    @property
    def violations(self) -> list[str]: ...
    @property
    def flows(self) -> Table: ...
    @property
    def series(self) -> Table: ...
    @property
    def early(self) -> Table: ...

class Fabric:
    def __new__(cls, plan: Plan) -> Fabric: ...
    @property
    def hosts(self) -> int: ...
    @property
    def window_ps(self) -> int: ...
    @property
    def now_ps(self) -> int: ...
    @property
    def is_idle(self) -> bool: ...
    @property
    def late(self) -> Late: ...
    def connect(self, source: int, destination: int, count: int = 1) -> None: ...
    def send(self, source: int, destination: int, bytes: int, at_ps: int = 0, user: int = 0) -> int: ...
    def advance(self, until_ps: int | None = None) -> list[Done]: ...
    def finish(self) -> Run: ...

class Points:
    def __new__(
        cls, file: str | PathLike[str], over: list[str], sets: list[str], seeds: str, out: str | PathLike[str]
    ) -> Points: ...
    def __len__(self) -> int: ...
    def list(self) -> list[tuple[str, int, PathLike[str]]]: ...
    def check(self) -> None: ...
    def run(self, number: int) -> tuple[str, list[str]]: ...
    def stop(self) -> None: ...
    def figures(self, conditions: str | None = None) -> Figures: ...

class Figures:
    def text(self) -> str: ...
    def csv(self) -> str: ...
    def json(self) -> str: ...
    @property
    def violations(self) -> int: ...
    @property
    def missing(self) -> int: ...
    @property
    def summary(self) -> Table: ...
    @property
    def runs(self) -> Table: ...

class _Record:
    def asdict(self) -> dict[str, Any]:
        """The fields by their names."""
    def __eq__(self, other: object) -> bool: ...

class Done(_Record):
    """The end of a flow at one of its hosts: the receiver has all bytes, or the sender has learned that the receiver has them."""

    flow: int
    user: int
    source: int
    destination: int
    bytes: int
    at_ps: int
    is_sender: bool

class Late(_Record):
    """Flows with a start time in a window that had already run. These flows started in the next window."""

    flows: int
    sum_ps: int
    most_ps: int

class _Block:
    def write(self, register: str | int, value: int) -> None:
        """Writes a register of the block, by its name in docs/registers.md or by the offset of a word. Later events use the value."""
    def read(self, register: str | int) -> int: ...

class RepsOutcome(_Record):
    """The outcome of an event of REPS (docs/blocks/reps.md)."""

    kind: str
    connection: int
    accepted: bool
    source: Literal["given", "explored", "recycled", "reused"]
    ev: int
    frozen: bool
    turned: bool

class Reps(_Block):
    """REPS: the entropy buffer and freezing (docs/blocks/reps.md). Each event has an outcome."""

    def __new__(cls, connections: int = 256, depth: int = 8, ev_width: int = 16) -> Reps: ...
    def step(
        self,
        kind: Literal["send", "ack", "timeout", "path_ok", "idle", "open", "close", "seed"],
        connection: int = 0,
        *,
        ev: int = 0,
        ecn: bool = False,
        rtt_ticks: int = 0,
        now_ticks: int = 0,
    ) -> RepsOutcome: ...

class SmarttOutcome(_Record):
    """The outcome of an event of SMaRTT (docs/blocks/smartt.md)."""

    kind: str
    connection: int
    accepted: bool
    case: str
    cwnd_bytes: int

class Smartt(_Block):
    """SMaRTT: the congestion window (docs/blocks/smartt.md)."""

    def __new__(cls, connections: int = 256) -> Smartt: ...
    def step(
        self,
        kind: Literal["ack", "trim", "timeout", "open", "close"],
        connection: int = 0,
        *,
        size_bytes: int = 0,
        packets: int = 1,
        ecn: bool = False,
        rtt_ticks: int = 0,
        in_flight_bytes: int = 0,
        rtt_class: int = 0,
        now_ticks: int = 0,
    ) -> SmarttOutcome: ...

class SackRxOutcome(_Record):
    """The outcome of an event of the SACK receiver (docs/blocks/sack_rx.md)."""

    kind: str
    connection: int
    accepted: bool
    verdict: Literal["none", "placed", "duplicate", "outside", "trimmed"]
    response: Literal["none", "ack", "nack"]
    ce: bool
    bitmap: int
    expected: int
    psn: int
    messages: int
    received: int
    tag: int
    completed: int
    out_of_order: int
    waited: int

class SackRx(_Block):
    """The SACK receiver: the record of the packets that have arrived (docs/blocks/sack_rx.md)."""

    def __new__(cls, connections: int = 256) -> SackRx: ...
    def step(
        self,
        kind: Literal["data", "trimmed", "flush", "probe", "open", "close"],
        connection: int = 0,
        *,
        psn: int = 0,
        size_bytes: int = 0,
        ce: bool = False,
        request: bool = False,
        last: bool = False,
        tag: int = 0,
    ) -> SackRxOutcome: ...

class SackTxOutcome(_Record):
    """The outcome of an event of the SACK sender (docs/blocks/sack_tx.md)."""

    kind: str
    connection: int
    accepted: bool
    send: bool
    fresh: bool
    last: bool
    failed: bool
    reason: Literal["none", "never_sent", "stale", "refused"]
    beyond: bool
    congested: bool
    failure: bool
    unsure: bool
    psn: int
    acked: int
    lost: int
    completed: int
    errors: int
    unacked: int
    in_flight: int
    tag: int

class SackTx(_Block):
    """The SACK sender: the packets to send, and the packets that are lost (docs/blocks/sack_tx.md)."""

    def __new__(cls, connections: int = 256) -> SackTx: ...
    def step(
        self,
        kind: Literal["post", "ack", "nack", "window", "open", "close"],
        connection: int = 0,
        *,
        psn: int = 0,
        trigger: int = 0,
        denied: bool = False,
        bitmap: int | None = None,
        packets: int = 0,
        cwnd_bytes: int = 0,
        tag: int = 0,
        now_ticks: int = 0,
    ) -> SackTxOutcome: ...
    def send(self, *, now_ticks: int) -> SackTxOutcome | None:
        """Returns the next packet that may leave. Connections take turns."""
    def timer(self, connection: int, *, now_ticks: int) -> SackTxOutcome | None:
        """Handles the timer of a connection, if one is due."""

class Incoming(_Record):
    """The result of a frame from the network."""

    kind: Literal["foreign", "dropped", "taken"]
    cause: str | None
    connection: int | None
    address: int | None
    payload_at: int
    payload_bytes: int

class Outgoing(_Record):
    """The next frame to send."""

    kind: Literal["reply", "data", "other"]
    connection: int | None
    psn: int | None
    ev: int | None
    again: bool
    address: int | None
    payload_bytes: int

class Received(_Record):
    """A received message with an immediate."""

    connection: int
    immediate: int
    message: int

class Sent(_Record):
    """The end of a work request."""

    connection: int
    id: int
    status: Literal["done", "error", "refused", "unanswered", "breach", "denied", "broken"]

class Nic:
    """The event-driven NIC (docs/blocks/nic.md). The caller counts the ticks, which never decrease."""

    def __new__(cls, connections: int = 256) -> Nic: ...
    def write(self, register: str | int, value: int, *, now_ticks: int | None = None) -> None: ...
    def read(self, register: str | int) -> int: ...
    def counters(self) -> dict[str, int]: ...
    def open(
        self,
        connection: int,
        *,
        address: str,
        mac: str = "00:00:00:00:00:00",
        qp: int = 0,
        send_psn: int = 0,
        receive_psn: int = 0,
        region_base: int = 0,
        region_length: int = 0,
        region_key: int = 0,
        tag: int | None = None,
        pkey: int = 0xFFFF,
        ev: int = 0,
        rtt_class: int = 0,
        now_ticks: int = 0,
    ) -> None:
        """Opens a connection. An open connection is closed first."""
    def close(self, connection: int, *, now_ticks: int) -> None: ...
    def drain(self, connection: int, *, now_ticks: int) -> None: ...
    def path_ok(self, connection: int, *, now_ticks: int) -> None: ...
    def buffer(self, connection: int, word: int, *, now_ticks: int) -> None: ...
    def seed(self, seed: int, *, now_ticks: int) -> None: ...
    def state(self, connection: int) -> int: ...
    def event(self) -> tuple[int, int] | None: ...
    def work(
        self,
        connection: int,
        *,
        local: int = 0,
        remote: int = 0,
        key: int = 0,
        length: int,
        immediate: int | None = None,
        id: int = 0,
        now_ticks: int,
    ) -> None: ...
    def bypass(self, frame: bytes) -> None: ...
    def receive(self, frame: bytes, *, bad: bool = False, now_ticks: int) -> Incoming: ...
    def poll(self, *, now_ticks: int) -> Outgoing | None: ...
    def frame(self, payload: bytes | None = None, *, now_ticks: int) -> bytes | None: ...
    def received(self) -> Received | None: ...
    def sent(self) -> Sent | None: ...
    def deadline(self, *, now_ticks: int) -> int | None: ...

class Difference(AssertionError):
    """A difference: the output of the design, and the output of the model."""

class Scoreboard:
    """A model of the NIC, and its outputs that the design has not made yet (docs/verify-your-nic.md). An output that differs
    raises `Difference`."""

    def __new__(cls, connections: int = 256) -> Scoreboard: ...
    @property
    def nic(self) -> Nic:
        """The model, for its registers and connections."""
    @property
    def compared(self) -> int:
        """Number of outputs that were equal."""
    def work(
        self,
        connection: int,
        *,
        now_ticks: int,
        local: int = 0,
        remote: int = 0,
        key: int = 0,
        length: int,
        immediate: int | None = None,
        id: int = 0,
    ) -> None:
        """The design accepted a work request."""
    def receive(self, frame: bytes, *, bad: bool = False, now_ticks: int) -> None:
        """The design accepted a frame from the network, without FCS."""
    def bypass(self, frame: bytes) -> None:
        """The design accepted a frame of the host's other traffic."""
    def frame(self, frame: bytes, *, now_ticks: int) -> None:
        """The design sent a frame, without FCS."""
    def bypassed(self, frame: bytes, *, bad: bool = False) -> None:
        """The design passed on a frame of other software."""
    def fetch(self, connection: int, address: int, payload_bytes: int, *, now_ticks: int) -> None:
        """The design requested the payload of a packet."""
    def read(self, payload: bytes | None = None) -> None:
        """The design got the answer to its oldest fetch. None: the read failed."""
    def write(self, connection: int, address: int, payload: bytes) -> None:
        """The design wrote the payload of a packet."""
    def received(self, connection: int, immediate: int, message: int, *, now_ticks: int) -> None:
        """The design completed a received message."""
    def sent(self, connection: int, id: int, status: str, *, now_ticks: int) -> None:
        """The design completed a work request; `status` as in `Sent`."""
    def event(self, connection: int, state: int, *, now_ticks: int) -> None:
        """The design reported an event; `state` is the byte of the register STATE. A design without events can report those of
        the model: `board.nic.event()`."""
    def counter(self, register: str | int, value: int, *, now_ticks: int) -> None:
        """The design is quiet, and this counter has this value, modulo 2^32. Counters of clocks (`holds_*`) may have any value."""
    def settle(self, *, now_ticks: int) -> None:
        """The design is quiet. An output that is missing raises `Difference`."""
