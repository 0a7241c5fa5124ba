//! `weft_icrc` computes the CRC-32 of Ethernet, for frames of every length that it supports (page `docs/parts/icrc.md`).
//!
//! State and word enter each register as sums modulo 2. The rule that advances the CRC's register by one bit
//! has the same property. Two such maps are equal if and only if their sums are the same, so no solver is
//! needed.

use crate::moves::Moves;
use crate::{Error, design};
use weft_hdl::Module;
use weft_symbolic::{Design, Node, Proof, Signals, Substitution, Sum, Yosys, sums};

/// The polynomial, the lowest power in the highest bit.
const POLYNOMIAL: u32 = 0xEDB8_8320;
/// The CRC of a text that is followed by its own right CRC.
const RIGHT: u32 = 0x2144_DF1C;
/// Bytes of a word.
const BYTES: usize = 64;
/// Bytes of the Ethernet header, which the ICRC does not cover; a tag makes the header longer.
const HEADERS: [usize; 2] = [14, 18];
/// Bits of the state.
const STATE: usize = 32;
/// Bits of the state and of a word.
const TOTAL: usize = STATE + 8 * BYTES;

/// Bytes that the ICRC reads as ones (RoCEv2), counted from the IP header and from the UDP header: type of
/// service, time to live and checksum of IPv4; traffic class, flow label and hop limit of IPv6; UDP checksum,
/// BTH byte 4.
const ONES: [(usize, &[usize]); 2] = [(20, &[1, 8, 10, 11]), (40, &[1, 2, 3, 7])];
const ONES_BEHIND: [usize; 3] = [6, 7, 12];

/// A word of a frame with its datagram, as a block gives it to the part.
pub struct Covered {
    /// The frame's first word.
    pub first: Node,
    /// The second word of the frame.
    pub second: Node,
    /// The frame has a VLAN tag.
    pub tagged: Node,
    /// The IP header of the frame is of IPv6.
    pub v6: Node,
    /// The bytes.
    pub data: Node,
}

impl Covered {
    /// The value of byte `at` in the ICRC: 0 before the IP header, ones where switches may change the byte.
    pub fn byte(&self, at: usize) -> Node {
        let mut byte = self.data.slice(8 * at, 8);
        for (v6, tagged) in [(false, false), (false, true), (true, false), (true, true)] {
            let ip = if tagged { 18 } else { 14 };
            let (header, ones) = ONES[usize::from(v6)];
            let is_one = |place: usize| {
                let behind = place.checked_sub(ip);
                let is = |behind: usize| {
                    ones.contains(&behind) || ONES_BEHIND.iter().any(|at| at + header == behind)
                };
                behind.is_some_and(is)
            };
            let bit = |bit: Node, holds: bool| if holds { bit } else { !bit };
            let here = bit(self.v6, v6) & bit(self.tagged, tagged);
            for (is_here, place) in [(self.first, at), (self.second & !self.first, at + BYTES)] {
                let filled = if is_one(place) {
                    Node::lit(8, 0xFF)
                } else if v6 && place == ip {
                    // The low half of the first byte is of the traffic class.
                    byte | Node::lit(8, 0x0F)
                } else {
                    continue;
                };
                byte = filled.when(here & is_here, byte);
            }
        }
        let header = match at {
            0..14 => Node::bit(true),
            14..18 => self.tagged,
            _ => Node::bit(false),
        };
        Node::lit(8, 0).when(self.first & header, byte)
    }
}

/// The CRC's register, each bit a sum.
#[derive(Clone, PartialEq)]
struct Register(Vec<Sum>);

impl Register {
    /// Processes a byte: eight times, the register shifts by a bit, and if the bit that leaves is 1, the
    /// polynomial is added.
    fn byte(&self, byte: Option<&[Sum]>) -> Self {
        let mut bits = self.0.clone();
        for (at, bit) in byte.into_iter().flatten().enumerate() {
            bits[at] = &bits[at] ^ bit;
        }
        for _ in 0..8 {
            let leaves = bits.remove(0);
            bits.push(Sum::zero(TOTAL));
            for at in (0..STATE).filter(|at| (POLYNOMIAL >> at) & 1 == 1) {
                bits[at] = &bits[at] ^ &leaves;
            }
        }
        Self(bits)
    }

