//! Stages 2 to 17: beats of header and payload, the bytes that the ICRC covers, and the ICRC after them.

use super::words::pack;
use crate::moves::{Moves, moving};
use crate::{Error, icrc};
use weft_symbolic::{Design, Node, Proof, Signals};

/// Bits and bytes of a bus word.
const DATA: usize = 512;
const BYTES: usize = 64;
/// Bytes of the headers in stage 5.
const HEADER: usize = 184;

/// The output of the CRC; the proof knows only its ports.
const CRC: &str = "beats.icrc.any_out_crc";

/// Moves from stage 2 to a stage.
const fn to(stage: usize) -> usize {
    stage - 2
}

/// A beat in stage 2, as `Slot`.
#[derive(Clone, Copy)]
struct Slot {
    bypass: Node,
    first: Node,
    second: Node,
    last: Node,
    ends: Node,
    spill: Node,
    v6: Node,
    tagged: Node,
    more: Node,
    quads: Node,
}

impl Slot {
    /// Arbitrary values of a beat.
    fn any() -> Self {
        let bit = |name: &str| Node::variable(name, 1);
        Self {
            bypass: bit("bypass"),
            first: bit("first"),
            second: bit("second"),
            last: bit("last"),
            ends: bit("ends"),
            spill: bit("spill"),
            v6: bit("v6"),
            tagged: bit("tagged"),
            more: Node::variable("more", 2),
            quads: Node::variable("quads", 4),
        }
    }

    /// A beat of a frame of the NIC. `second` counts only for a beat that is not the first.
    fn ours(first: bool, second: bool) -> Self {
        let second = if first { Self::any().second } else { Node::bit(second) };
        Self { bypass: Node::bit(false), first: Node::bit(first), second, ..Self::any() }
    }

    fn word(&self) -> Node {
        let kind = [self.bypass, self.first, self.second, self.last, self.ends, self.spill];
        pack(kind.into_iter().chain([self.v6, self.tagged, self.more, self.quads]))
    }

    /// A frame of other software has the code 3; a frame of the NIC has another code.
    fn is_coded(&self) -> Node {
        self.bypass.equals(self.more.equals(Node::lit(2, 3)))
    }

    /// `of(bytes)`, where payload begins so many bytes behind the first beat.
    fn turned(&self, of: impl Fn(usize) -> Node) -> Node {
        let cases = [false, true].into_iter().flat_map(|v6| (0..3).map(move |more| (v6, more)));
        let chosen = cases.fold(None, |others: Option<Node>, (v6, more)| {
            let here = if v6 { self.v6 } else { !self.v6 } & self.more.equals(Node::lit(2, more as u128));
            let case = of(14 + 4 * more + if v6 { 20 } else { 0 });
            Some(others.map_or(case, |others| case.when(here, others)))
        });
        chosen.expect("there are cases")
    }
}

/// A word of payload in stage 2.
struct Payload {
    data: Node,
    fills: Node,
    cut: Node,
}

impl Payload {
    fn any(name: &str) -> Self {
        Self {
            data: Node::variable(name, DATA),
            fills: Node::variable(&format!("{name} is there"), 1),
            cut: Node::variable(&format!("{name}: bytes"), 6),
        }
    }

    /// Byte `at`, 0 behind the payload's end.
    fn byte(&self, at: usize) -> Node {
        let counts = self.cut.is_zero() | Node::lit(6, at as u128).less(self.cut);
        self.data.slice(8 * at, 8).when(self.fills & counts, Node::lit(8, 0))
    }

    /// The byte `at` bytes after the first byte of the beat that uses the word, if the word begins `turn`
    /// bytes into the beat.
    fn turned(&self, at: usize, turn: usize) -> Node {
        match at.checked_sub(turn) {
            Some(at) if at < BYTES => self.byte(at),
            _ => Node::lit(8, 0),
        }
    }
}

/// The block.
pub struct Frame<'a> {
    design: &'a Design,
}

