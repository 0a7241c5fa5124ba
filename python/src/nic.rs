//! The NIC, driven by events (page `docs/blocks/nic.md`): a frame arrives, a work request arrives, the wire
//! becomes free.

use crate::error::{below, value};
use crate::words::{Where, record};
use pyo3::prelude::*;
use pyo3::types::PyBytes;
use std::collections::{BTreeMap, VecDeque};
use std::net::IpAddr;
use weft_handle::{Image, RegisterError, check};
use weft_nic::block::ingress::Cause;
use weft_nic::nic::transaction;
use weft_nic::words::{Status, Work};
use weft_params::SackParams;
use weft_params::registers::{Staged, counter_at, counters};

record! {
    /// The result of a frame from the network. `kind` is "foreign", "dropped" or "taken".
    Incoming {
        kind: &'static str,
        /// For a dropped frame: the reason.
        cause: Option<&'static str>,
        connection: Option<u32>,
        /// Address to which the payload is to be written, if there is any.
        address: Option<u64>,
        /// Offset and length of the payload in the frame.
        payload_at: usize,
        payload_bytes: usize,
    }
}

record! {
    /// The next frame to send. `kind` is "reply", "data" or "other".
    Outgoing {
        kind: &'static str,
        connection: Option<u32>,
        psn: Option<u32>,
        ev: Option<u16>,
        /// A data packet that is sent again.
        again: bool,
        /// Address from which the payload is to be read, if there is any.
        address: Option<u64>,
        payload_bytes: u16,
    }
}

record! {
    /// A received message with an immediate.
    Received { connection: u32, immediate: u32, message: u32 }
}

record! {
    /// The end of a work request.
    Sent { connection: u32, id: u32, status: &'static str }
}

/// A NIC of the transaction view. The caller counts the ticks, which never decrease.
#[pyclass(module = "weft_sim")]
pub(crate) struct Nic {
    pub(crate) model: transaction::Nic,
    connections: u32,
    image: Image,
    /// Orders that `poll` returned and for which `frame` has not yet made the frame.
    orders: VecDeque<transaction::Outgoing>,
    now: u64,
}

fn cause(it: Cause) -> &'static str {
    match it {
        Cause::Mac => "mac",
        Cause::Malformed => "malformed",
        Cause::Checksum => "checksum",
        Cause::Icrc => "icrc",
        Cause::Unknown => "unknown",
        Cause::Stranger => "stranger",
        Cause::Vlan => "vlan",
        Cause::Partition => "partition",
        Cause::Overflow => "overflow",
    }
}

/// The results of work requests, by the code of [`Status`].
pub(crate) const STATUSES: [&str; 7] =
    ["done", "error", "refused", "unanswered", "breach", "denied", "broken"];

fn status(it: Status) -> &'static str {
    STATUSES[it as usize]
}

/// A MAC address such as 02:00:00:00:00:01, the first byte highest.
fn mac_of(text: &str) -> PyResult<u64> {
    let bytes: Option<Vec<u8>> = text.split(':').map(|it| u8::from_str_radix(it, 16).ok()).collect();
    let bytes = bytes.filter(|bytes| bytes.len() == 6);
    let bytes = bytes.ok_or_else(|| value(format!("mac {text:?}: write it as 02:00:00:00:00:01")))?;
    Ok(bytes.iter().fold(0, |mac, byte| mac << 8 | u64::from(*byte)))
}

impl Nic {
    /// Prepares a call at a time that has a connection.
    pub(crate) fn at(&mut self, connection: u32, now_ticks: u64) -> PyResult<&mut transaction::Nic> {
        below("connection", connection, self.connections)?;
        self.on(now_ticks)
    }

    /// Prepares a call at a time.
    pub(crate) fn on(&mut self, now_ticks: u64) -> PyResult<&mut transaction::Nic> {
        if now_ticks < self.now {
            return Err(value(format!(
                "now_ticks {now_ticks} is earlier than {} of the call before; time must not go back",
                self.now
            )));
        }
        self.now = now_ticks;
        Ok(&mut self.model)
    }
}

#[pymethods]
impl Nic {
    #[new]
    #[pyo3(signature = (connections=256))]
    pub(crate) fn new(connections: u32) -> PyResult<Self> {
        let params = SackParams { connections };
        params.check().map_err(value)?;
        let image = Image::new();
        let model = transaction::Nic::new(params, image.csr());
        Ok(Self { model, connections, image, orders: VecDeque::new(), now: 0 })
    }

    /// Writes a register of the configuration.
    #[pyo3(signature = (register, value, *, now_ticks=None))]
    fn write(&mut self, register: Where, value: u128, now_ticks: Option<u64>) -> PyResult<()> {
        let (now, before) = (now_ticks.unwrap_or(self.now), self.now);
        self.on(now)?;
        let (image, connections) = (&mut self.image, self.connections);
        // A refused value leaves the time as it was.
        register
            .write(value, |offset, word| {
                image.write(&[], offset, word, |csr| check(csr, connections)).map(drop)
            })
            .inspect_err(|_| self.now = before)?;
        let csr = self.image.csr();
        self.model.set_csr(csr, now);
        Ok(())
    }

