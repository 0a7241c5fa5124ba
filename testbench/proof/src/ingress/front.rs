//! From the port to stage 3 and on to the ICRC and the payload: words of frames, their headers and their bytes, clock by
//! clock.

use super::words::pack;
use crate::moves::Moves;
use crate::{Error, icrc};
use weft_symbolic::{Design, Node, Proof, Signals};

/// Bits of a word of a frame: its data, then `keep`, `last` and `bad`.
const DATA: usize = 512;
const KEEP: usize = 64;
const LAST: usize = DATA + KEEP;
/// Bits that ghosts count bytes of a frame in, up to 2^17.
const COUNT: usize = 18;

/// EtherTypes as they are in a word, the first byte low.
const VLAN: u128 = 0x0081;
const IPV4: u128 = 0x0008;
const IPV6: u128 = 0xDD86;

/// The block.
pub struct Front<'a> {
    design: &'a Design,
    now: Signals,
    next: Signals,
    running: [Node; 1],
}

/// The frame in stage 2.
struct Frame {
    /// Whether the frame has a VLAN tag, and whether its IP header is of IPv6.
    tagged: Node,
    v6: Node,
    /// The word in stage 2 and the next word.
    bytes: Node,
}

impl Frame {
    /// A number of bytes from the IP header on, or with `beyond` from the UDP header on.
    fn bytes(&self, beyond: bool, count: usize) -> Node {
        let from = |ip: usize, header: usize| {
            self.bytes.slice(8 * (ip + if beyond { header } else { 0 }), 8 * count)
        };
        let of = |header| from(18, header).when(self.tagged, from(14, header));
        of(40).when(self.v6, of(20))
    }
}

impl<'a> Front<'a> {
    /// `design` is `weft_ingress` with watched RAMs.
    pub fn new(design: &'a Design) -> Result<Self, Error> {
        let running = [!design.inputs.node("rst")?];
        Ok(Self { design, now: design.registers(), next: design.next(), running })
    }

    /// All claims of the front.
    pub fn prove(&self, proof: &mut Proof) -> Result<(), Error> {
        self.words(proof)?;
        self.headers(proof)?;
        self.length(proof)?;
        self.covered(proof)?;
        self.payload(proof)?;
        self.payload_left(proof)
    }

    fn get(&self, register: &str) -> Result<Node, Error> {
        Ok(self.now.node(&format!("align.{register}_q"))?)
    }

    /// A word leaves stage 2, and whether it is the first of its frame.
    fn leaves(&self) -> Result<(Node, Node), Error> {
        let leaves = self.get("s2_waits")? & (self.get("s2")?.slice(LAST, 1) | self.get("s1_live")?);
        Ok((leaves, leaves & self.get("s2_first")?))
    }

    /// After the clock, registers contain these words.
    fn holds(&self, proof: &mut Proof, name: &str, words: Vec<(&str, Node)>) -> Result<(), Error> {
        let (mut expected, mut actual) = (Signals::new(), Signals::new());
        for (register, word) in words {
            expected.insert(register, word);
            actual.insert(register, self.next.node(&format!("{register}_q"))?);
        }
        proof.equal(name, &self.running, &expected, &actual)?;
        Ok(())
    }

