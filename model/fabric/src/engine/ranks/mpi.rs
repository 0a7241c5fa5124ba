//! Ranks of MPI.

use super::Ranks;
use mpi::Count;
use mpi::datatype::{Partition, PartitionMut};
use mpi::environment::Universe;
use mpi::topology::SimpleCommunicator;
use mpi::traits::{Communicator, CommunicatorCollectives};

/// The processes that `mpirun` started. Dropping this value ends MPI, for which all ranks wait.
pub struct Mpi {
    world: SimpleCommunicator,
    _universe: Universe,
}

impl Mpi {
    /// Begins MPI; `None` if it has begun already. After this call a panic ends all ranks, since the other
    /// ranks would wait for this one.
    pub fn start() -> Option<Self> {
        let universe = mpi::initialize()?;
        let told = std::panic::take_hook();
        std::panic::set_hook(Box::new(move |panic| {
            told(panic);
            SimpleCommunicator::world().abort(1);
        }));
        Some(Self { world: universe.world(), _universe: universe })
    }
}

/// The first place of each letter in a buffer that contains all letters one after the other.
fn places(counts: &[Count]) -> Vec<Count> {
    let place = |at: &mut Count, count: &Count| {
        let here = *at;
        *at = at.checked_add(*count).expect("the letters of a window have fewer than 2^31 words");
        Some(here)
    };
    counts.iter().scan(0, place).collect()
}

impl Ranks for Mpi {
    fn own(&self) -> usize {
        self.world.rank() as usize
    }

    fn count(&self) -> usize {
        self.world.size() as usize
    }

    fn exchange(&self, letters: &mut Vec<Vec<u64>>) {
        let length =
            |letter: &Vec<u64>| Count::try_from(letter.len()).expect("a letter has fewer than 2^31 words");
        let to: Vec<Count> = letters.iter().map(length).collect();
        let mut from = vec![0; to.len()];
        self.world.all_to_all_into(&to[..], &mut from[..]);
        let (sent, places_to, places_from) = (letters.concat(), places(&to), places(&from));
        let mut came = vec![0u64; from.iter().map(|count| *count as usize).sum()];
        let sent = Partition::new(&sent[..], &to[..], &places_to[..]);
        let mut whole = PartitionMut::new(&mut came[..], &from[..], &places_from[..]);
        self.world.all_to_all_varcount_into(&sent, &mut whole);
        for ((letter, at), count) in letters.iter_mut().zip(places_from).zip(from) {
            letter.clear();
            letter.extend_from_slice(&came[at as usize..][..count as usize]);
        }
    }
}
