//! Rule 17: messages that an event completed, and messages that an event ended unfinished.
//!
//! A connection's PSNs are in groups of 32 from its first one on. A group stores the number of messages that
//! end before it. The ends in the group before una are counted.

use super::state::{Flow, Kind, Stimulus};
use super::step::Action;
use weft_word::{Bit, Bits, Compact, Concrete, Domain, Word, stored};

/// Number of groups of a connection: twice the window, so that a group is not written again while una is in
/// it.
pub const GROUPS: usize = 16;

stored! {
    /// 32 consecutive PSNs, and the PSNs among them that end a message.
    #[derive(Clone, Copy, Debug)]
    pub struct Group<D: Domain> {
        /// The packets that were sent and end a message, by slot.
        pub ends: D::Word<32>,
        /// Number of messages that end before the group's first PSN, modulo 512.
        pub number: D::Word<9>,
    }

    /// The ends of a connection's messages.
    #[derive(Clone, Copy, Debug)]
    pub struct Ends<D: Domain> {
        /// Number of messages whose last packet was sent, modulo 512.
        pub total: D::Word<9>,
        /// The group of the newest packet.
        pub group: Group<D>,
    }

    /// Numbers of messages of a connection since it was opened, modulo 512.
    #[derive(Clone, Copy, Debug)]
    pub struct Account<D: Domain> {
        /// Number of posted messages.
        pub posted: D::Word<9>,
        /// Number of completed messages.
        pub completed: D::Word<9>,
    }
}

/// The group and the slot that an event accesses.
#[derive(Clone, Copy, Debug)]
pub struct Spot<D: Domain> {
    /// Whether a packet leaves for the first time, so that its group is written.
    pub fresh: Bit<D>,
    /// Whether una moves, so that the group of the PSN before it is read.
    pub moves: Bit<D>,
    /// The group.
    pub group: D::Word<4>,
    /// The slot.
    pub slot: D::Word<5>,
}

/// Whether the event ends all messages of the connection.
#[inline(always)]
fn ends_all<D: Domain>(stimulus: &Stimulus<D>, action: &Action<D>) -> Bit<D> {
    stimulus.is(Kind::Open) | stimulus.is(Kind::Close) | action.failed
}

/// The place of the packet that leaves for the first time, otherwise of the last packet before una.
#[inline(always)]
pub fn spot<D: Domain>(stimulus: &Stimulus<D>, action: &Action<D>, flow: &Flow<D>) -> Spot<D> {
    let fresh = action.send & stimulus.fresh;
    let una = flow.published.una.slice::<0, 9>();
    let goes_on = action.accepted & !ends_all(stimulus, action);
    let psn = stimulus.psn.slice::<0, 9>().when(fresh, una - D::lit(1));
    let offset = psn - flow.published.origin;
    let moves = goes_on & !fresh & !una.equals(action.una_before.slice::<0, 9>());
    Spot { fresh, moves, group: offset.slice::<5, 4>(), slot: offset.slice::<0, 5>() }
}

/// The group of the newest packet. The group is written if this packet leaves with the event.
#[inline(always)]
pub fn end<D: Domain>(ends: &Ends<D>, stimulus: &Stimulus<D>, action: &Action<D>, spot: &Spot<D>) -> Ends<D> {
    let begins = spot.fresh & spot.slot.is_zero();
    let here = D::power(spot.slot.widen::<7>()).slice::<0, 32>();
    let group = Group {
        ends: D::lit(0).when(begins, ends.group.ends) | here.when(action.last, D::lit(0)),
        number: ends.total.when(begins, ends.group.number),
    };
    let total = ends.total + action.last.widen::<9>();
    Ends { total: D::lit(0).when(stimulus.is(Kind::Open), total), group }
}

/// Numbers of messages that completed, and that ended unfinished. `group` is the one of the spot.
#[inline(always)]
pub fn finish<D: Domain>(
    account: &Account<D>,
    stimulus: &Stimulus<D>,
    action: &Action<D>,
    spot: &Spot<D>,
    group: &Group<D>,
) -> (Account<D>, D::Word<9>, D::Word<10>) {
    let ends = ends_all(stimulus, action);
    let upto = (D::power(spot.slot.widen::<7>() + D::lit(1)) - D::lit(1)).slice::<0, 32>();
    let passed = group.number + D::ones((group.ends & upto).widen::<128>());
    let completed = (passed - account.completed).when(spot.moves, D::lit(0));
    let errors = (account.posted - account.completed).widen::<10>().when(ends, D::lit(0));
    let none = |count: D::Word<9>| D::lit(0).when(ends, count);
    let after = Account {
        posted: none(account.posted + action.posted.widen::<9>()),
        completed: none(passed.when(spot.moves, account.completed)),
    };
    (after, completed, errors)
}

/// The messages of a connection.
#[derive(Clone, Debug)]
pub struct Messages {
    /// The ends of the messages.
    pub ends: Compact<Ends<Concrete>>,
    /// The groups by index: ends in bits 31:0, the number above them.
    pub groups: [u64; GROUPS],
    /// The numbers of messages.
    pub account: Compact<Account<Concrete>>,
}

impl Messages {
    /// The state of a connection that was never open.
    pub(super) fn none() -> Self {
        let zero = Bits::lit(0);
        Self {
            ends: Compact::new(Ends { total: zero, group: Group { ends: Bits::lit(0), number: zero } }),
            groups: [0; GROUPS],
            account: Compact::new(Account { posted: zero, completed: zero }),
        }
    }

    /// Number of messages that an event completes, and number of messages that it ends unfinished.
    #[inline(always)]
    pub(super) fn step(
        &mut self,
        stimulus: &Stimulus<Concrete>,
        action: &Action<Concrete>,
        spot: &Spot<Concrete>,
    ) -> (Bits<9>, Bits<10>) {
        let ends = end(&self.ends.get(), stimulus, action, spot);
        self.ends.set(ends);
        let at = &mut self.groups[spot.group.value() as usize];
        if spot.fresh.value() == 1 {
            *at = (ends.group.ends.value() | ends.group.number.value() << 32) as u64;
        }
        let group = Group { ends: Bits::lit((*at as u32).into()), number: Bits::lit((*at >> 32).into()) };
        let (account, completed, errors) = finish(&self.account.get(), stimulus, action, spot, &group);
        self.account.set(account);
        (completed, errors)
    }
}
