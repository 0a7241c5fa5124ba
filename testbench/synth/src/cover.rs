//! A cover of gates with LUTs, by cuts. A cut of a net is the set of nets that a LUT for the net reads. The
//! cover keeps a few cuts of every net, the shallowest first. All nets can use their shallowest cuts at the
//! same time, if logic is duplicated. Hence a mapping can reach the computed depth of every net. This depth
//! is minimal, unless a cut that is not kept would give a smaller depth.

/// Inputs of a LUT.
const INPUTS: usize = 6;
/// Number of cuts that are kept for a net.
const KEPT: usize = 10;
/// Number of cuts that are kept while the inputs of a gate are joined.
const TRIED: usize = 40;

/// Number of LUTs and carry chains from the registers on, and the number of chains among these.
pub(crate) type Levels = (u32, u32);

/// Nets that a LUT reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct Cut {
    /// The nets, sorted.
    nets: Vec<u32>,
    /// Depth of the deepest net.
    pub(crate) levels: Levels,
    /// The deepest net.
    pub(crate) deepest: Option<u32>,
}

impl Cut {
    /// The cut of a constant.
    fn nothing() -> Self {
        Self { nets: Vec::new(), levels: (0, 0), deepest: None }
    }

    /// The cut that is the net itself, with its depth.
    pub(crate) fn itself(net: u32, levels: Levels) -> Self {
        Self { nets: vec![net], levels, deepest: Some(net) }
    }

    /// Joins two cuts in one LUT, if the LUT has enough inputs.
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

/// The cuts of a gate's output, the shallowest first, from the cuts of its inputs.
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
