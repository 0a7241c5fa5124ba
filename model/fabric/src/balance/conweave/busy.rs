//! Paths that a NOTIFY has named: the path-busy table in its three forms.

use weft_switch::conweave::rules::{PATH_SEED, busy_by_path, busy_direct, busy_way};
use weft_switch::conweave::{Options, PathTable};
use weft_switch::kit;

/// The table.
#[derive(Clone, Debug)]
pub(super) enum Busy {
    Associative([Vec<u64>; 4]),
    ByPath([[Vec<u64>; 2]; 4]),
    Direct([Vec<u64>; 2]),
}

/// Cells of the direct form.
const DIRECT: usize = 1 << 16;

/// One access to the table: the access either looks up entries or writes one entry.
#[derive(Clone, Copy, Debug)]
pub(super) struct Look {
    pub(super) group: u64,
    pub(super) paths: [u64; 2],
    /// Whether the access writes the path into the table.
    pub(super) notes: bool,
    pub(super) tick: u64,
}

impl Busy {
    /// Makes a table for a number of groups.
    pub(super) fn new(options: &Options, groups: usize) -> Self {
        let cells = || vec![0; groups];
        match options.path_table {
            PathTable::Associative => Self::Associative(std::array::from_fn(|_| cells())),
            PathTable::ByPath => Self::ByPath(std::array::from_fn(|_| [cells(), cells()])),
            PathTable::Direct => Self::Direct([vec![0; DIRECT], vec![0; DIRECT]]),
        }
    }

    /// Whether cells change when a packet accesses the table without a request.
    pub(super) fn ages(&self) -> bool {
        matches!(self, Self::ByPath(_))
    }

    /// Looks up whether each of the two paths is busy, and returns one bit for each path. Also returns
    /// whether the table lost an entry.
    pub(super) fn look(&mut self, look: Look, whole: u64) -> (u64, bool) {
        let Look { group, paths: [a, other], notes, tick } = look;
        let (row, mut noted, mut busy) = (group as usize, u64::from(!notes), 0);
        match self {
            Self::Associative(ways) => {
                let last = ways.len() - 1;
                for (at, way) in ways.iter_mut().enumerate() {
                    let [says, done] = busy_way(&mut way[row], [a, other, noted, tick], (whole, at == last));
                    (busy, noted) = (busy | says, done);
                    if notes && at == last {
                        return (busy, says == 3);
                    }
                }
            }
            Self::ByPath(ways) => {
                for (at, copies) in (0..).zip(ways.iter_mut()) {
                    for (copy, (cells, path)) in copies.iter_mut().zip([a, other]).enumerate() {
                        let says = busy_by_path(&mut cells[row], [path, noted, tick], (whole, at));
                        busy |= u64::from(says) << copy;
                    }
                }
            }
            Self::Direct(copies) => {
                for (copy, (cells, path)) in copies.iter_mut().zip([a, other]).enumerate() {
                    let row = kit::hash(PATH_SEED, [group, path].into_iter()) >> 16;
                    let says = busy_direct(&mut cells[row as usize], [group, path, noted, tick], whole);
                    busy |= u64::from(says) << copy;
                }
            }
        }
        (busy, false)
    }

    /// The cells of the table, by the names of the program's arrays.
    pub(super) fn registers(&self) -> Vec<(&'static str, Vec<u64>)> {
        const WAYS: [[&str; 3]; 4] = [
            ["paths_busy_0", "paths_busy_0a", "paths_busy_0b"],
            ["paths_busy_1", "paths_busy_1a", "paths_busy_1b"],
            ["paths_busy_2", "paths_busy_2a", "paths_busy_2b"],
            ["paths_busy_3", "paths_busy_3a", "paths_busy_3b"],
        ];
        match self {
            Self::Associative(ways) => WAYS.iter().map(|names| names[0]).zip(ways.iter().cloned()).collect(),
            Self::ByPath(ways) => {
                let copies = |([_, a, b], [cells_a, cells_b]): (&[&'static str; 3], &[Vec<u64>; 2])| {
                    [(*a, cells_a.clone()), (*b, cells_b.clone())]
                };
                WAYS.iter().zip(ways).flat_map(copies).collect()
            }
            Self::Direct([a, b]) => vec![("paths_busy_a", a.clone()), ("paths_busy_b", b.clone())],
        }
    }
}
