//! Rule 17: messages that an event completed, and messages that an event ended unfinished.
//!
//! A connection's PSNs are in groups of 32 from its first one on. A group stores the number of messages that
//! end before it. The ends in the group before una are counted.

use super::state::{Flow, Kind, Stimulus};
use super::step::Action;
use weft_word::{Bit, Bits, Compact, Concrete, Domain, Stored, Word, stored};

/// Number of groups of a connection for each 128 PSNs of the window: twice the window, so that a group is not
/// written again while una is in it.
pub const GROUPS: usize = 8;

stored! {
    /// 32 consecutive PSNs, and the PSNs among them that end a message.
    #[derive(Clone, Copy, Debug)]
    pub struct Group<D: Domain, const N: usize = 9> {
        /// The packets that were sent and end a message, by slot.
        pub ends: D::Word<32>,
        /// Number of messages that end before the group's first PSN, modulo twice the window.
        pub number: D::Word<N>,
    }

    /// The ends of a connection's messages.
    #[derive(Clone, Copy, Debug)]
    pub struct Ends<D: Domain, const N: usize = 9> {
        /// Number of messages whose last packet was sent, modulo twice the window.
        pub total: D::Word<N>,
        /// The group of the newest packet.
        pub group: Group<D, N>,
    }

    /// Numbers of messages of a connection since it was opened, modulo twice the window.
    #[derive(Clone, Copy, Debug)]
    pub struct Account<D: Domain, const N: usize = 9> {
        /// Number of posted messages.
        pub posted: D::Word<N>,
        /// Number of completed messages.
        pub completed: D::Word<N>,
    }
}

/// The group and the slot that an event accesses.
#[derive(Clone, Copy, Debug)]
pub struct Spot<D: Domain, const N: usize = 9> {
    /// Whether a packet leaves for the first time, so that its group is written.
    pub fresh: Bit<D>,
    /// Whether una moves, so that the group of the PSN before it is read.
    pub moves: Bit<D>,
    /// The group.
    pub group: D::Word<N>,
    /// The slot.
    pub slot: D::Word<5>,
}

/// Whether the event ends all messages of the connection.
#[inline(always)]
fn ends_all<D: Domain, const N: usize>(stimulus: &Stimulus<D>, action: &Action<D, N>) -> Bit<D> {
    stimulus.is(Kind::Open) | stimulus.is(Kind::Close) | action.failed
}

/// The place of the packet that leaves for the first time, otherwise of the last packet before una.
#[inline(always)]
pub fn spot<D: Domain, const N: usize>(
    stimulus: &Stimulus<D>,
    action: &Action<D, N>,
    flow: &Flow<D, N>,
) -> Spot<D, N> {
    let fresh = action.send & stimulus.fresh;
    let una = flow.published.una.slice::<0, N>();
    let goes_on = action.accepted & !ends_all(stimulus, action);
    let psn = stimulus.psn.slice::<0, N>().when(fresh, una - D::lit(1));
    let offset = psn - flow.published.origin;
    let moves = goes_on & !fresh & !una.equals(action.una_before.slice::<0, N>());
    Spot { fresh, moves, group: offset.shr(5), slot: offset.slice::<0, 5>() }
}

/// The group of the newest packet. The group is written if this packet leaves with the event.
#[inline(always)]
pub fn end<D: Domain, const N: usize>(
    ends: &Ends<D, N>,
    stimulus: &Stimulus<D>,
    action: &Action<D, N>,
    spot: &Spot<D, N>,
) -> Ends<D, N> {
    let begins = spot.fresh & spot.slot.is_zero();
    let here = D::power(spot.slot.widen::<7>()).slice::<0, 32>();
    let group = Group {
        ends: D::lit(0).when(begins, ends.group.ends) | here.when(action.last, D::lit(0)),
        number: ends.total.when(begins, ends.group.number),
    };
    let total = ends.total + action.last.widen::<N>();
    Ends { total: D::lit(0).when(stimulus.is(Kind::Open), total), group }
}

/// Numbers of messages that completed, and that ended unfinished. `group` is the one of the spot.
#[inline(always)]
pub fn finish<D: Domain, const N: usize>(
    account: &Account<D, N>,
    stimulus: &Stimulus<D>,
    action: &Action<D, N>,
    spot: &Spot<D, N>,
    group: &Group<D, N>,
) -> (Account<D, N>, D::Word<N>, D::Word<N>) {
    let ends = ends_all(stimulus, action);
    let upto = (D::power(spot.slot.widen::<7>() + D::lit(1)) - D::lit(1)).slice::<0, 32>();
    let passed = group.number + D::ones((group.ends & upto).widen::<128>()).widen::<N>();
    let completed = (passed - account.completed).when(spot.moves, D::lit(0));
    let errors = (account.posted - account.completed).when(ends, D::lit(0));
    let none = |count: D::Word<N>| D::lit(0).when(ends, count);
    let after = Account {
        posted: none(account.posted + action.posted.widen::<N>()),
        completed: none(passed.when(spot.moves, account.completed)),
    };
    (after, completed, errors)
}

/// The messages of a connection.
#[derive(Clone, Debug)]
pub struct Messages<const N: usize = 9, const L: usize = 2>
where
    Bits<N>: Stored,
{
    /// The ends of the messages.
    pub ends: Compact<Ends<Concrete, N>>,
    /// The groups by index: ends in bits 31:0, the number above them.
    pub groups: [[u64; GROUPS]; L],
    /// The numbers of messages.
    pub account: Compact<Account<Concrete, N>>,
}

impl<const N: usize, const L: usize> Messages<N, L>
where
    Bits<N>: Stored,
{
    /// The state of a connection that never was open.
    pub(super) fn none() -> Self {
        let zero = Bits::lit(0);
        Self {
            ends: Compact::new(Ends { total: zero, group: Group { ends: Bits::lit(0), number: zero } }),
            groups: [[0; GROUPS]; L],
            account: Compact::new(Account { posted: zero, completed: zero }),
        }
    }

    /// Number of messages that an event completes, and number of messages that it ends unfinished.
    #[inline(always)]
    pub(super) fn step(
        &mut self,
        stimulus: &Stimulus<Concrete>,
        action: &Action<Concrete, N>,
        spot: &Spot<Concrete, N>,
    ) -> (Bits<N>, Bits<N>) {
        let ends = end(&self.ends.get(), stimulus, action, spot);
        self.ends.set(ends);
        let group = spot.group.value() as usize;
        let at = &mut self.groups[group / GROUPS][group % GROUPS];
        if spot.fresh.value() == 1 {
            *at = (ends.group.ends.value() | ends.group.number.value() << 32) as u64;
        }
        let group = Group { ends: Bits::lit((*at as u32).into()), number: Bits::lit((*at >> 32).into()) };
        let (account, completed, errors) = finish(&self.account.get(), stimulus, action, spot, &group);
        self.account.set(account);
        (completed, errors)
    }
}