    /// Stages 1 and 2.
    fn words(&self, proof: &mut Proof) -> Result<(), Error> {
        let input = |name: &str| self.design.inputs.node(&format!("s_axis_net_{name}"));
        let (comes, last) = (input("tvalid")?, input("tlast")?);
        let word = pack([input("tdata")?, input("tkeep")?, last, input("tuser")?]);
        let open = self.get("open")?;
        self.holds(
            proof,
            "every word that comes is in stage 1, and the first of a frame is known",
            vec![
                ("align.s1_live", comes),
                ("align.s1", word),
                ("align.s1_first", !open),
                ("align.open", (!last).when(comes, open)),
            ],
        )?;
        let (live, first, newest) = (self.get("s1_live")?, self.get("s1_first")?, self.get("s1")?);
        let (leaves, _) = self.leaves()?;
        let at = |byte: usize| newest.slice(8 * byte, 16);
        let is = |found: Node, kind: u128| found.equals(Node::lit(16, kind));
        let tagged = is(at(12), VLAN);
        let kind = |kind: u128| is(at(12), kind) | (tagged & is(at(16), kind));
        let begins = |name: &str, value: Node| Ok::<_, Error>(value.when(live & first, self.get(name)?));
        let follows = |name: &str, value: Node| Ok::<_, Error>(value.when(live, self.get(name)?));
        self.holds(
            proof,
            "a word waits in stage 2 for the next of its frame, with its place and the EtherTypes of the first",
            vec![
                ("align.s2_waits", live | (self.get("s2_waits")? & !leaves)),
                ("align.s2", follows("s2", newest)?),
                ("align.s2_first", follows("s2_first", first)?),
                ("align.s2_second", follows("s2_second", self.get("s2_first")? & !first)?),
                ("align.s2_vlan", begins("s2_vlan", tagged)?),
                ("align.s2_v4", begins("s2_v4", kind(IPV4))?),
                ("align.s2_v6", begins("s2_v6", kind(IPV6))?),
            ],
        )
    }

    /// Stage 3: the word and the headers of its frame.
    fn headers(&self, proof: &mut Proof) -> Result<(), Error> {
        let (leaves, starts) = self.leaves()?;
        let (older, newest) = (self.get("s2")?, self.get("s1")?);
        let frame = Frame {
            tagged: self.get("s2_vlan")?,
            v6: self.get("s2_v6")?,
            bytes: newest.slice(0, DATA).cat(older.slice(0, DATA)),
        };
        let none = Node::lit(KEEP, 0);
        let keeps = none.when(older.slice(LAST, 1), newest.slice(DATA, KEEP)).cat(older.slice(DATA, KEEP));
        let there = |ip: usize, header: usize| keeps.slice(ip + header, 48);
        let there = |header| there(18, header).when(frame.tagged, there(14, header));
        let there = there(40).when(frame.v6, there(20));
        // The tag's two bytes are a number of the network.
        let id = older.slice(8 * 14, 4).cat(older.slice(8 * 15, 8));
        let held = |name: &str, value: Node| Ok::<_, Error>(value.when(starts, self.get(name)?));
        let part = frame.bytes(true, 64);
        let tail = part.slice(0, 448).when(leaves & self.get("s2_second")?, self.get("s3_tail")?);
        self.holds(
            proof,
            "stage 3 has the word and, from a frame's first word on, its headers: 40 bytes of IP, 120 behind",
            vec![
                ("align.s3_live", leaves),
                ("align.s3", older),
                ("align.s3_first", self.get("s2_first")?),
                ("align.s3_second", self.get("s2_second")?),
                ("align.s3_part", part),
                ("align.s3_ip", held("s3_ip", frame.bytes(false, 40))?),
                ("align.s3_head", held("s3_head", part)?),
                ("align.s3_kept", held("s3_kept", there)?),
                ("align.s3_tail", tail),
                ("align.s3_vlan", held("s3_vlan", frame.tagged)?),
                ("align.s3_vlan_id", held("s3_vlan_id", id.when(frame.tagged, Node::lit(12, 0)))?),
                ("align.s3_v4", held("s3_v4", self.get("s2_v4")?)?),
                ("align.s3_v6", held("s3_v6", frame.v6)?),
            ],
        )
    }

