//! Tests of a setting that software changes while events are inside. Each of these events sees the old value
//! or the new one, in order, and no other event is affected.
//!
//! A model that gets the new value in one clock uses the old value for events before that clock and the new
//! value after it. The clock depends on the stage that reads the setting. Therefore a model for each clock
//! runs in parallel with the RTL. At least one of these models must be right to the end, long after the last
//! event that was inside at the change.

use std::sync::Arc;
use verilator_sys::{Library, Reset};
use weft_bench::{EventBlock, Rtl, Session, Subject};
use weft_random::Rng;

/// One setting before and after a change, and its name.
pub(crate) struct Change<C> {
    pub(crate) name: &'static str,
    pub(crate) old: C,
    pub(crate) new: C,
}

/// Block of a test.
pub(crate) struct Changes<B: Subject> {
    pub(crate) params: B::Params,
    /// Clocks of the sweep after a reset.
    pub(crate) sweep: u64,
    /// Clocks from the clock in which the model decides an event to the last clock that reads a setting, with
    /// stalls.
    pub(crate) reach: u64,
}

/// Trials, and trials in which models disagreed. In all other trials the change had no effect on events
/// inside.
#[derive(Debug, Default, PartialEq, Eq)]
pub(crate) struct Seen {
    pub(crate) trials: u32,
    pub(crate) told: u32,
}

impl<B: Subject + EventBlock> Changes<B>
where
    B::Model: Clone,
{
    fn library(&self) -> Arc<Library> {
        let build =
            Session::new(self.params.clone(), 0).build::<B>().unwrap_or_else(|error| panic!("{error}"));
        build.load().unwrap_or_else(|error| panic!("{error}"))
    }

    /// Runs `trials` trials. An error describes the first that no model explains.
    pub(crate) fn run<E: FnMut() -> B::Event>(
        &self,
        (seed, trials): (u64, u32),
        mut change: impl FnMut(&mut Rng) -> Change<B::Csr>,
        mut events: impl FnMut(&mut Rng, &Change<B::Csr>) -> E,
    ) -> Result<Seen, String> {
        let mut rng = Rng::new(seed);
        let mut rtl =
            Rtl::<B>::new(&self.library(), Reset::Random(seed as u32)).map_err(|error| error.to_string())?;
        let mut seen = Seen { trials, told: 0 };
        for trial in 0..trials {
            let change = change(&mut rng);
            let mut next = events(&mut rng, &change);
            let told = self.trial(&mut rtl, &mut rng, &change, &mut next);
            seen.told += u32::from(told.map_err(|what| format!("trial {trial}, {}: {what}", change.name))?);
        }
        Ok(seen)
    }

    fn trial(
        &self,
        rtl: &mut Rtl<B>,
        rng: &mut Rng,
        change: &Change<B::Csr>,
        next: &mut impl FnMut() -> B::Event,
    ) -> Result<bool, String> {
        let at = self.sweep + self.reach + u64::from(rng.below(100));
        let end = at + 3 * self.reach + 100;
        let (idle, stall) = ([0, 0, 64, 200][rng.below(4) as usize], [0, 0, 0, 100][rng.below(4) as usize]);
        let mut models = vec![B::model(&self.params)];
        B::configure(&mut models[0], &change.old);
        rtl.configure(&change.old).map_err(|error| error.to_string())?;
        let (mut offered, mut told) = (None, false);
        for clock in 0..end {
            if clock > 1 {
                let mut last = None;
                let before = models.len();
                models.retain(|model| {
                    last = rtl.compare(clock, B::outputs(model));
                    last.is_none()
                });
                told |= models.len() < before;
                if models.is_empty() {
                    return Err(format!(
                        "no model is right {} clocks after the change: {last:?}",
                        clock as i64 - at as i64
                    ));
                }
            }
            if (at - self.reach..=at + 1).contains(&clock) {
                // The first model has had the old value until now.
                let mut changed = models[0].clone();
                B::configure(&mut changed, &change.new);
                models.push(changed);
            }
            if clock == at + 1 {
                models.remove(0);
            }
            if clock == at {
                rtl.configure(&change.new).map_err(|error| error.to_string())?;
            }
            let (busy, ready) = (rng.below(256) >= idle, rng.below(256) >= stall);
            if offered.is_none() && busy && clock > 1 {
                offered = Some(next());
            }
            let mut inputs = B::inputs(offered.as_ref(), ready);
            if clock < 2 {
                inputs = B::reset(inputs);
            } else if B::takes(B::outputs(&models[0])) {
                offered = None;
            }
            models.iter_mut().for_each(|model| B::clock(model, &inputs));
            rtl.clock(&inputs).map_err(|error| error.to_string())?;
        }
        Ok(told)
    }
}
