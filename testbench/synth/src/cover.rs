//! Gates covered by LUTs: what a LUT that makes a net could read. Of every net a few such cuts are kept, the shallowest
//! first, and all nets can have their shallowest at once, at the price of logic that is made twice: so a net's depth here
//! is one that a mapping has, the least but for cuts that were not kept.

/// Inputs of a LUT.
const INPUTS: usize = 6;
/// Cuts of a net that are kept.
const KEPT: usize = 10;
/// Cuts that are kept while a gate's inputs are joined.
const TRIED: usize = 40;

/// LUTs and carry chains from the registers on, and how many of them are chains.
pub(crate) type Levels = (u32, u32);

/// Nets that a LUT reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The nets, in order.
    nets: Vec<u32>,
    /// How deep the deepest is.
    pub(crate) levels: Levels,
    /// The deepest.
    pub(crate) deepest: Option<u32>,
}

impl Cut {
    /// Of constants.
    fn nothing() -> Self {
        Self { nets: Vec::new(), levels: (0, 0), deepest: None }
    }

    /// A net itself, so many levels deep.
    pub(crate) fn itself(net: u32, levels: Levels) -> Self {
        Self { nets: vec![net], levels, deepest: Some(net) }
    }

    /// Both in one LUT, if it has the inputs.
    fn join(&self, other: &Self) -> Option<Self> {
        let mut nets = Vec::with_capacity(INPUTS);
        let (mut left, mut right) = (self.nets.iter().peekable(), other.nets.iter().peekable());
        while let Some(&next) = match (left.peek(), right.peek()) {
            (Some(a), Some(b)) => Some((*a).min(*b)),
            (a, b) => a.or(b).copied(),
        } {
            if nets.len() == INPUTS {
                return None;
            }
            nets.push(next);
            left.next_if_eq(&&next);
            right.next_if_eq(&&next);
        }
        let deeper = if other.levels > self.levels || self.deepest.is_none() { other } else { self };
        Some(Self { nets, levels: deeper.levels, deepest: deeper.deepest })
    }
}

/// The cuts of a gate's output, the shallowest first, from those of its inputs.
pub(crate) fn cuts<'a>(inputs: impl Iterator<Item = &'a [Cut]>) -> Vec<Cut> {
    let mut joined = vec![Cut::nothing()];
    for input in inputs {
        joined = joined.iter().flat_map(|cut| input.iter().filter_map(|it| cut.join(it))).collect();
        joined.sort_by(|a, b| (a.levels, a.nets.len(), &a.nets).cmp(&(b.levels, b.nets.len(), &b.nets)));
        joined.dedup();
        joined.truncate(TRIED);
    }
    joined.truncate(KEPT);
    joined
}
