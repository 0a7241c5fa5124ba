//! The combinational step: `weft_reps_control_decode` and `weft_reps_control_core` against the model's
//! `step_with`, for every control word under the invariant, every event and all CSRs.

use super::words::{
    any_csr, any_stimulus, control, control_width, exploring, gathered, result_words, rtl_words, saturated,
    time_matters,
};
use crate::is_undefined_bit;
use weft_nic::block::reps::{Action, Control, Csr, Kind, Stimulus, elapsed, step, step_with};
use weft_params::EvMode;
use weft_symbolic::{Design, Node, Proof, ProofError, SignalError, Signals, Symbolic, Term};
use weft_word::{Bit, Domain, Word};

/// One step of a connection: the model's, or in a test the model's with a planted bug.
pub type Model = fn(
    u32,
    &Csr<Symbolic>,
    Control<Symbolic>,
    &Stimulus<Symbolic>,
    Bit<Symbolic>,
) -> (Control<Symbolic>, Action<Symbolic>);

/// The unchanged model.
pub const MODEL: Model = step_with::<Symbolic>;

/// The claim whose counterexample is one event.
pub const EQUALITY: &str = "decoder and core do what the model's step does";

/// Any event on any control word, and the result of the RTL.
pub struct Step {
    /// Slots of the buffer.
    pub depth: u32,
    /// The control word before the event, as the RTL stores it.
    pub word: Node,
    /// The CSRs.
    pub csr: Csr<Symbolic>,
    /// The event.
    pub stimulus: Stimulus<Symbolic>,
    /// The result of the time comparison, which the RTL makes a stage earlier.
    pub elapsed: Term<1>,
    /// The core's outputs.
    pub outputs: Signals,
}

impl Step {
    /// Connects decoder and core as `weft_reps_control` does. The proof of the pipeline covers these
    /// connections.
    pub fn new(decode: &Design, core: &Design, depth: u32) -> Result<Self, SignalError> {
        Self::decoded_in(any_csr().mode, decode, core, depth)
    }

    /// Does as `new`, but the decoder has an earlier `mode`.
    fn decoded_in(mode: Term<2>, decode: &Design, core: &Design, depth: u32) -> Result<Self, SignalError> {
        let (csr, stimulus) = (any_csr(), any_stimulus());
        let word = Node::variable("control", control_width(depth));
        let elapsed = Term::variable("elapsed");
        let event =
            Signals::new().with("live", Node::bit(true)).with("kind", stimulus.kind).with("mode", mode);
        let op = decode.feed(&event)?.apply([decode.outputs.node("op")?])[0];
        let inputs = Signals::new()
            .with("control", word)
            .with("exploring", exploring(word))
            .with("op", op)
            .with("ecn", stimulus.ecn)
            .with("rtt_is_high", !stimulus.rtt.less(csr.rtt_high))
            .with("elapsed", elapsed)
            .with("now", stimulus.now)
            .with("bdp_packets", saturated(&csr))
            .with("trimming", csr.trimming)
            .with("thaw_reset", csr.thaw_reset)
            .with("mode_2024", csr.mode.equals(Symbolic::lit(EvMode::Reps2024 as u128)));
        // A port without a driver would be a free variable, and the proof would then be about another design.
        for name in core.inputs.names().filter(|name| !is_undefined_bit(name)) {
            inputs.node(name)?;
        }
        let outputs = core.feed(&inputs)?.apply_to(&core.outputs);
        Ok(Self { depth, word, csr, stimulus, elapsed, outputs })
    }

    /// The control word before the event.
    pub fn control(&self) -> Control<Symbolic> {
        control(self.word, self.depth)
    }

    /// The bits of the control word after the event.
    fn next_word(&self) -> Result<Node, SignalError> {
        gathered(&self.outputs, |field| format!("next_{field}"))
    }