impl<'a> Frame<'a> {
    /// `design` is `weft_egress` with watched RAMs and one enable.
    pub fn new(design: &'a Design) -> Self {
        Self { design }
    }

    /// All claims about beats.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.turned(proof)?;
        self.joined(proof)?;
        self.covered(proof)?;
        self.sealed(proof)?;
        self.wired(proof)
    }

    /// One claim for each signal, because a claim about all of them takes solvers a long time.
    fn each(
        proof: &mut Proof,
        name: &str,
        given: &[Node],
        expected: &Signals,
        actual: &Signals,
    ) -> Result<(), Error> {
        for (part, node) in expected.iter() {
            let (expected, actual) = (Signals::new().with(part, node), actual.node(part)?);
            let actual = Signals::new().with(part, actual);
            proof.equal(&format!("{name}: {part}"), given, &expected, &actual)?;
        }
        Ok(())
    }

    fn moves(&self) -> Result<Moves, Error> {
        Ok(Moves::new(self.design, &moving())?)
    }

    /// A beat with its payload enters stage 2 after `at` moves.
    fn enters(&self, moves: &mut Moves, at: usize, slot: &Slot, payload: &Payload) -> Result<(), Error> {
        moves.set("choice.s2_slot_q", at, slot.word())?;
        moves.set("choice.s2_fills_q", at, payload.fills)?;
        moves.set("choice.s2_cut_q", at, payload.cut)?;
        moves.set("reads.words.offered_word_q", at, payload.data)?;
        Ok(())
    }

    /// Stages 3 to 5: a word of payload, and a word of other software.
    fn turned(&self, proof: &mut Proof) -> Result<(), Error> {
        let mut moves = self.moves()?;
        let (slot, payload) = (Slot::any(), Payload::any("payload"));
        let other = Node::variable("other", 578);
        self.enters(&mut moves, 0, &slot, &payload)?;
        moves.set("others.s2_word_q", 0, other)?;
        let byte = |at: usize| {
            let foreign = if at < BYTES { other.slice(8 * at, 8) } else { Node::lit(8, 0) };
            foreign.when(slot.bypass, slot.turned(|turn| payload.turned(at, turn)))
        };
        let bytes = |from: usize| pack((from..from + BYTES).map(byte));
        let expected = Signals::new().with("word", bytes(0)).with("rest", bytes(BYTES));
        let actual = Signals::new()
            .with("word", moves.wire("payload.word", to(5))?)
            .with("rest", moves.wire("payload.rest", to(5))?);
        Self::each(
            proof,
            "payload begins behind the headers of its frame, zeros behind its end; words of others stay as they are",
            &[slot.is_coded()],
            &expected,
            &actual,
        )
    }

    /// Stage 6: beats of headers and payload.
    fn joined(&self, proof: &mut Proof) -> Result<(), Error> {
        let header = Node::variable("header", 8 * HEADER);
        let of_header = |at: usize| if at < HEADER { header.slice(8 * at, 8) } else { Node::lit(8, 0) };
        let mut moves = self.moves()?;
        let none = Payload { fills: Node::bit(false), ..Payload::any("none") };
        let (second, third) = (Payload::any("second"), Payload::any("third"));
        let slots = [Slot::ours(true, false), Slot::ours(false, true), Slot::ours(false, false)];
        for (at, payload) in [&none, &second, &third].into_iter().enumerate() {
            self.enters(&mut moves, at, &slots[at], payload)?;
        }
        // A number with the first byte highest.
        let number = pack((0..HEADER).rev().map(of_header));
        for at in [to(5), to(5) + 1] {
            moves.set("header.s5_low_q", at, number.slice(0, 4 * HEADER))?;
            moves.set("header.s5_high_q", at, number.slice(4 * HEADER, 4 * HEADER))?;
        }
        let byte = |at: usize| {
            let paid = |word: &Payload, beat: usize, turn: usize| match at.checked_sub(beat * BYTES) {
                Some(at) => word.turned(at, turn),
                None => Node::lit(8, 0),
            };
            of_header(at) | slots[0].turned(|turn| paid(&second, 1, turn) | paid(&third, 2, turn))
        };
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        for (beat, name) in ["first", "second", "third"].into_iter().enumerate() {
            expected.insert(name, pack((beat * BYTES..(beat + 1) * BYTES).map(byte)));
            actual.insert(name, moves.at("beats.s6_data_q", to(6) + beat)?);
        }
        let ours = [slots[0].is_coded()];
        Self::each(
            proof,
            "the first three beats are the headers and the payload behind them, byte for byte",
            &ours,
            &expected,
            &actual,
        )?;
        let mut moves = self.moves()?;
        let words = [Payload::any("before"), Payload::any("this")];
        for (at, payload) in words.iter().enumerate() {
            self.enters(&mut moves, at, &slots[2], payload)?;
        }
        let byte =
            |at: usize| slots[2].turned(|turn| words[0].turned(at + BYTES, turn) | words[1].turned(at, turn));
        proof.claim(
            "each further beat has the rest of the word before and its own",
            &ours,
            moves.at("beats.s6_data_q", to(6) + 1)?.equals(pack((0..BYTES).map(byte))),
        )?;
        let mut moves = self.moves()?;
        let slot = Slot { bypass: Node::bit(true), more: Node::lit(2, 3), ..Slot::any() };
        let other = Node::variable("other", 578);
        self.enters(&mut moves, 0, &slot, &Payload::any("payload"))?;
        moves.set("others.s2_word_q", 0, other)?;
        proof.claim(
            "a beat of others is its word",
            &[],
            moves.at("beats.s6_data_q", to(6))?.equals(other.slice(0, DATA)),
        )?;
        // The headers of a frame stay until its last beat is in stage 2: the frame behind it loads others no earlier.
        let next = self.design.next();
        let last = next.node("choice.s2_slot_q")?.slice(3, 1);
        proof.claim(
            "headers change only while the beat in stage 2 is its frame's last",
            &[],
            next.node("header.s1_begins_q")?.implies(last),
        )?;
        Ok(())
    }

    /// A beat from stage 2 on, with arbitrary bytes in stage 6.
    fn beat(&self) -> Result<(Moves, Slot, Node), Error> {
        let mut moves = self.moves()?;
        let (slot, data) = (Slot::any(), Node::variable("data", DATA));
        self.enters(&mut moves, 0, &slot, &Payload::any("payload"))?;
        moves.set("beats.s6_data_q", to(6), data)?;
        Ok((moves, slot, data))
    }

    /// Stage 7: the bytes that the ICRC part gets.
    fn covered(&self, proof: &mut Proof) -> Result<(), Error> {
        let (mut moves, slot, data) = self.beat()?;
        let counts = Node::variable("counts", 15);
        moves.set("beats.valids_q", to(7), counts)?;
        let word =
            icrc::Covered { first: slot.first, second: slot.second, tagged: slot.tagged, v6: slot.v6, data };
        let expected = Signals::new()
            .with("in_valid", counts.slice(4, 1) & !slot.bypass & !slot.spill)
            .with("in_first", slot.first)
            .with("in_tagged", slot.tagged)
            .with("in_last", slot.ends)
            .with("in_quads", Node::lit(4, 0) - slot.quads)
            .with("in_data", pack((0..BYTES).map(|at| word.byte(at))));
        let actual = expected.twins(|name| moves.wire(&format!("beats.icrc.{name}"), to(7)))?;
        proof.equal(
            "rule 9: the ICRC is given our frames from their IP headers on, ones in the fields that switches may change",
            &[],
            &expected,
            &actual,
        )?;
        Ok(())
    }

    /// Stage 17: the beat with its ICRC.
    fn sealed(&self, proof: &mut Proof) -> Result<(), Error> {
        let (mut moves, slot, data) = self.beat()?;
        let other = Node::variable("other", 578);
        moves.set("others.s2_word_q", 0, other)?;
        moves.waits("beats.data", to(6), 11)?;
        moves.waits("beats.keep", to(3), 14)?;
        let end = to(17);
        // The CRC of this beat's frame, and the CRC a move before.
        let (crc, before) = (Node::variable("crc", 32), Node::variable("crc before", 32));
        moves.set(CRC, end, crc)?;
        moves.set(CRC, end - 1, before)?;
        // The ICRC begins two bytes before a multiple of four.
        let lit = |at: usize| Node::lit(4, at as u128);
        let byte = |at: usize| {
            let places = (0..16).filter_map(|quads: usize| {
                let from = (4 * quads + 62) % BYTES;
                let inside = at.checked_sub(from).filter(|inside| *inside < 4)?;
                Some((quads, inside))
            });
            let none = Node::lit(8, 0);
            let of_crc = places.fold(none, |other, (quads, inside)| {
                crc.slice(8 * inside, 8).when(slot.ends & slot.quads.equals(lit(quads)), other)
            });
            let alone = if at < 2 { before.slice(16 + 8 * at, 8) } else { none };
            alone.when(slot.spill, data.slice(8 * at, 8) | of_crc)
        };
        let keep = |at: usize| {
            let within =
                Node::any((0..16).map(|quads| slot.quads.equals(lit(quads)) & Node::bit(at < 4 * quads + 2)));
            other.slice(DATA + at, 1).when(slot.bypass, !slot.last | within)
        };
        let beat = moves.wire("skid.in_word", end)?;
        let mut expected = Signals::new()
            .with("keep", pack((0..BYTES).map(keep)))
            .with("last", slot.last)
            .with("bad", slot.bypass & other.slice(577, 1));
        let mut actual = Signals::new()
            .with("keep", beat.slice(DATA, BYTES))
            .with("last", beat.slice(576, 1))
            .with("bad", beat.slice(577, 1));
        for from in (0..BYTES).step_by(16) {
            let name = format!("16 bytes from {from} on");
            expected.insert(name.clone(), pack((from..from + 16).map(byte)));
            actual.insert(name, beat.slice(8 * from, 128));
        }
        Self::each(
            proof,
            "stage 17 has the beat, with the ICRC in its place or its last two bytes alone, and the bytes that count",
            &[],
            &expected,
            &actual,
        )?;
        moves.assumptions_hold(proof)?;
        Ok(())
    }

    /// The stages that have beats; the CRC moves with them; the output queue and the port.
    fn wired(&self, proof: &mut Proof) -> Result<(), Error> {
        let wire = |name: &str| self.design.wires.node(name);
        let get = |name: &str| self.design.registers().node(name);
        let (run, valids) = (get("skid.running_q")?, get("beats.valids_q")?);
        let reset = self.design.inputs.node("rst")?;
        let further = valids.slice(0, 14).cat(get("choice.s2_valid_q")?).when(run, valids);
        let expected = Signals::new().with("beats.valids_q", Node::lit(15, 0).when(reset, further));
        proof.equal("beats go on by a stage per move", &[], &expected, &self.design.next())?;
        let output = |name: &str| self.design.outputs.node(&format!("m_axis_net_{name}"));
        let port = pack([output("tdata")?, output("tkeep")?, output("tlast")?, output("tuser")?]);
        let expected = Signals::new()
            .with("the CRC moves", wire("skid.next_run")?)
            .with("a beat enters the queue", valids.slice(14, 1))
            .with("the word", wire("skid.out_word")?)
            .with("it is offered", wire("skid.out_valid")?)
            .with("it is accepted", self.design.inputs.node("m_axis_net_tready")?);
        let actual = Signals::new()
            .with("the CRC moves", wire("beats.icrc.next_run")?)
            .with("a beat enters the queue", wire("skid.in_valid")?)
            .with("the word", port)
            .with("it is offered", output("tvalid")?)
            .with("it is accepted", wire("skid.out_ready")?);
        proof.equal(
            "beats leave through the output queue, and the CRC moves with them",
            &[],
            &expected,
            &actual,
        )?;
        Ok(())
    }
}