    /// Reads a register of the configuration, or the low word of a counter.
    fn read(&self, register: Where) -> PyResult<u128> {
        let counted = |offset| counter_at(offset).map(|place| self.model.counters()[place]);
        register.read(|offset| {
            self.image.read(offset).or_else(|| counted(offset)).ok_or(RegisterError::None(offset))
        })
    }

    /// The counters of all blocks, modulo 2^32.
    fn counters(&self) -> BTreeMap<String, u32> {
        counters().map(|register| register.name.clone()).zip(self.model.counters()).collect()
    }

    #[pyo3(signature = (connection, *, address, mac="00:00:00:00:00:00", qp=0, send_psn=0, receive_psn=0, region_base=0, region_length=0, region_key=0, tag=None, pkey=0xFFFF, ev=0, rtt_class=0, now_ticks=0))]
    #[expect(clippy::too_many_arguments, reason = "what software stages, by its names")]
    fn open(
        &mut self,
        connection: u32,
        address: &str,
        mac: &str,
        qp: u32,
        send_psn: u32,
        receive_psn: u32,
        region_base: u64,
        region_length: u32,
        region_key: u32,
        tag: Option<u16>,
        pkey: u16,
        ev: u16,
        rtt_class: u8,
        now_ticks: u64,
    ) -> PyResult<()> {
        for (name, number) in [("qp", qp), ("send_psn", send_psn), ("receive_psn", receive_psn)] {
            below(name, number, 1 << 24)?;
        }
        below("rtt_class", rtt_class.into(), 4)?;
        let address: IpAddr =
            address.parse().map_err(|_| value(format!("address {address:?} is not an IP address")))?;
        let (peer_address, peer_v6) = match address {
            IpAddr::V4(it) => (u128::from(u32::from(it)), false),
            IpAddr::V6(it) => (it.into(), true),
        };
        let staged = Staged {
            peer_address,
            peer_v6,
            peer_mac: mac_of(mac)?,
            peer_tag: tag,
            peer_pkey: Some(pkey),
            peer_qp: qp,
            send_psn,
            receive_psn,
            region_base,
            region_length,
            region_key,
            class: rtt_class,
            ev,
            seed: 0,
        };
        self.at(connection, now_ticks)?.open(connection, &staged, now_ticks);
        Ok(())
    }

    #[pyo3(signature = (connection, *, now_ticks))]
    fn close(&mut self, connection: u32, now_ticks: u64) -> PyResult<()> {
        self.at(connection, now_ticks)?.close(connection, now_ticks);
        Ok(())
    }

    #[pyo3(signature = (connection, *, now_ticks))]
    fn drain(&mut self, connection: u32, now_ticks: u64) -> PyResult<()> {
        self.at(connection, now_ticks)?.drain(connection, now_ticks);
        Ok(())
    }

    #[pyo3(signature = (connection, *, now_ticks))]
    fn path_ok(&mut self, connection: u32, now_ticks: u64) -> PyResult<()> {
        self.at(connection, now_ticks)?.path_ok(connection, now_ticks);
        Ok(())
    }

    #[pyo3(signature = (connection, word, *, now_ticks))]
    fn buffer(&mut self, connection: u32, word: u8, now_ticks: u64) -> PyResult<()> {
        below("word", word.into(), 3)?;
        self.at(connection, now_ticks)?.buffer(connection, word, now_ticks);
        Ok(())
    }

    #[pyo3(signature = (seed, *, now_ticks))]
    fn seed(&mut self, seed: u32, now_ticks: u64) -> PyResult<()> {
        self.on(now_ticks)?.seed(seed, now_ticks);
        Ok(())
    }

    /// The byte of the register STATE.
    fn state(&mut self, connection: u32) -> PyResult<u8> {
        below("connection", connection, self.connections)?;
        Ok(self.model.standing(connection).word())
    }

    /// The next connection with an event, and its present state.
    fn event(&mut self) -> Option<(u32, u8)> {
        self.model.event().map(|(connection, standing)| (connection, standing.word()))
    }

    #[pyo3(signature = (connection, *, local=0, remote=0, key=0, length, immediate=None, id=0, now_ticks))]
    #[expect(clippy::too_many_arguments, reason = "a work request, by its names")]
    fn work(
        &mut self,
        connection: u32,
        local: u64,
        remote: u64,
        key: u32,
        length: u32,
        immediate: Option<u32>,
        id: u32,
        now_ticks: u64,
    ) -> PyResult<()> {
        let with_immediate = immediate.is_some();
        let immediate = immediate.unwrap_or(0);
        let work = Work { local, remote, key, length, immediate, id, with_immediate };
        self.at(connection, now_ticks)?.work(connection, &work, now_ticks);
        Ok(())
    }