    /// Processes this many bytes of zeros.
    fn zeros(&self, bytes: usize) -> Self {
        (0..bytes).fold(self.clone(), |register, _| register.byte(None))
    }

    /// Processes bytes.
    fn bytes(&self, bits: &[Sum]) -> Self {
        bits.chunks(8).fold(self.clone(), |register, byte| register.byte(Some(byte)))
    }

    /// The register before the IP header: all ones, then 8 bytes of ones.
    fn start() -> Self {
        let one = Sum::zero(TOTAL).plus(true);
        let ones = vec![one; STATE];
        (0..8).fold(Self(ones.clone()), |register, _| register.byte(Some(&ones[..8])))
    }
}

/// The part, moving.
struct Icrc {
    design: Design,
    state: Node,
    data: Node,
}

impl Icrc {
    /// Moves of the part with these flags of the word that enters in move 0.
    fn moves(&self, state_at: usize) -> Result<Moves, Error> {
        let moving = Signals::new().with("rst", Node::bit(false)).with("run", Node::bit(true));
        let mut moves = Moves::new(&self.design, &moving)?;
        moves.set("s4_state_q", state_at, self.state)?;
        Ok(moves)
    }

    /// `node` as sums of state and word, where a word of a frame has entered with these flags.
    fn sums(&self, node: Node, first: bool, tagged: bool, quads: usize) -> Option<Vec<Sum>> {
        let mut known = Substitution::new();
        for (name, bit) in [("valid", true), ("last", true), ("first", first), ("tagged", tagged)] {
            known.replace(Node::variable(&format!("@0.icrc.in_{name}"), 1), Node::bit(bit));
        }
        known.replace(Node::variable("@0.icrc.in_quads", 4), Node::lit(4, quads as u128));
        sums(known.apply([node])[0], &[self.state, self.data])
    }
}

/// The claims about `weft_icrc`.
pub fn prove(yosys: &Yosys, modules: &[Module], proof: &mut Proof) -> Result<(), Error> {
    let read = |top: &str, scope: &str| design(yosys, modules, top, scope);
    let design = read("weft_icrc", "icrc")?;
    proof.claim(
        "every register of it follows the rising edge of the clock, and nothing else",
        &[],
        Node::bit(design.other_clocks.is_empty()),
    )?;
    let (state, data) = (Node::variable("icrc.state", STATE), Node::variable("@0.icrc.in_data", 8 * BYTES));
    let icrc = Icrc { design, state, data };
    let bit = |index| Sum::of(index, TOTAL);
    let register: Vec<Sum> = (0..STATE).map(bit).collect();
    let word: Vec<Sum> = (STATE..TOTAL).map(bit).collect();

    // The value of the CRC's register two bytes before the end of the word, for a state: by the part's own
    // last stages.
    let mut ending = icrc.moves(4)?;
    let crc = ending.at("s10_crc_q", 10)?;
    let before_end = |quads| Some(Register(icrc.sums(!crc, false, false, quads)?));
    let meant = before_end(0);
    let after_word = |state: &[Sum]| {
        let rows = meant.as_ref()?.0.iter().map(|row| row.over(state)).collect::<Option<_>>()?;
        Some(Register(rows).zeros(2))
    };
    let mut entering = icrc.moves(3)?;
    let next = entering.at("s4_state_q", 4)?;
    let mut holds =
        |name: &str, holds: Option<bool>| proof.claim(name, &[], Node::bit(holds == Some(true))).map(drop);

    for header in HEADERS {
        let tagged = header == HEADERS[1];
        let after = icrc.sums(next, true, tagged, 0).and_then(|state| {
            // The bytes of the Ethernet header are zeros, as the page requires.
            let covered: Vec<Sum> = (0..TOTAL)
                .map(|at| if (STATE..STATE + 8 * header).contains(&at) { Sum::zero(TOTAL) } else { bit(at) })
                .collect();
            let state: Vec<Sum> = state.iter().map(|sum| sum.over(&covered)).collect::<Option<_>>()?;
            after_word(&state)
        });
        let rule = Register::start().bytes(&word[8 * header..]);
        holds(
            &format!(
                "behind {header} bytes, the first word leaves what the bitwise CRC-32 says of its bytes"
            ),
            after.map(|after| after == rule),
        )?;
    }
    let after = icrc.sums(next, false, false, 0).and_then(|state| after_word(&state));
    let rule = after_word(&register).map(|before| before.bytes(&word));
    holds("so does every further word, from any state", Some(after.is_some() && after == rule))?;
    for quads in 0..16 {
        let back = before_end(quads).map(|register| register.zeros(4 * quads));
        holds(
            &format!("the CRC of a frame that ends {} bytes before its last word", 4 * quads + 2),
            Some(back.is_some() && back == meant),
        )?;
    }

    // Sums of eight stages are one to one, so one state alone has the right CRC.
    let mut judged = icrc.moves(4)?;
    let last = Node::variable("icrc.last", STATE);
    judged.set("s8_state_q", 8, last)?;
    let shown = judged.at("s10_crc_q", 10)?;
    let of_right = sums(shown, &[last]).and_then(|rows| solve(&rows, RIGHT));
    let right = judged.at("s10_right_q", 10)?;
    let only = of_right.map(|state| right.equals(last.equals(Node::lit(STATE, state.into()))));
    proof.claim(
        "it is called right for the one state whose CRC is 0x2144df1c",
        &[],
        only.unwrap_or(Node::bit(false)),
    )?;
    control(&icrc, proof)?;
    enable(&read("weft_enable", "enable")?, proof)
}