    /// The control word after the event.
    pub fn next(&self) -> Result<Control<Symbolic>, SignalError> {
        Ok(control(self.next_word()?, self.depth))
    }

    /// The result of the RTL for the event, by the names of [`result_words`].
    pub fn rtl(&self) -> Result<Signals, SignalError> {
        rtl_words(self.next_word()?, &self.outputs, self.depth)
    }

    /// The result of the model for the event.
    pub fn expected(&self, model: Model, proof: &mut Proof) -> Result<Signals, ProofError> {
        let run = || model(self.depth, &self.csr, self.control(), &self.stimulus, self.elapsed);
        proof.merged("step", run, result_words)
    }

    fn is(&self, kind: Kind) -> Node {
        self.stimulus.kind.equals(Symbolic::lit(kind as u128)).node()
    }

    /// Proves that RTL and model are equal.
    pub fn equals_model(&self, model: Model, proof: &mut Proof) -> Result<(), ProofError> {
        let invariant = self.control().invariant(self.depth).node();
        let expected = self.expected(model, proof)?;
        proof.satisfiable("the invariant can hold", &[invariant])?;
        proof.equal(EQUALITY, &[invariant], &expected, &self.rtl()?)?;
        Ok(())
    }

    /// Proves the assumptions of the pipeline around the core: when a time comparison may be an older one,
    /// and that a close needs no invariant.
    pub fn contracts(&self, proof: &mut Proof) -> Result<(), ProofError> {
        let (before, after) = (self.control(), self.next()?);
        let invariant = before.invariant(self.depth).node();
        let touched = self.outputs.node("touched")?;
        let mode_reps = self.csr.mode.is_zero().node();
        proof.claim(
            "`touched` says that the time is now",
            &[invariant, touched],
            after.time.equals(self.stimulus.now).node(),
        )?;
        proof.claim(
            "an untouched time that matters is the one before",
            &[invariant, mode_reps, !touched, time_matters(&self.csr, &after).node()],
            after.time.equals(before.time).node(),
        )?;
        proof.claim(
            "closing leaves all zeros, whatever was there",
            &[self.is(Kind::Close)],
            self.next_word()?.is_zero(),
        )?;
        Ok(())
    }

    /// Proves that registers may change while an event is in the pipeline. Stages may then see different
    /// values, and the word stays valid. Each register that the core reads is read by one stage, except the
    /// mode.
    pub fn changes(decode: &Design, core: &Design, depth: u32, proof: &mut Proof) -> Result<(), ProofError> {
        let step = Self::decoded_in(Term::variable("mode in the decoder"), decode, core, depth)?;
        let invariant = step.control().invariant(depth).node();
        proof.claim(
            "an event whose registers change on its way keeps the invariant",
            &[invariant],
            step.next()?.invariant(depth).node(),
        )?;
        proof.claim("and closing leaves all zeros", &[step.is(Kind::Close)], step.next_word()?.is_zero())?;
        Ok(())
    }

    /// Proves the properties of the model that the proof uses: its time comparison is the RTL's subtraction,
    /// may be made beforehand, and matters only where `time_matters` says so.
    pub fn comparisons(&self, proof: &mut Proof) -> Result<(), ProofError> {
        let before = self.control();
        let invariant = before.invariant(self.depth).node();
        let model = |elapsed| step_with::<Symbolic>(self.depth, &self.csr, before, &self.stimulus, elapsed);
        let early = proof.merged("step, elapsed", || model(Symbolic::lit(1)), result_words)?;
        let late = proof.merged("step, not elapsed", || model(Symbolic::lit(0)), result_words)?;
        proof.equal(
            "a time that does not matter changes nothing",
            &[invariant, !time_matters(&self.csr, &before).node()],
            &early,
            &late,
        )?;
        let time = before.time;
        let ack = self.is(Kind::Ack);
        let limit = self.csr.freeze_timeout.node().when(ack, self.csr.rtt_window.node());
        let age = self.stimulus.now.node() - time.node();
        proof.claim(
            "the model's `elapsed` is limit < (now - time)",
            &[],
            limit.less(age).equals(elapsed(&self.csr, time, &self.stimulus).node()),
        )?;
        let both = proof.merged(
            "step with its own time comparison",
            || step::<Symbolic>(self.depth, &self.csr, before, &self.stimulus),
            result_words,
        )?;
        let split = proof.merged(
            "step after the time comparison",
            || {
                let elapsed = elapsed(&self.csr, time, &self.stimulus);
                step_with::<Symbolic>(self.depth, &self.csr, before, &self.stimulus, elapsed)
            },
            result_words,
        )?;
        proof.equal("comparing first changes nothing", &[], &both, &split)?;
        Ok(())
    }