    /// Accepts a frame of the host's other traffic, without FCS.
    fn bypass(&mut self, frame: &[u8]) {
        self.model.bypass(frame.to_vec());
    }

    /// Handles a frame from the network, without FCS. The caller must write the payload before it requests
    /// completions.
    #[pyo3(signature = (frame, *, bad=false, now_ticks))]
    fn receive(&mut self, frame: &[u8], bad: bool, now_ticks: u64) -> PyResult<Incoming> {
        let none = Incoming {
            kind: "foreign",
            cause: None,
            connection: None,
            address: None,
            payload_at: 0,
            payload_bytes: 0,
        };
        Ok(match self.on(now_ticks)?.receive(frame, bad, now_ticks) {
            transaction::Incoming::Foreign => none,
            transaction::Incoming::Dropped(why) => {
                Incoming { kind: "dropped", cause: Some(cause(why)), ..none }
            }
            transaction::Incoming::Taken { connection, write } => {
                let taken = Incoming { kind: "taken", connection: Some(connection), ..none };
                match write.filter(|(_, payload)| !payload.is_empty()) {
                    None => taken,
                    Some((address, payload)) => Incoming {
                        address: Some(address),
                        payload_at: payload.as_ptr() as usize - frame.as_ptr() as usize,
                        payload_bytes: payload.len(),
                        ..taken
                    },
                }
            }
        })
    }

    /// The next frame to send, now that the wire is free. `frame` makes the frames, in the order of these
    /// calls.
    #[pyo3(signature = (*, now_ticks))]
    fn poll(&mut self, now_ticks: u64) -> PyResult<Option<Outgoing>> {
        let Some(order) = self.on(now_ticks)?.poll(now_ticks) else { return Ok(None) };
        let other = Outgoing {
            kind: "other",
            connection: None,
            psn: None,
            ev: None,
            again: false,
            address: None,
            payload_bytes: 0,
        };
        let shown = match &order {
            transaction::Outgoing::Other(_) => other,
            transaction::Outgoing::Reply(connection, _) => {
                Outgoing { kind: "reply", connection: Some(*connection), ..other }
            }
            transaction::Outgoing::Data(ordered) => Outgoing {
                kind: "data",
                connection: Some(ordered.connection),
                psn: Some(ordered.order.psn),
                ev: Some(ordered.order.ev),
                again: ordered.order.again,
                address: ordered.fetch.map(|it| it.address),
                payload_bytes: ordered.fetch.map_or(0, |it| it.bytes),
            },
        };
        self.orders.push_back(order);
        Ok(Some(shown))
    }

    /// Makes the frame of the oldest order of `poll` that has no frame yet, without FCS. `payload`: the bytes
    /// that were read; None means that the read failed. The result is None if the read failed or the NIC no
    /// longer sends the packet.
    #[pyo3(signature = (payload=None, *, now_ticks))]
    fn frame<'py>(
        &mut self,
        py: Python<'py>,
        payload: Option<&[u8]>,
        now_ticks: u64,
    ) -> PyResult<Option<Bound<'py, PyBytes>>> {
        let wanted = match self.orders.front() {
            None => return Err(value("no polled packet waits for its frame: call poll first")),
            Some(transaction::Outgoing::Data(ordered)) => usize::from(ordered.fetch.map_or(0, |it| it.bytes)),
            Some(_) => 0,
        };
        if let Some(given) = payload.map(<[u8]>::len).filter(|given| *given != wanted) {
            return Err(value(format!("payload of {given} bytes: this packet has {wanted}")));
        }
        self.on(now_ticks)?;
        // Without payload there is no read that could fail.
        let payload = if wanted == 0 { Some(&[][..]) } else { payload };
        let Some(order) = self.orders.pop_front() else { return Ok(None) };
        Ok(self.model.frame(order, payload, now_ticks).map(|frame| PyBytes::new(py, &frame)))
    }

    /// The next message with an immediate that has been received.
    fn received(&mut self) -> Option<Received> {
        self.model.received().map(|(connection, told)| Received {
            connection,
            immediate: told.immediate,
            message: told.message,
        })
    }

    /// The next work request that has ended.
    fn sent(&mut self) -> Option<Sent> {
        self.model.sent().map(|(connection, told)| Sent {
            connection,
            id: told.id,
            status: status(told.status),
        })
    }

    /// Time at which the next timer expires.
    #[pyo3(signature = (*, now_ticks))]
    fn deadline(&mut self, now_ticks: u64) -> PyResult<Option<u64>> {
        let deadline = self.on(now_ticks)?.next_deadline(now_ticks);
        Ok(deadline)
    }
}