/// The part moves in the clock after a clock with `next_run`, and after a reset.
fn enable(design: &Design, proof: &mut Proof) -> Result<(), Error> {
    let told = design.inputs.node("next_run")?;
    let expected = Signals::new().with("enable", Node::bit(true).when(design.inputs.node("rst")?, told));
    proof.equal("it moves when it was told so, and behind a reset", &[], &expected, &design.next())?;
    let shown = design.outputs.node("q")?.equals(design.registers().node("enable")?);
    proof.claim("its enable is that register", &[], shown)?;
    Ok(())
}

/// Words that are not valid change nothing. A CRC leaves exactly ten moves after each last word, and at no
/// other time.
fn control(icrc: &Icrc, proof: &mut Proof) -> Result<(), Error> {
    let (mut moves, mut shown) = (icrc.moves(3)?, icrc.moves(4)?);
    let port = |name: &str| Node::variable(&format!("@0.icrc.in_{name}"), 1);
    let next = moves.at("s4_state_q", 4)?;
    proof.claim("without a word the state stays", &[!port("valid")], next.equals(icrc.state))?;
    let valid = moves.wire("out_valid", 10)?;
    proof.claim(
        "a CRC comes ten moves behind the last word of a frame, and only then",
        &[],
        valid.equals(port("valid") & port("last")),
    )?;
    let expected =
        Signals::new().with("crc", shown.at("s10_crc_q", 10)?).with("right", shown.at("s10_right_q", 10)?);
    let actual =
        Signals::new().with("crc", shown.wire("out_crc", 10)?).with("right", shown.wire("out_right", 10)?);
    proof.equal("it shows the registers of stage 10", &[], &expected, &actual)?;
    Ok(())
}

/// The one state for which the rows have this value, if there is exactly one.
fn solve(rows: &[Sum], value: u32) -> Option<u32> {
    let constants = vec![Sum::zero(STATE); STATE];
    let mut equations: Vec<(u32, bool)> = Vec::new();
    for (at, row) in rows.iter().enumerate() {
        let one = row.over(&constants)?.value()?;
        let selects = |bit: usize| {
            let mut unit = constants.clone();
            unit[bit] = Sum::zero(STATE).plus(true);
            Some(row.over(&unit)?.value()? ^ one)
        };
        let mask = (0..STATE).try_fold(0, |mask, bit| Some(mask | u32::from(selects(bit)?) << bit))?;
        equations.push((mask, one ^ ((value >> at) & 1 == 1)));
    }
    for bit in 0..STATE {
        let pivot = (bit..STATE).find(|&row| (equations[row].0 >> bit) & 1 == 1)?;
        equations.swap(bit, pivot);
        let (mask, is) = equations[bit];
        for (at, other) in equations.iter_mut().enumerate() {
            if at != bit && (other.0 >> bit) & 1 == 1 {
                *other = (other.0 ^ mask, other.1 ^ is);
            }
        }
    }
    Some(equations.iter().enumerate().fold(0, |state, (bit, (_, is))| state | u32::from(*is) << bit))
}
