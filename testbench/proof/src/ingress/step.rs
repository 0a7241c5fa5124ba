//! A word of a frame from its registers in stage 3 to the verdict in stage 17 and to the words that enter the
//! queues, against the model: any headers, any peer, any CSRs. [`super::front`] makes the claims about the
//! contents of stage 3, [`super::ports`] those about the peer that is found, and [`crate::icrc`] those about
//! the ICRC.

use super::words::{acknowledgement, any_headers, any_peer, arrival, bytes, pack, peer, verdict};
use crate::Error;
use crate::moves::Moves;
use weft_nic::block::ingress::{self, Cause, Class, Csr, Entry, Headers, Kind, Party, Room};
use weft_nic::words::over::{Acknowledgement, Arrival};
use weft_symbolic::{Design, Node, Proof, Signals, Symbolic, Term};
use weft_word::{Bit, Domain, Word};

/// Moves from stage 3 to a stage.
const fn to(stage: usize) -> usize {
    stage - 3
}

type Kinds = fn(&Csr<Symbolic>, &Headers<Symbolic>) -> Class<Symbolic>;
type Arrivals = fn(&Csr<Symbolic>, &Headers<Symbolic>, &Class<Symbolic>) -> Arrival<Symbolic>;
type Acknowledgements = fn(&Headers<Symbolic>, &Class<Symbolic>) -> Acknowledgement<Symbolic>;

/// The parts of the model's step; a test plants bugs in them.
#[derive(Clone, Copy)]
pub struct Model {
    /// Rules 1, 4 and 6.
    pub classify: Kinds,
    /// Rule 3.
    pub unsound: fn(&Class<Symbolic>, Bit<Symbolic>, Bit<Symbolic>) -> Term<4>,
    /// Rules 7 and 14 to 16.
    pub unwelcome: fn(Bit<Symbolic>, &Party<Symbolic>, &Party<Symbolic>) -> Term<4>,
    /// Rule 8.
    pub admit: fn(Term<3>, Term<4>, &Room<Symbolic>) -> Entry<Symbolic>,
    /// The contents for the receiver.
    pub arrival: Arrivals,
    /// The contents for the sender.
    pub acknowledgement: Acknowledgements,
}

/// The model.
pub const MODEL: Model = Model {
    classify: ingress::classify::<Symbolic>,
    unsound: ingress::unsound::<Symbolic>,
    unwelcome: ingress::unwelcome::<Symbolic>,
    admit: ingress::admit::<Symbolic>,
    arrival: ingress::arrival::<Symbolic>,
    acknowledgement: |headers, class| ingress::acknowledgement::<Symbolic>(headers, class, 256),
};

/// A word of a frame in the pipeline, and the values of the model for it.
pub struct Step {
    moves: Moves,
    model: Model,
    csr: Csr<Symbolic>,
    headers: Headers<Symbolic>,
    class: Class<Symbolic>,
    /// The word in stage 3, as `Beat`; whether it is valid, and whether it is its frame's last.
    beat: Node,
    live: Node,
    ends: Node,
    /// Connection.
    id: Node,
    /// The code of the cause that drops the frame before its space is known.
    cause: Node,
}

impl Step {
    /// `design` is `weft_ingress` with watched RAMs.
    pub fn new(design: &Design, model: Model) -> Result<Self, Error> {
        let moving = Signals::new().with("rst", Node::bit(false));
        let mut moves = Moves::new(design, &moving)?;
        let input = |name: &str| design.inputs.node(name);
        let csr = Csr {
            ipv4: design.inputs.word("cfg_ipv4")?,
            ipv6: design.inputs.word("cfg_ipv6")?,
            qp_base: design.inputs.word("cfg_qp_base")?,
            dscp_trimmed: design.inputs.word("cfg_dscp_trimmed")?,
            dscp_trimmed_last_hop: design.inputs.word("cfg_dscp_trimmed_last_hop")?,
        };
        let headers = any_headers();
        let (last, bad): (Term<1>, Term<1>) = (Term::variable("last"), Term::variable("bad"));
        let beat = pack([Node::variable("data", 512), Node::variable("keep", 64), last.node(), bad.node()]);
        let live = Node::variable("live", 1);
        let number = |words: &[Term<64>]| {
            words.iter().map(|word| word.node()).reduce(Node::cat).expect("a header has words")
        };
        let is_there = |at: u128| Node::lit(17, at).less(headers.bytes.node());
        for (register, value) in [
            ("live", live),
            ("v4", headers.v4.node()),
            ("v6", headers.v6.node()),
            ("vlan_id", headers.vlan.node()),
            ("ip", bytes(number(&headers.ip))),
            ("head", bytes(number(&headers.udp[..8]))),
            ("tail", bytes(number(&headers.udp[8..]))),
            ("kept", pack((0..48).map(is_there))),
        ] {
            moves.set(&format!("align.s3_{register}_q"), 0, value)?;
        }
        moves.set("align.s3_q", 0, beat)?;
        // The datagram ends behind the frame, by its length in the IP header.
        let length = headers.ip[0].slice::<32, 16>().widen::<17>();
        let behind =
            headers.ip[0].slice::<16, 16>().widen::<17>().when(headers.v6, length - Symbolic::lit(20));
        let none = behind.slice::<16, 1>() & !headers.v6;
        let cut = headers.bytes.less(behind) & !none;
        moves.set("integrity.s5_cut_q", to(5), cut)?;
        let icrc_right: Term<1> = Term::variable("icrc right");
        moves.set("integrity.s16_right_q", to(16), icrc_right)?;
        let qp = headers.udp[1].slice::<0, 24>().node();
        let bits = input("s_axis_peer_tid")?.width();
        let id = qp.slice(0, bits);
        let found = any_peer();
        moves.reads("peers.peers", to(6), id, peer(&found))?;
        let sweeping: Term<1> = Term::variable("sweeping");
        moves.set("peers.s3_sweeping_q", to(6), sweeping)?;
        moves.waits("verdict.s7_sender", to(3), 4)?;
        moves.waits("hold", to(5), 12)?;

        let class = (model.classify)(&csr, &headers);
        let expected = Party { open: found.open & !sweeping, ..found };
        let unsound = (model.unsound)(&class, bad, icrc_right);
        let in_range = ingress::in_range(&csr, &headers, bits);
        let unwelcome = (model.unwelcome)(in_range, &expected, &ingress::source(&headers));
        let cause = unwelcome.when(unsound.is_zero(), unsound).when(class.ours, Symbolic::lit(0));
        let ends = live & last.node();
        Ok(Self { moves, model, csr, headers, class, beat, live, ends, id, cause: cause.node() })
    }