    /// Bytes from the word in stage 3 to the datagram's end, by the headers there and a ghost that counts.
    fn length(&self, proof: &mut Proof) -> Result<(), Error> {
        let (leaves, starts) = self.leaves()?;
        let before = Node::variable("ingress.ghost.before", COUNT);
        let lit = |value: u128| Node::lit(COUNT, value);
        let most = lit(1 << 17);
        let more = (before + lit(64)).when(before.less(most), before);
        let after = lit(0).when(starts, more.when(leaves, before));
        let invariant = |registers: &Signals, before: Node| -> Result<Node, Error> {
            let get = |name: &str| registers.node(&format!("align.{name}_q"));
            let (ip, v6) = (get("s3_ip")?, get("s3_v6")?);
            let number = |at: usize| ip.slice(8 * at, 8).cat(ip.slice(8 * at + 8, 8)).widen(COUNT);
            let total = (number(4) + lit(40)).when(v6, number(2)) + lit(18).when(get("s3_vlan")?, lit(14));
            let left = (total - before).when(before.less(total), lit(0));
            Ok(get("s3_left")?.widen(COUNT).equals(left))
        };
        let (now, next) = (invariant(&self.now, before)?, invariant(&self.next, after)?);
        proof.claim(
            "a first word has as many bytes to its datagram's end as its IP header says",
            &[self.running[0], starts],
            next,
        )?;
        proof.claim("and each further word has 64 less, or none", &[self.running[0], now], next)?;
        Ok(())
    }

    /// A word in stage 3, followed through the moves.
    fn followed(&self) -> Result<(Moves, Word), Error> {
        let mut moves = Moves::new(self.design, &Signals::new().with("rst", Node::bit(false)))?;
        let bit = |name: &str| Node::variable(name, 1);
        let word = Word {
            live: bit("live"),
            first: bit("first"),
            second: bit("second"),
            tagged: bit("tagged"),
            v6: bit("v6"),
            left: Node::variable("left", 17),
            data: Node::variable("data", DATA),
            bytes: Node::variable("bytes of it", 7),
        };
        let last = bit("last");
        // The bytes that count are the first ones.
        let keep = pack((0..KEEP as u128).map(|at| Node::lit(7, at).less(word.bytes)));
        moves.set("align.s3_q", 0, pack([word.data, keep, last, bit("bad")]))?;
        for (name, value) in [
            ("live", word.live),
            ("first", word.first),
            ("second", word.second),
            ("vlan", word.tagged),
            ("v6", word.v6),
            ("left", word.left),
        ] {
            moves.set(&format!("align.s3_{name}_q"), 0, value)?;
        }
        Ok((moves, word))
    }

    /// Claims about the bytes of a word that enter the ICRC, and about datagrams that are cut.
    fn covered(&self, proof: &mut Proof) -> Result<(), Error> {
        let (mut moves, word) = self.followed()?;
        let lit = |value: usize| Node::lit(17, value as u128);
        proof.claim(
            "a datagram that goes on behind the bytes of a word is found to be cut there",
            &[word.bytes.less(Node::lit(7, 65)), !word.bytes.is_zero()],
            moves.at("integrity.s5_cut_q", 2)?.equals(word.bytes.widen(17).less(word.left)),
        )?;
        let covered = icrc::Covered {
            first: word.first,
            second: word.second,
            tagged: word.tagged,
            v6: word.v6,
            data: word.data,
        };
        let byte = |at: usize| covered.byte(at).when(lit(at).less(word.left), Node::lit(8, 0));
        let counts = word.live & !word.left.is_zero();
        let expected = Signals::new()
            .with("in_valid", counts)
            .with("in_first", word.first)
            .with("in_tagged", word.tagged)
            .with("in_last", word.left.less(lit(65)))
            .with("in_data", pack((0..64).map(byte)));
        let actual = expected.twins(|name| moves.wire(&format!("integrity.icrc.{name}"), 2))?;
        proof.equal(
            "the ICRC is given the datagram's bytes, ones in the fields that switches may change, and zeros else",
            &[],
            &expected,
            &actual,
        )?;
        let quads = moves.wire("integrity.icrc.in_quads", 2)?.widen(17);
        let ends = word.left.less(lit(65)) & word.left.slice(0, 2).equals(Node::lit(2, 2));
        proof.claim(
            "and the place where a datagram of whole 4 bytes ends",
            &[ends],
            (lit(64) - word.left).equals(quads.shift_left(lit(2)) + lit(2)),
        )?;
        let (valid, right) = ("integrity.icrc.out_valid", "integrity.icrc.out_right");
        let (valid, right) = (self.design.wires.node(valid)?, self.design.wires.node(right)?);
        let kept = self.now.node("integrity.s16_right_q")?;
        self.holds(
            proof,
            "the verdict on the ICRC stays until the next datagram's end",
            vec![("integrity.s16_right", right.when(valid, kept))],
        )
    }