    /// Proves section 1 of the design's contract on the RTL, by induction over events.
    pub fn safety(&self, proof: &mut Proof) -> Result<(), ProofError> {
        let (before, after) = (self.control(), self.next()?);
        let invariant = before.invariant(self.depth).node();
        let output = |name: &str| self.outputs.node(name);
        let (draw, indexed, read) = (output("draw")?, output("indexed")?, output("read")?);
        let mode_reps = self.csr.mode.is_zero().node();
        let send = self.is(Kind::Send);

        proof.claim(
            "closed, as reset leaves it, is within the invariant",
            &[],
            Control::<Symbolic>::closed().invariant(self.depth).node(),
        )?;
        proof.claim("every event keeps the invariant", &[invariant], after.invariant(self.depth).node())?;
        let full = Symbolic::lit(u128::from(self.depth));
        proof.claim(
            "counts stay within the buffer",
            &[invariant],
            (after.valid.at_most(after.written) & after.written.at_most(full)).node(),
        )?;
        proof.claim(
            "frozen with a written buffer, no entropy value is random",
            &[
                invariant,
                mode_reps,
                send,
                before.open.node(),
                before.frozen.node(),
                !before.written.is_zero().node(),
            ],
            !draw & !indexed & read,
        )?;
        proof.claim(
            "a random entropy value explores or finds nothing cached",
            &[invariant, mode_reps, draw],
            (!before.explore.is_zero() | before.written.is_zero() | before.valid.is_zero() & !before.frozen)
                .node(),
        )?;
        proof.claim(
            "exploration ends: every random send of it counts down",
            &[invariant, send, before.open.node(), !before.explore.is_zero().node(), draw | indexed],
            (after.explore.equals(before.explore - Symbolic::lit(1)) | after.explore.is_zero()).node()
                | self.csr.mode.equals(Symbolic::lit(EvMode::Ops as u128)).node(),
        )?;
        let thaw = before.frozen & !after.frozen;
        proof.claim(
            "only a thaw, an idle time or an opening raises the explore counter",
            &[invariant, before.explore.less(after.explore).node()],
            thaw.node() | self.is(Kind::Idle) | self.is(Kind::Open),
        )?;
        proof.claim(
            "exploring in mode REPS, every send draws",
            &[invariant, mode_reps, send, before.open.node(), !before.explore.is_zero().node()],
            draw,
        )?;
        let slot = super::words::word::<5>(output("slot")?);
        proof.claim(
            "only slots written since the opening are read",
            &[invariant, read],
            (before.open & (slot.is_zero() | slot.less(before.written))).node(),
        )?;
        proof.claim("no event reads and writes", &[], !(read & output("write")?))?;
        let fresh = super::words::word::<5>(Node::variable("slot", self.depth.trailing_zeros() as usize));
        let holds =
            |control: &Control<Symbolic>| control.open & (fresh.is_zero() | fresh.less(control.written));
        proof.claim(
            "a slot becomes readable by being written",
            &[invariant, holds(&after).node()],
            holds(&before).node() | output("write")? & slot.equals(fresh).node(),
        )?;
        Ok(())
    }
}