    /// All claims of the step.
    pub fn prove(&mut self, proof: &mut Proof) -> Result<(), Error> {
        self.passed(proof)?;
        self.judged(proof)?;
        self.entered(proof)?;
        self.contents(proof)?;
        self.moves.assumptions_hold(proof)?;
        Ok(())
    }

    /// Stage 5: the bypass.
    fn passed(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let (full, losing) = (Node::variable("bypass full", 1), Node::variable("bypass losing", 1));
        self.moves.set("bypass.is_full_q", to(5), full)?;
        self.moves.set("bypass_losing_q", to(5), losing)?;
        let foreign = !self.class.ours.node();
        let lost = losing | (self.live & full);
        let stays = self.ends & foreign & !lost;
        let expected = Signals::new()
            .with("bypass.in_valid", self.live)
            .with("bypass.in_word", self.beat)
            .with("bypass.in_commit", stays)
            .with("bypass.in_rollback", self.ends & !stays)
            .with("bypassed.one", stays)
            .with("bypass_overflows.one", self.ends & foreign & lost)
            .with("losing", lost & !self.ends);
        let mut actual = Signals::new().with("losing", self.moves.at("bypass_losing_q", to(6))?);
        for name in expected.names().filter(|name| *name != "losing") {
            actual.insert(name, self.moves.wire(name, to(5))?);
        }
        proof.equal(
            "frames of others stay in the bypass if there is room, and are counted; no other frame stays there",
            &[],
            &expected,
            &actual,
        )?;
        Ok(())
    }

    /// The kind of the frame and the cause that drops it; zeros for a word that ends no frame.
    fn ended(&self) -> (Node, Node) {
        let kind = self.class.kind().node();
        (kind.when(self.ends, Node::lit(3, 0)), self.cause.when(self.ends, Node::lit(4, 0)))
    }

    /// Stage 17: the verdict.
    fn judged(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let (kind, cause) = self.ended();
        let is = |one: Kind| kind.equals(Node::lit(3, one as u128));
        for one in [Kind::Data, Kind::Trimmed, Kind::Probe, Kind::Ack, Kind::Nack] {
            proof.satisfiable(&format!("{one:?} can be accepted"), &[is(one), cause.is_zero()])?;
        }
        for one in &Cause::ALL[..8] {
            proof.satisfiable(
                &format!("a frame can be dropped for {one:?}"),
                &[cause.equals(Node::lit(4, one.code()))],
            )?;
        }
        let expected = Signals::new().with("verdict", verdict(kind, cause));
        let actual = Signals::new().with("verdict", self.moves.at("verdict.s17_q", to(17))?);
        proof.equal(
            "stage 17 has the verdict of `classify`, `unsound` and `unwelcome`, for any headers, peer and registers",
            &[],
            &expected,
            &actual,
        )?;
        let class = &self.class;
        let whole = class.ours & !class.malformed & !class.trimmed;
        proof.claim(
            "a datagram that is not malformed has whole 4 bytes",
            &[whole.node()],
            self.headers.udp[0].slice::<16, 2>().is_zero().node(),
        )?;
        // From here on the registers have this verdict.
        self.moves.set("verdict.s17_q", to(17), verdict(kind, cause))?;
        Ok(())
    }