    /// Stages 3 to 5, and the queue after them: a word of payload is made of two parts of the frame.
    fn payload(&self, proof: &mut Proof) -> Result<(), Error> {
        let (mut moves, word) = self.followed()?;
        let part = Node::variable("part", DATA);
        let (carried, left) = (Node::variable("carried", 160), Node::variable("payload left", 14));
        let immediate = Node::variable("immediate", 1);
        moves.set("align.s3_part_q", 0, part)?;
        moves.set("payload.carried_q", 0, carried)?;
        moves.set("payload.left_q", 0, left)?;
        moves.set("payload.immediate_q", 0, immediate)?;
        moves.waits("hold", 2, 12)?;
        let is_data = moves.wire("fields.is_data", 0)?;
        // Payload begins 44 or 48 bytes behind the UDP header's first.
        let bytes = part.cat(carried);
        let bytes = bytes.slice(32, DATA).when(immediate, bytes.slice(0, DATA));
        let lit = |value: usize| Node::lit(14, value as u128);
        let is_there = |at: usize| lit(at).less(left);
        let byte = |at: usize| bytes.slice(8 * at, 8).when(is_there(at), Node::lit(8, 0));
        let made = pack([
            pack((0..64).map(byte)),
            pack((0..64).map(is_there)),
            left.less(lit(65)),
            Node::bit(false),
        ]);
        let expected =
            Signals::new().with("word", made).with("pushed", word.live & !word.first & !left.is_zero());
        let actual = Signals::new()
            .with("word", moves.wire("payloads.in_word", 14)?)
            .with("pushed", moves.wire("payloads.in_valid", 14)?);
        proof.equal(
            "a word of payload has the next 64 bytes of the payload, zeros behind its end, and `last` with the end",
            &[is_data],
            &expected,
            &actual,
        )?;
        Ok(())
    }

    /// The bytes of payload that must still arrive, from the DMA length in a frame's first part.
    fn payload_left(&self, proof: &mut Proof) -> Result<(), Error> {
        let wire = |name: &str| self.now.node(&format!("{name}_q"));
        let (live, first) = (wire("align.s3_live")?, wire("align.s3_first")?);
        let (part, left) = (wire("align.s3_part")?, wire("payload.left")?);
        // The last two bytes of the RETH, and the opcode's lowest bit.
        let length = part.slice(8 * 34, 6).cat(part.slice(8 * 35, 8));
        let less = (left - Node::lit(14, 64)).when(Node::lit(14, 64).less(left), Node::lit(14, 0));
        let immediate = part.slice(8 * 8, 1);
        self.holds(
            proof,
            "the payload's length is the DMA length, and each further part takes 64 bytes of it",
            vec![
                ("payload.left", length.when(first, less).when(live, left)),
                ("payload.immediate", immediate.when(live & first, wire("payload.immediate")?)),
                ("payload.carried", part.slice(8 * 44, 160).when(live, wire("payload.carried")?)),
            ],
        )
    }
}

/// A word of a frame in stage 3.
struct Word {
    live: Node,
    first: Node,
    second: Node,
    tagged: Node,
    v6: Node,
    /// Bytes from the word's first byte to the datagram's end.
    left: Node,
    data: Node,
    /// Number of valid bytes of the word.
    bytes: Node,
}