    /// Stage 17: into the queues, and the counters.
    fn entered(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let bit = |name: &str| Term::<1>::variable(name);
        let full = ["arrivals", "payloads", "acknowledgements"].map(|queue| bit(&format!("{queue} full")));
        for (queue, full) in ["arrivals", "payloads", "acknowledgements"].iter().zip(full) {
            self.moves.set(&format!("{queue}.is_full_q"), to(17), full)?;
        }
        let losing = bit("losing");
        self.moves.set("losing_q", to(17), losing)?;
        let pushes = Node::variable("pushes", 12);
        self.moves.set("pushes_q", to(17), pushes)?;
        let push = pushes.slice(11, 1);
        let lost = losing.node() | (push & full[1].node());
        let room =
            Room { arrival: !full[0], payload: !Term::of(lost).expect("a bit"), acknowledgement: !full[2] };
        // Any verdict.
        let mut at = self.moves.clone();
        let (kind, cause): (Term<3>, Term<4>) = (Term::variable("kind"), Term::variable("cause"));
        let ended = Node::variable("ended", 1);
        let known = kind.node().less(Node::lit(3, 6)) & cause.node().less(Node::lit(4, 9));
        let meant = known & cause.node().is_zero().implies(ended | kind.node().is_zero());
        let meant = meant & (!cause.node().is_zero()).implies(ended);
        at.set("verdict.s17_q", to(17), verdict(kind.node(), cause.node()))?;
        let lasts = Node::variable("lasts", 14);
        at.set("lasts_q", to(17), lasts)?;
        let meant = meant & ended.equals(lasts.slice(13, 1));

        let entry = (self.model.admit)(kind, cause, &room);
        let payload = entry.payload.node();
        let is = |one: Cause| entry.cause.node().equals(Node::lit(4, one.code()));
        let counts = |one: Kind| kind.node().equals(Node::lit(3, one as u128)) & entry.cause.node().is_zero();
        let expected = Signals::new()
            .with("arrivals.in_valid", entry.arrival)
            .with("arrivals.in_commit", Node::bit(true))
            .with("arrivals.in_rollback", Node::bit(false))
            .with("payloads.in_valid", push)
            .with("payloads.in_commit", payload)
            .with("payloads.in_rollback", ended & !payload)
            .with("acknowledgements.in_valid", entry.acknowledgement)
            .with("acknowledgements.in_commit", Node::bit(true))
            .with("acknowledgements.in_rollback", Node::bit(false))
            .with("close.judged", ended)
            .with("close.arrival_in", entry.arrival)
            .with("close.acknowledgement_in", entry.acknowledgement)
            .with("data.one", counts(Kind::Data))
            .with("trims.one", counts(Kind::Trimmed))
            .with("probes.one", counts(Kind::Probe))
            .with("acks.one", counts(Kind::Ack))
            .with("nacks.one", counts(Kind::Nack))
            .with("mac_errors.one", is(Cause::Mac))
            .with("malformed.one", is(Cause::Malformed))
            .with("checksum_errors.one", is(Cause::Checksum))
            .with("icrc_errors.one", is(Cause::Icrc))
            .with("unknown_connections.one", is(Cause::Unknown))
            .with("wrong_peers.one", is(Cause::Stranger))
            .with("wrong_vlans.one", is(Cause::Vlan))
            .with("wrong_pkeys.one", is(Cause::Partition))
            .with("overflows.one", is(Cause::Overflow))
            .with("losing", lost & !ended);
        let mut actual = Signals::new().with("losing", at.at("losing_q", to(18))?);
        for name in expected.names().filter(|name| *name != "losing") {
            actual.insert(name, at.wire(name, to(17))?);
        }
        proof.equal(
            "what `admit` lets in goes into the queues, all else is forgotten, and each frame is counted once",
            &[meant],
            &expected,
            &actual,
        )?;
        Ok(())
    }

    /// Stage 17: the contents that enter the queues.
    fn contents(&mut self, proof: &mut Proof) -> Result<(), Error> {
        let (kind, cause) = self.ended();
        let is = |one: Kind| kind.equals(Node::lit(3, one as u128)) & cause.is_zero();
        let arrives = is(Kind::Data) | is(Kind::Trimmed) | is(Kind::Probe);
        let word = (self.model.arrival)(&self.csr, &self.headers, &self.class);
        let expected = Signals::new().with("arrival", self.id.cat(arrival(&word)));
        let mut actual = Signals::new().with("arrival", self.moves.wire("arrivals.in_word", to(17))?);
        proof.equal("an accepted frame's arrival is what `arrival` says", &[arrives], &expected, &actual)?;
        let some = self.moves.wire("data_in", to(17))? & !word.bytes.node().is_zero();
        proof.claim(
            "a close waits for the payload of an arrival that has some",
            &[],
            self.moves.wire("close.payload_in", to(17))?.equals(some),
        )?;
        let ack = (self.model.acknowledgement)(&self.headers, &self.class);
        let expected = Signals::new().with("acknowledgement", self.id.cat(acknowledgement(&ack)));
        actual = Signals::new().with("acknowledgement", self.moves.wire("acknowledgements.in_word", to(17))?);
        proof.equal(
            "an accepted frame's acknowledgement is what `acknowledgement` says",
            &[is(Kind::Ack) | is(Kind::Nack)],
            &expected,
            &actual,
        )?;
        Ok(())
    }
}
